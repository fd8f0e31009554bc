// SPDX-License-Identifier: Apache-2.0
// The second frame slides in a plane of the first and turns about its normal.
#include "joints/pair.h"

static const RowTerm terms[] = {KEEP(0, Y_A3), SLIDE(1, Y_A1, 1), SLIDE(2, Y_A2, 2), PARALLEL(3), TURN(5, 0)};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberPlanar *p = params;
  return pair_prepare(n, PAIR_FRAMES, p->axis, p->along, p->at, p->second_at, PAIR_TERMS(terms), out);
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberPlanar, nodes), "", true, GROUND, "the two frames", NULL},
    {"axis", FIELD_REALS, 3, offsetof(LimberPlanar, axis), "", true, 0,
     "normal of the plane, in ground axes at the start", &field_direction},
    {"along", FIELD_OPTIONAL_REALS, 3, offsetof(LimberPlanar, along), "", false, 0, PAIR_ALONG, &field_direction},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberPlanar, at), "m", false, 0, PAIR_AT, &field_position},
    {"second_at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberPlanar, second_at), "m", false, 0, PAIR_SECOND_AT,
     &field_position},
    LAW_FIELD(LimberPlanar, 0, "angle", angle, "spring, damper, friction and limits about the normal"),
    LAW_FIELD(LimberPlanar, 1, "slide1", slide,
              "spring, damper, friction and limits along the first direction of the plane, `along`"),
    LAW_FIELD(LimberPlanar, 2, "slide2", slide,
              "spring, damper, friction and limits along the second direction of the plane, axis x slide1"),
};

static const char *const row_names[] = {"F3", "F1", "F2", "M1", "M2", "M3"};
static const char *const row_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const double example_at[] = {0.4, -0.2, 0.7};
static const LimberPlanar example = {
    {{1}, {2}}, {0.3, -0.5, 0.8},
    NULL,       example_at,
    NULL,       {PAIR_LAW, {.stiffness = 1, .damping = 0.2}, {.stiffness = 2, .damping = 0.2}}};

const JointKind joint_planar = {
    .name = "planar",
    .help = "A planar joint: two displacements in a plane and rotation about its normal.",
    .fields = FIELDS(fields, LimberPlanar),
    .ncoord = 3,
    .coord_names = {"angle", "slide1", "slide2"},
    .coord_units = {"rad", "m", "m"},
    .rate_units = {"rad s-1", "m s-1", "m s-1"},
    .laws = offsetof(LimberPlanar, law),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_PLANE,
    .example_nodes = "FF",
    .example = &example,
};
