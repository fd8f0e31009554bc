// SPDX-License-Identifier: Apache-2.0
// Two frames share an axis: the second turns about it and slides along it.
#include "joints/pair.h"

static const RowTerm terms[] = {KEEP(0, Y_A1), KEEP(1, Y_A2), SLIDE(2, Y_A3, 1), PARALLEL(3), TURN(5, 0)};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberCylindrical *p = params;
  return pair_prepare(n, PAIR_FRAMES, p->axis, NULL, p->at, p->second_at, PAIR_TERMS(terms), out);
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberCylindrical, nodes), "", true, GROUND, "the two frames", NULL},
    {"axis", FIELD_REALS, 3, offsetof(LimberCylindrical, axis), "", true, 0, "the axis, in ground axes at the start",
     &field_direction},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberCylindrical, at), "m", false, 0, PAIR_AT, &field_position},
    {"second_at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberCylindrical, second_at), "m", false, 0, PAIR_SECOND_AT,
     &field_position},
    LAW_FIELD(LimberCylindrical, 0, "angle", angle, "spring, damper, friction and limits about the axis"),
    LAW_FIELD(LimberCylindrical, 1, "slide", slide, "spring, damper, friction and limits along the axis"),
};

static const char *const row_names[] = {"F1", "F2", "F3", "M1", "M2", "M3"};
static const char *const row_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const double example_at[] = {0.4, -0.2, 0.7};
static const LimberCylindrical example = {
    {{1}, {2}}, {0.3, -0.5, 0.8}, example_at, NULL, {PAIR_LAW, {.stiffness = 1, .damping = 0.2}}};

const JointKind joint_cylindrical = {
    .name = "cylindrical",
    .help = "A cylindrical joint: rotation about an axis and displacement along it.",
    .fields = FIELDS(fields, LimberCylindrical),
    .ncoord = 2,
    .coord_names = {"angle", "slide"},
    .coord_units = {"rad", "m"},
    .rate_units = {"rad s-1", "m s-1"},
    .laws = offsetof(LimberCylindrical, law),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_CYLINDER,
    .example_nodes = "FF",
    .example = &example,
};
