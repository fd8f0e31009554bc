// SPDX-License-Identifier: Apache-2.0
// Angles of joints over a step. The row that gives an angle its value, sin z a - cos z b = 0, has roots half a turn apart: at every other
// one its derivative has the wrong sign, and where nothing acts along the angle Newton may find any of them. The right one has the sign
// that it had at the start of the step and changes by no more than the nodes of the joint turn, or by half a turn where these are points.
#include "solvers/solvers.h"

static const double margin =
    0.5; // on what nodes turn: angles about axes that cross change by more than the bodies turn
// The derivative of the row is the length of the arm that the angle is measured by, about 1 at the start. Between points of a body that
// deforms the arm may shrink and pass through the axis: the sign then changes, and the angle is continuous. Below this length an arm that
// passes is told from one that turns.
static const double short_arm = 0.01;

// How far the frames of a local joint turn over stage k, together; points do not say.
static double rotation_over_stage(const System *s, const double *q, PetscInt j, int k, bool *points) {
  double sum = 0;
  *points = false;
  for (int a = 0; a < model_joint(s->layout.model, s->layout.joint[j])->nnode; a++) {
    PetscInt node = s->layout.joint_node[j][a];
    NodeKind kind = model_node(s->layout.model, s->layout.node[node])->kind;
    Vec3 u[MAX_STAGES], c[MAX_STAGES];
    *points = *points || kind == NODE_POINT;
    if (kind != NODE_FRAME) continue;
    system_increments(s, q, node, u, c);
    sum += 4 * atan(vec3_norm(c[k]) / 4);
  }
  return sum;
}

static void gather_joint(const System *s, const double *q, PetscInt j, LocalMotion *it) {
  local_motion_begin(it, s->rule->tableau.s, s->rule->tableau.force_rule);
  for (int a = 0; a < model_joint(s->layout.model, s->layout.joint[j])->nnode; a++) {
    PetscInt node = s->layout.joint_node[j][a];
    Vec3 u[MAX_STAGES], c[MAX_STAGES];
    system_increments(s, q, node, u, c);
    local_motion_add_node(it, model_node(s->layout.model, s->layout.node[node])->kind, s->state.x + 4 * node, u, c);
  }
}

// The change of an angle over stage k, as it is nearest.
static double nearest_angle(const System *s, const double *q, PetscInt j, int coord, int k) {
  const Joint *m = system_joint(s, j);
  int at = m->rows.nrow + coord, row = m->pivot[coord];
  double z = q[(s->layout.joint_block[j] + at / 3) * s->layout.bs + 3 * k + at % 3], before[MAX_ROWS], after[MAX_ROWS];
  bool points;
  double most = rotation_over_stage(s, q, j, k, &points);
  if (!points && PetscMax(fabs(z), most) < PETSC_PI / 2) return z;
  LocalMotion it;
  Coords zk = s->state.coord[j];
  gather_joint(s, q, j, &it);
  for (int c = 0; c < m->ncoord; c++) {
    int i = m->rows.nrow + c;
    zk.z[c] += q[(s->layout.joint_block[j] + i / 3) * s->layout.bs + 3 * k + i % 3];
  }
  rows_rate(&m->rows, it.xn, &s->state.coord[j], coord, before);
  rows_rate(&m->rows, it.xk[k], &zk, coord, after);
  bool passes = fabs(z) < PETSC_PI / 2 && PetscMax(fabs(before[row]), fabs(after[row])) < short_arm;
  if (before[row] * after[row] < 0 && !passes) z -= copysign(PETSC_PI, z);
  return fabs(z) > PetscMax(PETSC_PI, most + margin) ? z - 2 * PETSC_PI * round(z / (2 * PETSC_PI)) : z;
}

PetscErrorCode ReduceLargeRotation(MPI_Comm comm, LargeRotation *r) {
  double most;
  int found[2];
  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(&r->angle, &most, 1, MPI_DOUBLE, MPI_MAX, comm));
  found[0] = r->angle == most ? r->node : -1, found[1] = r->angle == most ? r->joint : -1;
  PetscCall(ReduceArray(comm, found, 2, MPI_INT, MPI_MAX));
  *r = (LargeRotation){.angle = most, .node = found[0], .joint = found[1]};
  PetscFunctionReturn(0);
}

PetscErrorCode SystemUnwind(System *s, LargeRotation *found) {
  const double *q;
  double *own;
  Vec local;
  PetscFunctionBegin;
  *found = (LargeRotation){.node = -1, .joint = -1};
  PetscCall(SystemRefresh(s));
  PetscCall(SystemOpenUnknowns(s, &local, &q));
  PetscCall(VecGetArray(s->linear.unknown, &own));
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    const Joint *m = system_joint(s, j);
    for (int c = 0; c < m->ncoord && s->layout.joint_primary[j]; c++) {
      int at = m->rows.nrow + c;
      for (int k = 0; k < s->rule->tableau.s && !m->prescribed[c] && joint_coord_is_angle(m, c); k++) {
        double *z = own + (s->layout.joint_block[j] + at / 3) * s->layout.bs + 3 * k + at % 3,
               to = nearest_angle(s, q, j, c, k);
        if (to == *z) continue;
        if (fabs(*z) > found->angle) *found = (LargeRotation){fabs(*z), -1, (int)s->layout.joint[j]};
        *z = to;
      }
    }
  }
  PetscCall(VecRestoreArray(s->linear.unknown, &own));
  PetscCall(SystemCloseUnknowns(s, &local, &q));
  PetscCall(ReduceLargeRotation(s->layout.comm, found));
  PetscFunctionReturn(0);
}
