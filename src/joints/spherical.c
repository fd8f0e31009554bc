// SPDX-License-Identifier: Apache-2.0
// Two nodes share a point: g = E_i . (x_a - x_b), i = 1, 2, 3.
#include "mechanics/joint.h"

static const RowTerm terms[] = {{0, 0, 3, 1, FACTOR_ONE, 0}, {1, 1, 3, 1, FACTOR_ONE, 0}, {2, 2, 3, 1, FACTOR_ONE, 0}};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberSpherical *p = params;
  Vec3 at[2] = {p->at ? vec3_of(p->at) : n->x[1][0]};
  at[1] = p->second_at ? vec3_of(p->second_at) : at[0];
  for (int i = 0; i < 2; i++)
    if (n->kind[i] == NODE_POINT && vec3_norm(vec3_sub(n->x[i][0], at[i])) > 0)
      return reason(REASON_GEOMETRY, "at", "a point has no lever arm: it must be at the location of the joint");
  joint_ground_axes(n, out);
  out->geometry.at[0] = at[0], out->geometry.at[1] = at[1];
  rows_y(&out->rows);
  joint_add_position(out, 1, n, 0, at[0]);
  joint_add_position(out, -1, n, 1, at[1]);
  out->rows.nrow = 3, out->rows.nterm = 3, out->rows.term = terms;
  return no_reason();
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberSpherical, nodes), "", true, GROUND, "the two nodes", NULL},
    {"at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberSpherical, at), "m", false, 0,
     "location of the joint, fixed to both nodes, in ground axes at the start; default: position of the second node",
     &field_position},
    {"second_at", FIELD_OPTIONAL_REALS, 3, offsetof(LimberSpherical, second_at), "m", false, 0,
     "location of the joint on the second node, if it differs from `at`: the model is then assembled", &field_position},
};

static const char *const row_names[] = {"F1", "F2", "F3"}, *const row_units[] = {"N", "N", "N"};
static const LimberSpherical example = {{{1}, {2}}, NULL, NULL};

const JointKind joint_spherical = {
    .name = "spherical",
    .help = "A spherical joint: two nodes share a point and rotate freely.",
    .fields = FIELDS(fields, LimberSpherical),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_BALL,
    .example_nodes = "FF",
    .example = &example,
};
