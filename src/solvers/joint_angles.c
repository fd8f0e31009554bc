// SPDX-License-Identifier: Apache-2.0
// Chooses the right root for joint angles over a step. The row that defines an angle, sin z a - cos z b = 0, has roots
// half a turn apart. At every second root its derivative has the wrong sign, and Newton may find any of them if no
// force acts along the angle. At the right root, the derivative keeps the sign that it had at the start of the step,
// and the angle changes by no more than the nodes of the joint turn, or by half a turn if these are points.
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "solvers/solvers.h"

static const double margin =
    0.5; // rad, added to what nodes turn: angles about crossing axes change by more than the bodies turn
// The derivative of the row is the length of the arm that the angle is measured with, about 1 at the start. Between
// points of a deforming body the arm may shrink and pass through the axis: the sign then changes although the angle is
// continuous. Only below this length can an arm have passed through the axis.
static const double short_arm = 0.01;

// The sum of the rotations of the frames of a local joint over stage k; points have no rotation.
static double rotation_over_stage(const Layout *layout, const double *q, PetscInt j, int k, bool *points) {
  double sum = 0;
  *points = false;
  for (int a = 0; a < model_joint(layout->model, layout->joint[j])->nnode; a++) {
    PetscInt node = layout->joint_node[j][a];
    NodeKind kind = model_node(layout->model, layout->node[node])->kind;
    Vec3 u[MAX_STAGES], c[MAX_STAGES];
    *points = *points || kind == NODE_POINT;
    if (kind != NODE_FRAME) continue;
    layout_increments(layout, q, node, u, c);
    sum += 4 * atan(vec3_norm(c[k]) / 4);
  }
  return sum;
}

static void gather_joint(const Layout *layout, const State *state, const double *q, PetscInt j, LocalMotion *it) {
  local_motion_begin(it, layout->rule->tableau.s, layout->rule->tableau.force_rule);
  for (int a = 0; a < model_joint(layout->model, layout->joint[j])->nnode; a++) {
    PetscInt node = layout->joint_node[j][a];
    Vec3 u[MAX_STAGES], c[MAX_STAGES];
    layout_increments(layout, q, node, u, c);
    local_motion_add_node(it, model_node(layout->model, layout->node[node])->kind, state->x + 4 * node, u, c);
  }
}

// The change of an angle over stage k, moved to the nearest root.
static double nearest_angle(const Layout *layout, const State *state, const double *q, PetscInt j, int coord, int k) {
  const Joint *m = layout_joint(layout, j);
  int at = m->rows.nrow + coord, row = m->pivot[coord];
  double z = q[(layout->joint_block[j] + at / 3) * layout->bs + 3 * k + at % 3], before[MAX_ROWS], after[MAX_ROWS];
  bool points;
  double most = rotation_over_stage(layout, q, j, k, &points);
  if (!points && PetscMax(fabs(z), most) < PETSC_PI / 2) return z;
  LocalMotion it;
  Coords zk = state->coord[j];
  gather_joint(layout, state, q, j, &it);
  for (int c = 0; c < m->ncoord; c++) {
    int i = m->rows.nrow + c;
    zk.z[c] += q[(layout->joint_block[j] + i / 3) * layout->bs + 3 * k + i % 3];
  }
  rows_rate(&m->rows, it.xn, &state->coord[j], coord, before);
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

PetscErrorCode EquationsUnwind(const Motion *motion, Equations *equations, LargeRotation *found) {
  const double *q;
  double *own;
  Vec local;
  PetscFunctionBegin;
  *found = (LargeRotation){.node = -1, .joint = -1};
  PetscCall(EquationsRefresh(&motion->layout, equations));
  PetscCall(EquationsOpenUnknowns(&motion->layout, equations, &local, &q));
  PetscCall(VecGetArray(equations->unknown, &own));
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    const Joint *m = layout_joint(&motion->layout, j);
    for (int c = 0; c < m->ncoord && motion->layout.joint_primary[j]; c++) {
      int at = m->rows.nrow + c;
      for (int k = 0; k < motion->layout.rule->tableau.s && !m->prescribed[c] && joint_coord_is_angle(m, c); k++) {
        double *z = own + (motion->layout.joint_block[j] + at / 3) * motion->layout.bs + 3 * k + at % 3,
               to = nearest_angle(&motion->layout, &motion->state, q, j, c, k);
        if (to == *z) continue;
        if (fabs(*z) > found->angle) *found = (LargeRotation){fabs(*z), -1, (int)motion->layout.joint[j]};
        *z = to;
      }
    }
  }
  PetscCall(VecRestoreArray(equations->unknown, &own));
  PetscCall(EquationsCloseUnknowns(&motion->layout, equations, &local, &q));
  PetscCall(ReduceLargeRotation(motion->layout.comm, found));
  PetscFunctionReturn(0);
}
