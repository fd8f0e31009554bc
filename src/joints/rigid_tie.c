// SPDX-License-Identifier: Apache-2.0
// A body carries a point: g = E_i . (y - x), i = 1, 2, 3, y the place of the body where the point stands at the start. A group of
// a mesh, each node with such rows, is the interface between flexible cells and a rigid body (R. L. Taylor 2000, 6.1).
#include "mechanics/joint.h"

static const RowTerm terms[] = {{0, 0, 3, 1, FACTOR_ONE, 0}, {1, 1, 3, 1, FACTOR_ONE, 0}, {2, 2, 3, 1, FACTOR_ONE, 0}};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  (void)params;
  if (n->kind[0] == NODE_POINT)
    return reason(REASON_VALUE, "body", "its `body` is a point: it must be a frame or a body of points");
  if (n->points[1] || n->kind[1] == NODE_FRAME)
    return reason(REASON_VALUE, "node", "its `node` is a frame: use a `weld` for two bodies or frames");
  joint_ground_axes(n, out);
  out->geometry.at[0] = out->geometry.at[1] = n->x[1][0];
  rows_y(&out->rows);
  joint_add_position(out, 1, n, 0, n->x[1][0]);
  joint_add_position(out, -1, n, 1, n->x[1][0]);
  out->rows.nrow = 3, out->rows.nterm = 3, out->rows.term = terms;
  return no_reason();
}

static const Field fields[] = {
    {"body", FIELD_NODE, 1, offsetof(LimberRigidTie, body), "", true, GROUND, "a frame or a body of points", NULL},
    {"node", FIELD_NODE, 1, offsetof(LimberRigidTie, node), "", true, GROUND,
     "a point fixed to it, or all points of a group: MESH.GROUP, BEAM.start", NULL},
};

static const char *const row_names[] = {"F1", "F2", "F3"}, *const row_units[] = {"N", "N", "N"};
static const LimberRigidTie example = {{1}, {2}};

const JointKind joint_rigid_tie = {
    .name = "rigid_tie",
    .help = "Fixes a point, or all points of a group, to a frame or to a body of points.",
    .fields = FIELDS(fields, LimberRigidTie),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_TIE,
    .example_nodes = "FP",
    .example = &example,
};
