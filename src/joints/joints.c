// SPDX-License-Identifier: Apache-2.0
#include "mechanics/joint.h"

#include <string.h>

#define JOINT(name, Name) extern const JointKind joint_##name;
#include "joints/joints.def"
#undef JOINT

const JointAlias joint_aliases[] = {
    {"hinge", "revolute"}, {"pin", "revolute"}, {"slider", "prismatic"}, {"ball", "spherical"}, {"fixed", "weld"}, {0},
};

#define JOINT(name, Name) &joint_##name,
const JointKind *const joint_kinds[] = {
#include "joints/joints.def"
    NULL};
#undef JOINT

const JointKind *joint_find(const char *name) {
  for (const JointAlias *a = joint_aliases; a->name; a++)
    if (!strcmp(a->name, name)) name = a->of;
  for (int i = 0; joint_kinds[i]; i++)
    if (!strcmp(joint_kinds[i]->name, name)) return joint_kinds[i];
  return NULL;
}
