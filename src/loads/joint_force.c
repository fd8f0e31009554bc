// SPDX-License-Identifier: Apache-2.0
// A force along a slide of a joint, or a torque about an angle of it: it moves the joint's second node against the first
// and works force times change of the coordinate.
#include "mechanics/load.h"

static Reason prepare(const void *params, Load *out) {
  const LimberJointForce *p = params;
  out->id = p->joint.index, out->coordinate = p->coordinate, out->torque = p->value,
  out->amplitude = p->amplitude.index;
  return no_reason();
}

static const Field fields[] = {
    {"joint", FIELD_JOINT, 1, offsetof(LimberJointForce, joint), "", true, LIMBER_NONE, "a joint with a coordinate",
     NULL},
    {"coordinate", FIELD_TEXT, 1, offsetof(LimberJointForce, coordinate), "", false, 0,
     "coordinate of the joint, named as in limber describe; default: its first", NULL},
    {"value", FIELD_REAL, 1, offsetof(LimberJointForce, value), "", false, 1, "N or N m, times the amplitude", NULL},
    {"amplitude", FIELD_FUNCTION, 1, offsetof(LimberJointForce, amplitude), "", false, LIMBER_NONE,
     "function of time; default: 1", NULL},
};

static const LimberJointForce example = {{0}, NULL, 1.5, {LIMBER_NONE}};

const LoadKind load_joint_force = {
    .name = "joint_force",
    .help = "A force or torque along a coordinate of a joint.",
    .fields = FIELDS(fields, LimberJointForce),
    .target = LOAD_JOINT,
    .prepare = prepare,
    .example_nodes = "",
    .example = &example,
};
