// SPDX-License-Identifier: Apache-2.0
// Wheels in a step (mechanics/wheel.h). Every rank has the momenta of all wheels; what depends on the frame is known where that is owned.
#include "assembly/system.h"

PetscInt system_wheel_node(const System *s, PetscInt wheel) {
  PetscInt i = s->layout.local_node[model_wheel(s->layout.model, wheel)->node];
  return i < s->layout.nnode_own && i >= 0 && s->layout.node_block[i] >= 0 ? i : -1;
}

double system_wheel_turn(const System *s, PetscInt wheel) {
  const ModelWheel *w = model_wheel(s->layout.model, wheel);
  Vec3 x[4], v, omega;
  system_node_values(s, system_wheel_node(s, wheel), x, &v, &omega);
  return vec3_dot(omega, wheel_axis(w->wheel, x));
}

static double motor_amplitude(const System *s, const ModelWheel *w) {
  return model_amplitude(s->layout.model, model_load(s->layout.model, w->load)->load.amplitude, s->state.time);
}

PetscErrorCode SystemCreateWheels(System *s) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < s->layout.model->wheels.count; i++) {
    const ModelWheel *w = model_wheel(s->layout.model, i);
    Vec3 v, omega;
    model_velocity(s->layout.model, w->node, &v, &omega);
    double turn = vec3_dot(omega, wheel_axis(w->wheel, model_node(s->layout.model, w->node)->x));
    s->state.wheel[i].p = w->wheel->inertia * (w->wheel->driven ? motor_amplitude(s, w) : w->wheel->speed + turn);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SystemStartWheels(System *s) {
  PetscInt count = s->layout.model->wheels.count;
  double *p;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(count, &p));
  for (PetscInt i = 0; i < count; i++) {
    const ModelWheel *w = model_wheel(s->layout.model, i);
    if (system_wheel_node(s, i) < 0) continue;
    double speed = w->wheel->driven ? motor_amplitude(s, w) : w->wheel->speed + system_wheel_turn(s, i);
    p[i] = w->wheel->inertia * speed;
  }
  PetscCall(ReduceArray(s->layout.comm, p, count, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 0; i < count; i++) s->state.wheel[i].p = p[i];
  PetscCall(PetscFree(p));
  PetscFunctionReturn(0);
}

// ---- the step under way ----

static Amplitude amplitude_of_motor(const System *s, const ModelWheel *w) {
  return w->load == LIMBER_NONE ? (Amplitude){0, 0} : s->step.end_amplitude[w->load];
}

static WheelMomentum momentum_in_step(const System *s, PetscInt wheel) {
  const ModelWheel *w = model_wheel(s->layout.model, wheel);
  Amplitude a = amplitude_of_motor(s, w);
  double p = s->state.wheel[wheel].p;
  return (WheelMomentum){p, w->wheel->driven ? w->wheel->inertia * a.next : p + s->step.h * 0.5 * (a.now + a.next)};
}

// The rate of p at the end of the step.
static double end_torque(const System *s, PetscInt wheel) {
  const ModelWheel *w = model_wheel(s->layout.model, wheel);
  if (!w->wheel->driven) return amplitude_of_motor(s, w).next;
  if (s->rule->without_inertia) return 0;
  int f = model_load(s->layout.model, w->load)->load.amplitude;
  if (model_amplitude_set(s->layout.model, f)) // jumps between steps
    return (momentum_in_step(s, wheel).end - s->state.wheel[wheel].p) / s->step.h;
  return w->wheel->inertia * model_amplitude_rate(s->layout.model, f, s->state.time + s->step.h);
}

double system_wheel_steady(const System *s, PetscInt wheel, const Spin *spin) {
  const ModelWheel *w = model_wheel(s->layout.model, wheel);
  PetscInt i = system_wheel_node(s, wheel);
  double turn = spin->rate == 0 ? 0 : spin->rate * vec3_dot(spin->axis, wheel_axis(w->wheel, s->state.x + 4 * i));
  return w->wheel->inertia * (w->wheel->driven ? amplitude_of_motor(s, w).next : w->wheel->speed + turn);
}

PetscErrorCode SystemEvaluateWheels(System *s, double *residual, PetscBool tangent) {
  const StepRule *rule = s->rule;
  PetscFunctionBegin;
  for (PetscInt k = 0; k < s->layout.model->wheels.count; k++) {
    const ModelWheel *w = model_wheel(s->layout.model, k);
    PetscInt i = system_wheel_node(s, k);
    if (i < 0) continue;
    const PetscInt blocks[2] = {s->layout.node_block[i], s->layout.node_block[i] + 1};
    const NodeMotion *m = s->step.motion + i * rule->tableau.s;
    const Spin *spin = &s->step.spin;
    VectorVelocity v = {.slope = 0};
    local_begin(s->scratch, rule->tableau.s, 2, tangent);
    if (rule->without_inertia)
      wheel_add_rotation(w->wheel, system_wheel_steady(s, k, spin), end_torque(s, k),
                         spin->rate == 0 ? vec3_zero() : vec3_scale(spin->rate, spin->axis), m, s->scratch);
    else if (rule->tableau.force_rule == FORCE_END) {
      rule->end_velocity(rule, s->step.h, 4, system_node_state(s, i), &v);
      wheel_add_at_end(w->wheel, momentum_in_step(s, k), end_torque(s, k), &v, m, s->scratch);
    } else wheel_add(w->wheel, rule->tableau.s, s->step.h, momentum_in_step(s, k), s->state.x + 4 * i, m, s->scratch);
    PetscCall(SystemAddLocal(s, 2, blocks, residual, tangent));
  }
  PetscFunctionReturn(0);
}

// ---- balances ----

double system_wheel_energy(const System *s, PetscInt wheel) {
  const ModelWheel *w = model_wheel(s->layout.model, wheel);
  if (system_wheel_node(s, wheel) < 0) return 0;
  return wheel_energy(w->wheel, s->state.wheel[wheel].p, w->wheel->driven ? system_wheel_turn(s, wheel) : 0);
}

Vec3 system_wheel_momentum(const System *s, PetscInt wheel) {
  const ModelWheel *w = model_wheel(s->layout.model, wheel);
  PetscInt i = system_wheel_node(s, wheel);
  return i < 0 ? vec3_zero() : vec3_scale(s->state.wheel[wheel].p, wheel_axis(w->wheel, s->state.x + 4 * i));
}

// The rate of the frame about the axis at the end of the step.
static double end_turn(const System *s, const double *q, PetscInt i, const Wheel *w) {
  const NodeMotion *m = s->step.motion + i * s->rule->tableau.s;
  Vec3 vector[5][4], omega = vec3_zero();
  if (system_material(s, i)) {
    MaterialVelocity v;
    system_frame_velocity(s, q, i, &v);
    return vec3_dot(w->axis, v.vk[0][1]);
  }
  NodeState n = system_node_state(s, i), moved = {vector[0], vector[1], vector[2], vector[3], vector[4], n.keep};
  const Vec3 *from[5] = {n.x, n.v, n.a, n.w, n.dv};
  for (int k = 0; k < 5; k++)
    for (int j = 0; j < 4; j++) vector[k][j] = from[k] ? from[k][j] : vec3_zero();
  if (!n.dv) moved.dv = NULL;
  s->rule->advance(s->rule, s->step.h, 4, m, moved);
  for (int j = 1; j < 4; j++) omega = vec3_axpy(omega, 0.5, vec3_cross(moved.x[j], moved.v[j]));
  return vec3_dot(omega, wheel_axis(w, moved.x));
}

void system_wheel_balance(System *s, const double *q, PetscInt wheel, double *work) {
  const ModelWheel *w = model_wheel(s->layout.model, wheel);
  PetscInt i = system_wheel_node(s, wheel);
  WheelMomentum p = momentum_in_step(s, wheel);
  WheelState *state = &s->state.wheel[wheel];
  double turn[2] = {0, 0}, h = s->step.h;
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
  if (i < 0 || w->load == LIMBER_NONE) return;
  Vec3 mean = vec3_mean(wheel_axis(w->wheel, s->state.x + 4 * i),
                        wheel_axis(w->wheel, s->step.motion[i * s->rule->tableau.s].x));
  system_increments(s, q, i, u, c);
  double angle = load_work(vec3_zero(), mean, NODE_FRAME, s->rule->tableau.force_rule, u[0], c[0]);
  if (w->wheel->driven) turn[0] = system_wheel_turn(s, wheel), turn[1] = end_turn(s, q, i, w->wheel);
  double own = wheel_work(w->wheel, h, p, angle, turn);
  state->torque = (p.end - p.start + (w->wheel->driven ? w->wheel->inertia * (turn[1] - turn[0]) : 0)) / h;
  state->power = own / h, state->work += own;
  work[w->load] += own;
}

void system_stop_wheels(System *s) {
  for (PetscInt k = 0; k < s->layout.model->wheels.count; k++) s->state.wheel[k].p = 0;
}

void system_move_wheels(System *s) {
  for (PetscInt k = 0; k < s->layout.model->wheels.count; k++) s->state.wheel[k].p = momentum_in_step(s, k).end;
}
