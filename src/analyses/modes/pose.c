// SPDX-License-Identifier: Apache-2.0
// Mode shapes at nodes, as numbers and as states for pictures.
#include "analyses/modes/modes.h"
#include "assembly/state_values.h"
#include "base/rotation.h"

PetscErrorCode ModeAtNode(const Modes *modes, const Mode *mode, int node, double re[6], double im[6]) {
  const Layout *layout = &modes->pencil.s->motion.layout;
  double sum[12] = {0};
  PetscInt local = layout->local_node[node];
  PetscFunctionBegin;
  for (int part = 0; part < 2; part++) {
    const double *q;
    if (!mode->right[part]) continue;
    PetscCall(VecGetArrayRead(mode->right[part], &q));
    if (local >= 1 && local < layout->nnode_own && layout->node_block[local] >= 0)
      for (int k = 0; k < 3 * node_blocks(model_node(layout->model, node)->kind); k++)
        sum[6 * part + k] = q[3 * layout->node_block[local] + k];
    PetscCall(VecRestoreArrayRead(mode->right[part], &q));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sum, 12, MPI_DOUBLE, MPI_SUM, layout->comm));
  for (int k = 0; k < 6; k++) re[k] = sum[k], im[k] = sum[6 + k];
  PetscFunctionReturn(0);
}

PetscErrorCode RestStateKeep(System *s, RestState *out) {
  PetscFunctionBegin;
  *out = (RestState){.s = s};
  PetscCall(PetscMalloc2(4 * s->motion.layout.nnode, &out->x, s->motion.layout.njoint, &out->coord));
  PetscCall(PetscArraycpy(out->x, s->motion.state.x, 4 * s->motion.layout.nnode));
  PetscCall(PetscArraycpy(out->coord, s->motion.state.coord, s->motion.layout.njoint));
  PetscFunctionReturn(0);
}

PetscErrorCode RestStatePut(const RestState *r) {
  PetscFunctionBegin;
  PetscCall(PetscArraycpy(r->s->motion.state.x, r->x, 4 * r->s->motion.layout.nnode));
  PetscCall(PetscArraycpy(r->s->motion.state.coord, r->coord, r->s->motion.layout.njoint));
  PetscFunctionReturn(0);
}

PetscErrorCode RestStateDestroy(RestState *r) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(r->x, r->coord));
  PetscFunctionReturn(0);
}

// Bounds of the largest displacement and rotation of a node at any phase.
static PetscErrorCode LargestMotion(const Layout *layout, const Mode *mode, double most[2]) {
  const double *q[2] = {NULL, NULL};
  PetscFunctionBegin;
  most[0] = most[1] = 0;
  for (int i = 0; i < 2; i++)
    if (mode->right[i]) PetscCall(VecGetArrayRead(mode->right[i], &q[i]));
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    for (int b = 0; b < node_blocks(model_node(layout->model, layout->node[i])->kind); b++) {
      double size = 0;
      if (layout->node_block[i] < 0 || layout_is_abstract(layout, i)) continue;
      for (int k = 0; k < 2 && q[k]; k++) {
        Vec3 v = vec3_of(q[k] + 3 * (layout->node_block[i] + b));
        size += vec3_dot(v, v);
      }
      most[b] = PetscMax(most[b], PetscSqrtReal(size));
    }
  for (int i = 0; i < 2; i++)
    if (mode->right[i]) PetscCall(VecRestoreArrayRead(mode->right[i], &q[i]));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, layout->comm));
  PetscFunctionReturn(0);
}

// Moves own nodes and ghosts.
PetscErrorCode ModePose(const RestState *r, const Mode *mode, double part, double phase) {
  System *s = r->s;
  double most[2], scale = PETSC_INFINITY;
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(LargestMotion(&s->motion.layout, mode, most));
  if (most[0] > 0) scale = part * s->motion.layout.length / most[0];
  if (most[1] * scale > 0.5) scale = 0.5 / most[1];
  if (PetscIsInfOrNanReal(scale)) scale = 0;
  PetscCall(VecCopy(mode->right[0], s->equations.unknown));
  PetscCall(VecScale(s->equations.unknown, scale * cos(phase)));
  if (mode->right[1]) PetscCall(VecAXPY(s->equations.unknown, -scale * sin(phase), mode->right[1]));
  PetscCall(EquationsRefresh(&s->motion.layout, &s->equations));
  PetscCall(EquationsOpenUnknowns(&s->motion.layout, &s->equations, &local, &q));
  for (PetscInt i = 1; i < s->motion.layout.nnode; i++) {
    const double *d = q + 3 * s->motion.layout.node_block[i];
    if (s->motion.layout.node_block[i] < 0) continue;
    s->motion.state.x[4 * i] = vec3_add(r->x[4 * i], vec3_of(d));
    if (model_node(s->motion.layout.model, s->motion.layout.node[i])->kind != NODE_FRAME) continue;
    Mat3 turn = rotation_exponential(vec3_of(d + 3));
    for (int j = 1; j < 4; j++) s->motion.state.x[4 * i + j] = mat3_apply(turn, r->x[4 * i + j]);
  }
  for (PetscInt j = 0; j < s->motion.layout.njoint; j++) {
    const Joint *joint = switches_model_joint(&s->motion.layout, &s->motion.switches, s->motion.layout.joint[j]);
    for (int c = 0; c < joint->ncoord && s->motion.layout.joint_block[j] >= 0; c++)
      s->motion.state.coord[j].z[c] = r->coord[j].z[c] + q[3 * s->motion.layout.joint_block[j] + joint->rows.nrow + c];
  }
  PetscCall(EquationsCloseUnknowns(&s->motion.layout, &s->equations, &local, &q));
  PetscFunctionReturn(0);
}
