// SPDX-License-Identifier: Apache-2.0
#include "model/adding.h"

#include <stdio.h>

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
static Reason joint_without_motion(Model m, const ModelJoint *j) {
  bool fixed = j->nnode > 2; // the last is the ground
  for (int i = 0; i + 1 < j->nnode; i++) fixed = fixed && model_node(m, j->node[i])->kind == NODE_FIXED;
  return fixed && j->node[0] != j->node[1]
             ? reason(REASON_CONFLICT, "nodes",
                      "neither of its nodes can move: leave out `kind: fixed` of the one that it shall carry")
             : reason(REASON_VALUE, "nodes", "a joint ties two different nodes");
}

static Error AddJoint(LimberModel m, const JointKind *k, const char *kind, const char *name, const void *params,
                      int *id) {
  ModelJoint *j = NULL;
  bool good;
  int nodes[MAX_LOCAL_NODES];
  JointNodes at = {0};
  TRY(ModelCheckNodes(m, kind, name, &k->fields, params, true, &good));
  if (!good) return 0;
  ModelJoint made = {.kind = k, .joint = {.ncoord = k->ncoord}};
  Reason wrong = no_reason();
  char text[600];
  int count = field_nodes(&k->fields, params, nodes);
  if (k->ties) {
    at.ntie = k->ties(params, at.tie);
    wrong = model_tied_nodes(m, count, nodes, &at, &made, text, sizeof text);
    TRY(ModelAllocate(m, MAX_TIE_TERMS * sizeof *at.term, &at.term));
    if (!wrong.text) TRY(ModelTiedFormula(m, k, params, &at, &wrong));
  } else if (!model_joint_nodes(m, count, nodes, &at, &made)) wrong = joint_without_motion(m, &made);
  Joint joint = made.joint;
  joint.geometry.at[0] = at.x[0][0], joint.geometry.at[1] = at.x[at.nnode > 2][0];
  if (!wrong.text) wrong = k->prepare(params, &at, &joint);
  if (!wrong.text && joint.outside)
    wrong = reason(REASON_GEOMETRY, "nodes",
                   "a body without thickness carries only what lies in its plane, or on its line: give it a thickness");
  if (!wrong.text) wrong = joint_laws(k, params, &joint);
  for (int c = 0; c < joint.ncoord && !wrong.text; c++) {
    TRY(CopyNumbers(m, 2, &joint.law[c].limits));
    TRY(CopyNumbers(m, 1, &joint.law[c].start));
    TRY(CopyNumbers(m, 1, &joint.law[c].initial_rate));
    TRY(CopyNumbers(m, 2 * joint.law[c].pairs, &joint.law[c].table));
  }
  joint_complete(&joint);
  if (wrong.text) return ModelReportReason(m, kind, name, wrong);
  *id = m->joints.count;
  TRY(ArrayAdd(&m->joints, sizeof *j, &j));
  *j = made, j->joint = joint;
  void *copy;
  TRY(ModelAllocate(m, k->fields.size, &copy));
  j = &((ModelJoint *)m->joints.data)[m->joints.count - 1];
  j->params = memcpy(copy, params, k->fields.size);
  TRY(ModelCopyString(m, name, &j->name));
  return 0;
}

// The point and the joint of the inertia of a coordinate (mechanics/joint.h). The point is at the joint, where pictures have room for it.
static Error AddInertia(LimberModel m, int joint, int coord) {
  const ModelJoint *of = model_joint(m, joint);
  const Vec3 x[4] = {of->joint.geometry.at[0]};
  CoordinateInertia q = {joint, LIMBER_NONE, of->kind->coord_names[coord], of->joint.law[coord].inertia};
  int id;
  char name[300];
  snprintf(name, sizeof name, "%.200s.%s", of->name ? of->name : of->kind->name, q.coordinate);
  TRY(ModelAddNode(m, NODE_POINT, name, x, &q.point));
  ModelNode *point = &((ModelNode *)m->nodes.data)[q.point];
  point->own = point->abstract = true;
  TRY(AddJoint(m, &joint_coordinate_inertia, joint_coordinate_inertia.name, name, &q, &id));
  return 0;
}

Error ModelAddJoint(LimberModel m, const char *kind, const char *name, const void *params, int *id) {
  const JointKind *k = joint_find(kind);
  int added = LIMBER_NONE;
  if (!k) TRY(ModelReportUnknownKind(m, "joint", kind, name));
  if (k) TRY(AddJoint(m, k, kind, name, params, &added));
  for (int c = 0; added >= 0 && c < model_joint(m, added)->joint.ncoord; c++)
    if (model_joint(m, added)->joint.law[c].inertia > 0) TRY(AddInertia(m, added, c));
  if (id) *id = added;
  return 0;
}
