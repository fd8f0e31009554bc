// SPDX-License-Identifier: Apache-2.0
// Derivatives at an equilibrium. A shadow gets the equilibrium x of the model, with its own fixed nodes and prescribed
// coordinates; its residual there gives R_p. Moved by its number of steps times du/dp it is in equilibrium, but for terms
// of second order, so that differences of what is sampled there are total derivatives.
#include "gradient/gradient.h"

#include "analyses/stepping/start.h"
#include "assembly/evaluate.h"
#include "quantities/ledger.h"
#include "solvers/redundancy.h"

#include <math.h>

struct Equilibrium {
  const GradientProblem *p;
  GradientAnalysis analysis;
  const Stepper *found;
  LimberOptions options;
  Shadow shadow; // the model as it is
  Mat bordered, factor;
  Vec rate, residual; // du/dp, R_p
  Vec rough, sixth;   // by how much R_p of lower order differs; sixth differences over the length
  bool kinked;        // a law with a kink is between the shadows, such as that of a cable that becomes slack
  Vec *multiplier;    // mu of each number that is asked for, NULL: not yet ...
  Vec *rest;          // ... and by how much rough differences of its slope Q_u differ
  int asked;
};

static const double part = 5e-4; // of a parameter: a step of differences
static const double kink = 1e-4; // of a difference: beyond it the sixth difference shows a kink between the shadows
enum { LENGTHS_TRIED = 6 };      // each a tenth of the one before
static const double small_move = 3e-5; // of the model size, rad; of multipliers relative to the largest
enum { MOST_ADJOINT = 20000 };         // unknowns, each of which is moved

Shadow *equilibrium_shadow(Equilibrium *e) { return &e->shadow; }

static Statics *statics_of_shadow(const Shadow *s) { return statics_of(s->run->stepper); }

bool equilibrium_is_free(const Equilibrium *e) { return statics_of_shadow(&e->shadow)->free_motions.count > 0; }

// ---- states ----

// Loads and multipliers at the state.
static PetscErrorCode BeginAtState(const Shadow *s) {
  System *y = s->run->stepper->s;
  PetscFunctionBegin;
  PetscCall(EquationsBeginStatic(&y->motion, &y->equations));
  PetscCall(MotionSetFactor(&y->motion, &statics_of_shadow(s)->loads, 1));
  PetscFunctionReturn(0);
}

static void copy_state(const Motion *from, Motion *to) {
  const State *a = &from->state;
  State *b = &to->state;
  for (PetscInt i = 1; i < to->layout.nnode; i++)
    for (int j = 0; j < 4 && to->layout.node_block[i] >= 0; j++) b->x[4 * i + j] = a->x[4 * i + j];
  for (PetscInt i = 0; i < 4 * to->layout.nnode; i++) b->x_before[i] = b->x[i];
  for (PetscInt j = 0; j < to->layout.njoint; j++) {
    b->coord[j] = b->coord_before[j] = a->coord[j];
    for (int r = 0; r < MAX_ROWS; r++)
      b->multiplier[j][r] = a->multiplier[j][r], to->row_off[j][r] = from->row_off[j][r];
  }
  b->time = a->time, b->stepped = false;
}

