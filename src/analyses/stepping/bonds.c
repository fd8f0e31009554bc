// SPDX-License-Identifier: Apache-2.0
// A bond couples a coordinate to an FMU. Over a part of a step of length h the FMU gets the velocity v, which is held,
// and gives the forces e_0 and e_1 at the start and the end. By its own outputs it gives the work
//   h v e,  e = (e_0 + e_1)/2,
// and the force F on the coordinate, constant over the part, works F D. The exchange creates the difference,
//   r = F D - h v e.
// With F = e the FMU is set back and v is improved by Broyden's method until r is small. Where the sum S of all r would
// exceed the tolerance nevertheless, the forces are F = s e with the s nearest to 1 for which it does not: the work is
//   s L(s),  L(s) = e D(s) = L(0) + a s,
// with a from the last two solutions.
// Equations: eq-bond-residual (24.8), eq-bond-limit (24.9).
#include "analyses/stepping/bonds.h"

#include "analyses/stepping/ports.h"
#include "assembly/evaluate.h"
#include "assembly/state_values.h"

#include <math.h>

#define SMALL 1e-3 // of the tolerance: a residual that needs no repetition

PetscErrorCode BondsCreate(Stepper *p) {
  Model m = p->s->motion.layout.model;
  PetscInt n = m->bonds.count;
  struct Bonds *b;
  PetscFunctionBegin;
  if (!n) PetscFunctionReturn(0);
  PetscCall(PetscNew(&b));
  p->bonds = b, b->count = (int)n;
  for (int i = 0; i < b->count; i++) {
    b->tolerance += model_bond(m, i)->tolerance;
    b->repeats = PetscMax(b->repeats, model_bond(m, i)->repeats);
  }
  PetscCall(PetscCalloc7(n, &b->flow, n, &b->effort, port_displacements(m), &b->moved, n, &b->error, n, &b->last_error,
                         n, &b->last_flow, n * n, &b->inverse));
  PetscFunctionReturn(0);
}

PetscErrorCode BondsDestroy(Stepper *p) {
  struct Bonds *b = p->bonds;
  PetscFunctionBegin;
  if (!b) PetscFunctionReturn(0);
  PetscCall(PetscFree7(b->flow, b->effort, b->moved, b->error, b->last_error, b->last_flow, b->inverse));
  PetscCall(PetscFree(p->bonds));
  PetscFunctionReturn(0);
}

double bonds_exchange(const Stepper *p) {
  double sum = 0;
  for (int i = 0; i < p->bonds->count; i++) sum += p->s->motion.state.bond[i].exchange;
  return sum;
}

PetscErrorCode BondsBegin(Stepper *p) {
  PetscFunctionBegin;
  PetscCheck(p->bonds->partner, PETSC_COMM_SELF, PETSC_ERR_ORDER,
             "the model has bonds to FMUs, which run only in models that are read from a file");
  p->bonds->asked = false;
  PetscFunctionReturn(0);
}

// ---- velocities ----

// Extrapolated in a straight line from the last two parts, to the middle of this one.
static void predict_flows(const Stepper *p, double h) {
  double middle = p->s->motion.state.time + h / 2;
  for (int i = 0; i < p->bonds->count; i++) {
    const BondState *s = &p->s->motion.state.bond[i];
    double between = s->middle[0] - s->middle[1];
    p->bonds->flow[i] = s->rate[0];
    if (between > 0) p->bonds->flow[i] += (s->rate[0] - s->rate[1]) / between * (middle - s->middle[0]);
  }
}

// Broyden's update of the inverse of d error/d flow, by the change of the error since the last velocities. Efforts and
// displacements are scratch here: both are found again.
static void update_inverse(struct Bonds *b) {
  double *H = b->inverse, over = 0;
  int n = b->count;
  for (int i = 0; i < n; i++) // s^T H y
    for (int j = 0; j < n; j++)
      over += (b->flow[i] - b->last_flow[i]) * H[i * n + j] * (b->error[j] - b->last_error[j]);
  if (!(fabs(over) > 0)) return;
  for (int j = 0; j < n; j++) {
    double row = 0; // (s^T H)_j
    for (int i = 0; i < n; i++) row += (b->flow[i] - b->last_flow[i]) * H[i * n + j];
    b->moved[j] = row / over;
  }
  for (int i = 0; i < n; i++) {
    double left = b->flow[i] - b->last_flow[i]; // (s - H y)_i
    for (int j = 0; j < n; j++) left -= H[i * n + j] * (b->error[j] - b->last_error[j]);
    b->effort[i] = left;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) H[i * n + j] += b->effort[i] * b->moved[j];
}

