// SPDX-License-Identifier: Apache-2.0
// Two, three or four points keep their distances, as points of one rigid body: for each edge
//   g = ((x_a - x_b).(x_a - x_b) - L^2)/(2 L),
// so that its multiplier is the force in it (R. L. Taylor 2000, eq. 35).
#include "mechanics/joint.h"
#include "mechanics/simplex.h"

static const RowTerm terms[] = {{0, 0, 0, 0.5, FACTOR_ONE, 0}, {1, 1, 1, 0.5, FACTOR_ONE, 0},
                                {2, 2, 2, 0.5, FACTOR_ONE, 0}, {3, 3, 3, 0.5, FACTOR_ONE, 0},
                                {4, 4, 4, 0.5, FACTOR_ONE, 0}, {5, 5, 5, 0.5, FACTOR_ONE, 0}};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  int points = n->nnode - 1;
  Vec3 x[SIMPLEX_POINTS] = {{0, 0, 0}}, gradient[SIMPLEX_POINTS];
  (void)params;
  for (int a = 0; a < points; a++) {
    x[a] = n->x[a][0];
    if (n->points[a] || n->kind[a] != NODE_POINT)
      return reason(REASON_VALUE, "nodes", "its nodes must be points: a frame or a body is already rigid");
  }
  if (!simplex_gradients(points, x, gradient))
    return points == 4 ? reason(REASON_CONFLICT, "fourth",
                                "its points lie in one plane, and three are enough: leave out `fourth`")
           : points == 3
               ? reason(REASON_CONFLICT, "third", "its points lie on one line, and two are enough: leave out `third`")
               : reason(REASON_GEOMETRY, "nodes", "its points coincide");
  for (int e = 0; e < simplex_edges(points); e++) {
    const int *end = simplex_edge[e];
    double length = vec3_norm(vec3_sub(x[end[1]], x[end[0]]));
    rows_y(&out->rows);
    rows_y_add(&out->rows, n->first[end[0]], -1 / sqrt(length));
    rows_y_add(&out->rows, n->first[end[1]], 1 / sqrt(length));
    out->rows.ref[e] = 0.5 * length;
  }
  out->rows.nrow = out->rows.nterm = simplex_edges(points), out->rows.term = terms;
  return no_reason();
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberRigidPoints, nodes), "", true, GROUND, "two of the points", NULL},
    {"third", FIELD_NODE, 1, offsetof(LimberRigidPoints, third), "", false, LIMBER_NONE, "one more", NULL},
    {"fourth", FIELD_NODE, 1, offsetof(LimberRigidPoints, fourth), "", false, LIMBER_NONE, "one more", NULL},
};

static const char *const row_names[] = {"N12", "N13", "N23", "N14", "N24", "N34"};
static const char *const row_units[] = {"N", "N", "N", "N", "N", "N"};
static const LimberRigidPoints example = {{{1}, {2}}, {3}, {4}};

const JointKind joint_rigid_points = {
    .name = "rigid_points",
    .help = "Two, three or four points keep their distances, like points of one rigid body.",
    .fields = FIELDS(fields, LimberRigidPoints),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .example_nodes = "PPPP",
    .example = &example,
};
