// SPDX-License-Identifier: Apache-2.0
// An angle of one joint moves a slide of another: d = slide - radius angle.
#include "joints/tie.h"

static int ties(const void *params, JointTie *tie) {
  const LimberRackAndPinion *p = params;
  tie[0] = (JointTie){.joint = p->pinion.index, .unit = "rad", .factor = -p->radius};
  tie[1] = (JointTie){.joint = p->rack.index, .unit = "m", .factor = 1};
  return 2;
}

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberRackAndPinion *p = params;
  if (p->radius == 0) return reason(REASON_VALUE, "radius", "the radius of a pinion must not be zero");
  return tie_prepare(n, p->law, out);
}

static const Field fields[] = {
    {"pinion", FIELD_JOINT, 1, offsetof(LimberRackAndPinion, pinion), "", true, LIMBER_NONE, "joint with an angle",
     NULL},
    {"rack", FIELD_JOINT, 1, offsetof(LimberRackAndPinion, rack), "", true, LIMBER_NONE, "joint with a slide", NULL},
    {"radius", FIELD_REAL, 1, offsetof(LimberRackAndPinion, radius), "m", true, 0,
     "radius of the pinion: slide per angle; negative: the other way", NULL},
    LAW_FIELD(LimberRackAndPinion, 0, "mesh", slide, TIE_LAW "slide - radius angle"),
};

static const char *const row_names[] = {"mesh", "pinion", "rack"}, *const row_units[] = {"N", "N m", "N"};
static const LimberRackAndPinion example = {{0}, {1}, 0.3, {{.stiffness = 3, .clearance = 0.1, .damping = 0.1}}};

const JointKind joint_rack_and_pinion = {
    .name = "rack_and_pinion",
    .help = "A rack and its pinion: couples an angle of one joint and a slide of another.",
    .fields = FIELDS(fields, LimberRackAndPinion),
    .ncoord = 3,
    .coord_names = {"mesh", "pinion", "rack"},
    .coord_units = {"m", "rad", "m"},
    .rate_units = {"m s-1", "rad s-1", "m s-1"},
    .laws = offsetof(LimberRackAndPinion, law),
    .ties = ties,
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .example_nodes = "FFF",
    .example = &example,
};
