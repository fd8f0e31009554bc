// SPDX-License-Identifier: Apache-2.0
// Two frames share a point and an axis; the angle is the turn of the second against the first about it.
#include "joints/pair.h"

static const RowTerm terms[] = {MEET(0), PARALLEL(3), TURN(5, 0)};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberRevolute *p = params;
  return pair_prepare(n, PAIR_FRAMES, p->axis, NULL, p->at, p->second_at, PAIR_TERMS(terms), out);
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberRevolute, nodes), "", true, GROUND, "the two frames", NULL},
    {"axis", FIELD_REALS, 3, offsetof(LimberRevolute, axis), "", true, 0, "the axis, in ground axes at the start",
     &field_direction},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberRevolute, at), "m", false, 0, PAIR_AT, &field_position},
    {"second_at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberRevolute, second_at), "m", false, 0, PAIR_SECOND_AT,
     &field_position},
    LAW_FIELD(LimberRevolute, 0, "angle", angle, "spring, damper, friction and limits about the axis"),
};

static const char *const row_names[] = {"F1", "F2", "F3", "M1", "M2", "M3"};
static const char *const row_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const LimberRevolute example = {{{1}, {2}}, {0.3, -0.5, 0.8}, NULL, NULL, {PAIR_LAW}};

const JointKind joint_revolute = {
    .name = "revolute",
    .help = "A revolute joint (hinge): rotation about an axis.",
    .fields = FIELDS(fields, LimberRevolute),
    .ncoord = 1,
    .coord_names = {"angle"},
    .coord_units = {"rad"},
    .rate_units = {"rad s-1"},
    .laws = offsetof(LimberRevolute, law),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_HINGE,
    .example_nodes = "FF",
    .example = &example,
};
