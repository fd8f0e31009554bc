// SPDX-License-Identifier: Apache-2.0
// The second frame turns about an axis of the first and slides by pitch/(2 pi) times the angle along it. The place of b_3
// among the vectors y holds pitch/(2 pi) E_1.
#include "joints/pair.h"

enum { Y_PITCH = Y_B3 };

static const RowTerm terms[] = {
    KEEP(0, Y_A1), KEEP(1, Y_A2), KEEP(2, Y_A3), {2, 0, Y_PITCH, 1, FACTOR_LINEAR, 0}, PARALLEL(3), TURN(5, 0),
};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberScrew *p = params;
  const double turn = 6.283185307179586;
  Reason error = pair_prepare(n, PAIR_FRAMES, p->axis, NULL, p->at, p->second_at, PAIR_TERMS(terms), out);
  if (error.text) return error;
  out->rows.ny--;
  rows_y(&out->rows);
  rows_y_add(&out->rows, n->first[n->nnode - 1] + 1, p->pitch / turn);
  return no_reason();
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberScrew, nodes), "", true, GROUND, "the two frames", NULL},
    {"axis", FIELD_REALS, 3, offsetof(LimberScrew, axis), "", true, 0, "the axis, in ground axes at the start",
     &field_direction},
    {"pitch", FIELD_REAL, 1, offsetof(LimberScrew, pitch), "m", true, 0,
     "displacement along the axis per turn; negative: left-handed thread", NULL},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberScrew, at), "m", false, 0, PAIR_AT, &field_position},
    {"second_at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberScrew, second_at), "m", false, 0, PAIR_SECOND_AT,
     &field_position},
    LAW_FIELD(LimberScrew, 0, "angle", angle, "spring, damper, friction and limits about the axis"),
};

static const char *const row_names[] = {"F1", "F2", "F3", "M1", "M2", "M3"};
static const char *const row_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const double example_at[] = {0.4, -0.2, 0.7};
static const LimberScrew example = {{{1}, {2}}, {0.3, -0.5, 0.8}, 0.3, example_at, NULL, {PAIR_LAW}};

const JointKind joint_screw = {
    .name = "screw",
    .help = "A screw joint: rotation about an axis and proportional displacement along it.",
    .fields = FIELDS(fields, LimberScrew),
    .ncoord = 1,
    .coord_names = {"angle"},
    .coord_units = {"rad"},
    .rate_units = {"rad s-1"},
    .laws = offsetof(LimberScrew, law),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_CYLINDER,
    .example_nodes = "FF",
    .example = &example,
};
