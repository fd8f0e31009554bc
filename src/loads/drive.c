// SPDX-License-Identifier: Apache-2.0
// A coordinate of a joint moves as a function of time says, whatever force that takes; its work stands in the ledger.
#include "mechanics/load.h"

static Reason prepare(const void *params, Load *out) {
  const LimberDrive *p = params;
  out->id = p->joint.index, out->coordinate = p->coordinate;
  if ((LIMBER_IS_NONE(p->motion)) == (LIMBER_IS_NONE(p->rate)))
    return reason(REASON_CONFLICT, "motion", "a drive needs either `motion` or `rate`");
  out->drive = LIMBER_IS_NONE(p->motion) ? DRIVE_RATE : DRIVE_MOTION;
  out->amplitude = LIMBER_IS_NONE(p->motion) ? p->rate.index : p->motion.index;
  return no_reason();
}

static const Field fields[] = {
    {"joint", FIELD_JOINT, 1, offsetof(LimberDrive, joint), "", true, LIMBER_NONE, "a joint with a coordinate", NULL},
    {"coordinate", FIELD_TEXT, 1, offsetof(LimberDrive, coordinate), "", false, 0,
     "coordinate of the joint, named as in limber describe; default: its first", NULL},
    {"motion", FIELD_FUNCTION, 1, offsetof(LimberDrive, motion), "rad|m", false, LIMBER_NONE,
     "motion as a function of time, in rad or m; the coordinate is its change since the start", NULL},
    {"rate", FIELD_FUNCTION, 1, offsetof(LimberDrive, rate), "rad s-1|m s-1", false, LIMBER_NONE,
     "instead of `motion`: rate of the coordinate as a function of time, in rad/s or m/s", NULL},
};

static const LimberDrive example = {{0}, NULL, {0}, {LIMBER_NONE}};

const LoadKind load_drive = {
    .name = "drive",
    .help = "Prescribes the motion or the rate of a coordinate of a joint.",
    .fields = FIELDS(fields, LimberDrive),
    .target = LOAD_JOINT,
    .prepare = prepare,
    .example_nodes = "",
    .example = &example,
};
