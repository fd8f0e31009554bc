// SPDX-License-Identifier: Apache-2.0
// Starts in equilibrium, at rest or in steady rotation. Velocities omega x r on the deformed shape are not an
// equilibrium of a scheme with finite steps, because masses move along chords by phi = omega h per step. The steady
// rotation of the scheme itself is
//   material velocities:  v = sin(phi)/h a x r,     w = 4 tan(phi/4)/h a,   stretched as by the rate 2 sin(phi/2)/h,
//   ambient velocities:   v = 2 tan(phi/2)/h a x r, w likewise,             stretched as by that rate
// (a: the axis; for composed steps the true rotation). This is exact for masses and accurate to the order of phi^2 for
// moments of inertia. The shape is a static solution (settle.c) under centrifugal forces and the loads that turn with
// the structure or act along the axis.
// Equations: eq-start-steady (6.7).
#include "analyses/stepping/start.h"
#include "assembly/create.h"
#include "base/rotation.h"
#include "model/refusal.h"
#include "solvers/redundancy.h"

typedef struct {
  Spin spin;                 // the rotation whose centrifugal forces stretch the structure
  double rate, angular_rate; // of velocities and angular velocities
} Steady;

static Steady steady_of(const Stepper *p, double omega) {
  double h = p->options.step, phi = omega * h;
  Steady s = {.spin.rate = omega, .rate = omega, .angular_rate = omega};
  if (p->rule.material)
    s.spin.rate = 2 * sin(phi / 2) / h, s.rate = sin(phi) / h, s.angular_rate = 4 * tan(phi / 4) / h;
  else if (p->rule.tangent_rates) s.spin.rate = 2 * tan(phi / 2) / h; // its velocities: start_rotation.c
  return s;
}

// `omega`: rate of the angles in rad/s.
static void set_velocities(Motion *motion, const Steady *steady, double omega) {
  Vec3 a = steady->spin.axis;
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    NodeState n = step_node_state(&motion->state, &motion->step, i);
    Vec3 v[2];
    if (motion->layout.node_block[i] < 0) continue;
    v[0] = vec3_scale(steady->rate, vec3_cross(a, vec3_sub(n.x[0], steady->spin.centre)));
    v[1] = vec3_scale(steady->angular_rate, a);
    if (model_node(motion->layout.model, motion->layout.node[i])->kind == NODE_FRAME) {
      Mat3 r = node_axes(n.x);
      for (int k = 0; k < 2; k++) v[k] = mat3_apply_transpose(r, v[k]);
    }
    motion_set_velocity(motion, i, v);
  }
  state_start_coordinates(&motion->layout, &motion->state);
  for (PetscInt i = 1; i < motion->layout.nnode; i++)
    if (layout_is_abstract(&motion->layout, i))
      motion->state.v[4 * i] = vec3_scale(omega / steady->angular_rate, motion->state.v[4 * i]);
}

PetscErrorCode StartStanding(Motion *motion, const Spin *spin, Refusal *wrong) {
  PetscFunctionBegin;
  if (spin->rate != 0) {
    set_velocities(motion, &(Steady){*spin, spin->rate, spin->rate}, spin->rate);
    PetscCall(SteadyCheck(motion, spin, false, wrong));
  }
  PetscCall(PetscArrayzero(motion->state.v, 4 * motion->layout.nnode));
  PetscFunctionReturn(0);
}

static PetscErrorCode SayNone(const Layout *layout, const State *state, double omega, const Settled *settled,
                              Refusal *wrong) {
  PetscInt l = steady_load_pushes(layout, state);
  const char *at = settled->cause.name[0] ? settled->cause.name : "the model";
  PetscFunctionBegin;
  if (omega == 0)
    refuse(wrong,
           "run: no equilibrium was found to start from; %s is out of balance. Put the model nearer to its "
           "equilibrium, constrain what moves freely, or start without `start: equilibrium`",
           at);
  else if (l >= 0)
    refuse(wrong,
           "run: no steady rotation was found for `start: equilibrium`: there is no equilibrium at %.4g "
           "rad/s, or %s '%s' changes the speed and no drive prescribes it. Prescribe the rotation "
           "with a drive, or start without `start: equilibrium`",
           omega, model_load(layout->model, l)->kind->name, shown_name(model_load(layout->model, l)->name));
  else if (layout->damped_mass)
    refuse(wrong,
           "run: no steady rotation was found for `start: equilibrium`: there is no equilibrium at %.4g rad/s, or "
           "mass-proportional damping, which acts relative to the ground, brakes the rotation and no drive prescribes "
           "it. Give `damping` a ratio at one frequency, prescribe the rotation with a drive, or start without `start: "
           "equilibrium`",
           omega);
  else
    refuse(wrong,
           "run: no steady rotation was found for `start: equilibrium`: there is no equilibrium at %.4g "
           "rad/s. Start from the undeformed shape, without `start: equilibrium`",
           omega);
  PetscFunctionReturn(0);
}

