// SPDX-License-Identifier: Apache-2.0
// The second frame slides along an axis of the first and does not turn against it.
#include "joints/pair.h"

static const RowTerm terms[] = {KEEP(0, Y_A1), KEEP(1, Y_A2), SLIDE(2, Y_A3, 0), ALIGN(3)};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberPrismatic *p = params;
  return pair_prepare(n, PAIR_FRAMES, p->axis, NULL, p->at, p->second_at, PAIR_TERMS(terms), out);
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberPrismatic, nodes), "", true, GROUND, "the two frames", NULL},
    {"axis", FIELD_REALS, 3, offsetof(LimberPrismatic, axis), "", true, 0, "the axis, in ground axes at the start",
     &field_direction},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberPrismatic, at), "m", false, 0, PAIR_AT, &field_position},
    {"second_at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberPrismatic, second_at), "m", false, 0, PAIR_SECOND_AT,
     &field_position},
    LAW_FIELD(LimberPrismatic, 0, "slide", slide, "spring, damper, friction and limits along the axis"),
};

static const char *const row_names[] = {"F1", "F2", "F3", "M3", "M1", "M2"};
static const char *const row_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const double example_at[] = {0.4, -0.2, 0.7};
static const LimberPrismatic example = {{{1}, {2}}, {0.3, -0.5, 0.8}, example_at, NULL, {PAIR_LAW}};

const JointKind joint_prismatic = {
    .name = "prismatic",
    .help = "A prismatic joint: displacement along an axis, no rotation.",
    .fields = FIELDS(fields, LimberPrismatic),
    .ncoord = 1,
    .coord_names = {"slide"},
    .coord_units = {"m"},
    .rate_units = {"m s-1"},
    .laws = offsetof(LimberPrismatic, law),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_SLIDER,
    .example_nodes = "FF",
    .example = &example,
};