// Puts the shadow into the equilibrium of the model, moved by `times` increments (NULL: none).
static PetscErrorCode PutState(const Stepper *from, Shadow *s, Vec increment, double times) {
  Stepper *p = s->run->stepper;
  PetscFunctionBegin;
  PetscCall(SystemCopyRedundantRows(from->s, p->s));
  p->s->redundancy.least_norm = false; // samples of joint forces find it
  copy_state(&from->s->motion, &p->s->motion);
  PetscCall(BeginAtState(s));
  if (increment) {
    PetscCall(VecAXPY(p->s->equations.unknown, times, increment));
    PetscCall(EquationsMoveNodes(&p->s->motion, &p->s->equations));
    PetscCall(StepperMoveState(p));
    p->s->motion.state.stepped = false;
    PetscCall(BeginAtState(s));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode SampleAt(Equilibrium *e, const EquilibriumQuestion *ask, Shadow *s, Vec increment, double times,
                               double *value) {
  Stepper *p = s->run->stepper;
  PetscFunctionBegin;
  PetscCall(PutState(e->found, s, increment, times));
  PetscCall(EquationsMoveNodes(&p->s->motion, &p->s->equations)); // for outputs of sections
  PetscCall(StepperUpdateEnergies(p, NULL));
  PetscCall(ask->sample(ask->self, s, value));
  PetscFunctionReturn(0);
}

// ---- the tangent ----

static PetscErrorCode Factor(Mat k, Mat *factor, bool *good) {
  PetscFunctionBegin;
#ifdef PETSC_HAVE_MUMPS
  PetscCall(FactorByMUMPS(k, false, factor, good));
#else
  PetscCall(FactorBySuperLU(k, factor, good));
#endif
  PetscFunctionReturn(0);
}

// Motions without stiffness are excluded: nothing that is asked for may depend on them.
static PetscErrorCode FactorTangent(Equilibrium *e, Refusal *wrong) {
  Stepper *p = e->shadow.run->stepper;
  System *s = p->s;
  Statics *x = statics_of(p);
  Mat k, aij;
  bool good;
  PetscFunctionBegin;
  PetscCall(PutState(e->found, &e->shadow, NULL, 0));
  PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_TRUE));
  PetscCall(StaticsFindFree(p));
  PetscCall(BeginAtState(&e->shadow));
  PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_TRUE));
  PetscCall(MatDuplicate(s->equations.matrix.tangent, MAT_COPY_VALUES, &k));
  if (x->loads.spin.rate != 0) PetscCall(AddSpinStiffness(&s->motion.layout, &s->motion.state, &x->loads.spin, k));
  PetscCall(MatConvert(k, MATAIJ, MAT_INITIAL_MATRIX, &aij));
  PetscCall(FreeMotionsBorder(&x->free_motions, aij, &e->bordered));
  PetscCall(Factor(e->bordered, &e->factor, &good));
  PetscCall(MatDestroy(&aij));
  PetscCall(MatDestroy(&k));
  if (!good) refuse(wrong, "the stiffness at the equilibrium is singular");
  PetscFunctionReturn(0);
}

// The rotation of a shadow follows from its own motion or drives.
static PetscErrorCode FindRotation(const Equilibrium *e, Shadow *s, Refusal *wrong) {
  StaticLoads *l = &statics_of_shadow(s)->loads;
  PetscFunctionBegin;
  if (l->spin.rate == 0) PetscCall(DrivenRotation(s->run->stepper, l->time, false, &l->spin, wrong));
  if (!is_refused(wrong) && l->spin.rotor) refuse(wrong, "a rotor on a support that stands has no gradient yet");
  (void)e;
  PetscFunctionReturn(0);
}