// Converts the true velocities to those of a scheme that moves along chords, with its stored increments.
static void use_own_rates(Stepper *p, const Spin *spin) {
  Motion *motion = &p->s->motion;
  Vec3 omega = vec3_scale(spin->rate, spin->axis);
  double f = start_tangent_factor(p->options.step, omega);
  set_velocities(motion, &(Steady){*spin, spin->rate, spin->rate}, spin->rate);
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    NodeRotation r = {.omega = omega, .turning = motion->state.v[4 * i]};
    r.change[0] = vec3_scale(f - 1, r.turning), r.change[1] = vec3_scale(f - 1, omega);
    if (motion->layout.node_block[i] >= 0 && !layout_is_abstract(&motion->layout, i))
      start_set_rotation(motion, p->options.step, i, &r, p->options.start_increments != LIMBER_INCREMENTS_ZERO);
  }
}

// Refuses a drive that moves at the start: it contradicts an equilibrium at rest.
static PetscErrorCode CheckDrivesStand(const Layout *layout, Refusal *wrong) {
  Model m = layout->model;
  PetscFunctionBegin;
  for (PetscInt l = 0; l < m->loads.count; l++) {
    const ModelLoad *d = model_load(m, l);
    double rate = load_prescribes(&d->load) ? model_drive_rate(m, &d->load, 0) : 0;
    if (rate == 0) continue;
    refuse(wrong,
           "run: %s '%s' moves at %.4g per second at t = 0, so there is no equilibrium to start from. Let it "
           "begin at rest, give the rotation to all nodes under `motion`, or start without `start: "
           "equilibrium`",
           d->kind->name, d->name, rate);
    break;
  }
  PetscFunctionReturn(0);
}

// Finds the equilibrium shape on a system without inertia and copies it back.
static PetscErrorCode FindShape(Stepper *p, const Steady *steady, double omega, Refusal *wrong) {
  System *s = p->s, *aux;
  StepRule rule = {0};
  StaticLoads loads = {.spin = steady->spin};
  Settled settled;
  double moved = 0;
  PetscInt where = -1;
  Coords *start;
  char at[256] = "";
  PetscFunctionBegin;
  scheme_without_inertia(&rule);
  PetscCall(StartCreateBeside(s, &rule, &aux));
  PetscCall(PetscMalloc1(aux->motion.layout.njoint, &start));
  PetscCall(PetscArraycpy(start, aux->motion.state.coord, aux->motion.layout.njoint));
  loads.start = start;
  PetscCall(SystemSettle(aux, &loads, &settled));
  if (!settled.found) PetscCall(SayNone(&s->motion.layout, &s->motion.state, omega, &settled, wrong));
  else {
    PetscCall(StartCopyPositions(aux, s, &moved, &where));
    PetscCall(StartCopyMultipliers(aux, s));
  }
  if (settled.found && where >= 0) {
    model_name_node(s->motion.layout.model, where, at, sizeof at);
    if (omega > 0)
      start_remark(p, "steady rotation at %.6g rad/s: %s has the largest displacement, %.3g m", omega, at, moved);
    else start_remark(p, "start in equilibrium: %s has the largest displacement, %.3g m", at, moved);
    if (settled.free.name[0])
      start_remark(p, "%s moves freely: it starts where the model came to rest", settled.free.name);
  }
  PetscCall(PetscFree(start));
  PetscCall(SystemDestroy(&aux));
  PetscFunctionReturn(0);
}

PetscErrorCode StartEquilibrium(Stepper *p, Refusal *wrong) {
  Motion *motion = &p->s->motion;
  Vec3 velocity = motion->layout.model->rigid[0], angular = motion->layout.model->rigid[1];
  double omega = vec3_norm(angular);
  Steady steady = steady_of(p, omega);
  PetscFunctionBegin;
  if (!(omega > 0) && vec3_norm(velocity) > 0)
    refuse(wrong, "run: a model that `motion` sets in translation has no equilibrium to start from; "
                  "give a rotation, or no motion");
  else if (fabs(vec3_dot(velocity, angular)) > 1e-9 * vec3_norm(velocity) * omega)
    refuse(wrong, "run: `start: equilibrium` needs a rotation under `motion` without a velocity along its axis");
  else if (omega == 0) PetscCall(CheckDrivesStand(&motion->layout, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  Spin spin = {.rate = omega};
  if (omega > 0) {
    spin.axis = steady.spin.axis = vec3_scale(1 / omega, angular);
    spin.centre = steady.spin.centre = vec3_scale(1 / (omega * omega), vec3_cross(angular, velocity));
    set_velocities(motion, &(Steady){spin, omega, omega}, omega);
    PetscCall(SteadyCheck(motion, &spin, true, wrong));
    if (is_refused(wrong)) PetscFunctionReturn(0);
  }
  PetscCall(FindShape(p, &steady, omega, wrong));
  if (is_refused(wrong) || omega == 0) PetscFunctionReturn(0);
  if (p->rule.tangent_rates) use_own_rates(p, &spin);
  else set_velocities(motion, &steady, omega);
  PetscFunctionReturn(0);
}
