// SPDX-License-Identifier: Apache-2.0
// A start in steady rotation. Velocities omega x r on the shape that the rotation gives a structure are no equilibrium of a
// scheme that takes steps: by phi = omega h a step, masses go along chords. The scheme's own steady rotation is
//   material velocities:  v = sin(phi)/h a x r,     w = 4 tan(phi/4)/h a,   stretched as by the rate 2 sin(phi/2)/h,
//   ambient velocities:   v = 2 tan(phi/2)/h a x r, w likewise,             stretched as by that rate
// (a the axis), which for masses is exact and for moments of inertia right to the order of phi^2. The shape is a static
// solution under centrifugal forces and the loads that turn along or act along the axis.
// Equations: eq-start-steady (6.3).
#include "base/rotation.h"
#include "analyses/stepping/start.h"
#include "solvers/redundancy.h"

typedef struct {
  Spin spin;                 // what stretches
  double rate, angular_rate; // of velocities and angular velocities
} Steady;

static Steady steady_of(const Stepper *p, double omega) {
  double h = p->options.step, phi = omega * h;
  Steady s = {.spin.rate = omega, .rate = omega, .angular_rate = omega};
  if (p->rule.material)
    s.spin.rate = 2 * sin(phi / 2) / h, s.rate = sin(phi) / h, s.angular_rate = 4 * tan(phi / 4) / h;
  else if (!p->rule.accelerations) s.spin.rate = s.rate = s.angular_rate = 2 * tan(phi / 2) / h;
  return s;
}

// Loads as they are at the start, all of which turn along; those that do not were zero there (steady_rotation_check.c).
static void drop_unsteady_loads(System *s) {
  for (PetscInt l = 0; l < s->layout.model->loads.count; l++) {
    const Load *q = &model_load(s->layout.model, l)->load;
    double now =
        steady_load_rotates(q, s->step.spin.axis) ? model_amplitude(s->layout.model, q->amplitude, s->state.time) : 0;
    s->step.end_amplitude[l] = (Amplitude){now, now};
    for (int k = 0; k < s->rule->tableau.s; k++)
      s->step.amplitude[l][k] = amplitude_of(&s->rule->tableau, s->step.end_amplitude[l], k);
  }
}

static void stand_still(System *s) {
  for (PetscInt i = 0; i < 4 * s->layout.nnode; i++) s->state.v[i] = s->state.a[i] = s->state.w[i] = vec3_zero();
}

// Long steps from rest until nothing moves: then no inertia is left in the balance. Ten turns of the rotor are long for what it
// bends.
static PetscErrorCode StaticShape(Stepper *p, const Steady *steady, System *aux, const StepRule *rule, bool *good) {
  Stepper mock = {.s = aux, .rule = *rule};
  NewtonOutcome o = {.converged = true};
  double moved = 1, before = PETSC_MAX_REAL, h = 1e3 * p->options.step, longest = 20 * PETSC_PI / steady->spin.rate;
  PetscFunctionBegin;
  aux->step.spin = steady->spin;
  for (int i = 0; i < 50 && o.converged && moved > 1e-14 * aux->layout.length; i++) {
    stand_still(aux);
    PetscCall(SystemBeginStep(aux, h));
    drop_unsteady_loads(aux);
    for (PetscInt j = 0; j < aux->layout.njoint; j++) aux->step.target[j] = aux->state.coord[j];
    PetscCall(VecZeroEntries(aux->linear.unknown));
    PetscCall(SystemSolveAugmented(aux, 0, 1e-14, 50, &o));
    PetscCall(SystemMoveNodes(aux));
    if (!o.converged) break;
    const double *q;
    moved = 0;
    PetscCall(VecGetArrayRead(aux->linear.unknown, &q));
    for (PetscInt n = 1; n < aux->layout.nnode_own; n++) {
      Vec3 u[MAX_STAGES], c[MAX_STAGES];
      system_increments(aux, q, n, u, c);
      moved = PetscMax(moved, vec3_norm(u[0]));
    }
    PetscCall(VecRestoreArrayRead(aux->linear.unknown, &q));
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_DOUBLE, MPI_MAX, aux->layout.comm));
    PetscCall(StepperMoveState(&mock));
    if (moved > 0.5 * before && h < longest) h = PetscMin(10 * h, longest); // inertia holds it up
    before = moved;
  }
  *good = o.converged && moved <= 1e-8 * aux->layout.length;
  PetscFunctionReturn(0);
}

