// SPDX-License-Identifier: Apache-2.0
// Predicts the unknowns of a part of a composed step. An increment over its length is the rate in the middle of its
// step; the polynomial through the rates nearest in time gives the rate in the middle of the next step. Multipliers are
// not increments and are interpolated directly.
#include "analyses/dynamic/dynamic.h"

enum { MOST_POINTS = 4 };
static const double apart = 0.05; // of the composed step: closer points count as one

typedef struct {
  Vec unknown;
  double middle, length; // s
} Point;

static int list_points(const Stepper *p, Point *out) {
  int count = 0;
  double at = p->parts->start;
  for (int i = 0; i < 2 && p->parts->before[i] != 0; i++) {
    double length = p->parts->before[i];
    out[count++] = (Point){p->parts->last[i], at - 0.5 * length, length};
    at -= length;
  }
  for (int i = 0; i < p->parts->count; i++)
    out[count++] = (Point){p->parts->unknown[i], p->parts->middle[i], p->parts->length[i]};
  return count;
}

// The nearest points first; of two that count as one, the nearer.
static int choose_points(int count, Point *point, double middle, double whole) {
  int chosen = 0;
  while (chosen < MOST_POINTS) {
    int best = -1;
    for (int i = chosen; i < count; i++) {
      bool good = true;
      for (int k = 0; k < chosen; k++) good = good && fabs(point[i].middle - point[k].middle) > apart * fabs(whole);
      if (good && (best < 0 || fabs(point[i].middle - middle) <= fabs(point[best].middle - middle))) best = i;
    }
    if (best < 0) break;
    Point q = point[best];
    point[best] = point[chosen], point[chosen++] = q;
  }
  return chosen;
}

PetscErrorCode PredictPart(Stepper *p, double h, bool *any) {
  Point point[2 * MOST_PAIRS + 2];
  const double *u;
  double *x, middle = p->s->motion.state.time + 0.5 * h;
  PetscInt n;
  PetscFunctionBegin;
  int count = choose_points(list_points(p, point), point, middle, p->parts->whole);
  *any = count > 0;
  if (!*any) PetscFunctionReturn(0);
  PetscCall(VecZeroEntries(p->s->equations.unknown));
  PetscCall(VecGetLocalSize(p->s->equations.unknown, &n));
  PetscCall(VecGetArray(p->s->equations.unknown, &x));
  for (int i = 0; i < count; i++) {
    double weight = 1;
    for (int k = 0; k < count; k++)
      if (k != i) weight *= (middle - point[k].middle) / (point[i].middle - point[k].middle);
    double rate = weight * h / point[i].length;
    PetscCall(VecGetArrayRead(point[i].unknown, &u));
    for (PetscInt k = 0; k < n; k++) x[k] += (p->parts->is_multiplier[k] ? weight : rate) * u[k];
    PetscCall(VecRestoreArrayRead(point[i].unknown, &u));
  }
  PetscCall(VecRestoreArray(p->s->equations.unknown, &x));
  PetscFunctionReturn(0);
}
