// SPDX-License-Identifier: Apache-2.0
// The adjoint method for runs in time (adjoint.h): the run forward, its copies in memory, and the way back.
#include "gradient/adjoint.h"
#include "gradient/run.h"

#include "analyses/stepping/events.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "base/limits.h"
#include "control/control.h"
#include "gradient/rates.h"
#include "solvers/solvers.h"

#include <math.h>
#include <string.h>

enum { TOUCHES = 16, MOST_LEVELS = 40, TOGETHER = 128 };
static const double memory_of_shadows = 4e9,
                    shadow_of_unknown = 1700; // bytes: of all neighbouring models, of each for an unknown
static const double memory = 5e8;             // bytes for states of the run
static const double most_jump = 1e-6;         // of the slope of a force at the state, relative to all slopes
static const double negligible = 1e-24;       // energy of a correction relative to that of the first

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
  v->copy = NULL; // an event divides a step
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
  PetscCall(ProductSend(&w->product, w->unknown));
  PetscFunctionReturn(0);
}

// On which items the parameters act at the present state, with the multipliers at hand.
static PetscErrorCode TouchHere(Adjoint *w) {
  PetscFunctionBegin;
  PetscCall(ProductMove(&w->product));
  PetscCall(ProductOfStep(&w->product));
  for (int i = 0; i < w->parameters; i++) PetscCall(AdjointTouch(w, &w->parameter[i]));
  PetscFunctionReturn(0);
}

// With arbitrary multipliers, at the first step also at an arbitrary state.
static PetscErrorCode Touch(void *self) {
  Visit *v = self;
  Adjoint *w = v->w;
  const Layout *layout = &w->run->stepper->s->motion.layout;
  double *kept;
  uint64_t seed = 7;
  PetscFunctionBegin;
  if (!v->touches) PetscFunctionReturn(0);
  PetscCall(TakeUnknown(w, w->run->stepper->s->equations.unknown));
  for (PetscInt i = 0; i < layout->nblock * layout->bs; i++) w->residual[i] = next_random(&seed);
  for (size_t i = 0; i < w->size; i++) w->next[0][i] = next_random(&seed);
  PetscCall(StateVectorFind(w->run->stepper, w->next[0], &w->next_parts));
  w->product.next = &w->next_parts, w->product.state = NULL;
  for (PetscInt i = 0; i < layout->nnode && w->product.kappa; i++)
    w->product.kappa[i] = vec3(next_random(&seed), next_random(&seed), next_random(&seed));
  PetscCall(AdjointControlShare(w));
  PetscCall(AdjointEventsShare(w));
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
  const Stepper *p = w->run->stepper;
  int64_t step = p->count;
  int records = p->events ? p->events->records : 0;
  PetscFunctionBegin;
  PetscCall(RunTakeStep(w->run, &(StepVisitor){.before = Keep, .solved = Touch, .self = &v}, w->wrong));
  if (p->events) w->events.thrown[step] = p->events->records > records;
  PetscFunctionReturn(0);
}

// ---- a step back ----

static void transpose_own(MatrixParts *p, PetscInt *at, PetscInt row, PetscInt k) {
  double *own = p->value[0] + k * p->bs * p->bs, *other;
  PetscInt column = p->column[0][k];
  other = p->value[0] + at[column] * p->bs * p->bs;
  for (PetscInt x = 0; x < p->bs; x++)
    for (PetscInt y = 0; y < (column == row ? x : p->bs); y++) {
      double swap = own[x * p->bs + y];
      own[x * p->bs + y] = other[y * p->bs + x], other[y * p->bs + x] = swap;
    }
}

