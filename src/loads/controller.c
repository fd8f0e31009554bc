// SPDX-License-Identifier: Apache-2.0
// An actuator that follows a reference r(t): gain (r - z) + derivative_gain (r' - z') on a coordinate z of a joint. Its work stands
// in the ledger as that of any load.
#include "mechanics/load.h"

static const char *prepare(const void *params, Load *out) {
  const LimberController *p = params;
  out->id = p->joint, out->coordinate = p->coordinate, out->amplitude = p->reference;
  out->drive = DRIVE_CONTROL, out->gain = p->gain, out->derivative_gain = p->derivative_gain;
  if (p->gain < 0 || p->derivative_gain < 0) return "a negative `gain` drives away from the reference";
  return NULL;
}

static const Field fields[] = {
    {"joint", FIELD_JOINT, 1, offsetof(LimberController, joint), "", true, LIMBER_NONE, "a joint with a coordinate",
     NULL},
    {"coordinate", FIELD_TEXT, 1, offsetof(LimberController, coordinate), "", false, 0,
     "angle or slide of the joint, as limber describe names them; default: the first that it has", NULL},
    {"reference", FIELD_FUNCTION, 1, offsetof(LimberController, reference), "", true, LIMBER_NONE,
     "function of time that the coordinate is to follow, in rad or m", NULL},
    {"gain", FIELD_REAL, 1, offsetof(LimberController, gain), "", true, 0, "force over error: N m rad-1 or N m-1",
     NULL},
    {"derivative_gain", FIELD_REAL, 1, offsetof(LimberController, derivative_gain), "", false, 0,
     "force over error of the rate: N m s rad-1 or N s m-1", NULL},
};

static const LimberController example = {0, NULL, 0, 2, 0.3};

const LoadKind load_controller = {
    .name = "controller",
    .help = "An actuator of a joint that follows a reference, by error and rate.",
    .fields = FIELDS(fields, LimberController),
    .target = LOAD_JOINT,
    .prepare = prepare,
    .example_nodes = "",
    .example = &example,
};
