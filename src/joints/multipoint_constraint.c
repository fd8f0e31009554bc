// SPDX-License-Identifier: Apache-2.0
// A point whose place others carry: g = E_i . (x - sum_a L_a x_a), i = 1, 2, 3, with the constant weights L_a of sum 1 that
// its place at the start has (mechanics/simplex.h). Two points carry all of their line, three all of their plane.
// Equations: eq-points-weights (7.2).
#include "mechanics/joint.h"
#include "mechanics/simplex.h"

static const RowTerm terms[] = {{0, 0, 3, 1, FACTOR_ONE, 0}, {1, 1, 3, 1, FACTOR_ONE, 0}, {2, 2, 3, 1, FACTOR_ONE, 0}};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  int count = n->nnode - 2;
  Vec3 x[SIMPLEX_POINTS] = {{0, 0, 0}}, gradient[SIMPLEX_POINTS];
  double weight[SIMPLEX_POINTS] = {0};
  (void)params;
  for (int a = 0; a <= count; a++) {
    if (n->points[a] || n->kind[a] != NODE_POINT)
      return reason(REASON_VALUE, a ? "reference" : "node",
                    "its nodes must be points: use `rigid_tie` for a frame or a body");
    if (a) x[a - 1] = n->x[a][0];
  }
  if (!simplex_gradients(count, x, gradient))
    return count == 4   ? reason(REASON_CONFLICT, "fourth",
                                 "the reference points lie in one plane, and three are enough: leave out `fourth`")
           : count == 3 ? reason(REASON_CONFLICT, "third",
                                 "the reference points lie on one line, and two are enough: leave out `third`")
                        : reason(REASON_GEOMETRY, "reference", "the reference points coincide");
  if (!simplex_position_weights(count, x, n->x[0][0], weight))
    return reason(REASON_GEOMETRY, "node",
                  "its `node` must lie on the line of the two reference points, or in the plane of the three");
  joint_ground_axes(n, out);
  rows_y(&out->rows);
  rows_y_add(&out->rows, n->first[0], 1);
  Vec3 off = n->x[0][0]; // round-off of the weights
  for (int a = 0; a < count; a++) {
    rows_y_add(&out->rows, n->first[a + 1], -weight[a]);
    off = vec3_axpy(off, -weight[a], x[a]);
  }
  vec3_to(off, out->rows.ref);
  out->rows.nrow = 3, out->rows.nterm = 3, out->rows.term = terms;
  return no_reason();
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberMultipointConstraint, node), "", true, GROUND, "the point", NULL},
    {"reference", FIELD_NODES, 2, offsetof(LimberMultipointConstraint, reference), "", true, GROUND,
     "two reference points", NULL},
    {"third", FIELD_NODE, 1, offsetof(LimberMultipointConstraint, third), "", false, LIMBER_NONE, "one more", NULL},
    {"fourth", FIELD_NODE, 1, offsetof(LimberMultipointConstraint, fourth), "", false, LIMBER_NONE, "one more", NULL},
};

static const char *const row_names[] = {"F1", "F2", "F3"}, *const row_units[] = {"N", "N", "N"};
static const LimberMultipointConstraint example = {{1}, {{2}, {3}}, {4}, {5}};

const JointKind joint_multipoint_constraint = {
    .name = "multipoint_constraint",
    .help = "A point keeps its position relative to two, three or four other points, by linear interpolation.",
    .fields = FIELDS(fields, LimberMultipointConstraint),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .example_nodes = "PPPPP",
    .example = &example,
};