PetscErrorCode EquilibriumCreate(const GradientProblem *p, GradientAnalysis analysis, Stepper *found, double time,
                                 Equilibrium **out, Refusal *wrong) {
  Equilibrium *e;
  PetscFunctionBegin;
  PetscCall(PetscNew(&e));
  *out = e, e->p = p, e->analysis = analysis, e->found = found;
  e->options = limber_options_default();
  e->options.analysis = LIMBER_ANALYSIS_STATIC;
  e->options.statics = (LimberStatics){.time = time};
  PetscCall(ShadowCreate(p, analysis, -1, 0, 0, &e->options, &found->s->motion.layout, &e->shadow, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(FindRotation(e, &e->shadow, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  Vec residual = e->shadow.run->stepper->s->equations.residual;
  PetscCall(VecDuplicate(residual, &e->rate));
  PetscCall(VecDuplicate(residual, &e->residual));
  PetscCall(VecDuplicate(residual, &e->rough));
  PetscCall(VecDuplicate(residual, &e->sixth));
  PetscCall(FactorTangent(e, wrong));
  PetscFunctionReturn(0);
}

PetscErrorCode EquilibriumDestroy(Equilibrium **out) {
  Equilibrium *e = *out;
  PetscFunctionBegin;
  if (!e) PetscFunctionReturn(0);
  for (int i = 0; i < e->asked; i++) PetscCall(VecDestroy(&e->multiplier[i]));
  for (int i = 0; i < e->asked; i++) PetscCall(VecDestroy(&e->rest[i]));
  PetscCall(PetscFree2(e->multiplier, e->rest));
  PetscCall(MatDestroy(&e->factor));
  PetscCall(MatDestroy(&e->bordered));
  PetscCall(VecDestroy(&e->rate));
  PetscCall(VecDestroy(&e->residual));
  PetscCall(VecDestroy(&e->rough));
  PetscCall(VecDestroy(&e->sixth));
  PetscCall(ShadowDestroy(&e->shadow));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(0);
}

// ---- the adjoint ----

// By how much an own unknown is moved.
static double move_of(const Layout *layout, PetscInt i, double largest) {
  PetscInt b = i / 3, node = layout->block_node[b], joint = layout->block_joint[b];
  if (node >= 0) return small_move * (b == layout->node_block[node] ? layout->length : 1);
  int row = (int)(i - 3 * layout->joint_block[joint]);
  return small_move * (row < layout_joint(layout, joint)->rows.nrow && largest > 0 ? largest : 1);
}

// Q_u: every unknown is moved, one after the other.
static PetscErrorCode FindSlopes(Equilibrium *e, const EquilibriumQuestion *ask, Vec *slope, Vec *rest) {
  System *s = e->shadow.run->stepper->s;
  const Difference *w = &difference_of_four;
  PetscInt first, last, all;
  double *value, *sum, *rough, largest;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(ask->count, &value, ask->count, &sum, ask->count, &rough));
  PetscCall(PutState(e->found, &e->shadow, NULL, 0));
  PetscCall(VecNorm(s->equations.unknown, NORM_INFINITY, &largest));
  PetscCall(VecGetSize(e->rate, &all));
  PetscCall(VecGetOwnershipRange(e->rate, &first, &last));
  for (PetscInt i = 0; i < all; i++) {
    double move = i >= first && i < last ? move_of(&s->motion.layout, i - first, largest) : 0;
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &move, 1, MPI_DOUBLE, MPI_MAX, s->motion.layout.comm));
    PetscCall(VecZeroEntries(e->rate));
    if (i >= first && i < last) PetscCall(VecSetValue(e->rate, i, 1, INSERT_VALUES));
    PetscCall(VecAssemblyBegin(e->rate));
    PetscCall(VecAssemblyEnd(e->rate));
    for (int q = 0; q < ask->count; q++) sum[q] = rough[q] = 0;
    for (int k = 0; k < w->points; k++) {
      PetscCall(SampleAt(e, ask, &e->shadow, e->rate, w->at[k] * move, value));
      for (int q = 0; q < ask->count; q++)
        sum[q] += w->weight[k] / move * value[q], rough[q] += w->rough[k] / move * value[q];
    }
    for (int q = 0; q < ask->count && i >= first && i < last; q++) {
      PetscCall(VecSetValue(slope[q], i, sum[q], INSERT_VALUES));
      PetscCall(VecSetValue(rest[q], i, fabs(rough[q] - sum[q]), INSERT_VALUES));
    }
  }
  for (int q = 0; q < ask->count; q++) {
    PetscCall(VecAssemblyBegin(slope[q]));
    PetscCall(VecAssemblyEnd(slope[q]));
    PetscCall(VecAssemblyBegin(rest[q]));
    PetscCall(VecAssemblyEnd(rest[q]));
  }
  PetscCall(PetscFree3(value, sum, rough));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindMultipliers(Equilibrium *e, const EquilibriumQuestion *ask, Refusal *wrong) {
  PetscInt all;
  PetscFunctionBegin;
  PetscCall(VecGetSize(e->rate, &all));
  if (all > MOST_ADJOINT)
    refuse(wrong, "the adjoint method is limited to %d unknowns, and the model has %d: leave out --method",
           MOST_ADJOINT, (int)all);
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(PetscCalloc2(ask->count, &e->multiplier, ask->count, &e->rest));
  e->asked = ask->count;
  for (int q = 0; q < ask->count; q++) {
    PetscCall(VecDuplicate(e->rate, &e->multiplier[q]));
    PetscCall(VecDuplicate(e->rate, &e->rest[q]));
  }
  PetscCall(FindSlopes(e, ask, e->multiplier, e->rest));
  for (int q = 0; q < ask->count; q++) {
    PetscCall(VecCopy(e->multiplier[q], e->rate));
    PetscCall(FreeMotionsSolve(e->bordered, e->factor, true, e->rate, e->multiplier[q]));
  }
  PetscFunctionReturn(0);
}

// ---- derivatives ----

// Of values at difference_of_six, and after them of that in the middle: the sixth difference is round-off, as is the fifth, by
// which derivatives of both orders differ. A kink makes it about as large as the error of the derivative, times the length.
static const double sixth_weight[] = {0.5, 0.5, -0.2, -0.2, 1.0 / 30, 1.0 / 30, -2.0 / 3};

static double sixth_difference(const double *f, double centre) {
  double sum = sixth_weight[6] * centre;
  for (int k = 0; k < 6; k++) sum += sixth_weight[k] * f[k];
  return fabs(sum);
}

static PetscErrorCode EvaluateResidual(Equilibrium *e, Shadow *s) {
  System *y = s->run->stepper->s;
  PetscFunctionBegin;
  PetscCall(PutState(e->found, s, NULL, 0));
  PetscCall(EquationsEvaluate(&y->motion, &y->equations, PETSC_FALSE));
  PetscFunctionReturn(0);
}

// R_p and its errors.
static PetscErrorCode FindResidualRates(Equilibrium *e, Shadow *s, double delta) {
  const Difference *w = &difference_of_six;
  Vec own = e->shadow.run->stepper->s->equations.residual;
  double sixth, size;
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(e->residual));
  PetscCall(VecZeroEntries(e->rough));
  PetscCall(EvaluateResidual(e, &e->shadow));
  PetscCall(VecCopy(own, e->sixth));
  PetscCall(VecScale(e->sixth, sixth_weight[w->points] / delta));
  for (int k = 0; k < w->points; k++) {
    Vec residual = s[k].run->stepper->s->equations.residual;
    PetscCall(EvaluateResidual(e, &s[k]));
    PetscCall(VecAXPY(e->residual, w->weight[k] / delta, residual));
    PetscCall(VecAXPY(e->rough, w->rough[k] / delta, residual));
    PetscCall(VecAXPY(e->sixth, sixth_weight[k] / delta, residual));
  }
  PetscCall(VecAXPY(e->rough, -1, e->residual));
  PetscCall(VecNorm(e->sixth, NORM_INFINITY, &sixth));
  PetscCall(VecNorm(e->residual, NORM_INFINITY, &size));
  e->kinked = sixth > kink * size;
  PetscFunctionReturn(0);
}

static const double safety = 5; // of error estimates

// Differences over the shadows, each moved by its steps times `increment` (NULL: not at all).
static PetscErrorCode DifferenceOfShadows(Equilibrium *e, const EquilibriumQuestion *ask, Shadow *s, double delta,
                                          Vec increment, double *out, double *error) {
  const Difference *w = &difference_of_six;
  double *value, *f;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(ask->count, &value, MOST_POINTS * ask->count, &f));
  for (int k = 0; k < w->points; k++) {
    PetscCall(SampleAt(e, ask, &s[k], increment, w->at[k] * delta, value));
    for (int q = 0; q < ask->count; q++) f[MOST_POINTS * q + k] = value[q];
  }
  PetscCall(SampleAt(e, ask, &e->shadow, NULL, 0, value));
  for (int q = 0; q < ask->count; q++) {
    double rough = 0, sixth = sixth_difference(f + MOST_POINTS * q, value[q]);
    out[q] = 0;
    for (int k = 0; k < w->points; k++) {
      out[q] += w->weight[k] / delta * f[MOST_POINTS * q + k];
      rough += w->rough[k] / delta * f[MOST_POINTS * q + k];
    }
    error[q] = safety * (fabs(out[q] - rough) + sixth / delta) + PETSC_MACHINE_EPSILON * fabs(value[q]) / delta;
    e->kinked = e->kinked || sixth > kink * fabs(out[q]) * delta + 1e-9 * fabs(value[q]);
  }
  PetscCall(PetscFree2(value, f));
  PetscFunctionReturn(0);
}

