// SPDX-License-Identifier: Apache-2.0
// Takes one step of a tableau's scheme: starting values, Newton's method, and checks whether its solution is a valid
// step.
#include "analyses/dynamic/dynamic.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "solvers/redundancy.h"

// Starts from zero increments except those of the mass centres of free components, so Newton's path does not depend on
// the velocity of their rigid motion.
static PetscErrorCode StartFromCentreVelocity(Stepper *p, double h) {
  System *s = p->s;
  const Tableau *t = &p->rule.tableau;
  double *q;
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(s->equations.unknown));
  PetscCall(VecGetArray(s->equations.unknown, &q));
  for (PetscInt i = 1; i < s->motion.layout.nnode_own; i++) {
    if (s->motion.layout.free_body[i] < 0 || s->motion.layout.node_block[i] < 0) continue;
    for (int k = 0; k < t->s; k++)
      vec3_to(vec3_scale(t->b[k] * h, s->motion.step.centre_velocity[s->motion.layout.free_body[i]]),
              q + s->motion.layout.node_block[i] * s->motion.layout.bs + 3 * k);
  }
  PetscCall(VecRestoreArray(s->equations.unknown, &q));
  PetscFunctionReturn(0);
}

// Mean directors vanish at half a turn, where the balance of moments has solutions that the energy theorem does not
// cover. No frame may turn that far in a step.
static PetscErrorCode FindLargeRotation(Stepper *p, LargeRotation *found) {
  System *s = p->s;
  const double *q;
  PetscFunctionBegin;
  *found = (LargeRotation){.node = -1, .joint = -1};
  if (p->rule.tableau.force_rule != FORCE_MEAN) PetscFunctionReturn(0);
  PetscCall(VecGetArrayRead(s->equations.unknown, &q));
  for (PetscInt i = 1; i < s->motion.layout.nnode_own; i++) {
    Vec3 u[MAX_STAGES], c[MAX_STAGES];
    layout_increments(&s->motion.layout, q, i, u, c);
    for (int k = 0; k < p->rule.tableau.s; k++) {
      double size = vec3_norm(c[k]), angle = size < INFINITY ? 4 * atan(size / 4) : 2 * PETSC_PI;
      if (!(size < 3.99) && angle > found->angle) // |c| = 4 is half a turn
        *found = (LargeRotation){angle, (int)s->motion.layout.node[i], -1};
    }
  }
  PetscCall(VecRestoreArrayRead(s->equations.unknown, &q));
  PetscCall(ReduceLargeRotation(s->motion.layout.comm, found));
  PetscFunctionReturn(0);
}

// Starting increments: extrapolated from the last steps; those of the last step; none.
enum { GO_ON, AS_BEFORE, FROM_REST, STARTS };

static bool steps_were_equal(const double *previous, double h) {
  bool equal = true;
  for (int i = 0; i < PREVIOUS; i++) equal = equal && previous[i] == h;
  return equal;
}

// Whether displacements and rotations of all nodes follow smooth curves: the third differences of their last four
// increments are small beside the second ones. Waves that the steps do not resolve have larger ones. All unknowns are
// extrapolated alike: neighbours that are not would strain what connects them.
static const double smooth = 0.2;
static PetscErrorCode AreSmooth(const Layout *layout, const double *const u[PREVIOUS], bool *out) {
  double sum[2] = {0}; // squares of second and third differences
  PetscFunctionBegin;
  for (PetscInt b = 0; b < layout->nblock_own; b++) {
    PetscInt node = layout->block_node[b];
    if (node < 0) continue;
    double size = b == layout->node_block[node] ? 1 / layout->length : 1, f = size * size;
    for (PetscInt k = b * layout->bs; k < (b + 1) * layout->bs; k++) {
      double second = u[0][k] - 2 * u[1][k] + u[2][k], third = second - (u[1][k] - 2 * u[2][k] + u[3][k]);
      sum[0] += f * second * second, sum[1] += f * third * third;
    }
  }
  PetscCall(ReduceArray(layout->comm, sum, 2, MPI_DOUBLE, MPI_SUM));
  *out = sum[1] <= smooth * smooth * sum[0];
  PetscFunctionReturn(0);
}

