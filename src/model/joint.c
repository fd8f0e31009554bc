// SPDX-License-Identifier: Apache-2.0
#include "model/adding.h"

// The caller's numbers, if there are any, become the model's.
static Error CopyNumbers(LimberModel m, int count, const double **numbers) {
  double *own;
  if (!*numbers) return 0;
  TRY(ModelAllocate(m, (size_t)count * sizeof *own, &own));
  memcpy(own, *numbers, (size_t)count * sizeof *own);
  *numbers = own;
  return 0;
}

// A fixed node is a place of the ground.
static const char *joint_without_motion(Model m, const ModelJoint *j) {
  bool fixed = j->nnode > 2; // the last is the ground
  for (int i = 0; i + 1 < j->nnode; i++) fixed = fixed && model_node(m, j->node[i])->kind == NODE_FIXED;
  return fixed && j->node[0] != j->node[1]
             ? "neither of its nodes can move: leave out `kind: fixed` of the one that it shall carry"
             : "a joint ties two different nodes";
}

Error ModelAddJoint(LimberModel m, const char *kind, const char *name, const void *params, LimberId *id) {
  const JointKind *k;
  ModelJoint *j = NULL;
  bool good;
  LimberId nodes[MAX_LOCAL_NODES];
  JointNodes at = {0};
  if (id) *id = LIMBER_NONE;
  k = joint_find(kind);
  if (!k) {
    TRY(ModelReportUnknownKind(m, "joint", kind, name));
    return 0;
  }
  TRY(ModelCheckNodes(m, kind, name, &k->fields, params, true, &good));
  if (!good) return 0;
  ModelJoint made = {.kind = k, .joint = {.ncoord = k->ncoord}};
  const char *reason = NULL;
  char text[600];
  if (k->ties) {
    at.ntie = k->ties(params, at.tie);
    reason = model_tied_nodes(m, &at, &made, text, sizeof text);
    TRY(ModelAllocate(m, MAX_TIE_TERMS * sizeof *at.term, &at.term));
    if (!reason) TRY(ModelTiedFormula(m, k, params, &at, &reason));
  } else if (!model_joint_nodes(m, field_nodes(&k->fields, params, nodes), nodes, &at, &made))
    reason = joint_without_motion(m, &made);
  Joint joint = made.joint;
  joint.geometry.at[0] = at.x[0][0], joint.geometry.at[1] = at.x[at.nnode > 2][0];
  if (!reason) reason = k->prepare(params, &at, &joint);
  if (!reason && joint.outside)
    reason = "a body without thickness carries only what lies in its plane, or on its line: give it a thickness";
  if (!reason) reason = joint_laws(k, params, &joint);
  for (int c = 0; c < joint.ncoord && !reason; c++) {
    TRY(CopyNumbers(m, 2, &joint.law[c].limits));
    TRY(CopyNumbers(m, 1, &joint.law[c].initial_rate));
    TRY(CopyNumbers(m, 2 * joint.law[c].pairs, &joint.law[c].table));
  }
  joint_complete(&joint);
  if (reason) {
    TRY(ModelReportError(m, "%s '%s': %s", kind, name ? name : "?", reason));
    return 0;
  }
  if (id) *id = (LimberId)m->joints.count;
  TRY(ArrayAdd(&m->joints, sizeof *j, &j));
  *j = made, j->joint = joint;
  void *copy;
  TRY(ModelAllocate(m, k->fields.size, &copy));
  j = &((ModelJoint *)m->joints.data)[m->joints.count - 1];
  j->params = memcpy(copy, params, k->fields.size);
  TRY(ModelCopyString(m, name, &j->name));
  return 0;
}
