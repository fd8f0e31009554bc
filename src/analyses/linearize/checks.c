// SPDX-License-Identifier: Apache-2.0
// Checks a linear model against finite differences of forces, and against modes that are found without elimination.
#include "analyses/linearize/dense.h"
#include "analyses/linearize/matrices.h"
#include "analyses/modes/modes.h"
#include "model/refusal.h"

#include <math.h>

enum { MOST_COMPARED = 10 };

typedef struct {
  System *s;
  const Spin *spin;
  const Unknowns *u;
  Vec forces;
} ForceQuestion;

static PetscErrorCode SampleForces(void *self, double *row) {
  ForceQuestion *q = self;
  PetscFunctionBegin;
  PetscCall(EvaluateForces(&q->s->motion, &q->s->equations, q->spin, q->forces));
  PetscCall(UnknownsGather(q->u, q->forces, row));
  PetscFunctionReturn(0);
}

// Compares K with finite differences of the forces, along one motion of all coordinates.
PetscErrorCode LinearModelCompareForces(const LinearMatrices *p, LinearModel *m) {
  PetscInt n = p->u.count;
  double *along, *by_matrix, *by_difference, *weight, diff = 0, scale = 0;
  MovedState state;
  ForceQuestion q = {.s = p->s, .spin = &p->spin, .u = &p->u};
  PetscFunctionBegin;
  PetscCall(PetscCalloc4(n, &along, n, &by_matrix, n, &by_difference, p->groups.n, &weight));
  for (PetscInt i = 0; i < p->groups.n; i++) weight[i] = sin(1.7 * (double)i + 0.3);
  PetscCall(DenseMultiply(false, n, 1, p->groups.n, 1, p->groups.t, n, weight, p->groups.n, 0, along, n));
  sparse_multiply(&p->k, 1, along, by_matrix);
  PetscCall(VecDuplicate(p->s->equations.residual, &q.forces));
  PetscCall(MovedStateCreate(p->s, &p->u, &p->spin, &state));
  PetscCall(DifferentiateState(&state, &(SmallMotion){along, NULL}, &(StateQuestion){(int)n, SampleForces, &q},
                               by_difference, NULL));
  for (PetscInt i = 0; i < n; i++) {
    UnknownKind kind = p->u.unknown[i].kind;
    if (kind != UNKNOWN_NODE && kind != UNKNOWN_COORDINATE) continue;
    diff += pow(by_matrix[i] - by_difference[i], 2), scale += pow(by_matrix[i], 2);
  }
  m->difference = scale > 0 ? sqrt(diff / scale) : sqrt(diff);
  PetscCall(MovedStateDestroy(&state));
  PetscCall(VecDestroy(&q.forces));
  PetscCall(PetscFree4(along, by_matrix, by_difference, weight));
  PetscFunctionReturn(0);
}

// The lowest modes, found without minimal coordinates; NULL: there are none.
static PetscErrorCode FindModes(const LinearMatrices *p, Modes **modes) {
  LimberModesOptions options;
  Refusal wrong = {.text = ""};
  PetscFunctionBegin;
  *modes = NULL;
  options = limber_modes_options_default();
  options.count = PetscMin(MOST_COMPARED, (int)p->groups.na);
  bool whole = p->minimal.n > 0; // with modes as coordinates, dampers couple to those that are left out
  if (whole && options.count > 0) PetscCall(ModesFind(p->s, &p->spin, &options, modes, &wrong));
  if (is_refused(&wrong)) *modes = NULL;
  PetscFunctionReturn(0);
}

// Eigenvalues of A, and the largest relative distance of a mode from the nearest one.
PetscErrorCode LinearModelFindEigenvalues(const LinearMatrices *p, LinearModel *m) {
  PetscInt n = m->states;
  double *by_columns, shift = 0, largest = 0;
  Modes *modes;
  PetscFunctionBegin;
  m->has_eigenvalues = m->states <= LINEAR_MOST_EIGENVALUES;
  if (!m->has_eigenvalues) PetscFunctionReturn(0);
  PetscCall(FindModes(p, &modes));
  if (modes && modes->count) shift = 0.5 * hypot(modes->mode[0].re, modes->mode[0].im);
  PetscCall(PetscMalloc1(n * n, &by_columns));
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) by_columns[i + j * n] = m->a[i * n + j];
  PetscCall(DenseEigenvalues(n, by_columns, shift, m->eigen[0], m->eigen[1], m->eigen[2]));
  for (int i = 0; i < m->states; i++) largest = fmax(largest, hypot(m->eigen[0][i], m->eigen[1][i]));
  for (int i = 0; modes && i < modes->count; i++) {
    const Mode *q = &modes->mode[i];
    double best = PETSC_INFINITY;
    double size = hypot(q->re, q->im);
    if (q->residual > 1e-6 || size < 1e-6 * p->spin.rate || size < 1e-8 * largest) continue; // rigid, or round-off
    for (int k = 0; k < m->states; k++) best = fmin(best, hypot(m->eigen[0][k] - q->re, m->eigen[1][k] - q->im) / size);
    m->mode_difference = fmax(m->mode_difference, best), m->compared++;
  }
  if (modes) PetscCall(ModesDestroy(&modes));
  PetscCall(PetscFree(by_columns));
  PetscFunctionReturn(0);
}
