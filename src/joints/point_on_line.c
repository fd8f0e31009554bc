// SPDX-License-Identifier: Apache-2.0
// A point of the second node stays on a line that the first carries.
#include "joints/pair.h"

static const RowTerm terms[] = {KEEP(0, Y_A1), KEEP(1, Y_A2), SLIDE(2, Y_A3, 0)};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberPointOnLine *p = params;
  return pair_prepare(n, PAIR_FIRST_FRAME, p->axis, NULL, p->at, p->second_at, PAIR_TERMS(terms), out);
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberPointOnLine, nodes), "", true, GROUND,
     "a frame with the line, and the node that moves along it", NULL},
    {"axis", FIELD_REALS, 3, offsetof(LimberPointOnLine, axis), "", true, 0, "the axis, in ground axes at the start",
     &field_direction},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberPointOnLine, at), "m", false, 0, PAIR_AT, &field_position},
    {"second_at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberPointOnLine, second_at), "m", false, 0, PAIR_SECOND_AT,
     &field_position},
    LAW_FIELD(LimberPointOnLine, 0, "slide", slide, "spring, damper, friction and limits along the line"),
};

static const char *const row_names[] = {"F1", "F2", "F3"};
static const char *const row_units[] = {"N", "N", "N"};
static const LimberPointOnLine example = {{{1}, {2}}, {0.3, -0.5, 0.8}, NULL, NULL, {PAIR_LAW}};

const JointKind joint_point_on_line = {
    .name = "point_on_line",
    .help = "A node moves along a line of a frame, with one displacement.",
    .fields = FIELDS(fields, LimberPointOnLine),
    .ncoord = 1,
    .coord_names = {"slide"},
    .coord_units = {"m"},
    .rate_units = {"m s-1"},
    .laws = offsetof(LimberPointOnLine, law),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_SLIDER,
    .example_nodes = "FP",
    .example = &example,
};
