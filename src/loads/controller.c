// SPDX-License-Identifier: Apache-2.0
// An actuator that follows a reference r(t): gain (r - z) + derivative_gain (r' - z') on a coordinate z of a joint. Its work stands
// in the ledger as that of any load.
#include "mechanics/load.h"

static Reason prepare(const void *params, Load *out) {
  const LimberController *p = params;
  out->id = p->joint.index, out->coordinate = p->coordinate, out->amplitude = p->reference.index;
  out->drive = DRIVE_CONTROL, out->gain = p->gain, out->derivative_gain = p->derivative_gain;
  if (p->gain < 0 || p->derivative_gain < 0)
    return reason(REASON_VALUE, p->gain < 0 ? "gain" : "derivative_gain", "a negative `gain` is unstable");
  return no_reason();
}

static const Field fields[] = {
    {"joint", FIELD_JOINT, 1, offsetof(LimberController, joint), "", true, LIMBER_NONE, "a joint with a coordinate",
     NULL},
    {"coordinate", FIELD_TEXT, 1, offsetof(LimberController, coordinate), "", false, 0,
     "coordinate of the joint, named as in limber describe; default: its first", NULL},
    {"reference", FIELD_FUNCTION, 1, offsetof(LimberController, reference), "rad|m", true, LIMBER_NONE,
     "reference of the coordinate, a function of time in rad or m", NULL},
    {"gain", FIELD_REAL, 1, offsetof(LimberController, gain), UNIT_ANY, true, 0, "force per error: N m rad-1 or N m-1",
     NULL},
    {"derivative_gain", FIELD_REAL, 1, offsetof(LimberController, derivative_gain), UNIT_ANY, false, 0,
     "force per error of the rate: N m s rad-1 or N s m-1", NULL},
};

static const LimberController example = {{0}, NULL, {0}, 2, 0.3};

const LoadKind load_controller = {
    .name = "controller",
    .help = "A PD controller: an actuator force of a joint that follows a reference.",
    .fields = FIELDS(fields, LimberController),
    .target = LOAD_JOINT,
    .prepare = prepare,
    .example_nodes = "",
    .example = &example,
};
