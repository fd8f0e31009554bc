// SPDX-License-Identifier: Apache-2.0
// Hooke's joint: two frames share a point and carry one arm each of a cross, a_3 and b_1, that stay normal. The first angle
// is the turn of the cross about a_3, the second that of the second frame about b_1:
//   b_1 = cos z_1 a_1 + sin z_1 a_2,   a_3 = cos z_2 b_3 + sin z_2 b_2
#include "joints/pair.h"

static const RowTerm terms[] = {
    MEET(0),
    NORMAL(3, Y_A3, Y_B1),
    {4, Y_A1, Y_B1, 1, FACTOR_SIN, 0},
    {4, Y_A2, Y_B1, -1, FACTOR_COS, 0},
    {5, Y_A3, Y_B3, 1, FACTOR_SIN, 1},
    {5, Y_A3, Y_B2, -1, FACTOR_COS, 1},
};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberUniversal *p = params;
  Vec3 axis = vec3_of(p->axis), second = vec3_of(p->second_axis);
  if (!(vec3_norm(second) > 0))
    return reason(REASON_VALUE, "second_axis", "the second direction must not be parallel to the axis");
  if (fabs(vec3_dot(axis, second)) > 1e-9 * vec3_norm(axis) * vec3_norm(second))
    return reason(REASON_GEOMETRY, "second_axis", "the two axes of a universal joint must be normal to each other");
  return pair_prepare(n, PAIR_FRAMES, p->axis, p->second_axis, p->at, p->second_at, PAIR_TERMS(terms), out);
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberUniversal, nodes), "", true, GROUND, "the two frames", NULL},
    {"axis", FIELD_REALS, 3, offsetof(LimberUniversal, axis), "", true, 0,
     "axis of the cross fixed to the first frame, in ground axes at the start", &field_direction},
    {"second_axis", FIELD_REALS, 3, offsetof(LimberUniversal, second_axis), "", true, 0,
     "axis of the cross fixed to the second frame, normal to the first", &field_direction},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberUniversal, at), "m", false, 0, PAIR_AT, &field_position},
    {"second_at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberUniversal, second_at), "m", false, 0, PAIR_SECOND_AT,
     &field_position},
    LAW_FIELD(LimberUniversal, 0, "angle1", angle, "spring, damper, friction and limits about the first axis"),
    LAW_FIELD(LimberUniversal, 1, "angle2", angle, "spring, damper, friction and limits about the second axis"),
};

static const char *const row_names[] = {"F1", "F2", "F3", "M", "M1", "M2"};
static const char *const row_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const double example_at[] = {0.4, -0.2, 0.7};
static const LimberUniversal example = {{{1}, {2}}, {0.6, 0, 0.8}, {-0.8, 0, 0.6},
                                        example_at, NULL,          {PAIR_LAW, {.stiffness = 1, .damping = 0.2}}};

const JointKind joint_universal = {
    .name = "universal",
    .help = "A universal joint: two shafts joined by a cross, with two angles.",
    .fields = FIELDS(fields, LimberUniversal),
    .ncoord = 2,
    .coord_names = {"angle1", "angle2"},
    .coord_units = {"rad", "rad"},
    .rate_units = {"rad s-1", "rad s-1"},
    .laws = offsetof(LimberUniversal, law),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_CROSS,
    .example_nodes = "FF",
    .example = &example,
};
