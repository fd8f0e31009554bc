// SPDX-License-Identifier: Apache-2.0
// Slopes of columns by the state in the adjoint method: central differences of fourth order over the few numbers on which a
// column depends (adjoint_support.c).
#include "gradient/adjoint.h"

#include "quantities/ledger.h"

#include <math.h>
#include <string.h>

static const double noise = 1e-11;                // of values in the run: round-off that a gain has made larger
static const double part = 1e-4, shortest = 1e-8; // of the size of a number: its difference, and the shortest one

// A number of the state or of the control network.
typedef struct {
  StateArray array;
  double value, size;
  StepIncrements still;
} Number;

static PetscErrorCode FindNumber(Adjoint *w, const ColumnEntry *e, Number *out) {
  StateArray list[MOST_STATE_ARRAYS];
  double *size;
  int count;
  PetscFunctionBegin;
  if (e->from < 0) {
    *out = (Number){.value = w->control.now[e->number], .size = adjoint_control_size(w, e->number)};
    PetscFunctionReturn(0);
  }
  PetscCall(StateList(w->run->stepper, TRIED, list, &count));
  out->array = list[e->from];
  out->value = e->here ? ((double *)out->array.data)[e->number] : 0;
  PetscCall(AdjointFindSizes(w, &out->array, e->here ? e->place - e->number : adjoint_no_place, &size));
  out->size = size[e->number % (out->array.item / sizeof(double))];
  size_t owner = e->number * sizeof(double) / out->array.item;
  out->still = e->here ? adjoint_increments(&w->run->stepper->s->motion.layout, &out->array, owner)
                       : (StepIncrements){.count = 0};
  PetscCall(AdjointExchangeIncrements(&w->run->stepper->s->equations, &out->still, false));
  PetscCall(PetscFree(size));
  PetscFunctionReturn(0);
}

static PetscErrorCode PutNumber(Adjoint *w, const ColumnEntry *e, const Number *n, double value) {
  AdjointControl *c = &w->control;
  PetscFunctionBegin;
  if (e->from >= 0) {
    StepIncrements moved = n->still;
    if (moved.count && value != n->value) adjoint_move_increments(&n->array, e->number, value - n->value, &moved);
    PetscCall(AdjointExchangeIncrements(&w->run->stepper->s->equations, &moved, true));
    if (e->here) adjoint_set_number(w->run->stepper, &n->array, e->number, value);
    PetscFunctionReturn(0);
  }
  c->now[e->number] = value;
  PetscCall(c->network->put(c->network, c->now));
  PetscFunctionReturn(0);
}

// Of values at +1, -1, +2 and -2 lengths: whether a kink lies among them. `scale`: of the values in the run.
static bool is_kinked(const double f[4], double scale) {
  double odd = fabs(f[2] - f[3] - 2 * (f[0] - f[1]));
  double round = fmax(64 * PETSC_MACHINE_EPSILON * (fabs(f[2]) + fabs(f[3])), noise * scale);
  return !(odd <= 1e-5 * fabs(f[0] - f[1]) + round);
}

// Whether it lies in the middle: the even part is a line then and not a parabola.
static bool is_kinked_at(const double f[4], double middle, double scale) {
  double near = fabs(f[0] + f[1] - 2 * middle), far = fabs(f[2] + f[3] - 2 * middle);
  double size = fabs(f[0] - middle) + fabs(f[1] - middle), round = noise * fmax(scale, fabs(middle));
  return near > 1e-6 * size + round && far < 3 * near;
}

// A slope from such values at the distance d. Where both sides differ, it is their mean, and in the second way back that of one.
static double slope_of(Adjoint *w, const double f[4], double middle, double scale, double d) {
  bool differs = is_kinked(f, scale) || is_kinked_at(f, middle, scale);
  w->undecided = w->undecided || differs;
  if (differs && w->second) return (4 * f[0] - f[2] - 3 * middle) / (2 * d);
  return (8 * (f[0] - f[1]) - (f[2] - f[3])) / (12 * d);
}