static void set_velocities(System *s, const Steady *steady) {
  Vec3 a = steady->spin.axis;
  for (PetscInt i = 1; i < s->layout.nnode; i++) {
    NodeState n = system_node_state(s, i);
    Vec3 v[2];
    if (s->layout.node_block[i] < 0) continue;
    v[0] = vec3_scale(steady->rate, vec3_cross(a, vec3_sub(n.x[0], steady->spin.centre)));
    v[1] = vec3_scale(steady->angular_rate, a);
    if (model_node(s->layout.model, s->layout.node[i])->kind == NODE_FRAME) {
      Mat3 r = node_axes(n.x);
      for (int k = 0; k < 2; k++) v[k] = mat3_apply_transpose(r, v[k]);
    }
    system_set_velocity(s, i, v);
  }
}

PetscErrorCode StartStanding(System *s, const Spin *spin, char *wrong, size_t size) {
  PetscFunctionBegin;
  if (spin->rate != 0) {
    set_velocities(s, &(Steady){*spin, spin->rate, spin->rate});
    PetscCall(SteadyCheck(s, spin, wrong, size));
  }
  PetscCall(PetscArrayzero(s->state.v, 4 * s->layout.nnode));
  PetscFunctionReturn(0);
}

static PetscErrorCode SayNone(const System *s, double omega, char *wrong, size_t size) {
  PetscInt l = steady_load_pushes(s);
  PetscFunctionBegin;
  if (l >= 0)
    PetscCall(PetscSNPrintf(wrong, size,
                            "run: no steady rotation was found for `equilibrium`: there is no equilibrium at %.4g "
                            "rad/s, or %s '%s' changes the speed and no drive prescribes it. Prescribe the rotation "
                            "with a drive, or start without `equilibrium`",
                            omega, model_load(s->layout.model, l)->kind->name, model_load(s->layout.model, l)->name));
  else
    PetscCall(PetscSNPrintf(wrong, size,
                            "run: no steady rotation was found for `equilibrium`: there is no equilibrium at %.4g "
                            "rad/s. Start from the undeformed shape, without `equilibrium`",
                            omega));
  PetscFunctionReturn(0);
}

// What a step of the rotation by phi before the start would have left in the memory of a scheme that has one.
static void remember_rotation(Stepper *p, Vec3 axis, double phi) {
  System *s = p->s;
  Mat3 r = rotation_matrix(vec3_scale(4 * tan(phi / 4), axis));
  if (!s->state.dv) return;
  for (PetscInt i = 1; i < s->layout.nnode; i++)
    for (int j = 0;
         j < node_vectors(model_node(s->layout.model, s->layout.node[i])->kind) && s->layout.node_block[i] >= 0; j++)
      s->state.dv[4 * i + j] = vec3_sub(mat3_apply(r, s->state.v[4 * i + j]), s->state.v[4 * i + j]);
  s->state.past_step = p->options.step;
}

PetscErrorCode StartSteady(Stepper *p, char *wrong, size_t size) {
  System *s = p->s, *aux;
  Vec3 velocity = s->layout.model->rigid[0], angular = s->layout.model->rigid[1];
  double omega = vec3_norm(angular), moved = 0;
  StepRule rule = {0};
  LimberOptions options = p->options;
  PetscInt where = -1;
  bool good = false;
  PetscFunctionBegin;
  if (!(omega > 0) || fabs(vec3_dot(velocity, angular)) > 1e-9 * vec3_norm(velocity) * omega) {
    PetscCall(PetscSNPrintf(wrong, size,
                            "run: `equilibrium` needs a rotation under `motion`, without a velocity along its axis"));
    PetscFunctionReturn(0);
  }
  Steady steady = steady_of(p, omega);
  steady.spin.axis = vec3_scale(1 / omega, angular);
  steady.spin.centre = vec3_scale(1 / (omega * omega), vec3_cross(angular, velocity));
  Spin spin = {steady.spin.axis, steady.spin.centre, omega};
  set_velocities(s, &(Steady){spin, omega, omega});
  PetscCall(SteadyCheck(s, &spin, wrong, size));
  if (wrong[0]) PetscFunctionReturn(0);
  options.rho_inf = 0;
  scheme_generalized_alpha.make(&options, &rule);
  PetscCall(SystemCreate(s->layout.model, &rule, &aux));
  PetscCall(SystemCopyRedundantRows(s, aux));
  PetscCall(StaticShape(p, &steady, aux, &rule, &good));
  if (good) PetscCall(StartCopyPositions(aux, s, &moved, &where));
  else PetscCall(SayNone(s, omega, wrong, size));
  PetscCall(SystemDestroy(&aux));
  if (good) {
    char at[256] = "";
    set_velocities(s, &steady);
    remember_rotation(p, steady.spin.axis, omega * p->options.step);
    if (where >= 0) model_name_node(s->layout.model, where, at, sizeof at);
    if (where >= 0)
      start_remark(p, "steady rotation at %.6g rad/s: %s has the largest displacement, %.3g m", omega, at, moved);
  }
  PetscFunctionReturn(0);
}