// The transpose of a matrix whose pattern is symmetric, in its place. Blocks whose columns other ranks own are sent to them,
// and as PETSc stores blocks by columns and takes them by rows, it transposes them.
static PetscErrorCode Transpose(Mat a) {
  MatrixParts p;
  PetscInt *at, first;
  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(a, &first, NULL));
  PetscCall(MatSetOption(a, MAT_NO_OFF_PROC_ENTRIES, PETSC_FALSE));
  PetscCall(MatrixPartsOpen(a, &p));
  PetscCall(PetscMalloc1(p.nrow, &at));
  PetscCall(PetscArraycpy(at, p.start[0], p.nrow)); // of each row, the first column not before the present row
  for (PetscInt i = 0; i < p.nrow; i++) {
    for (PetscInt k = at[i]; k < p.start[0][i + 1]; k++) {
      PetscInt j = p.column[0][k];
      PetscCheck(j >= i && at[j] < p.start[0][j + 1] && p.column[0][at[j]] == i, PETSC_COMM_SELF, PETSC_ERR_PLIB,
                 "the pattern of the tangent is not symmetric");
      transpose_own(&p, at, i, k);
      if (j > i) at[j]++;
    }
    PetscInt column = first / p.bs + i;
    for (PetscInt k = p.part[1] ? p.start[1][i] : 0; k < (p.part[1] ? p.start[1][i + 1] : 0); k++)
      PetscCall(
          MatSetValuesBlocked(a, 1, p.ghost + p.column[1][k], 1, &column, p.value[1] + k * p.bs * p.bs, INSERT_VALUES));
  }
  PetscCall(PetscFree(at));
  PetscCall(MatrixPartsClose(&p));
  PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatSetOption(a, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  PetscFunctionReturn(0);
}

// Puts the run at the start of a step whose unknowns are known, with the transposed tangent.
static PetscErrorCode BeginStepBack(Adjoint *w, const StateCopy *copy) {
  Stepper *p = w->run->stepper;
  System *s = p->s;
  double *q;
  PetscFunctionBegin;
  PetscCall(TakeUnknown(w, p->previous[0]));
  PetscCall(StateCopyRestore(p, copy->data, copy->size, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(VecGetArray(s->equations.unknown, &q));
  PetscCall(PetscArraycpy(q, w->unknown, s->motion.layout.nblock_own * s->motion.layout.bs));
  PetscCall(VecRestoreArray(s->equations.unknown, &q));
  PetscCall(RunPlaceContacts(s, p->options.step));
  PetscCall(MotionFindCentreVelocities(&s->motion));
  PetscCall(MotionBeginStep(&s->motion, p->options.step));
  PetscCall(MotionFindCorotation(&s->motion));
  PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_TRUE));
  PetscCall(Transpose(s->equations.matrix.tangent));
  PetscCall(ProductMove(&w->product));
  for (int i = 0; i < w->parameters && s->motion.contacts; i++)
    for (int k = 0; k < adjoint_points(&w->parameter[i]); k++) PetscCall(AdjointPlaceShadow(w, &w->parameter[i], k));
  PetscFunctionReturn(0);
}

// A force whose slope jumps at the state has no derivative.
static PetscErrorCode CheckKinks(Adjoint *w) {
  const Motion *motion = &w->run->stepper->s->motion;
  double most[] = {w->product.kinks.jump, w->product.kinks.size, w->product.kinks.apart};
  PetscFunctionBegin;
  if (!w->kinked) PetscFunctionReturn(0);
  PetscCall(ReduceArray(motion->layout.comm, most, 3, MPI_DOUBLE, MPI_MAX));
  if (most[0] > 0) w->jump = fmax(w->jump, most[0] / most[1]);
  if (most[2] > 0) w->bend = fmax(w->bend, most[2] / most[1]);
  if (w->jump > most_jump)
    refuse(
        w->wrong,
        "the step from t = %.4g s has no derivative: a force sets in where it begins, such as that of a stop or of a "
        "cable that becomes taut",
        motion->state.time);
  PetscFunctionReturn(0);
}

