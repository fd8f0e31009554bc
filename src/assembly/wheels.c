// SPDX-License-Identifier: Apache-2.0
// Wheels in a step (mechanics/wheel.h). Every rank has the momenta of all wheels; what depends on the frame is known where that is owned.
#include "assembly/wheels.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"

PetscInt layout_wheel_node(const Layout *layout, PetscInt wheel) {
  PetscInt i = layout->local_node[model_wheel(layout->model, wheel)->node];
  return i < layout->nnode_own && i >= 0 && layout->node_block[i] >= 0 ? i : -1;
}

double motion_wheel_turn(const Motion *motion, PetscInt wheel) {
  const ModelWheel *w = model_wheel(motion->layout.model, wheel);
  Vec3 x[4], v, omega;
  motion_node_values(motion, layout_wheel_node(&motion->layout, wheel), x, &v, &omega);
  return vec3_dot(omega, wheel_axis(w->wheel, x));
}

static double motor_amplitude(const Layout *layout, const State *state, const ModelWheel *w) {
  return model_amplitude(layout->model, model_load(layout->model, w->load)->load.amplitude, state->time);
}

PetscErrorCode StateCreateWheels(const Layout *layout, State *state) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < layout->model->wheels.count; i++) {
    const ModelWheel *w = model_wheel(layout->model, i);
    Vec3 v, omega;
    model_velocity(layout->model, w->node, &v, &omega);
    double turn = vec3_dot(omega, wheel_axis(w->wheel, model_node(layout->model, w->node)->x));
    state->wheel[i].p =
        w->wheel->inertia * (w->wheel->driven ? motor_amplitude(layout, state, w) : w->wheel->speed + turn);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode MotionStartWheels(Motion *motion) {
  PetscInt count = motion->layout.model->wheels.count;
  double *p;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(count, &p));
  for (PetscInt i = 0; i < count; i++) {
    const ModelWheel *w = model_wheel(motion->layout.model, i);
    if (layout_wheel_node(&motion->layout, i) < 0) continue;
    double speed = w->wheel->driven ? motor_amplitude(&motion->layout, &motion->state, w)
                                    : w->wheel->speed + motion_wheel_turn(motion, i);
    p[i] = w->wheel->inertia * speed;
  }
  PetscCall(ReduceArray(motion->layout.comm, p, count, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 0; i < count; i++) motion->state.wheel[i].p = p[i];
  PetscCall(PetscFree(p));
  PetscFunctionReturn(0);
}

// ---- the step under way ----

static Amplitude amplitude_of_motor(const StepContext *step, const ModelWheel *w) {
  return w->load == LIMBER_NONE ? (Amplitude){.now = 0} : step->end_amplitude[w->load];
}

WheelMomentum motion_wheel_momentum(const Motion *motion, PetscInt wheel) {
  const ModelWheel *w = model_wheel(motion->layout.model, wheel);
  Amplitude a = amplitude_of_motor(&motion->step, w);
  double p = motion->state.wheel[wheel].p;
  return (WheelMomentum){p,
                         w->wheel->driven ? w->wheel->inertia * a.next : p + motion->step.h * 0.5 * (a.now + a.next)};
}

// The rate of p at the end of the step.
static double end_torque(const Motion *motion, PetscInt wheel) {
  const ModelWheel *w = model_wheel(motion->layout.model, wheel);
  if (!w->wheel->driven) return amplitude_of_motor(&motion->step, w).next;
  if (motion->layout.rule->without_inertia) return 0;
  int f = model_load(motion->layout.model, w->load)->load.amplitude;
  if (model_amplitude_set(motion->layout.model, f)) // jumps between steps
    return (motion_wheel_momentum(motion, wheel).end - motion->state.wheel[wheel].p) / motion->step.h;
  return w->wheel->inertia * model_amplitude_rate(motion->layout.model, f, motion->state.time + motion->step.h);
}

double motion_wheel_steady(const Motion *motion, PetscInt wheel, const Spin *spin) {
  const ModelWheel *w = model_wheel(motion->layout.model, wheel);
  PetscInt i = layout_wheel_node(&motion->layout, wheel);
  double turn = 0;
  if (layout_turns(&motion->layout, spin, i))
    turn = spin->rate * vec3_dot(spin->axis, wheel_axis(w->wheel, motion->state.x + 4 * i));
  return w->wheel->inertia * (w->wheel->driven ? amplitude_of_motor(&motion->step, w).next : w->wheel->speed + turn);
}

PetscErrorCode EquationsEvaluateWheels(const Motion *motion, Equations *equations, double *residual,
                                       PetscBool tangent) {
  const StepRule *rule = motion->layout.rule;
  PetscFunctionBegin;
  for (PetscInt k = 0; k < motion->layout.model->wheels.count; k++) {
    const ModelWheel *w = model_wheel(motion->layout.model, k);
    PetscInt i = layout_wheel_node(&motion->layout, k);
    if (i < 0) continue;
    const PetscInt blocks[2] = {motion->layout.node_block[i], motion->layout.node_block[i] + 1};
    const NodeMotion *m = motion->step.motion + i * rule->tableau.s;
    const Spin *spin = &motion->step.spin;
    VectorVelocity v = {.slope = 0};
    local_begin(equations->scratch, rule->tableau.s, 2, tangent);
    if (rule->without_inertia)
      wheel_add_rotation(w->wheel, motion_wheel_steady(motion, k, spin), end_torque(motion, k),
                         layout_turns(&motion->layout, spin, i) ? vec3_scale(spin->rate, spin->axis) : vec3_zero(), m,
                         equations->scratch);
    else if (rule->tableau.force_rule == FORCE_END) {
      rule->end_velocity(rule, motion->step.h, 4, step_node_state(&motion->state, &motion->step, i), &v);
      wheel_add_at_end(w->wheel, motion_wheel_momentum(motion, k), end_torque(motion, k), &v, m, equations->scratch);
    } else
      wheel_add(w->wheel, rule->tableau.s, motion->step.h, motion_wheel_momentum(motion, k), motion->state.x + 4 * i, m,
                equations->scratch);
    PetscCall(EquationsAddLocal(&motion->layout, equations, 2, blocks, residual, tangent));
  }
  PetscFunctionReturn(0);
}

// ---- balances ----

double motion_wheel_energy(const Motion *motion, PetscInt wheel) {
  const ModelWheel *w = model_wheel(motion->layout.model, wheel);
  if (layout_wheel_node(&motion->layout, wheel) < 0) return 0;
  return wheel_energy(w->wheel, motion->state.wheel[wheel].p, w->wheel->driven ? motion_wheel_turn(motion, wheel) : 0);
}

Vec3 state_wheel_momentum(const Layout *layout, const State *state, PetscInt wheel) {
  const ModelWheel *w = model_wheel(layout->model, wheel);
  PetscInt i = layout_wheel_node(layout, wheel);
  return i < 0 ? vec3_zero() : vec3_scale(state->wheel[wheel].p, wheel_axis(w->wheel, state->x + 4 * i));
}

// The rate of the frame about the axis at the end of the step.
static double end_turn(const Motion *motion, const double *q, PetscInt i, const Wheel *w) {
  const NodeMotion *m = motion->step.motion + i * motion->layout.rule->tableau.s;
  Vec3 vector[5][4], omega = vec3_zero();
  if (layout_is_material(&motion->layout, i)) {
    MaterialVelocity v;
    motion_frame_velocity(motion, q, i, &v);
    return vec3_dot(w->axis, v.vk[0][1]);
  }
  NodeState n = step_node_state(&motion->state, &motion->step, i),
            moved = {vector[0], vector[1], vector[2], vector[3], vector[4], n.keep, n.beyond, n.kept};
  const Vec3 *from[5] = {n.x, n.v, n.a, n.w, n.dv};
  for (int k = 0; k < 5; k++)
    for (int j = 0; j < 4; j++) vector[k][j] = from[k] ? from[k][j] : vec3_zero();
  if (!n.dv) moved.dv = NULL;
  motion->layout.rule->advance(motion->layout.rule, motion->step.h, 4, m, moved);
  for (int j = 1; j < 4; j++) omega = vec3_axpy(omega, 0.5, vec3_cross(moved.x[j], moved.v[j]));
  return vec3_dot(omega, wheel_axis(w, moved.x));
}

void motion_wheel_balance(Motion *motion, const double *q, PetscInt wheel, double *work) {
  const ModelWheel *w = model_wheel(motion->layout.model, wheel);
  PetscInt i = layout_wheel_node(&motion->layout, wheel);
  WheelMomentum p = motion_wheel_momentum(motion, wheel);
  WheelState *state = &motion->state.wheel[wheel];
  double turn[2] = {0, 0}, h = motion->step.h;
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
  if (i < 0 || w->load == LIMBER_NONE) return;
  Vec3 mean = vec3_mean(wheel_axis(w->wheel, motion->state.x + 4 * i),
                        wheel_axis(w->wheel, motion->step.motion[i * motion->layout.rule->tableau.s].x));
  layout_increments(&motion->layout, q, i, u, c);
  double angle = load_work(vec3_zero(), mean, NODE_FRAME, motion->layout.rule->tableau.force_rule, u[0], c[0]);
  if (w->wheel->driven) turn[0] = motion_wheel_turn(motion, wheel), turn[1] = end_turn(motion, q, i, w->wheel);
  double own = wheel_work(w->wheel, h, p, angle, turn);
  state->torque = (p.end - p.start + (w->wheel->driven ? w->wheel->inertia * (turn[1] - turn[0]) : 0)) / h;
  state->power = own / h, state->work += own;
  work[w->load] += own;
}

void state_stop_wheels(const Layout *layout, State *state) {
  for (PetscInt k = 0; k < layout->model->wheels.count; k++) state->wheel[k].p = 0;
}

void motion_move_wheels(Motion *motion) {
  for (PetscInt k = 0; k < motion->layout.model->wheels.count; k++)
    motion->state.wheel[k].p = motion_wheel_momentum(motion, k).end;
}
