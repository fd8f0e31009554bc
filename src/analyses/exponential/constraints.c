// SPDX-License-Identifier: Apache-2.0
// Joints in the exponential scheme: rows over the unknowns of all nodes. A free coordinate of a joint has a row of its
// own, which constrains nothing; it follows from the nodes.
#include "analyses/exponential/exponential.h"
#include "assembly/ranks.h"
#include "base/rotation.h"

#include <string.h>

void exponential_node(const Exponential *x, Model m, PetscInt node, const double *d, NodeMotion *out) {
  NodeKind kind = model_node(m, node)->kind;
  PetscInt at = x->offset[node];
  Vec3 u = at < 0 ? vec3_zero() : vec3_of(d + at), c = kind == NODE_FRAME ? vec3_of(d + at + 3) : vec3_zero();
  node_motion(kind, FORCE_END, x->reference + 4 * node, u, c, out);
}

PetscErrorCode ExponentialFindConstraints(Stepper *p) {
  const Motion *motion = &p->s->motion;
  Exponential *x = exponential_of(p);
  PetscInt64 count = (PetscInt64)MAX_ROWS * motion->layout.model->joints.count;
  PetscMPIInt *off;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(count, &off));
  for (PetscInt j = 0; j < motion->layout.njoint; j++)
    for (int r = 0; r < MAX_ROWS; r++) off[MAX_ROWS * motion->layout.joint[j] + r] = motion->row_off[j][r];
  PetscCall(ReduceArray(motion->layout.comm, off, count, MPI_INT, MPI_LOR));
  x->nconstraint = 0;
  for (PetscInt j = 0; j < motion->layout.model->joints.count; j++) {
    const Joint *joint = &model_joint(motion->layout.model, j)->joint;
    for (int i = 0; i < joint->nprojection; i++)
      if (!off[MAX_ROWS * j + joint->projection_row[i]])
        x->row[x->nconstraint++] = (ConstraintRow){j, joint->projection_row[i]};
  }
  PetscCall(PetscFree(off));
  PetscFunctionReturn(0);
}

void exponential_prescribe(const Stepper *p, double t, double h, const Coords *from, Prescribed *out) {
  const Exponential *x = exponential_of(p);
  Model m = p->s->motion.layout.model;
  for (int j = 0; j < m->joints.count; j++) out->z[j] = from[j], out->rate[j] = (Coords){{0}};
  for (PetscInt i = 0; i < x->drives; i++) {
    const PrescribedCoord *q = &x->drive[i];
    const Load *l = &model_load(m, q->load)->load;
    if (h > 0) out->z[q->joint].z[q->coord] = model_drive(m, l, t, h, from[q->joint].z[q->coord]);
    out->rate[q->joint].z[q->coord] = model_drive_rate(m, l, t + h);
  }
}

// The vectors of a joint's nodes; `motion` of each node.
static int joint_vectors(const Exponential *x, Model m, const ModelJoint *j, const double *d, Vec3 *y,
                         NodeMotion *motion) {
  int n = 0;
  for (int a = 0; a < j->nnode; a++) {
    exponential_node(x, m, j->node[a], d, &motion[a]);
    for (int k = 0; k < node_vectors(model_node(m, j->node[a])->kind); k++) y[n++] = motion[a].x[k];
  }
  return n;
}

// dg/d(unknowns) of one row from the derivatives with respect to the vectors of the joint's nodes.
static void add_row_derivatives(const Exponential *x, Model m, const ModelJoint *j, const NodeMotion *motion,
                                const Vec3 *of, double *e) {
  for (int a = 0, n = 0; a < j->nnode; a++) {
    NodeKind kind = model_node(m, j->node[a])->kind;
    PetscInt at = x->offset[j->node[a]];
    double part[3];
    if (at >= 0) {
      vec3_to(of[n], part);
      for (int i = 0; i < 3; i++) e[at + i] += part[i];
      Vec3 turn = vec3_zero();
      for (int k = 1; k < node_vectors(kind); k++) turn = vec3_add(turn, vec3_cross(motion[a].x[k], of[n + k]));
      vec3_to(mat3_apply_transpose(motion[a].spin, turn), part);
      for (int i = 0; i < 3 && kind == NODE_FRAME; i++) e[at + 3 + i] += part[i];
    }
    n += node_vectors(kind);
  }
}

void exponential_rows(const Exponential *x, Model m, const double *d, const double *v, const Prescribed *at, double *g,
                      double *rate, double *e) {
  Vec3 y[MAX_LOCAL_VECTORS], of[MAX_ROWS][MAX_LOCAL_VECTORS];
  NodeMotion motion[MAX_LOCAL_NODES];
  double value[MAX_ROWS], on[MAX_COORDS][MAX_ROWS];
  const ModelJoint *joint = NULL;
  memset(e, 0, (size_t)(x->nconstraint * x->n) * sizeof *e);
  for (PetscInt i = 0; i < x->nconstraint; i++) {
    PetscInt j = x->row[i].joint;
    int r = x->row[i].row;
    if (i == 0 || x->row[i - 1].joint != j) {
      joint = model_joint(m, j);
      int n = joint_vectors(x, m, joint, d, y, motion);
      rows_value(&joint->joint.rows, y, &at->z[j], value);
      rows_gradient(&joint->joint.rows, y, &at->z[j], of, n);
      for (int c = 0; c < joint->joint.ncoord; c++) rows_rate(&joint->joint.rows, y, &at->z[j], c, on[c]);
    }
    double *row = e + i * x->n;
    add_row_derivatives(x, m, joint, motion, of[r], row);
    g[i] = value[r];
    if (!rate) continue;
    rate[i] = 0;
    for (PetscInt t = 0; t < x->near; t++) rate[i] += row[x->touched[t]] * v[x->touched[t]];
    for (int c = 0; c < joint->joint.ncoord; c++)
      if (joint->joint.prescribed[c]) rate[i] += on[c][r] * at->rate[j].z[c];
  }
}

void exponential_on_coord(const Exponential *x, Model m, PetscInt j, const double *d, const Coords *z, int c,
                          double *out) {
  const ModelJoint *joint = model_joint(m, j);
  Vec3 y[MAX_LOCAL_VECTORS];
  NodeMotion motion[MAX_LOCAL_NODES];
  joint_vectors(x, m, joint, d, y, motion);
  rows_rate(&joint->joint.rows, y, z, c, out);
}

void exponential_follow(const Exponential *x, Model m, const double *d, Coords *z) {
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *joint = model_joint(m, j);
    Vec3 y[MAX_LOCAL_VECTORS];
    NodeMotion motion[MAX_LOCAL_NODES];
    double g[MAX_ROWS], slope[MAX_ROWS];
    if (joint->joint.ncoord > 0) joint_vectors(x, m, joint, d, y, motion);
    for (int c = 0; c < joint->joint.ncoord; c++) {
      int r = joint->joint.pivot[c];
      double step = 1;
      for (int i = 0; i < 30 && r >= 0 && fabs(step) > 1e-15 * (1 + fabs(z[j].z[c])); i++) {
        rows_value(&joint->joint.rows, y, &z[j], g);
        rows_rate(&joint->joint.rows, y, &z[j], c, slope);
        step = slope[r] != 0 ? g[r] / slope[r] : 0;
        z[j].z[c] -= step;
      }
    }
  }
}
