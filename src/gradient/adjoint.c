// SPDX-License-Identifier: Apache-2.0
// The adjoint method for runs in time (adjoint.h): the run forward, its copies in memory, and the way back.
#include "gradient/adjoint.h"

#include "assembly/evaluate.h"
#include "assembly/state_values.h"
#include "base/limits.h"
#include "solvers/solvers.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 12, TOUCHES = 16, MOST_LEVELS = 40, AT_ONCE = 128 };
static const double memory = 5e8;       // bytes for states of the run
static const double negligible = 1e-24; // energy of a correction relative to that of the first

// ---- places in the run ----

// Steps from..to are divided into up to `width` parts, those of the lowest level being single steps.
typedef struct {
  int levels, width;
} Schedule;

static int64_t length_of(const Schedule *s, int level) {
  double length = pow(s->width, level);
  return length < 1e15 ? (int64_t)llround(length) : (int64_t)1e15;
}

static Schedule schedule_of(int64_t steps, int copies) {
  Schedule s = {1, copies};
  while (s.levels < MOST_LEVELS && length_of(&s, s.levels) < steps) s.levels++, s.width = copies / s.levels;
  if (s.width < 2) s.width = 2, s.levels = 1;
  while (length_of(&s, s.levels) < steps) s.levels++;
  return s;
}

typedef struct {
  Adjoint *w;
  StateCopy *copy; // of the step about to be taken; NULL: none is wanted
  bool touches;
} Visit;

static PetscErrorCode Keep(void *self) {
  Visit *v = self;
  PetscFunctionBegin;
  if (v->copy) PetscCall(StateCopySave(v->w->run->stepper, v->copy));
  PetscFunctionReturn(0);
}

static double next_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

static PetscErrorCode TakeUnknown(Adjoint *w, Vec from) {
  const double *q;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(from, &n));
  PetscCall(VecGetArrayRead(from, &q));
  PetscCall(PetscArraycpy(w->unknown, q, n));
  PetscCall(VecRestoreArrayRead(from, &q));
  PetscFunctionReturn(0);
}

// On which items the parameters act at the present state, with the multipliers at hand.
static PetscErrorCode TouchHere(Adjoint *w) {
  PetscFunctionBegin;
  product_move(&w->product);
  product_of_step(&w->product);
  for (int i = 0; i < w->parameters; i++) PetscCall(AdjointTouch(w, &w->parameter[i]));
  PetscFunctionReturn(0);
}

// With arbitrary multipliers, at the first step also at an arbitrary state.
static PetscErrorCode Touch(void *self) {
  Visit *v = self;
  Adjoint *w = v->w;
  double *kept;
  PetscInt n;
  uint64_t seed = 7;
  PetscFunctionBegin;
  if (!v->touches) PetscFunctionReturn(0);
  PetscCall(TakeUnknown(w, w->run->stepper->s->equations.unknown));
  PetscCall(VecGetLocalSize(w->rhs, &n));
  for (PetscInt i = 0; i < n; i++) w->residual[i] = next_random(&seed);
  for (size_t i = 0; i < w->size; i++) w->next[0][i] = next_random(&seed);
  PetscCall(StateVectorFind(w->run->stepper, w->next[0], &w->next_parts));
  w->product.next = &w->next_parts, w->product.state = NULL;
  for (PetscInt i = 0; i < w->run->stepper->s->motion.layout.nnode && w->product.kappa; i++)
    w->product.kappa[i] = vec3(next_random(&seed), next_random(&seed), next_random(&seed));
  PetscCall(TouchHere(w));
  if (w->run->stepper->count > 0) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(w->size, &kept));
  PetscCall(AdjointDisturb(w, true, kept));
  PetscCall(TouchHere(w));
  PetscCall(AdjointDisturb(w, false, kept));
  PetscCall(PetscFree(kept));
  PetscFunctionReturn(0);
}

static PetscErrorCode Step(Adjoint *w, StateCopy *copy, bool touches) {
  Visit v = {w, copy, touches};
  PetscFunctionBegin;
  PetscCall(RunTakeStep(w->run, &(StepVisitor){.before = Keep, .solved = Touch, .self = &v}, w->wrong));
  PetscFunctionReturn(0);
}

// ---- a step back ----