// By the cubic polynomial through the last four increments where they are smooth, else by the line through two.
static PetscErrorCode ExtrapolateEqualSteps(Stepper *p) {
  const double *u[PREVIOUS];
  double *x;
  PetscInt n;
  bool cubic = false;
  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(p->s->equations.unknown, &n));
  PetscCall(VecGetArrayWrite(p->s->equations.unknown, &x));
  for (int i = 0; i < PREVIOUS; i++) PetscCall(VecGetArrayRead(p->previous[i], &u[i]));
  PetscCall(AreSmooth(&p->s->motion.layout, u, &cubic));
  for (PetscInt k = 0; k < n; k++)
    x[k] = cubic ? 4 * (u[0][k] + u[2][k]) - 6 * u[1][k] - u[3][k] : 2 * u[0][k] - u[1][k];
  for (int i = 0; i < PREVIOUS; i++) PetscCall(VecRestoreArrayRead(p->previous[i], &u[i]));
  PetscCall(VecRestoreArrayWrite(p->s->equations.unknown, &x));
  PetscFunctionReturn(0);
}

static PetscErrorCode StartFrom(Stepper *p, int start, double h) {
  const double *last = p->previous_step;
  Vec x = p->s->equations.unknown;
  PetscFunctionBegin;
  if (start == FROM_REST) {
    PetscCall(StartFromCentreVelocity(p, h));
    PetscFunctionReturn(0);
  }
  if (start == GO_ON && steps_were_equal(last, h)) {
    PetscCall(ExtrapolateEqualSteps(p));
    PetscFunctionReturn(0);
  }
  PetscCall(VecCopy(p->previous[0], x));
  double on = start == GO_ON ? (h + last[0]) / (last[0] + last[1]) : 0;
  if (start == GO_ON) PetscCall(VecAXPBY(x, -on * h / last[1], (1 + on) * h / last[0], p->previous[1]));
  else PetscCall(VecScale(x, h / last[0]));
  PetscFunctionReturn(0);
}

// Finds an inverted element. A potential of large strain depends only on det C = J^2, so a long step may pass its
// barrier at J = 0. `component`: counted from 1; 0: none.
static PetscErrorCode FindInverted(Stepper *p, int *component) {
  System *s = p->s;
  const double *q;
  Vec local;
  PetscFunctionBegin;
  *component = 0;
  if (!p->potentials) PetscFunctionReturn(0);
  PetscCall(EquationsRefresh(&s->motion.layout, &s->equations));
  PetscCall(EquationsOpenUnknowns(&s->motion.layout, &s->equations, &local, &q));
  for (PetscInt e = 0; e < s->motion.layout.nelement; e++) {
    const ModelElement *el = model_element(s->motion.layout.model, s->motion.layout.element[e]);
    LocalMotion it;
    state_gather_element(&s->motion.layout, &s->motion.state, q, e, &it);
    for (int k = 0; k < it.s; k++)
      if (element_is_inverted(el->kind, el->data, it.xn, it.xk[k]))
        *component = PetscMax(*component, el->component + 1);
  }
  PetscCall(EquationsCloseUnknowns(&s->motion.layout, &s->equations, &local, &q));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, component, 1, MPI_INT, MPI_MAX, s->motion.layout.comm));
  PetscFunctionReturn(0);
}

// Newton's method from the present unknowns, and whether its solution is a valid step. A rotation for which a step was
// refused is kept if Newton finds no solution from other starting values.
static PetscErrorCode SolveFromHere(Stepper *p, int *iterations, NewtonOutcome *o) {
  System *s = p->s;
  LargeRotation unwound = {.angle = 1}, rotated = o->rotation;
  PetscFunctionBegin;
  for (int again = 0; again < 2 && unwound.angle > 0; again++) { // once more with angles unwound to the nearest turn
    PetscCall(SystemSolveContacts(s, p->ledger.exchanged, p->options.tolerance, p->options.iterations, o));
    *iterations += o->iterations;
    unwound.angle = 0;
    if (o->converged) PetscCall(EquationsUnwind(&s->motion, &s->equations, &unwound));
  }
  if (o->converged) {
    PetscCall(FindLargeRotation(p, &rotated));
    if (unwound.angle > 0 && !(rotated.angle > 0)) rotated = unwound;
    o->converged = !(rotated.angle > 0);
  }
  o->rotation = rotated;
  PetscCall(FindInverted(p, &o->inverted));
  o->converged = o->converged && !o->inverted;
  PetscFunctionReturn(0);
}

