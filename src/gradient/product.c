// SPDX-License-Identifier: Apache-2.0
// The product of a step's equations with multipliers (product.h): nodes, and the motion from start to end.
#include "gradient/product.h"

#include "assembly/state_values.h"
#include "assembly/wheels.h"
#include "base/rotation.h"

PetscErrorCode ProductCreate(const System *s, StepProduct *out) {
  const Motion *motion = &s->motion;
  PetscInt n = motion->layout.nnode;
  PetscFunctionBegin;
  *out = (StepProduct){.motion = motion, .scratch = s->equations.scratch};
  PetscCall(PetscCalloc4(4 * n, &out->weight, 4 * n, &out->force, 4 * n, &out->end, n, &out->moved));
  PetscCall(PetscCalloc4(n, &out->value[OF_NODES], motion->layout.nelement, &out->value[OF_ELEMENTS],
                         motion->layout.njoint, &out->value[OF_JOINTS], motion->layout.njoint, &out->sliding));
  if (motion->step.rotation_sums) PetscCall(PetscCalloc3(n, &out->rotation, n, &out->kappa, n, &out->sums));
  if (motion->layout.size > 1) PetscCall(VecDuplicate(s->equations.unknown, &out->ghosts));
  PetscCall(PetscCalloc1(motion->layout.nblock * motion->layout.bs, &out->sent));
  PetscFunctionReturn(0);
}

PetscErrorCode ProductDestroy(StepProduct *p) {
  PetscFunctionBegin;
  PetscCall(PetscFree4(p->weight, p->force, p->end, p->moved));
  PetscCall(PetscFree3(p->rotation, p->kappa, p->sums));
  PetscCall(PetscFree4(p->value[OF_NODES], p->value[OF_ELEMENTS], p->value[OF_JOINTS], p->sliding));
  PetscCall(VecDestroy(&p->ghosts));
  PetscCall(PetscFree(p->sent));
  PetscFunctionReturn(0);
}

static NodeKind kind_of(const Layout *layout, PetscInt i) { return model_node(layout->model, layout->node[i])->kind; }

