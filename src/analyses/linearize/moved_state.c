// SPDX-License-Identifier: Apache-2.0
#include "analyses/linearize/moved_state.h"
#include "assembly/evaluate.h"

#include "base/rotation.h"

#include <math.h>

PetscErrorCode MovedStateCreate(System *s, const Unknowns *u, const Spin *spin, MovedState *m) {
  PetscInt n = 4 * s->motion.layout.nnode, joints = s->motion.layout.njoint;
  State *q = &s->motion.state;
  PetscFunctionBegin;
  *m = (MovedState){.s = s, .u = u, .spin = *spin, .last_h = q->last_h, .stepped = q->stepped};
  PetscCall(PetscMalloc5(n, &m->x, n, &m->v, n, &m->x_before, joints, &m->coord, joints, &m->multiplier));
  PetscCall(PetscArraycpy(m->x, q->x, n));
  PetscCall(PetscArraycpy(m->v, q->v, n));
  PetscCall(PetscArraycpy(m->x_before, q->x_before, n));
  PetscCall(PetscArraycpy(m->coord, q->coord, joints));
  PetscCall(PetscArraycpy(m->multiplier, q->multiplier, joints));
  PetscFunctionReturn(0);
}

static PetscErrorCode PutBack(MovedState *m) {
  PetscInt n = 4 * m->s->motion.layout.nnode, joints = m->s->motion.layout.njoint;
  State *q = &m->s->motion.state;
  PetscFunctionBegin;
  PetscCall(PetscArraycpy(q->x, m->x, n));
  PetscCall(PetscArraycpy(q->v, m->v, n));
  PetscCall(PetscArraycpy(q->x_before, m->x_before, n));
  PetscCall(PetscArraycpy(q->coord, m->coord, joints));
  PetscCall(PetscArraycpy(q->multiplier, m->multiplier, joints));
  q->last_h = m->last_h, q->stepped = m->stepped;
  PetscFunctionReturn(0);
}

PetscErrorCode MovedStateDestroy(MovedState *m) {
  PetscFunctionBegin;
  PetscCall(PutBack(m));
  PetscCall(PetscFree5(m->x, m->v, m->x_before, m->coord, m->multiplier));
  PetscFunctionReturn(0);
}

// The largest component of a motion, lengths relative to that of the model.
static double motion_size(const Unknowns *u, const double *change) {
  double size = 0;
  for (PetscInt i = 0; change && i < u->count; i++) {
    UnknownKind kind = u->unknown[i].kind;
    if (kind != UNKNOWN_ROW && kind != UNKNOWN_OFF) size = fmax(size, fabs(change[i]) / unknown_size(u, i));
  }
  return size;
}

static void node_part(const MovedState *m, PetscInt node, const double *from, double f, Vec3 out[2]) {
  const Layout *l = &m->s->motion.layout;
  double value[6] = {0};
  for (int c = 0; from && c < 3 * node_blocks(model_node(l->model, l->node[node])->kind); c++)
    value[c] = f * from[m->u->at[3 * l->block_global[l->node_block[node] + c / 3] + c % 3]];
  out[0] = vec3_of(value), out[1] = vec3_of(value + 3);
}

// `back`: time step over which dampers see the rate.
static void move_node(MovedState *m, PetscInt i, const SmallMotion *q, double e, double back) {
  State *s = &m->s->motion.state;
  Vec3 change[2], rate[2], *x = s->x + 4 * i, *v = s->v + 4 * i, *before = s->x_before + 4 * i;
  Vec3 omega = vec3_scale(m->spin.rate, m->spin.axis);
  int nvec = node_vectors(model_node(m->u->model, m->s->motion.layout.node[i])->kind);
  node_part(m, i, q->change, e, change);
  node_part(m, i, q->rate, e, rate);
  Mat3 turn = rotation_exponential(change[1]), turn_back = rotation_exponential(vec3_scale(-back, rate[1]));
  x[0] = vec3_add(m->x[4 * i], change[0]);
  v[0] = vec3_add(vec3_cross(omega, vec3_sub(x[0], m->spin.centre)), rate[0]);
  before[0] = vec3_axpy(x[0], -back, rate[0]);
  for (int j = 1; j < nvec; j++) {
    x[j] = mat3_apply(turn, m->x[4 * i + j]);
    v[j] = vec3_cross(vec3_add(omega, rate[1]), x[j]);
    before[j] = mat3_apply(turn_back, x[j]);
  }
}

static void move_joint(MovedState *m, PetscInt j, const double *change, double e) {
  const Layout *l = &m->s->motion.layout;
  const Joint *joint = &model_joint(l->model, l->joint[j])->joint;
  for (int i = 0; change && l->joint_block[j] >= 0 && i < joint_unknowns(joint); i++) {
    double d = e * change[m->u->at[3 * l->block_global[l->joint_block[j] + i / 3] + i % 3]];
    int c = i - joint->rows.nrow;
    if (c < 0) m->s->motion.state.multiplier[j][i] = m->multiplier[j][i] + d;
    else m->s->motion.state.coord[j].z[c] = m->coord[j].z[c] + d;
  }
}

PetscErrorCode MoveState(MovedState *m, const SmallMotion *q, double e) {
  double rate = fabs(e) * motion_size(m->u, q->rate), back = rate > 0 ? 1e-4 / rate : 1;
  State *s = &m->s->motion.state;
  PetscFunctionBegin;
  PetscCall(PutBack(m));
  PetscCall(VecZeroEntries(m->s->equations.unknown));                         // no step led here
  PetscCall(PetscArraycpy(s->x_before, m->x, 4 * m->s->motion.layout.nnode)); // for nodes that do not move
  for (PetscInt i = 1; i < m->s->motion.layout.nnode; i++)
    if (m->s->motion.layout.node_block[i] >= 0) move_node(m, i, q, e, back);
  for (PetscInt j = 0; j < m->s->motion.layout.njoint; j++) move_joint(m, j, q->change, e);
  s->stepped = rate > 0, s->last_h = back;
  PetscCall(EquationsMoveNodes(&m->s->motion, &m->s->equations)); // for outputs of sections
  PetscFunctionReturn(0);
}

// With the central difference D(e), (4 D(e) - D(2 e))/3 is of fourth order.
PetscErrorCode DifferentiateState(MovedState *m, const SmallMotion *q, const StateQuestion *ask, double *derivative,
                                  double *error) {
  double size = motion_size(m->u, q->change), e = size > 0 ? 1e-4 / size : 1, *row[2], *coarse;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(ask->count, &row[0], ask->count, &row[1], ask->count, &coarse));
  for (int level = 2; level >= 1; level--) {
    for (int i = 0; i < 2; i++) {
      PetscCall(MoveState(m, q, i ? -level * e : level * e));
      PetscCall(ask->sample(ask->self, row[i]));
    }
    for (int k = 0; k < ask->count; k++) {
      double d = (row[0][k] - row[1][k]) / (2 * level * e);
      if (level == 2) coarse[k] = d;
      else derivative[k] = (4 * d - coarse[k]) / 3;
      if (level == 1 && error) error[k] = fabs(d - coarse[k]);
    }
  }
  PetscCall(PutBack(m));
  PetscCall(PetscFree3(row[0], row[1], coarse));
  PetscFunctionReturn(0);
}