static PetscErrorCode SolveStep(Stepper *p, double h, int *iterations, NewtonOutcome *o) {
  bool arrived, predicted = false;
  PetscFunctionBegin;
  *o = (NewtonOutcome){.worst = -1};
  if (p->parts) PetscCall(PredictPart(p, h, &predicted));
  if (predicted) PetscCall(SolveFromHere(p, iterations, o));
  int first = p->parts || p->previous_step[0] == 0 ? FROM_REST : p->previous_step[1] == 0 ? AS_BEFORE : GO_ON;
  for (int start = first; start < STARTS && !o->converged; start++) {
    PetscCall(StartFrom(p, start, h));
    PetscCall(SolveFromHere(p, iterations, o));
    if (p->growth.grown) PetscFunctionReturn(0); // a part that may stay shorter
  }
  if (o->converged) PetscFunctionReturn(0);
  PetscCall(StartFrom(p, FROM_REST, h));
  PetscCall(SystemApproach(p->s, p->options.iterations, iterations, &arrived));
  if (arrived) PetscCall(SolveFromHere(p, iterations, o));
  if (o->converged || !p->s->motion.contacts) PetscFunctionReturn(0);
  PetscCall(StartFrom(p, FROM_REST, h));
  PetscCall(SystemFollowFriction(p->s, p->ledger.exchanged, p->options.iterations, iterations, &arrived));
  if (arrived) PetscCall(SolveFromHere(p, iterations, o));
  PetscFunctionReturn(0);
}

enum { MOST_LISTS = 4 };

PetscErrorCode DynamicAdvance(Stepper *p, double h, int *iterations, NewtonOutcome *o) {
  System *s = p->s;
  bool changed = false;
  PetscFunctionBegin;
  PetscCall(MotionFindCentreVelocities(&s->motion));
  PetscCall(SystemUpdateContacts(s, h));
  PetscCall(MotionBeginStep(&s->motion, h));
  PetscCall(MotionFindCorotation(&s->motion));
  bool again = true;
  for (int lists = 0; lists < MOST_LISTS && again; lists++) { // repeated if pairs come closer than expected
    PetscCall(SolveStep(p, h, iterations, o));
    if (o->converged) PetscCall(SystemCheckContacts(s, &again));
    else again = false;
  }
  if (again) o->converged = false;
  if (!o->converged)
    PetscCall(RedundancyUpdate(&s->motion, &s->redundancy, true, &changed)); // other rows of a loop may work
  if (changed) PetscCall(SolveStep(p, h, iterations, o));
  PetscFunctionReturn(0);
}

// The end of a step of a tableau's scheme: its energy balance and the new state.

// The change of momentum beyond the impulse. A step of several parts has the largest of them.
static void note_momentum(Vec3 change, Vec3 impulse, double size, double *error, double *worst, double *scale) {
  *error = PetscMax(*error, vec3_norm(vec3_sub(change, impulse)));
  *worst = PetscMax(*worst, *error), *scale = PetscMax(*scale, size);
}

PetscErrorCode DynamicAccept(Stepper *p, double *work, StepBalance *balance) {
  Motion *motion = &p->s->motion;
  LimberLedger *l = &p->ledger;
  Vec3 before[2], after[2];
  StepImpulse impulse;
  bool checked = p->options.momentum != LIMBER_MOMENTUM_UNCHECKED;
  PetscFunctionBegin;
  PetscCall(EquationsMoveNodes(&p->s->motion, &p->s->equations)); // with the unknowns that Newton found
  PetscCall(MotionKeepMomentum(motion));
  if (checked) PetscCall(LedgerMomentum(motion, &before[0], &before[1]));
  if (checked) PetscCall(EquationsImpulse(motion, &p->s->equations, &impulse));
  PetscCall(LedgerStep(p, work, balance));
  PetscCall(StepperMoveState(p));
  PetscCall(LedgerElements(p, balance));
  if (!checked) PetscFunctionReturn(0);
  PetscCall(LedgerMomentum(motion, &after[0], &after[1]));
  note_momentum(vec3_sub(after[0], before[0]), impulse.linear, impulse.linear_size, &l->momentum_error,
                &l->worst_momentum_error, &l->momentum_scale);
  note_momentum(vec3_sub(after[1], before[1]), impulse.angular, impulse.angular_size, &l->angular_momentum_error,
                &l->worst_angular_momentum_error, &l->angular_momentum_scale);
  PetscFunctionReturn(0);
}

PetscErrorCode DynamicEnergies(Stepper *p, const StepBalance *balance, double *kinetic, double *strain,
                               double *potential) {
  PetscFunctionBegin;
  PetscCall(LedgerEnergies(&p->s->motion, balance ? &balance->elements : NULL, kinetic, strain, potential));
  PetscFunctionReturn(0);
}