// The transpose of a matrix whose pattern is symmetric, in its place.
static PetscErrorCode Transpose(Mat a) {
  MatrixBlocks b;
  PetscInt *at, *found;
  PetscFunctionBegin;
  PetscCall(MatrixBlocksOpen(a, &b));
  PetscCall(PetscMalloc1(b.n, &at));
  PetscCall(PetscArraycpy(at, b.start, b.n)); // of each row, the first column not before the present row
  for (PetscInt i = 0; i < b.n; i++)
    for (PetscInt k = at[i]; k < b.start[i + 1]; k++) {
      double *own = b.value + k * b.bs * b.bs, *other;
      PetscInt j = b.column[k];
      found = &at[j];
      PetscCheck(j >= i && *found < b.start[j + 1] && b.column[*found] == i, PETSC_COMM_SELF, PETSC_ERR_PLIB,
                 "the pattern of the tangent is not symmetric");
      other = b.value + *found * b.bs * b.bs;
      for (PetscInt x = 0; x < b.bs; x++)
        for (PetscInt y = 0; y < (j == i ? x : b.bs); y++) {
          double swap = own[x * b.bs + y];
          own[x * b.bs + y] = other[y * b.bs + x], other[y * b.bs + x] = swap;
        }
      if (j > i) ++*found;
    }
  PetscCall(PetscFree(at));
  PetscCall(MatrixBlocksClose(a, &b));
  PetscFunctionReturn(0);
}

// Puts the run at the start of a step whose unknowns are known, with the transposed tangent.
static PetscErrorCode BeginStepBack(Adjoint *w, const StateCopy *copy) {
  Stepper *p = w->run->stepper;
  System *s = p->s;
  double *q;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(TakeUnknown(w, p->previous[0]));
  PetscCall(StateCopyRestore(p, copy->data, copy->size, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(VecGetLocalSize(w->rhs, &n));
  PetscCall(VecGetArray(s->equations.unknown, &q));
  PetscCall(PetscArraycpy(q, w->unknown, n));
  PetscCall(VecRestoreArray(s->equations.unknown, &q));
  PetscCall(MotionFindCentreVelocities(&s->motion));
  PetscCall(MotionBeginStep(&s->motion, p->options.step));
  PetscCall(MotionFindCorotation(&s->motion));
  PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_TRUE));
  PetscCall(Transpose(s->equations.matrix.tangent));
  product_move(&w->product);
  PetscFunctionReturn(0);
}

// The multipliers of a quantity at the start of the step from those at its end.
static PetscErrorCode FindMultipliers(Adjoint *w, int k) {
  System *s = w->run->stepper->s;
  double first = 0, energy, last = INFINITY, *swap = w->next[k], *r;
  const double *d;
  PetscInt n;
  PetscBool good;
  PetscFunctionBegin;
  w->next[k] = w->lambda[k], w->lambda[k] = swap;
  PetscCall(StateVectorFind(w->run->stepper, w->next[k], &w->next_parts));
  PetscCall(StateVectorFind(w->run->stepper, w->lambda[k], &w->state_parts));
  PetscCall(VecGetLocalSize(w->rhs, &n));
  PetscCall(PetscArrayzero(w->residual, n));
  w->product.next = &w->next_parts, w->product.state = &w->state_parts;
  for (int round = 0; round < ROUNDS; round++) {
    PetscCall(PetscArrayzero(w->lambda[k], w->size));
    PetscCall(VecGetArray(w->rhs, &r));
    PetscCall(PetscArrayzero(r, n));
    w->product.of_unknown = r;
    product_of_step(&w->product);
    PetscCall(VecRestoreArray(w->rhs, &r));
    PetscCall(VecCopy(w->rhs, s->equations.residual));
    PetscCall(SystemSolve(s, &good));
    PetscCheck(good, s->motion.layout.comm, PETSC_ERR_NOT_CONVERGED,
               "the tangent of a step that was solved is singular");
    PetscCall(SystemCorrectionEnergy(s, &energy));
    if (round == 0) first = energy;
    else if (energy <= negligible * first || (round > 2 && energy > 0.25 * last)) break; // the rest is round-off
    last = energy;
    if (first == 0 || round + 1 == ROUNDS) break;
    PetscCall(VecGetArrayRead(s->linear.increment, &d));
    for (PetscInt i = 0; i < n; i++) w->residual[i] -= d[i];
    PetscCall(VecRestoreArrayRead(s->linear.increment, &d));
  }
  for (int i = 0; i < w->parameters; i++) PetscCall(AdjointAddStep(w, &w->parameter[i], k));
  PetscFunctionReturn(0);
}