PetscErrorCode AdjointFindSlopes(Adjoint *w, const AdjointSample *s, const ColumnEntry *e, double *slope) {
  double *f[4], *all;
  bool *done, left = true;
  Number n;
  PetscFunctionBegin;
  PetscCall(FindNumber(w, e, &n));
  PetscCall(PetscMalloc1(4 * s->count, &all));
  PetscCall(PetscCalloc1(s->count, &done));
  for (int k = 0; k < 4; k++) f[k] = all + k * s->count;
  for (double d = s->part * n.size; left; d *= 0.1) { // shorter where a kink is near
    left = false;
    for (int k = 0; k < 4; k++) {
      PetscCall(PutNumber(w, e, &n, n.value + (k % 2 ? -1 : 1) * (1 + k / 2) * d));
      PetscCall(s->take(w, f[k]));
    }
    for (int i = 0; i < s->count; i++) {
      double at[] = {f[0][i], f[1][i], f[2][i], f[3][i]};
      if (done[i] || (s->wanted && !s->wanted[i])) continue;
      double scale = s->scale ? s->scale[i] : 0;
      done[i] = !(d > shortest * n.size && is_kinked(at, scale)), left = left || !done[i];
      if (done[i]) slope[i] = slope_of(w, at, s->middle[i], scale, d);
    }
  }
  PetscCall(PutNumber(w, e, &n, n.value));
  PetscCall(PetscFree(all));
  PetscCall(PetscFree(done));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointMoveSupport(Adjoint *w, const ColumnSupport *s, bool away, double by, double *kept) {
  PetscFunctionBegin;
  for (int i = 0; i < s->count; i++) {
    Number n;
    PetscCall(FindNumber(w, &s->entry[i], &n));
    n.still.count = 0; // increments are put back to the bit only one by one
    if (away) kept[i] = n.value;
    PetscCall(
        PutNumber(w, &s->entry[i], &n, away ? n.value + by * (1 + adjoint_scatter((size_t)i)) * n.size : kept[i]));
  }
  PetscFunctionReturn(0);
}

// Multipliers of ghosts are their owners'.
bool adjoint_is_own(const Adjoint *w, const ColumnEntry *e) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  if (e->from < 0 || !e->here) return e->here;
  if (StateList(w->run->stepper, TRIED, list, &count)) return false;
  size_t owner = e->number * sizeof(double) / list[e->from].item;
  return list[e->from].owner != OWNER_NODE || (PetscInt)owner < w->run->stepper->s->motion.layout.nnode_own;
}

// All numbers that probes record.
PetscErrorCode AdjointTakeProbes(Adjoint *w, double *out) {
  double *unused;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(w->columns.count, &unused));
  PetscCall(ColumnsSample(&w->columns, w->run, unused));
  PetscCall(PetscArraycpy(out, w->columns.probes.row, w->columns.probes.width));
  PetscCall(PetscFree(unused));
  PetscFunctionReturn(0);
}

// The slopes of a formula by the recorded numbers that it reads, at those of a row. Forces of a stiff body change by far more than
// their values where its nodes are moved: what a formula makes of them is not nearly linear there.
static PetscErrorCode FindFormulaSlopes(Adjoint *w, int formula, const double *row, double *slope, bool *wanted) {
  Probes *p = w->columns.probes.probes;
  int width = w->columns.probes.width;
  double *moved;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(width, &moved));
  for (int i = 0; i < width; i++) {
    double size = w->read[i] > 0 ? w->read[i] : 1, f[4];
    wanted[i] = probes_reads(p, formula, i) && !probes_is_formula(p, i), slope[i] = 0;
    for (double d = part * size; wanted[i]; d *= 0.1) {
      for (int k = 0; k < 4; k++) {
        PetscCall(PetscArraycpy(moved, row, width));
        moved[i] += (k % 2 ? -1 : 1) * (1 + k / 2) * d;
        probes_put_formulas(p, moved);
        f[k] = moved[formula];
      }
      slope[i] = slope_of(w, f, row[formula], w->read[formula], d);
      if (d <= shortest * size || !is_kinked(f, w->read[formula])) break;
    }
  }
  PetscCall(PetscFree(moved));
  PetscFunctionReturn(0);
}

// Whether a formula reads a number itself: of the ledger, or a signal.
static bool reads_number(Adjoint *w, const ColumnEntry *e) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  return e->from < 0 || (!StateList(w->run->stepper, TRIED, list, &count) && !strcmp(list[e->from].name, "ledger"));
}

PetscErrorCode AdjointAddColumn(Adjoint *w, int column, double weight, double *lambda) {
  const ProbeOutputs *o = &w->columns.probes;
  AdjointControl *c = &w->control;
  double *row, *slope, *by;
  bool *itself, *wanted;
  StateParts parts;
  PetscFunctionBegin;
  if (w->columns.ledger[column]) {
    PetscCall(StateVectorFind(w->run->stepper, lambda, &parts));
    *(double *)(uintptr_t)ledger_value(parts.ledger, w->columns.ledger[column]) += weight;
    PetscFunctionReturn(0);
  }
  int at = o->column[w->columns.probe[column]];
  bool formula = probes_is_formula(o->probes, at);
  PetscCall(PetscCalloc5(o->width, &row, o->width, &slope, o->width, &by, o->width, &itself, o->width, &wanted));
  itself[at] = true;
  PetscCall(AdjointTakeProbes(w, row));
  if (formula) PetscCall(FindFormulaSlopes(w, at, row, by, wanted));
  if (c->network) c->network->get(c->network, c->now);
  for (int i = 0; i < w->support[column].count; i++) {
    const ColumnEntry *e = &w->support[column].entry[i];
    bool through = formula && !reads_number(w, e);
    const AdjointSample sample = {AdjointTakeProbes, o->width, through ? wanted : itself, part, row, w->read};
    double sum = 0;
    PetscCall(AdjointFindSlopes(w, &sample, e, slope));
    for (int j = 0; j < o->width && through; j++)
      if (wanted[j]) sum += by[j] * slope[j];
    if (adjoint_is_own(w, e)) lambda[e->place] += weight * (through ? sum : slope[at]);
  }
  PetscCall(PetscFree5(row, slope, by, itself, wanted));
  PetscFunctionReturn(0);
}
