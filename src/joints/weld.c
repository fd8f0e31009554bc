// SPDX-License-Identifier: Apache-2.0
// Two frames move as one: they share a point, and a_1.b_2 = a_2.b_3 = a_3.b_1 = 0 for a triad (a) of the first node and
// the triad (b) of the second that coincides with it at the start.
#include "joints/pair.h"

static const RowTerm terms[] = {
    {0, 0, 3, 1, FACTOR_ONE, 0}, {1, 1, 3, 1, FACTOR_ONE, 0}, {2, 2, 3, 1, FACTOR_ONE, 0},
    {3, 4, 8, 1, FACTOR_ONE, 0}, {4, 5, 9, 1, FACTOR_ONE, 0}, {5, 6, 7, 1, FACTOR_ONE, 0},
};

const char weld_needs_frames[] = "only frames can be welded; a point has no axes";

Reason weld_prepare(const JointNodes *n, int a, int b, Joint *out) {
  if (n->kind[a] == NODE_POINT || n->kind[b] == NODE_POINT) return reason(REASON_VALUE, "nodes", weld_needs_frames);
  joint_ground_axes(n, out);
  rows_y(&out->rows);
  joint_add_position(out, 1, n, a, n->x[b][0]);
  joint_add_position(out, -1, n, b, n->x[b][0]);
  for (int node = 0; node < 2; node++)
    for (int j = 1; j < 4; j++) {
      int k = node ? b : a;
      rows_y(&out->rows);
      joint_add_direction(out, 1, n, k, n->x[a][j]);
    }
  out->rows.nrow = 6, out->rows.nterm = 6, out->rows.term = terms;
  return no_reason();
}

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  (void)params;
  return weld_prepare(n, 0, 1, out);
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberWeld, nodes), "", true, GROUND, "the two frames", NULL},
};

const char *const weld_row_names[] = {"F1", "F2", "F3", "M3", "M1", "M2"};
const char *const weld_row_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const LimberWeld example = {{{1}, {2}}};

const JointKind joint_weld = {
    .name = "weld",
    .help = "A rigid connection of two frames.",
    .fields = FIELDS(fields, LimberWeld),
    .prepare = prepare,
    .row_names = weld_row_names,
    .row_units = weld_row_units,
    .mark = MARK_WELD,
    .example_nodes = "FF",
    .example = &example,
};
