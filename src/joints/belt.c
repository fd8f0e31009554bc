// SPDX-License-Identifier: Apache-2.0
// A belt between two pulleys: d = r_1 z_1 - r_2 z_2, the length that the first pulley takes more than the second.
#include "joints/tie.h"

static int ties(const void *params, JointTie *tie) {
  const LimberBelt *p = params;
  tie[0] = (JointTie){.joint = p->first.index, .unit = "rad", .factor = p->radii[0]};
  tie[1] = (JointTie){.joint = p->second.index, .unit = "rad", .factor = -p->radii[1]};
  return 2;
}

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberBelt *p = params;
  if (p->radii[0] == 0 || p->radii[1] == 0)
    return reason(REASON_VALUE, "radii", "the radius of a pulley must not be zero");
  return tie_prepare(n, p->law, out);
}

static const Field fields[] = {
    {"first", FIELD_JOINT, 1, offsetof(LimberBelt, first), "", true, LIMBER_NONE, "joint of a pulley", NULL},
    {"second", FIELD_JOINT, 1, offsetof(LimberBelt, second), "", true, LIMBER_NONE, "joint of the other pulley", NULL},
    {"radii", FIELD_REALS, 2, offsetof(LimberBelt, radii), "m", true, 0,
     "radii of the two pulleys; one of them negative: a crossed belt", NULL},
    LAW_FIELD(LimberBelt, 0, "stretch", slide, TIE_LAW "radius first - radius second"),
};

static const char *const row_names[] = {"stretch", "first", "second"}, *const row_units[] = {"N", "N m", "N m"};
static const LimberBelt example = {{0}, {1}, {0.3, 0.5}, {{.stiffness = 30, .damping = 0.1}}};

const JointKind joint_belt = {
    .name = "belt",
    .help = "A belt or chain between two pulleys: couples the angles of two joints, rigid or elastic.",
    .fields = FIELDS(fields, LimberBelt),
    .ncoord = 3,
    .coord_names = {"stretch", "first", "second"},
    .coord_units = {"m", "rad", "rad"},
    .rate_units = {"m s-1", "rad s-1", "rad s-1"},
    .laws = offsetof(LimberBelt, law),
    .ties = ties,
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .example_nodes = "FFF",
    .example = &example,
};
