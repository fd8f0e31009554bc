// SPDX-License-Identifier: Apache-2.0
// A point of the second node stays in a plane that the first carries.
#include "joints/pair.h"

static const RowTerm terms[] = {KEEP(0, Y_A3), SLIDE(1, Y_A1, 0), SLIDE(2, Y_A2, 1)};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberPointInPlane *p = params;
  return pair_prepare(n, PAIR_FIRST_FRAME, p->axis, p->along, p->at, p->second_at, PAIR_TERMS(terms), out);
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberPointInPlane, nodes), "", true, GROUND,
     "a frame with the plane, and the node that moves in it", NULL},
    {"axis", FIELD_REALS, 3, offsetof(LimberPointInPlane, axis), "", true, 0,
     "normal of the plane, in ground axes at the start", &field_direction},
    {"along", FIELD_OPTIONAL_REALS, 3, offsetof(LimberPointInPlane, along), "", false, 0, PAIR_ALONG, &field_direction},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberPointInPlane, at), "m", false, 0, PAIR_AT, &field_position},
    {"second_at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberPointInPlane, second_at), "m", false, 0, PAIR_SECOND_AT,
     &field_position},
    LAW_FIELD(LimberPointInPlane, 0, "slide1", slide,
              "spring, damper, friction and limits along the first direction of the plane, `along`"),
    LAW_FIELD(LimberPointInPlane, 1, "slide2", slide,
              "spring, damper, friction and limits along the second direction of the plane, axis x slide1"),
};

static const char *const row_names[] = {"F3", "F1", "F2"};
static const char *const row_units[] = {"N", "N", "N"};
static const LimberPointInPlane example = {
    {{1}, {2}}, {0.3, -0.5, 0.8}, NULL, NULL, NULL, {PAIR_LAW, {.stiffness = 1, .damping = 0.2}}};

const JointKind joint_point_in_plane = {
    .name = "point_in_plane",
    .help = "A node moves in a plane of a frame, with two displacements.",
    .fields = FIELDS(fields, LimberPointInPlane),
    .ncoord = 2,
    .coord_names = {"slide1", "slide2"},
    .coord_units = {"m", "m"},
    .rate_units = {"m s-1", "m s-1"},
    .laws = offsetof(LimberPointInPlane, law),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_PLANE,
    .example_nodes = "FP",
    .example = &example,
};
