// SPDX-License-Identifier: Apache-2.0
// Two nodes share a point, the place of the second node at the start: g = E_i . (x_a - x_b), i = 1, 2, 3.
#include "mechanics/joint.h"

static const RowTerm terms[] = {{0, 0, 3, 1, FACTOR_ONE}, {1, 1, 3, 1, FACTOR_ONE}, {2, 2, 3, 1, FACTOR_ONE}};

static const char *prepare(const void *params, const JointNodes *n, Joint *out) {
  (void)params;
  Vec3 at = n->x[1][0];
  if (n->kind[0] == NODE_POINT && vec3_norm(vec3_sub(n->x[0][0], at)) > 0)
    return "a point has no arm: the nodes must coincide, or the first must be a frame";
  joint_ground_axes(n, out);
  rows_y(&out->rows);
  rows_y_add_point(&out->rows, 1, n->first[0], n->kind[0], n->x[0], at);
  rows_y_add_point(&out->rows, -1, n->first[1], n->kind[1], n->x[1], at);
  out->rows.nrow = 3, out->rows.nterm = 3, out->rows.term = terms;
  return NULL;
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberSpherical, nodes), "", true, LIMBER_GROUND,
     "the two nodes; they meet where the second stands", NULL},
};

static const char *const row_names[] = {"F1", "F2", "F3"}, *const row_units[] = {"N", "N", "N"};
static const LimberSpherical example = {{1, 2}};

const JointKind joint_spherical = {
    .name = "spherical",
    .help = "Two nodes share a point and turn freely.",
    .fields = FIELDS(fields, LimberSpherical),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .example_nodes = "FF",
    .example = &example,
};
