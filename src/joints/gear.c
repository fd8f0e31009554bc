// SPDX-License-Identifier: Apache-2.0
// The angles of two joints in a ratio, or a law of what is missing: d = z_1 - ratio z_2.
#include "joints/tie.h"

static int ties(const void *params, JointTie *tie) {
  const LimberGear *p = params;
  tie[0] = (JointTie){.joint = p->first.index, .unit = "rad", .factor = 1};
  tie[1] = (JointTie){.joint = p->second.index, .unit = "rad", .factor = -p->ratio};
  return 2;
}

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberGear *p = params;
  if (p->ratio == 0) return reason(REASON_VALUE, "ratio", "the ratio of a gear must not be zero");
  return tie_prepare(n, p->law, out);
}

static const Field fields[] = {
    {"first", FIELD_JOINT, 1, offsetof(LimberGear, first), "", true, LIMBER_NONE, "joint with an angle", NULL},
    {"second", FIELD_JOINT, 1, offsetof(LimberGear, second), "", true, LIMBER_NONE, "another joint with an angle",
     NULL},
    {"ratio", FIELD_REAL, 1, offsetof(LimberGear, ratio), "", true, 0,
     "angle of the first joint over that of the second; negative: they turn in opposite directions, as two external "
     "gears with parallel axes do",
     NULL},
    LAW_FIELD(LimberGear, 0, "mesh", angle, TIE_LAW "first - ratio second, an angle of the first joint"),
};

static const char *const row_names[] = {"mesh", "first", "second"}, *const row_units[] = {"N m", "N m", "N m"};
static const LimberGear example = {{0}, {1}, -1.6, {{.stiffness = 3, .clearance = 0.4, .damping = 0.1}}};

const JointKind joint_gear = {
    .name = "gear",
    .help = "A pair of gears: couples the angles of two joints in a ratio, rigid or with mesh stiffness and clearance.",
    .fields = FIELDS(fields, LimberGear),
    .ncoord = 3,
    .coord_names = {"mesh", "first", "second"},
    .coord_units = {"rad", "rad", "rad"},
    .rate_units = {"rad s-1", "rad s-1", "rad s-1"},
    .laws = offsetof(LimberGear, law),
    .ties = ties,
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .example_nodes = "FFF",
    .example = &example,
};
