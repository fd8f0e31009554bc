// SPDX-License-Identifier: Apache-2.0
// A torque across a joint that has an angle: it turns the joint's second node against the first and works
// torque times the change of the angle.
#include "mechanics/load.h"

static Reason prepare(const void *params, Load *out) {
  const LimberTorque *p = params;
  out->id = p->joint.index, out->coordinate = "angle", out->torque = p->value, out->amplitude = p->amplitude.index;
  return no_reason();
}

static const Field fields[] = {
    {"joint", FIELD_JOINT, 1, offsetof(LimberTorque, joint), "", true, LIMBER_NONE, "a joint with an angle", NULL},
    {"value", FIELD_REAL, 1, offsetof(LimberTorque, value), "N m", false, 1, "times the amplitude", NULL},
    {"amplitude", FIELD_FUNCTION, 1, offsetof(LimberTorque, amplitude), "", false, LIMBER_NONE,
     "function of time; default: 1", NULL},
};

static const LimberTorque example = {{0}, 1.5, {LIMBER_NONE}};

const LoadKind load_torque = {
    .name = "torque",
    .help = "A torque about the axis of a joint, between its two nodes.",
    .fields = FIELDS(fields, LimberTorque),
    .target = LOAD_JOINT,
    .prepare = prepare,
    .example_nodes = "",
    .example = &example,
};