// The multipliers of a quantity at the start of the step from those at its end.
static PetscErrorCode FindMultipliers(Adjoint *w, int64_t step, int k) {
  System *s = w->run->stepper->s;
  double first = 0, energy, size, last = INFINITY, *swap = w->next[k], *r;
  const double *d;
  PetscInt own = s->motion.layout.nblock_own * s->motion.layout.bs, all = s->motion.layout.nblock * s->motion.layout.bs;
  PetscBool good;
  PetscFunctionBegin;
  w->next[k] = w->lambda[k], w->lambda[k] = swap;
  PetscCall(StateVectorFind(w->run->stepper, w->next[k], &w->next_parts));
  PetscCall(StateVectorFind(w->run->stepper, w->lambda[k], &w->state_parts));
  PetscCall(PetscArrayzero(w->residual, all));
  w->product.next = &w->next_parts, w->product.state = &w->state_parts, w->product.of_unknown = w->of_unknown;
  for (int round = 0; round < ROUNDS; round++) {
    PetscCall(PetscArrayzero(w->lambda[k], w->size));
    PetscCall(PetscArrayzero(w->of_unknown, all));
    PetscCall(ProductOfStep(&w->product));
    PetscCall(VecGetArray(s->equations.residual, &r));
    PetscCall(PetscArraycpy(r, w->of_unknown, own));
    PetscCall(VecRestoreArray(s->equations.residual, &r));
    PetscCall(SystemSolve(s, &good));
    PetscCheck(good, s->motion.layout.comm, PETSC_ERR_NOT_CONVERGED,
               "the tangent of a step that was solved is singular");
    PetscCall(SystemCorrectionEnergy(s, &energy));
    if (round == 0) first = energy;
    else if (energy <= negligible * first || (round > 2 && energy > 0.25 * last)) break; // the rest is round-off
    last = energy;
    PetscCall(VecNorm(s->linear.increment, NORM_INFINITY, &size)); // at a joint the force that acts has no energy
    if (size == 0 || round + 1 == ROUNDS) break;
    PetscCall(VecGetArrayRead(s->linear.increment, &d));
    for (PetscInt i = 0; i < own; i++) w->residual[i] -= d[i];
    PetscCall(VecRestoreArrayRead(s->linear.increment, &d));
    PetscCall(ProductSend(&w->product, w->residual));
  }
  PetscCall(CheckKinks(w));
  PetscCall(AdjointControlAddLoads(w, k));
  PetscCall(AdjointEventsAddStep(w, step, k));
  for (int i = 0; i < w->parameters; i++) PetscCall(AdjointFindStep(w, &w->parameter[i], &w->step[i]));
  PetscCall(ReduceArray(s->motion.layout.comm, w->step, w->parameters * (PetscInt64)(sizeof *w->step / sizeof(double)),
                        MPI_DOUBLE, MPI_SUM));
  for (int i = 0; i < w->parameters; i++)
    adjoint_add_values(w, &w->parameter[i], k, w->step[i].base, w->step[i].differs);
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
  }
  if (any) PetscCall(AdjointSampleRow(w, weight, w->value + (size_t)row * (size_t)w->columns.count));
  for (int k = 0; k < w->count && !is_refused(w->wrong); k++) {
    if (weight[k] != 0) PetscCall(AdjointAddColumn(w, k, weight[k], w->lambda[k]));
    if (weight[k] != 0) PetscCall(AdjointEventsAddColumn(w, row, k, weight[k], w->lambda[k]));
    PetscCall(AdjointSpreadLedger(w, w->lambda[k]));
  }
  for (int i = 0; i < w->parameters && any && !is_refused(w->wrong); i++)
    PetscCall(AdjointAddRow(w, &w->parameter[i], weight));
  PetscCall(PetscFree(weight));
  PetscFunctionReturn(0);
}

static PetscErrorCode StepBack(Adjoint *w, int64_t step, const StateCopy *copy) {
  bool any = false, events = w->events.any && w->events.thrown[step];
  PetscFunctionBegin;
  if (events) PetscCall(AdjointEventsBack(w, copy));
  else PetscCall(AdjointControlBack(w, copy));
  if (!events && !is_refused(w->wrong)) PetscCall(BeginStepBack(w, copy));
  for (int k = 0; k < w->count && !is_refused(w->wrong); k++) {
    if (!events) PetscCall(FindMultipliers(w, step, k));
    any = any || w->weight[(size_t)k * ((size_t)w->p->in->steps + 1) + (size_t)step] != 0;
  }
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  if (any || w->control.network) PetscCall(StepperRecall(w->run->stepper));
  if (any) PetscCall(AddRow(w, step));
  PetscFunctionReturn(0);
}

