// SPDX-License-Identifier: Apache-2.0
// A coordinate of a joint moves as a function of time says, whatever force that takes; its work stands in the ledger.
#include "mechanics/load.h"

static const char *prepare(const void *params, Load *out) {
  const LimberDrive *p = params;
  out->id = p->joint, out->coordinate = p->coordinate;
  if ((p->motion == LIMBER_NONE) == (p->rate == LIMBER_NONE)) return "a drive takes `motion` or `rate`, one of them";
  out->drive = p->motion == LIMBER_NONE ? DRIVE_RATE : DRIVE_MOTION;
  out->amplitude = p->motion == LIMBER_NONE ? p->rate : p->motion;
  return NULL;
}

static const Field fields[] = {
    {"joint", FIELD_JOINT, 1, offsetof(LimberDrive, joint), "", true, LIMBER_NONE, "a joint with a coordinate", NULL},
    {"coordinate", FIELD_TEXT, 1, offsetof(LimberDrive, coordinate), "", false, 0,
     "angle or slide of the joint, as limber describe names them; default: the first that it has", NULL},
    {"motion", FIELD_FUNCTION, 1, offsetof(LimberDrive, motion), "", false, LIMBER_NONE,
     "function of time, in rad or m; the coordinate is its change since the start", NULL},
    {"rate", FIELD_FUNCTION, 1, offsetof(LimberDrive, rate), "", false, LIMBER_NONE,
     "instead: function of time that is the rate of the coordinate, in rad/s or m/s", NULL},
};

static const LimberDrive example = {0, NULL, 0, LIMBER_NONE};

const LoadKind load_drive = {
    .name = "drive",
    .help = "Prescribes the motion of a joint's angle or slide, or its rate.",
    .fields = FIELDS(fields, LimberDrive),
    .target = LOAD_JOINT,
    .prepare = prepare,
    .example_nodes = "",
    .example = &example,
};