// What a row of the run gives, whose state that of the run is.
static PetscErrorCode AddRow(Adjoint *w, int64_t row) {
  bool any = false;
  double *weight;
  size_t rows = (size_t)w->p->in->steps + 1;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(w->count, &weight));
  for (int k = 0; k < w->count; k++) {
    weight[k] = w->weight[(size_t)k * rows + (size_t)row];
    any = any || weight[k] != 0;
    if (weight[k] != 0) PetscCall(AdjointAddColumn(w, k, weight[k], w->lambda[k]));
    PetscCall(AdjointSpreadLedger(w, w->lambda[k]));
  }
  for (int i = 0; i < w->parameters && any; i++) PetscCall(AdjointAddRow(w, &w->parameter[i], weight));
  PetscCall(PetscFree(weight));
  PetscFunctionReturn(0);
}

static PetscErrorCode StepBack(Adjoint *w, int64_t step, const StateCopy *copy) {
  bool any = false;
  PetscFunctionBegin;
  PetscCall(BeginStepBack(w, copy));
  for (int k = 0; k < w->count && !is_refused(w->wrong); k++) {
    PetscCall(FindMultipliers(w, k));
    any = any || w->weight[(size_t)k * ((size_t)w->p->in->steps + 1) + (size_t)step] != 0;
  }
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  if (any) PetscCall(StepperRecall(w->run->stepper));
  if (any) PetscCall(AddRow(w, step));
  PetscFunctionReturn(0);
}

// Back over steps from..to. The run is at their start, or with `kept` at their end and its copies are made.
static PetscErrorCode Back(Adjoint *w, const Schedule *s, int level, int64_t from, int64_t to, bool kept) {
  StateCopy *copy = w->copy + (level - 1) * s->width;
  int64_t length = length_of(s, level - 1), parts = (to - from + length - 1) / length;
  PetscFunctionBegin;
  for (int64_t n = from; n < to && !kept && !is_refused(w->wrong); n++) {
    bool keep = (n - from) % length == 0;
    if (keep && level > 1) PetscCall(StateCopySave(w->run->stepper, &copy[(n - from) / length]));
    if (level > 1 && n >= from + (parts - 1) * length) break; // the last part goes on from here
    PetscCall(Step(w, level == 1 ? &copy[n - from] : NULL, false));
  }
  for (int64_t i = parts - 1; i >= 0 && !is_refused(w->wrong); i--) {
    int64_t start = from + i * length, end = PetscMin(to, start + length);
    if (level == 1) {
      PetscCall(StepBack(w, start, &copy[i]));
      continue;
    }
    PetscCall(StateCopyRestore(w->run->stepper, copy[i].data, copy[i].size, w->wrong));
    if (!is_refused(w->wrong)) PetscCall(Back(w, s, level - 1, start, end, false));
  }
  PetscFunctionReturn(0);
}

// ---- forward ----

static PetscErrorCode TakeRow(Adjoint *w, int64_t row) {
  PetscFunctionBegin;
  PetscCall(ColumnsSample(&w->columns, w->run, w->value + (size_t)row * (size_t)w->columns.count));
  PetscFunctionReturn(0);
}

// The run, with copies for the way back on the highest level.
static PetscErrorCode Forward(Adjoint *w, const Schedule *s) {
  int64_t steps = w->p->in->steps, length = length_of(s, s->levels - 1), often = PetscMax(1, steps / TOUCHES);
  StateCopy *copy = w->copy + (s->levels - 1) * s->width;
  PetscFunctionBegin;
  PetscCall(TakeRow(w, 0));
  for (int64_t n = 0; n < steps && !is_refused(w->wrong); n++) {
    bool keep = n % length == 0;
    if (keep && s->levels > 1) PetscCall(StateCopySave(w->run->stepper, &copy[n / length]));
    PetscCall(Step(w, keep && s->levels == 1 ? &copy[n] : NULL, n % often == 0));
    if (!is_refused(w->wrong)) PetscCall(TakeRow(w, n + 1));
  }
  PetscFunctionReturn(0);
}