// Back over steps from..to. The run is at their start, or with `kept` at their end and its copies are made.
static PetscErrorCode Back(Adjoint *w, const Schedule *s, int level, int64_t from, int64_t to, bool kept) {
  StateCopy *copy = w->copy + (level - 1) * s->width;
  int64_t length = length_of(s, level - 1), parts = (to - from + length - 1) / length;
  PetscFunctionBegin;
  for (int64_t n = from; n < to && !kept && !gradient_ends(w->p, w->wrong); n++) {
    bool keep = (n - from) % length == 0;
    if (keep && level > 1) PetscCall(StateCopySave(w->run->stepper, &copy[(n - from) / length]));
    if (level > 1 && n >= from + (parts - 1) * length) break; // the last part goes on from here
    PetscCall(Step(w, level == 1 ? &copy[n - from] : NULL, false));
  }
  for (int64_t i = parts - 1; i >= 0 && !gradient_ends(w->p, w->wrong); i--) {
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
  for (int i = 0; i < w->columns.probes.width; i++)
    w->read[i] = fmax(w->read[i], fabs(w->columns.probes.row[i])); // fmax ignores NaN
  PetscCall(AdjointControlMeasure(w));
  PetscFunctionReturn(0);
}

// The run, with copies for the way back on the highest level.
static PetscErrorCode Forward(Adjoint *w, const Schedule *s) {
  int64_t steps = w->p->in->steps, length = length_of(s, s->levels - 1), often = PetscMax(1, steps / TOUCHES);
  StateCopy *copy = w->copy + (s->levels - 1) * s->width;
  PetscFunctionBegin;
  PetscCall(TakeRow(w, 0));
  for (int64_t n = 0; n < steps && !gradient_ends(w->p, w->wrong); n++) {
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
    w->history[k] = v;
    if (!is_tie(&v)) continue;
    w->undecided = true;
    if (!w->second) continue;
    PetscCall(PetscArrayzero(w->weight + (size_t)k * (size_t)rows, rows));
    w->weight[k * rows + llround(v.also / w->p->in->options.step)] = 1;
  }
  for (int64_t n = 0; n < rows; n++)
    for (size_t k = 0; k < stride; k++)
      w->largest[k] = fmax(w->largest[k], fabs(w->value[(size_t)n * stride + k])); // fmax ignores NaN
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
  PetscCall(ReduceArray(w->run->stepper->s->motion.layout.comm, &most, 1, MPI_INT, MPI_MIN));
  if (w->p->states > 0) most = w->p->states;
  *s = schedule_of(w->p->in->steps, PetscMax(2, most));
  w->copies = s->levels * s->width;
  PetscCall(PetscCalloc1(w->copies, &w->copy));
  PetscFunctionReturn(0);
}

static PetscErrorCode Prepare(Adjoint *w) {
  Stepper *p = w->run->stepper;
  const char *why = run_unsupported(w->p->in, p);
  char name[256] = "";
  PetscInt n = p->s->motion.layout.nblock * p->s->motion.layout.bs;
  PetscFunctionBegin;
  if (why) refuse(w->wrong, "gradients of runs do not support %s yet", why);
  else why = product_unsupported(&p->s->motion, name, sizeof name);
  if (why && !is_refused(w->wrong))
    refuse(w->wrong, "the adjoint method does not support %s yet%s%s%s: use `--method forward`", why,
           name[0] ? " (" : "", name, name[0] ? ")" : "");
  if ((double)w->p->in->steps * w->p->g->quantities > LIMIT_POINTS)
    refuse(w->wrong, "too many rows of quantities for the adjoint method: %s", LIMIT_POINTS_TEXT);
  PetscCall(RefusalSend(p->s->motion.layout.comm, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(ControlAttach(w->p->in, w->run, NULL, w->wrong));
  if (!is_refused(w->wrong)) check_means(w->p, p, w->wrong);
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(ColumnsCreate(w->p->g, IN_RUN, w->p->in, w->run, &w->columns, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  w->count = w->columns.count;
  PetscCall(StateVectorSize(p, &w->size));
  PetscCall(PetscCalloc1(w->size, &w->start));
  PetscCall(RatesTakeState(p, w->start));
  PetscCall(PetscCalloc3(n, &w->unknown, n, &w->residual, n, &w->of_unknown));
  PetscCall(PetscCalloc3(w->count + 1, &w->support, w->count, &w->lambda, w->count, &w->next));
  PetscCall(AdjointEventsCreate(w));
  for (int k = 0; k < w->count; k++) { // they change places
    PetscCall(PetscCalloc1(w->size + w->events.count, &w->lambda[k]));
    PetscCall(PetscCalloc1(w->size + w->events.count, &w->next[k]));
  }
  PetscCall(AdjointControlCreate(w));
  size_t rows = (size_t)w->p->in->steps + 1;
  PetscCall(PetscCalloc4(rows * (size_t)w->count, &w->value, rows * (size_t)w->count, &w->weight, w->count, &w->largest,
                         w->count, &w->history));
  PetscCall(PetscCalloc1(w->columns.probes.width, &w->read));
  PetscCall(ProductCreate(p->s, &w->product));
  w->product.unknown = w->unknown, w->product.residual = w->residual;
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateParameters(Adjoint *w, int first, int count) {
  const Layout *layout = &w->run->stepper->s->motion.layout;
  PetscFunctionBegin;
  int kinked = w->events.any || w->run->stepper->s->motion.contacts; // loads begin and end
  for (PetscInt e = 0; e < layout->nelement; e++) kinked = kinked || product_is_kinked(layout, OF_ELEMENTS, e);
  for (PetscInt j = 0; j < layout->njoint; j++) kinked = kinked || product_is_kinked(layout, OF_JOINTS, j);
  PetscCall(ReduceArray(layout->comm, &kinked, 1, MPI_INT, MPI_MAX));
  w->kinked = kinked;
  size_t n = (size_t)w->count * (size_t)count;
  PetscCall(PetscCalloc7(n, &w->sum, n, &w->rough, n, &w->square, n, &w->gross, n, &w->noise, count, &w->parameter,
                         count, &w->step));
  for (int i = 0; i < count && !gradient_ends(w->p, w->wrong); i++)
    PetscCall(AdjointParameterCreate(w, first + i, &w->parameter[w->parameters++]));
  PetscFunctionReturn(0);
}

static PetscErrorCode End(Adjoint *w) {
  PetscFunctionBegin;
  for (int i = 0; i < w->parameters; i++) PetscCall(AdjointParameterDestroy(&w->parameter[i]));
  PetscCall(PetscFree7(w->sum, w->rough, w->square, w->gross, w->noise, w->parameter, w->step));
  for (int i = 0; i < w->copies; i++) memory_free(&w->copy[i].data);
  PetscCall(PetscFree(w->copy));
  for (int k = 0; k < w->count && w->lambda; k++) {
    PetscCall(PetscFree(w->support[k].entry));
    PetscCall(PetscFree(w->lambda[k]));
    PetscCall(PetscFree(w->next[k]));
  }
  if (w->support) PetscCall(PetscFree(w->support[w->count].entry));
  PetscCall(AdjointControlDestroy(&w->control));
  PetscCall(AdjointEventsDestroy(&w->events));
  PetscCall(PetscFree(w->start));
  PetscCall(PetscFree3(w->support, w->lambda, w->next));
  PetscCall(PetscFree4(w->value, w->weight, w->largest, w->history));
  PetscCall(PetscFree(w->read));
  memory_free(&w->end.data);
  PetscCall(PetscFree3(w->unknown, w->residual, w->of_unknown));
  PetscCall(ProductDestroy(&w->product));
  if (w->columns.quantity) PetscCall(ColumnsDestroy(&w->columns));
  PetscCall(LimberRunDestroy(&w->run));
  PetscFunctionReturn(0);
}

// Slopes of control networks are differences, whose round-off is this part of what they count.
static const double slope_error = 3e-11;

// Rough differences are wrong by the second power of the length, the others by the fourth.
static const double next_power = 200; // of that part of a parameter, at most

static void put_derivatives(Adjoint *w) {
  struct LimberGradientData *g = w->p->g;
  for (int k = 0; k < w->count; k++)
    for (int i = 0; i < w->parameters; i++) {
      LimberDerivative *d = &g->d[w->columns.quantity[k] * g->parameters + w->parameter[i].parameter];
      size_t at = (size_t)k * (size_t)w->parameters + (size_t)i;
      double length = w->parameter[i].delta / parameter_delta(&g->parameter[w->parameter[i].parameter], 1);
      double apart = w->events.any ? w->events.apart[k] : 0;
      double round = fmax(8 * PETSC_MACHINE_EPSILON, w->control.network ? slope_error * length : 0);
      d->value = w->sum[at];
      d->error = next_power * length * length * fabs(w->sum[at] - w->rough[at]) + w->noise[at] +
                 (4 * w->parameter[i].bend + w->jump + w->bend + apart) * w->gross[at] + round * sqrt(w->square[at]) +
                 4 * PETSC_MACHINE_EPSILON * fabs(g->value[w->columns.quantity[k]]) / w->parameter[i].delta;
      if (!isfinite(d->value))
        refuse(w->wrong, "the motion is so sensitive to %s that its gradient is round-off: end the run earlier",
               g->parameter[w->parameter[i].parameter].path);
    }
}

// By how much the other choice changes them.
static void add_doubts(Adjoint *w) {
  struct LimberGradientData *g = w->p->g;
  for (int k = 0; k < w->count; k++)
    for (int i = 0; i < w->parameters; i++) {
      LimberDerivative *d = &g->d[w->columns.quantity[k] * g->parameters + w->parameter[i].parameter];
      double doubt = fabs(w->sum[(size_t)k * (size_t)w->parameters + (size_t)i] - d->value);
      if (is_tie(&w->history[k]) && doubt > 1e-3 * fabs(d->value) && doubt > d->error) note_tie(g, &w->history[k]);
      d->error += doubt;
    }
}

// The way back. The run is at its end.
static PetscErrorCode GoBack(Adjoint *w, const Schedule *s) {
  PetscFunctionBegin;
  PetscCall(FindWeights(w));
  if (!w->second && !is_refused(w->wrong)) PetscCall(AdjointFindSupport(w));
  if (!w->second && !is_refused(w->wrong)) PetscCall(AdjointFindInColumns(w));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  for (int k = 0; k < w->count; k++) {
    PetscCall(PetscArrayzero(w->lambda[k], w->size + w->events.count));
    PetscCall(PetscArrayzero(w->next[k], w->size + w->events.count));
  }
  PetscCall(AdjointEventsShare(w));
  PetscCall(AddRow(w, w->p->in->steps));
  if (!is_refused(w->wrong)) PetscCall(Back(w, s, s->levels, 0, w->p->in->steps, true));
  for (int k = 0; k < w->count && !is_refused(w->wrong); k++)
    for (int i = 0; i < w->parameters; i++) PetscCall(AdjointAddStart(w, &w->parameter[i], k));
  PetscFunctionReturn(0);
}

static PetscErrorCode GoBackAgain(Adjoint *w, const Schedule *s) {
  PetscFunctionBegin;
  w->second = true;
  PetscCall(PetscArrayzero(w->sum, (size_t)w->count * (size_t)w->parameters));
  PetscCall(StateCopyRestore(w->run->stepper, w->end.data, w->end.size, w->wrong));
  if (!is_refused(w->wrong)) PetscCall(StepperRecall(w->run->stepper));
  if (!is_refused(w->wrong)) PetscCall(GoBack(w, s));
  if (!is_refused(w->wrong)) add_doubts(w);
  PetscFunctionReturn(0);
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
  if (!is_refused(w->wrong)) PetscCall(StateCopySave(w->run->stepper, &w->end));
  if (!is_refused(w->wrong)) PetscCall(GoBack(w, &s));
  if (!is_refused(w->wrong)) put_derivatives(w);
  int again = w->undecided;
  PetscCall(ReduceArray(w->run->stepper->s->motion.layout.comm, &again, 1, MPI_INT, MPI_MAX));
  if (again && !is_refused(w->wrong)) PetscCall(GoBackAgain(w, &s));
  PetscFunctionReturn(0);
}

// How many parameters go back together: each has up to four neighbouring models.
static PetscErrorCode CountTogether(const Layout *layout, int *out) {
  double unknowns = (double)(layout->nblock * layout->bs) + 1;
  PetscFunctionBegin;
  PetscCall(ReduceArray(layout->comm, &unknowns, 1, MPI_DOUBLE, MPI_MAX));
  *out = (int)PetscMin(TOGETHER, PetscMax(1, memory_of_shadows / (4 * shadow_of_unknown * unknowns)));
  PetscFunctionReturn(0);
}

PetscErrorCode RunAdjoint(const GradientProblem *p, Refusal *wrong) {
  int all = p->g->parameters, together = 1;
  PetscFunctionBegin;
  for (int first = 0; first < all && !is_refused(wrong); first += together) {
    Adjoint w = {.p = p, .wrong = wrong};
    PetscCall(PetscNew(&w.run));
    PetscCall(ControlReset(p->in));
    PetscCall(StepperCreate(p->in->model, &p->in->options, &w.run->stepper, wrong));
    if (is_refused(wrong)) {
      PetscCall(PetscFree(w.run));
      PetscFunctionReturn(0);
    }
    PetscCall(CountTogether(&w.run->stepper->s->motion.layout, &together));
    PetscCall(Differentiate(&w, first, PetscMin(together, all - first)));
    PetscCall(End(&w));
  }
  PetscFunctionReturn(0);
}
