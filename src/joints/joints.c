// SPDX-License-Identifier: Apache-2.0
#include "mechanics/joint.h"

#define JOINT(name) extern const JointKind joint_##name;
#include "joints/joints.def"
#undef JOINT

#define JOINT(name) &joint_##name,
const JointKind *const joint_kinds[] = {
#include "joints/joints.def"
    NULL};
#undef JOINT
