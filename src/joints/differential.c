// SPDX-License-Identifier: Apache-2.0
// Three angles: the input turns with the mean of two outputs, d = z_1 - ratio (z_2 + z_3)/2.
#include "joints/tie.h"

static int ties(const void *params, JointTie *tie) {
  const LimberDifferential *p = params;
  tie[0] = (JointTie){.joint = p->input.index, .unit = "rad", .factor = 1};
  tie[1] = (JointTie){.joint = p->first.index, .unit = "rad", .factor = -0.5 * p->ratio};
  tie[2] = (JointTie){.joint = p->second.index, .unit = "rad", .factor = -0.5 * p->ratio};
  return 3;
}

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberDifferential *p = params;
  if (p->ratio == 0) return reason(REASON_VALUE, "ratio", "the ratio of a differential must not be zero");
  return tie_prepare(n, p->law, out);
}

static const Field fields[] = {
    {"input", FIELD_JOINT, 1, offsetof(LimberDifferential, input), "", true, LIMBER_NONE,
     "joint of the shaft that drives, against the housing", NULL},
    {"first", FIELD_JOINT, 1, offsetof(LimberDifferential, first), "", true, LIMBER_NONE,
     "joint of an output, against the housing", NULL},
    {"second", FIELD_JOINT, 1, offsetof(LimberDifferential, second), "", true, LIMBER_NONE, "joint of the other output",
     NULL},
    {"ratio", FIELD_REAL, 1, offsetof(LimberDifferential, ratio), "", false, 1,
     "angle of the input over the mean of the outputs", NULL},
    LAW_FIELD(LimberDifferential, 0, "mesh", angle, TIE_LAW "input - ratio (first + second)/2"),
};

static const char *const row_names[] = {"mesh", "input", "first", "second"}, *const row_units[] = {"N m", "N m", "N m",
                                                                                                   "N m"};
static const LimberDifferential example = {{0}, {1}, {2}, -0.6, {{.stiffness = 3, .clearance = 0.1, .damping = 0.1}}};

const JointKind joint_differential = {
    .name = "differential",
    .help = "A differential gear: an input turns with the mean of two outputs.",
    .fields = FIELDS(fields, LimberDifferential),
    .ncoord = 4,
    .coord_names = {"mesh", "input", "first", "second"},
    .coord_units = {"rad", "rad", "rad", "rad"},
    .rate_units = {"rad s-1", "rad s-1", "rad s-1", "rad s-1"},
    .laws = offsetof(LimberDifferential, law),
    .ties = ties,
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .example_nodes = "FFFF",
    .example = &example,
};