PetscErrorCode ProductSend(StepProduct *p, double *unknown) {
  const Layout *layout = &p->motion->layout;
  PetscInt own = layout->nblock_own * layout->bs, all = layout->nblock * layout->bs;
  double *at;
  Vec local;
  PetscFunctionBegin;
  if (!p->ghosts) PetscFunctionReturn(0);
  PetscCall(VecGetArray(p->ghosts, &at));
  PetscCall(PetscArraycpy(at, unknown, own));
  PetscCall(VecRestoreArray(p->ghosts, &at));
  PetscCall(VecGhostUpdateBegin(p->ghosts, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGhostUpdateEnd(p->ghosts, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGhostGetLocalForm(p->ghosts, &local));
  PetscCall(VecGetArray(local, &at));
  PetscCall(PetscArraycpy(unknown + own, at + own, all - own));
  PetscCall(VecRestoreArray(local, &at));
  PetscCall(VecGhostRestoreLocalForm(p->ghosts, &local));
  PetscFunctionReturn(0);
}

// The same of a vector of each node that moves, in the place of its displacement.
static PetscErrorCode SendVectors(StepProduct *p, Vec3 *of_node) {
  const Layout *layout = &p->motion->layout;
  PetscFunctionBegin;
  if (!p->ghosts) PetscFunctionReturn(0);
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    if (layout->node_block[i] >= 0) vec3_to(of_node[i], p->sent + layout->node_block[i] * layout->bs);
  PetscCall(ProductSend(p, p->sent));
  for (PetscInt i = layout->nnode_own; i < layout->nnode; i++)
    if (layout->node_block[i] >= 0) of_node[i] = vec3_of(p->sent + layout->node_block[i] * layout->bs);
  PetscFunctionReturn(0);
}

PetscErrorCode ProductMove(StepProduct *p) {
  const Layout *layout = &p->motion->layout;
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
  PetscFunctionBegin;
  for (PetscInt i = 0; i < layout->nnode; i++) {
    layout_increments(layout, p->unknown, i, u, c);
    node_motion(kind_of(layout, i), layout->rule->tableau.force_rule, p->motion->state.x + 4 * i, u[0], c[0],
                &p->moved[i]);
  }
  if (!p->rotation) PetscFunctionReturn(0);
  product_find_rotations(p);
  PetscCall(SendVectors(p, p->rotation));
  PetscFunctionReturn(0);
}

// mu of a node: on its displacement and its turn.
static Vec3 multiplier_of(const StepProduct *p, PetscInt i, int block) {
  return vec3_of(p->residual + (p->motion->layout.node_block[i] + block) * p->motion->layout.bs);
}

// mu . R of a force f on a vector with the lever rho is mu_c . (rho x f) = f . (mu_c x rho).
void product_begin(StepProduct *p) {
  const Layout *layout = &p->motion->layout;
  p->kinks = (Kinks){.size = 0};
  for (PetscInt i = 0; i < 4 * layout->nnode; i++) p->weight[i] = p->force[i] = p->end[i] = vec3_zero();
  for (PetscInt i = 1; i < layout->nnode; i++) {
    if (layout->node_block[i] < 0) continue;
    p->weight[4 * i] = multiplier_of(p, i, 0);
    for (int j = 1; j < 4 && kind_of(layout, i) == NODE_FRAME; j++)
      p->weight[4 * i + j] = vec3_cross(multiplier_of(p, i, 1), p->moved[i].rho[j]);
  }
}

static void add(Vec3 *to, double f, Vec3 a) { *to = vec3_axpy(*to, f, a); }

static double component(Vec3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

// Loads on a node. Those that follow have the mean of the axes at the start and at the end.
static double add_loads(StepProduct *p, PetscInt i, NodeKind kind) {
  const Layout *layout = &p->motion->layout;
  Vec3 mu = multiplier_of(p, i, 0), turn = kind == NODE_FRAME ? multiplier_of(p, i, 1) : vec3_zero();
  double sum = 0;
  for (PetscInt l = layout->node_load_start[i]; l < layout->node_load_start[i + 1]; l++) {
    const Load *load = &model_load(layout->model, layout->node_load[l])->load;
    Amplitude a = p->motion->step.end_amplitude[layout->node_load[l]];
    NodeLoad q;
    load_on_node(load, &layout->rule->tableau, a, p->motion->state.x + 4 * i, &p->moved[i], &q);
    sum -= vec3_dot(mu, q.force[0]) + vec3_dot(turn, q.moment[0]);
    for (int j = 0; load->follower && p->state && j < 3; j++) {
      Vec3 f = vec3_axpy(vec3_scale(component(load->force, j), mu), component(load->moment, j), turn);
      add(&p->state->x[4 * i + 1 + j], -0.5 * a.now, f);
      add(&p->end[4 * i + 1 + j], -0.5 * a.next, f);
    }
  }
  return sum;
}

// What the change of velocity h a counts in the next state: with v_1 = v + h a, and the increment that is remembered, which a
// frame turns along.
static void add_velocities(StepProduct *p, PetscInt i, int nvec, const Vec3 *acceleration, Vec3 *slope) {
  const StateParts *next = p->next;
  double h = p->motion->step.h;
  Mat3 turn = nvec > 1 ? rotation_matrix(p->moved[i].c) : mat3_identity();
  Vec3 turned = vec3_zero();
  for (int j = 0; j < nvec; j++) {
    add(&p->state->v[4 * i + j], 1, next->v[4 * i + j]);
    add(&slope[j], h, next->v[4 * i + j]);
    if (!next->dv) continue;
    Vec3 on = next->dv[4 * i + j];
    if (nvec == 1 && p->rotation) on = product_turn_back(p, i, vec3_scale(h, acceleration[j]), on);
    add(&slope[j], h, mat3_apply_transpose(turn, on));
    turned = vec3_add(turned, vec3_cross(mat3_apply(turn, vec3_scale(h, acceleration[j])), on));
  }
  if (nvec == 1) return;
  double *at = p->of_unknown + (p->motion->layout.node_block[i] + 1) * p->motion->layout.bs;
  vec3_to(vec3_add(vec3_of(at), mat3_apply_transpose(p->moved[i].spin, turned)), at);
}

// A wheel puts the change of its angular momentum, over h, on its frame (mechanics/wheel.h).
static double add_wheel(StepProduct *p, PetscInt i, PetscInt wheel) {
  const ModelWheel *w = model_wheel(p->motion->layout.model, wheel);
  WheelMomentum momentum = motion_wheel_momentum(p->motion, wheel);
  double next = p->next->wheel[wheel].p, axis[] = {w->wheel->axis.x, w->wheel->axis.y, w->wheel->axis.z};
  Vec3 turn = vec3_scale(1 / p->motion->step.h, multiplier_of(p, i, 1));
  Vec3 start = wheel_axis(w->wheel, p->motion->state.x + 4 * i);
  double on_start = vec3_dot(turn, start), on_end = on_start + vec3_dot(turn, wheel_axis(w->wheel, p->moved[i].chord));
  for (int j = 0; p->state && j < 3; j++) {
    add(&p->state->x[4 * i + 1 + j], -momentum.start * axis[j], turn);
    add(&p->end[4 * i + 1 + j], momentum.end * axis[j], turn);
  }
  if (p->state) p->state->wheel[wheel].p += (w->wheel->driven ? 0 : next + on_end) - on_start;
  return momentum.end * (next + on_end) - momentum.start * on_start;
}

static double add_wheels(StepProduct *p, PetscInt i) {
  double sum = 0;
  for (PetscInt w = 0; w < p->motion->layout.model->wheels.count; w++)
    if (layout_wheel_node(&p->motion->layout, w) == i) sum += add_wheel(p, i, w);
  return sum;
}

double product_of_node(StepProduct *p, PetscInt i) {
  const Layout *layout = &p->motion->layout;
  const StepRule *rule = layout->rule;
  const double(*mass)[4] = (const double(*)[4])layout->mass[i];
  NodeKind kind = kind_of(layout, i);
  int nvec = node_vectors(kind);
  NodeState n = step_node_state(&p->motion->state, &p->motion->step, i);
  const Vec3 *w = p->weight + 4 * i;
  Vec3 acceleration[4], slope[4], chord[4], force[4];
  AmbientRates rates;
  double h = p->motion->step.h, sum = 0, first[4];
  if (layout->node_block[i] < 0) return 0;
  rule->rates(rule, h, nvec, n, &rates);
  double rate = rates.rate[0][0];
  for (int j = 0; j < nvec; j++) {
    acceleration[j] = vec3_axpy(rates.acc0[0][j], rate, p->moved[i].chord[j]);
    slope[j] = chord[j] = force[j] = vec3_zero();
    for (int k = 0; k < nvec; k++) add(&slope[j], mass[k][j], w[k]);
  }
  for (int j = 0; j < nvec; j++)
    for (int k = 0; k < nvec; k++) add(&force[j], mass[j][k], acceleration[k]);
  for (int j = 0; j < nvec && layout_is_mass_damped(layout, i); j++)
    for (int k = 0; k < nvec; k++) {
      double d = layout->damped_mass[i][j][k] / h;
      add(&force[j], d, p->moved[i].chord[k]), add(&chord[k], d, w[j]);
    }
  for (PetscInt l = 0; l < layout->nfield; l++) {
    Vec3 f[4];
    layout_field_mass(layout, l, i, first);
    load_on_mass(vec3_scale(-p->motion->step.amplitude[layout->field[l]][0],
                            model_load(layout->model, layout->field[l])->load.acceleration),
                 nvec, first, f);
    for (int j = 0; j < nvec; j++) add(&force[j], 1, f[j]);
  }
  for (int j = 0; j < nvec; j++) sum += vec3_dot(w[j], force[j]);
  sum += add_loads(p, i, kind) + add_wheels(p, i);
  if (!p->state) return sum;
  for (int j = 0; j < nvec; j++) add(&p->force[4 * i + j], 1, force[j]);
  add_velocities(p, i, nvec, acceleration, slope);
  for (int j = 0; j < nvec; j++) { // acc0 = -rate h (v - delta keep dv)
    add(&p->state->v[4 * i + j], -rate * h, slope[j]);
    if (p->state->dv) add(&p->state->dv[4 * i + j], rate * h * rule->tableau.delta * n.keep, slope[j]);
    add(&chord[j], rate, slope[j]);
    add(&p->end[4 * i + j], 1, chord[j]), add(&p->state->x[4 * i + j], -1, chord[j]);
  }
  return sum;
}

// x_1 = x + u, d_1 = R(c) d; levers are the mean directors.
static void end_node(StepProduct *p, PetscInt i) {
  const Layout *layout = &p->motion->layout;
  const NodeMotion *m = &p->moved[i];
  int nvec = node_vectors(kind_of(layout, i));
  Vec3 *x = p->state->x + 4 * i, *end = p->end + 4 * i, turned = vec3_zero();
  for (int j = 0; j < nvec; j++) add(&end[j], 1, p->next->x[4 * i + j]), add(&x[j], 1, p->next->x_before[4 * i + j]);
  if (layout->node_block[i] < 0) {
    for (int j = 0; j < nvec; j++) {
      add(&x[j], 1, end[j]), add(&p->state->v[4 * i + j], 1, p->next->v[4 * i + j]);
      if (p->next->dv) add(&p->state->dv[4 * i + j], 1, p->next->dv[4 * i + j]);
    }
    return;
  }
  double *at = p->of_unknown + layout->node_block[i] * layout->bs;
  add(&x[0], 1, end[0]);
  vec3_to(vec3_add(vec3_of(at), end[0]), at);
  if (nvec == 1) return;
  Mat3 turn = rotation_matrix(m->c);
  for (int j = 1; j < 4; j++) {
    Vec3 lever = vec3_cross(p->force[4 * i + j], multiplier_of(p, i, 1));
    add(&x[j], 0.5, lever), add(&end[j], 0.5, lever);
    add(&x[j], 1, mat3_apply_transpose(turn, end[j]));
    turned = vec3_add(turned, vec3_cross(m->x[j], end[j]));
  }
  vec3_to(vec3_add(vec3_of(at + layout->bs), mat3_apply_transpose(m->spin, turned)), at + layout->bs);
}

void product_end(StepProduct *p) {
  const Layout *layout = &p->motion->layout;
  for (PetscInt i = 0; i < layout->nnode; i++)
    if (i < layout->nnode_own || layout->node_block[i] < 0) end_node(p, i);
}

double product_of_item(StepProduct *p, int kind, PetscInt i) {
  return kind == OF_NODES      ? product_of_node(p, i)
         : kind == OF_ELEMENTS ? product_of_element(p, i)
                               : product_of_joint(p, i);
}

PetscInt product_load(const Layout *layout, int kind, PetscInt i, PetscInt k) {
  const PetscInt *start = kind == OF_NODES      ? layout->node_load_start
                          : kind == OF_ELEMENTS ? layout->element_load_start
                                                : layout->joint_load_start;
  const PetscInt *load = kind == OF_NODES      ? layout->node_load
                         : kind == OF_ELEMENTS ? layout->element_load
                                               : layout->joint_load;
  PetscInt count = start[i + 1] - start[i];
  if (k < count) return load[start[i] + k];
  for (PetscInt w = 0; kind == OF_NODES && w < layout->model->wheels.count; w++) {
    PetscInt motor = model_wheel(layout->model, w)->load;
    if (motor != LIMBER_NONE && layout_wheel_node(layout, w) == i && k-- == count) return motor;
  }
  return -1;
}

bool product_counts(const Layout *layout, int kind, PetscInt i) {
  return kind == OF_NODES      ? i < layout->nnode_own
         : kind == OF_ELEMENTS ? layout->element_primary[i]
                               : layout->joint_primary[i];
}

// The items that this rank counts, or the others.
static void add_items(StepProduct *p, int kind, bool counted) {
  const Layout *layout = &p->motion->layout;
  const PetscInt count[ITEMS] = {layout->nnode, layout->nelement, layout->njoint};
  for (PetscInt i = kind == OF_NODES; i < count[kind]; i++) {
    if (product_counts(layout, kind, i) != counted) continue;
    double value = product_of_item(p, kind, i);
    if (p->value[kind]) p->value[kind][i] = value;
    if (p->rotation && p->state) product_differentiate_turns(p, kind, i);
  }
}

// What items that other ranks count added to nodes that are fixed.
static void clear_fixed_nodes(StepProduct *p) {
  const Layout *layout = &p->motion->layout;
  for (PetscInt i = 0; i < layout->nnode; i++)
    for (int j = 0; j < 4 && layout->node_block[i] < 0; j++) p->state->x[4 * i + j] = p->end[4 * i + j] = vec3_zero();
}

PetscErrorCode ProductOfStep(StepProduct *p) {
  PetscFunctionBegin;
  product_begin(p);
  add_items(p, OF_NODES, true);
  if (p->rotation && p->state) PetscCall(SendVectors(p, p->kappa));
  for (int kind = OF_ELEMENTS; kind < ITEMS && p->state; kind++) add_items(p, kind, false);
  if (p->state) clear_fixed_nodes(p);
  for (int kind = OF_ELEMENTS; kind < ITEMS; kind++) add_items(p, kind, true);
  p->contacts = product_of_contacts(p);
  if (p->state) product_end(p);
  PetscFunctionReturn(0);
}

// ---- what has no product ----

const char *product_unsupported(const Motion *motion, char *name, size_t size) {
  const Layout *layout = &motion->layout;
  if (size) name[0] = 0;
  if (motion->step.component || layout->rule->exact_momentum) return "`momentum: exact`";
  for (PetscInt j = 0; j < layout->njoint; j++) {
    const Joint *joint = layout_joint(layout, j);
    const Joint *whole = &model_joint(layout->model, layout->joint[j])->joint;
    if ((joint->rows.nroot > 0 && joint->ncoord > 0) || whole->rows.nterm > PRODUCT_TERMS) {
      model_name_joint(layout->model, layout->joint[j], name, size);
      return "joints of this kind";
    }
  }
  return NULL;
}