// Values of the quantities, and the weights of their rows.
static PetscErrorCode FindWeights(Adjoint *w) {
  int64_t rows = w->p->in->steps + 1;
  size_t stride = (size_t)w->columns.count;
  double *time;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(rows, &time));
  for (int64_t n = 0; n < rows; n++) time[n] = (double)n * w->p->in->options.step;
  for (int k = 0; k < w->count; k++) {
    GradientQuantity *q = &w->p->g->quantity[w->columns.quantity[k]];
    int64_t first = w->columns.of_step[k];
    HistoryValue v;
    history_begin(q, &v);
    for (int64_t n = first; n < rows; n++)
      history_add(&v, time[n], w->value[(size_t)n * stride + (size_t)k], 0, NULL, NULL);
    w->p->g->value[w->columns.quantity[k]] = history_value(&v);
    if (isnan(history_value(&v))) refuse(w->wrong, "%s: the run ends before", q->text);
    else
      history_slopes(&v, rows - first, time + first, w->value + (size_t)first * stride + k, stride,
                     w->weight + (size_t)k * (size_t)rows + first);
  }
  PetscCall(PetscFree(time));
  PetscFunctionReturn(0);
}

// ---- all ----

static PetscErrorCode CountCopies(Adjoint *w, Schedule *s) {
  StateCopy one = {.data = NULL};
  int most;
  PetscFunctionBegin;
  PetscCall(StateCopySave(w->run->stepper, &one));
  most = (int)PetscMin(memory / (double)one.size, 1e6);
  memory_free(&one.data);
  if (w->p->states > 0) most = w->p->states;
  *s = schedule_of(w->p->in->steps, PetscMax(2, most));
  w->copies = s->levels * s->width;
  PetscCall(PetscCalloc1(w->copies, &w->copy));
  PetscFunctionReturn(0);
}

