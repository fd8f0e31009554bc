// SPDX-License-Identifier: Apache-2.0
// Two frames share a point and an axis; phi is the turn of the second against the first about it.
// With triads (a) and (b) of the two nodes that coincide at the start, third vector along the axis:
//   g = E_i.(x_a - x_b),  b_1.a_3,  b_2.a_3,  (a_1.b_1) sin phi + (a_1.b_2) cos phi   (Bauchau & Theron 1996, eq. 31)
#include "mechanics/joint.h"

enum { Y_SLIP = 3, Y_A1, Y_A3, Y_B1, Y_B2 };

static const RowTerm terms[] = {
    {0, 0, Y_SLIP, 1, FACTOR_ONE},  {1, 1, Y_SLIP, 1, FACTOR_ONE},  {2, 2, Y_SLIP, 1, FACTOR_ONE},
    {3, Y_B1, Y_A3, 1, FACTOR_ONE}, {4, Y_B2, Y_A3, 1, FACTOR_ONE}, {5, Y_A1, Y_B1, 1, FACTOR_SIN},
    {5, Y_A1, Y_B2, 1, FACTOR_COS},
};

static const char *prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberRevolute *p = params;
  Vec3 axis = vec3_of(p->axis);
  if (n->kind[0] == NODE_POINT || n->kind[1] == NODE_POINT) return "a revolute ties two frames; a point has no axes";
  if (!(vec3_norm(axis) > 0)) return "the axis of a revolute must not be zero";
  axis = vec3_unit(axis);
  Vec3 e1 = vec3_normal(axis), e2 = vec3_cross(axis, e1), at = n->x[1][0];
  joint_ground_axes(n, out);
  rows_y(&out->rows);
  rows_y_add_point(&out->rows, 1, n->first[0], n->kind[0], n->x[0], at);
  rows_y_add_point(&out->rows, -1, n->first[1], n->kind[1], n->x[1], at);
  Vec3 direction[4] = {e1, axis, e1, e2};
  for (int i = 0; i < 4; i++) {
    rows_y(&out->rows);
    rows_y_add_direction(&out->rows, 1, n->first[i / 2], n->x[i / 2], direction[i]);
  }
  out->rows.nrow = 6, out->rows.nterm = (int)(sizeof terms / sizeof terms[0]), out->rows.term = terms;
  return NULL;
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberRevolute, nodes), "", true, LIMBER_GROUND,
     "the two frames; they meet where the second stands", NULL},
    {"axis", FIELD_REALS, 3, offsetof(LimberRevolute, axis), "", true, 0, "the axis, in ground axes at the start",
     NULL},
};

static const char *const row_names[] = {"F1", "F2", "F3", "M1", "M2", "M3"};
static const char *const row_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const LimberRevolute example = {{1, 2}, {0.3, -0.5, 0.8}};

const JointKind joint_revolute = {
    .name = "revolute",
    .help = "A hinge, with its angle.",
    .fields = FIELDS(fields, LimberRevolute),
    .angle = true,
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .example_nodes = "FF",
    .example = &example,
};