// Adds to the errors what an error of R_p makes of them.
static PetscErrorCode AddResidualError(Equilibrium *e, const EquilibriumQuestion *ask, Vec of, double *error) {
  System *s = e->shadow.run->stepper->s;
  double *value[2], size;
  PetscFunctionBegin;
  PetscCall(FreeMotionsSolve(e->bordered, e->factor, false, of, e->rate));
  PetscCall(VecNorm(e->rate, NORM_INFINITY, &size));
  if (!(size > 0)) PetscFunctionReturn(0);
  double times = small_move * fmin(1, s->motion.layout.length) / size;
  PetscCall(PetscMalloc2(ask->count, &value[0], ask->count, &value[1]));
  for (int i = 0; i < 2; i++) PetscCall(SampleAt(e, ask, &e->shadow, e->rate, i ? -times : times, value[i]));
  for (int q = 0; q < ask->count; q++) error[q] += safety * fabs(value[0][q] - value[1][q]) / (2 * times);
  PetscCall(PetscFree2(value[0], value[1]));
  PetscFunctionReturn(0);
}

static PetscErrorCode Differentiate(Equilibrium *e, const EquilibriumQuestion *ask, Shadow *s, double delta,
                                    double *out, double *error, Refusal *wrong) {
  bool adjoint = e->p->method == LIMBER_GRADIENT_ADJOINT;
  PetscFunctionBegin;
  if (adjoint && !e->multiplier) PetscCall(FindMultipliers(e, ask, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(FindResidualRates(e, s, delta));
  if (!adjoint) {
    PetscCall(FreeMotionsSolve(e->bordered, e->factor, false, e->residual, e->rate));
    PetscCall(VecScale(e->rate, -1));
    PetscCall(DifferenceOfShadows(e, ask, s, delta, e->rate, out, error));
    PetscCall(AddResidualError(e, ask, e->rough, error));
    PetscCall(AddResidualError(e, ask, e->sixth, error));
    PetscFunctionReturn(0);
  }
  PetscCall(DifferenceOfShadows(e, ask, s, delta, NULL, out, error));
  PetscCall(FreeMotionsSolve(e->bordered, e->factor, false, e->residual, e->rate)); // for the error alone
  PetscCall(VecAbs(e->rate));
  for (int q = 0; q < ask->count; q++) {
    double product, rest[3];
    PetscCall(VecDot(e->multiplier[q], e->residual, &product));
    PetscCall(VecDot(e->multiplier[q], e->rough, &rest[0]));
    PetscCall(VecDot(e->rest[q], e->rate, &rest[1]));
    PetscCall(VecDot(e->multiplier[q], e->sixth, &rest[2]));
    out[q] -= product, error[q] += safety * (fabs(rest[0]) + fabs(rest[1]) + fabs(rest[2]));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode DifferentiateOver(Equilibrium *e, const EquilibriumQuestion *ask, int parameter, double delta,
                                        double *out, double *error, Refusal *wrong) {
  const Difference *w = &difference_of_six;
  Shadow s[MOST_POINTS] = {{.in = NULL}};
  PetscFunctionBegin;
  for (int k = 0; k < w->points && !is_refused(wrong); k++) {
    PetscCall(ShadowCreate(e->p, e->analysis, parameter, w->at[k], delta, &e->options, &e->found->s->motion.layout,
                           &s[k], wrong));
    if (!is_refused(wrong)) PetscCall(FindRotation(e, &s[k], wrong));
  }
  if (!is_refused(wrong)) PetscCall(Differentiate(e, ask, s, delta, out, error, wrong));
  for (int k = 0; k < w->points; k++) PetscCall(ShadowDestroy(&s[k]));
  PetscFunctionReturn(0);
}

// Shorter differences where a kink lies within them. Of each number that is asked for the one with the smallest error counts.
PetscErrorCode EquilibriumDifferentiate(Equilibrium *e, const EquilibriumQuestion *ask, int parameter, double *out,
                                        double *error, Refusal *wrong) {
  double delta = parameter_delta(&e->p->g->parameter[parameter], part), *value, *apart;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(ask->count, &value, ask->count, &apart));
  for (int n = 0; n < LENGTHS_TRIED && (n == 0 || e->kinked) && !is_refused(wrong); n++, delta *= 0.1) {
    PetscCall(DifferentiateOver(e, ask, parameter, delta, value, apart, wrong));
    for (int q = 0; q < ask->count && !is_refused(wrong); q++)
      if (n == 0 || apart[q] < error[q]) out[q] = value[q], error[q] = apart[q];
  }
  PetscCall(PetscFree2(value, apart));
  PetscFunctionReturn(0);
}

// ---- columns of probes ----

static PetscErrorCode SampleColumns(void *self, Shadow *at, double *value) {
  PetscFunctionBegin;
  (void)self;
  PetscCall(ColumnsSample(&at->columns, at->run, value));
  PetscFunctionReturn(0);
}

static PetscErrorCode DifferentiateColumns(Equilibrium *e, Refusal *wrong) {
  struct LimberGradientData *g = e->p->g;
  GradientColumns *c = &e->shadow.columns;
  EquilibriumQuestion ask = {.count = c->count, .sample = SampleColumns};
  double *out, *error;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(c->count, &out, c->count, &error));
  PetscCall(SampleAt(e, &ask, &e->shadow, NULL, 0, out));
  for (int q = 0; q < c->count; q++) g->value[c->quantity[q]] = out[q];
  if (g->parameters && equilibrium_is_free(e))
    refuse(wrong, "the model moves freely, so that its position at rest has no gradient: hold it with a joint");
  for (int i = 0; i < g->parameters && !gradient_ends(e->p, wrong); i++) {
    PetscCall(EquilibriumDifferentiate(e, &ask, i, out, error, wrong));
    for (int q = 0; q < c->count; q++) {
      LimberDerivative *d = &g->d[c->quantity[q] * g->parameters + i];
      d->value = out[q], d->error = error[q];
    }
  }
  PetscCall(PetscFree2(out, error));
  PetscFunctionReturn(0);
}

PetscErrorCode EquilibriumGradient(const GradientProblem *p, Refusal *wrong) {
  LimberStatics options = {.time = p->in->statics.time};
  OperatingPoint point;
  Equilibrium *e = NULL;
  PetscFunctionBegin;
  PetscCall(OperatingPointFind(p->in->model, &options, &point, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(EquilibriumCreate(p, IN_EQUILIBRIUM, point.run->stepper, options.time, &e, wrong));
  if (!is_refused(wrong)) PetscCall(DifferentiateColumns(e, wrong));
  PetscCall(EquilibriumDestroy(&e));
  PetscCall(OperatingPointDestroy(&point));
  PetscFunctionReturn(0);
}