static PetscErrorCode Prepare(Adjoint *w) {
  Stepper *p = w->run->stepper;
  const char *why = forward_unsupported(w->p->in, p);
  char name[256] = "";
  PetscInt n;
  PetscFunctionBegin;
  if (why) refuse(w->wrong, "gradients of runs do not support %s yet", why);
  if (!why && !(why = adjoint_unsupported(w->p->in, p))) why = product_unsupported(&p->s->motion, name, sizeof name);
  if (why && !is_refused(w->wrong))
    refuse(w->wrong, "the adjoint method does not support %s yet%s%s%s: use `--method forward`", why,
           name[0] ? " (" : "", name, name[0] ? ")" : "");
  if ((double)w->p->in->steps * w->p->g->quantities > LIMIT_POINTS)
    refuse(w->wrong, "too many rows of quantities for the adjoint method: %s", LIMIT_POINTS_TEXT);
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(ColumnsCreate(w->p->g, IN_RUN, w->p->in, w->run, &w->columns, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  w->count = w->columns.count;
  PetscCall(StateVectorSize(p, &w->size));
  PetscCall(VecDuplicate(p->s->equations.residual, &w->rhs));
  PetscCall(VecGetLocalSize(w->rhs, &n));
  PetscCall(PetscCalloc2(n, &w->unknown, n, &w->residual));
  PetscCall(PetscCalloc3(w->count, &w->support, w->count, &w->lambda, w->count, &w->next));
  for (int k = 0; k < w->count; k++) { // they change places
    PetscCall(PetscCalloc1(w->size, &w->lambda[k]));
    PetscCall(PetscCalloc1(w->size, &w->next[k]));
  }
  size_t rows = (size_t)w->p->in->steps + 1;
  PetscCall(PetscCalloc2(rows * (size_t)w->count, &w->value, rows * (size_t)w->count, &w->weight));
  PetscCall(ProductCreate(&p->s->motion, &w->product));
  w->product.unknown = w->unknown, w->product.residual = w->residual;
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateParameters(Adjoint *w, int first, int count) {
  PetscFunctionBegin;
  size_t n = (size_t)w->count * (size_t)count;
  PetscCall(PetscCalloc5(n, &w->sum, n, &w->rough, n, &w->square, n, &w->noise, count, &w->parameter));
  for (int i = 0; i < count && !is_refused(w->wrong); i++)
    PetscCall(AdjointParameterCreate(w, first + i, &w->parameter[w->parameters++]));
  PetscFunctionReturn(0);
}

static PetscErrorCode End(Adjoint *w) {
  PetscFunctionBegin;
  for (int i = 0; i < w->parameters; i++) PetscCall(AdjointParameterDestroy(&w->parameter[i]));
  PetscCall(PetscFree5(w->sum, w->rough, w->square, w->noise, w->parameter));
  for (int i = 0; i < w->copies; i++) memory_free(&w->copy[i].data);
  PetscCall(PetscFree(w->copy));
  for (int k = 0; k < w->count && w->lambda; k++) {
    PetscCall(PetscFree(w->support[k].entry));
    PetscCall(PetscFree(w->lambda[k]));
    PetscCall(PetscFree(w->next[k]));
  }
  PetscCall(PetscFree3(w->support, w->lambda, w->next));
  PetscCall(PetscFree2(w->value, w->weight));
  PetscCall(PetscFree2(w->unknown, w->residual));
  PetscCall(ProductDestroy(&w->product));
  PetscCall(VecDestroy(&w->rhs));
  if (w->columns.quantity) PetscCall(ColumnsDestroy(&w->columns));
  PetscCall(LimberRunDestroy(&w->run));
  PetscFunctionReturn(0);
}

// Rough differences are wrong by the second power of the length, the others by the fourth.
static const double next_power = 200; // of that part of a parameter, at most

static void put_derivatives(Adjoint *w) {
  struct LimberGradientData *g = w->p->g;
  for (int k = 0; k < w->count; k++)
    for (int i = 0; i < w->parameters; i++) {
      LimberDerivative *d = &g->d[w->columns.quantity[k] * g->parameters + w->parameter[i].parameter];
      size_t at = (size_t)k * (size_t)w->parameters + (size_t)i;
      double length = w->parameter[i].delta / parameter_delta(&g->parameter[w->parameter[i].parameter], 1);
      d->value = w->sum[at];
      d->error = next_power * length * length * fabs(w->sum[at] - w->rough[at]) + w->noise[at] +
                 4 * w->parameter[i].bend * fabs(w->sum[at]) + 8 * PETSC_MACHINE_EPSILON * sqrt(w->square[at]) +
                 4 * PETSC_MACHINE_EPSILON * fabs(g->value[w->columns.quantity[k]]) / w->parameter[i].delta;
      if (!isfinite(d->value))
        refuse(w->wrong, "the motion is so sensitive to %s that its gradient is round-off: end the run earlier",
               g->parameter[w->parameter[i].parameter].path);
    }
}

static PetscErrorCode Differentiate(Adjoint *w, int first, int count) {
  Schedule s;
  PetscFunctionBegin;
  PetscCall(Prepare(w));
  if (!is_refused(w->wrong)) PetscCall(CreateParameters(w, first, count));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(CountCopies(w, &s));
  PetscCall(Forward(w, &s));
  for (int i = 0; i < w->parameters && !is_refused(w->wrong); i++) PetscCall(AdjointJudge(w, &w->parameter[i]));
  if (!is_refused(w->wrong)) PetscCall(FindWeights(w));
  if (!is_refused(w->wrong)) PetscCall(AdjointFindSupport(w));
  if (!is_refused(w->wrong)) PetscCall(AdjointFindInColumns(w));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  for (int k = 0; k < w->count; k++) {
    PetscCall(PetscArrayzero(w->lambda[k], w->size));
    PetscCall(PetscArrayzero(w->next[k], w->size));
  }
  PetscCall(AddRow(w, w->p->in->steps));
  if (!is_refused(w->wrong)) PetscCall(Back(w, &s, s.levels, 0, w->p->in->steps, true));
  for (int k = 0; k < w->count && !is_refused(w->wrong); k++)
    for (int i = 0; i < w->parameters; i++) PetscCall(AdjointAddStart(w, &w->parameter[i], k));
  if (!is_refused(w->wrong)) put_derivatives(w);
  PetscFunctionReturn(0);
}

PetscErrorCode RunAdjoint(const GradientProblem *p, Refusal *wrong) {
  int all = p->g->parameters;
  PetscFunctionBegin;
  for (int first = 0; first < all && !is_refused(wrong); first += AT_ONCE) {
    Adjoint w = {.p = p, .wrong = wrong};
    PetscCall(PetscNew(&w.run));
    PetscCall(StepperCreate(p->in->model, &p->in->options, &w.run->stepper, wrong));
    if (is_refused(wrong)) {
      PetscCall(PetscFree(w.run));
      PetscFunctionReturn(0);
    }
    PetscCall(Differentiate(&w, first, PetscMin(AT_ONCE, all - first)));
    PetscCall(End(&w));
  }
  PetscFunctionReturn(0);
}