// The k-th improvement of the velocities, by the displacements that their forces gave.
static void improve_flows(struct Bonds *b, int k, double h) {
  int n = b->count;
  for (int i = 0; i < n; i++) b->error[i] = b->moved[i] / h - b->flow[i];
  if (k) update_inverse(b);
  else
    for (int i = 0; i < n * n; i++) b->inverse[i] = i % (n + 1) ? 0 : -1;
  for (int i = 0; i < n; i++) b->last_flow[i] = b->flow[i], b->last_error[i] = b->error[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b->flow[i] -= b->inverse[i * n + j] * b->error[j];
}

// ---- a part of a step ----

static PetscErrorCode AskFmus(Stepper *p, double h) {
  struct Bonds *b = p->bonds;
  PetscFunctionBegin;
  b->asked = true;
  PetscCall(b->partner->go(b->partner, p->s->motion.state.time, h, b->flow, b->effort, &b->wrong, &b->cause));
  PetscFunctionReturn(0);
}

// The unknowns with forces s times the efforts, and the displacements.
static PetscErrorCode Solve(Stepper *p, double h, double s, int *iterations, NewtonOutcome *o) {
  struct Bonds *b = p->bonds;
  System *y = p->s;
  const double *q;
  Vec local;
  PetscFunctionBegin;
  for (int i = 0; i < b->count; i++) {
    BondState *state = &y->motion.state.bond[i];
    state->flow = b->flow[i], state->effort = b->effort[i], state->force = s * b->effort[i];
  }
  PetscCall(p->kind->advance(p, h, iterations, o));
  if (!o->converged) PetscFunctionReturn(0);
  int waves = model_waves(y->motion.layout.model);
  PetscCall(EquationsMoveNodes(&y->motion, &y->equations));
  PetscCall(EquationsOpenUnknowns(&y->motion.layout, &y->equations, &local, &q));
  PetscCall(PortsFindDisplacements(&y->motion, q, b->moved));
  PetscCall(EquationsCloseUnknowns(&y->motion.layout, &y->equations, &local, &q));
  for (int i = 0; i < b->count && waves; i++) b->moved[i] = b->moved[waves + i];
  PetscFunctionReturn(0);
}

// Sums of effort times displacement, and of what FMUs claim to give.
static double work_of(const struct Bonds *b) {
  double sum = 0;
  for (int i = 0; i < b->count; i++) sum += b->effort[i] * b->moved[i];
  return sum;
}

static double claim_of(const struct Bonds *b, double h) {
  double sum = 0;
  for (int i = 0; i < b->count; i++) sum += h * b->flow[i] * b->effort[i];
  return sum;
}

// The number nearest to 1 with a s^2 + l s <= most; NaN: there is none.
static double find_factor(double a, double l, double most) {
  if (a + l <= most) return 1;
  if (!(a > 0)) return l > 0 ? most / l : NAN;
  double root = l * l + 4 * a * most;
  if (!(root >= 0)) return NAN;
  double high = (-l + sqrt(root)) / (2 * a), low = (-l - sqrt(root)) / (2 * a);
  return fabs(high - 1) < fabs(low - 1) ? high : low;
}

// No force keeps the bound: the FMU that claims to have taken most is to blame.
static void name_excess(const Stepper *p, double h) {
  struct Bonds *b = p->bonds;
  int worst = 0;
  for (int i = 1; i < b->count; i++)
    if (b->flow[i] * b->effort[i] < b->flow[worst] * b->effort[worst]) worst = i;
  const ModelBond *bond = model_bond(p->s->motion.layout.model, worst);
  b->cause = bond->block;
  refuse(&b->wrong,
         "port '%.80s', whose FMU took %.3g J in %.3g s by its outputs, which the model does not have there: use a "
         "shorter 'step' or a larger 'tolerance'",
         shown_name(bond->name), -h * b->flow[worst] * b->effort[worst], h);
}

// Reduces the forces until they work no more than `most`.
static PetscErrorCode LimitForces(Stepper *p, double h, double most, int *iterations, NewtonOutcome *o) {
  struct Bonds *b = p->bonds;
  double one = work_of(b), start, s = 0, work;
  PetscFunctionBegin;
  PetscCall(Solve(p, h, 0, iterations, o));
  if (!o->converged) PetscFunctionReturn(0);
  start = work_of(b);
  double a = one - start;
  for (int k = 0; k < 8; k++) {
    s = find_factor(a, start, most - SMALL * b->tolerance);
    if (!isfinite(s)) break;
    PetscCall(Solve(p, h, s, iterations, o));
    if (!o->converged) PetscFunctionReturn(0);
    work = work_of(b);
    if (s * work <= most) PetscFunctionReturn(0);
    a = (work - start) / s;
  }
  name_excess(p, h);
  PetscFunctionReturn(0);
}

PetscErrorCode BondsAdvance(Stepper *p, double h, int *iterations, NewtonOutcome *o) {
  struct Bonds *b = p->bonds;
  bool follows = b->partner->follows;
  PetscFunctionBegin;
  b->wrong.text[0] = 0;
  *o = (NewtonOutcome){.worst = -1};
  if (follows || !b->asked) {
    double length = follows ? h : p->options.step;
    predict_flows(p, length);
    PetscCall(AskFmus(p, length));
  }
  for (int k = 0; !is_refused(&b->wrong); k++) {
    PetscCall(Solve(p, h, 1, iterations, o));
    if (!o->converged) PetscFunctionReturn(0);
    bool good = fabs(work_of(b) - claim_of(b, h)) <= SMALL * b->tolerance;
    if (good || !follows || k >= b->repeats) break;
    improve_flows(b, k, h);
    PetscCall(AskFmus(p, h));
  }
  double most = b->tolerance - bonds_exchange(p) + claim_of(b, h);
  if (!is_refused(&b->wrong) && work_of(b) > most) PetscCall(LimitForces(p, h, most, iterations, o));
  if (is_refused(&b->wrong)) o->converged = false;
  PetscFunctionReturn(0);
}
