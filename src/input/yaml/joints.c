// SPDX-License-Identifier: Apache-2.0
// The part `joints`: what ties nodes.
#include "model/model.h"
#include "input/yaml/components.h"
#include "input/yaml/nodes.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "mechanics/joint.h"

static bool joint_kind(int i, Kind *out) {
  int n = 0;
  while (joint_kinds[n]) n++;
  const JointKind *k = i < n ? joint_kinds[i] : joint_aliases[i - n].name ? joint_find(joint_aliases[i - n].of) : NULL;
  if (k) *out = (Kind){i < n ? k->name : joint_aliases[i - n].name, k->help, &k->fields};
  return k;
}

static Error ReadJoints(Reader *r, const Tree *list, SourceLocation at) {
  (void)at;
  node_group(r)->bodies = true;
  TRY(ReadComponents(r, &part_joints, list));
  node_group(r)->bodies = false;
  return 0;
}

const Part part_joints = {.key = "joints",
                          .one = "joint",
                          .form = PART_LIST,
                          .kind = joint_kind,
                          .add = ModelAddJoint,
                          .named = true,
                          .scoped = true,
                          .each_node = true,
                          .read = ReadJoints};
