// SPDX-License-Identifier: Apache-2.0
// The distance l = L + z of two places as a coordinate: it holds nothing, but laws and loads can act along it.
//   g = ((x_a - x_b).(x_a - x_b) - (L + z)^2)/(2 L),  L the distance at the start,
// so that at the start the multiplier is the tension; later it is the tension times L/l.
#include "mechanics/joint.h"

enum { Y_ONE, Y_E, Y_D }; // a unit vector of the ground, the same and the difference of the ends over sqrt(L)

static const RowTerm terms[] = {
    {0, Y_D, Y_D, 0.5, FACTOR_ONE, 0},
    {0, Y_ONE, Y_ONE, -1, FACTOR_LINEAR, 0},
    {0, Y_E, Y_E, -0.5, FACTOR_SQUARE, 0},
};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberActuator *p = params;
  int ground = n->first[n->nnode - 1];
  Vec3 end[2];
  for (int i = 0; i < 2; i++) {
    end[i] = out->geometry.at[i] = p->at[i] ? vec3_of(p->at[i]) : n->x[i][0];
    if (n->kind[i] == NODE_POINT && vec3_norm(vec3_sub(end[i], n->x[i][0])) > 0)
      return reason(REASON_GEOMETRY, i ? "to" : "from",
                    "a point has no lever arm: the actuator ends at the node itself");
  }
  double length = vec3_norm(vec3_sub(end[0], end[1]));
  if (!(length > 0))
    return reason(REASON_GEOMETRY,
                  p->at[1]   ? "to"
                  : p->at[0] ? "from"
                             : "nodes",
                  "the ends of an actuator coincide, so that it has no direction");
  rows_y(&out->rows);
  rows_y_add(&out->rows, ground + 1, 1);
  rows_y(&out->rows);
  rows_y_add(&out->rows, ground + 1, 1 / sqrt(length));
  rows_y(&out->rows);
  for (int i = 0; i < 2; i++) joint_add_position(out, (i ? -1 : 1) / sqrt(length), n, i, end[i]);
  out->rows.nrow = 1, out->rows.nterm = (int)(sizeof terms / sizeof terms[0]), out->rows.term = terms;
  out->rows.ref[0] = 0.5 * length;
  return no_reason();
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberActuator, nodes), "", true, GROUND, "the two nodes", NULL},
    {"from", FIELD_OPTIONAL_REALS, 3, offsetof(LimberActuator, at[0]), "m", false, 0,
     "end of the actuator, fixed to the first node, in ground axes at the start; default: the node", &field_position},
    {"to", FIELD_OPTIONAL_REALS, 3, offsetof(LimberActuator, at[1]), "m", false, 0, "the same for the second node",
     &field_position},
    LAW_FIELD(LimberActuator, 0, "slide", slide,
              "spring, damper, friction and limits along its change of length since the start"),
};

static const char *const row_names[] = {"N"}, *const row_units[] = {"N"};
static const double example_limits[2] = {-0.5, 1.5};
static const LimberActuator example = {
    {{1}, {2}},
    {NULL, NULL},
    {{.stiffness = 3, .rest = 0.2, .damping = 0.1, .limit_stiffness = 20, .limits = example_limits}}};

const JointKind joint_actuator = {
    .name = "actuator",
    .help = "The distance between two points as a coordinate, for actuators; it adds no constraint.",
    .fields = FIELDS(fields, LimberActuator),
    .ncoord = 1,
    .coord_names = {"slide"},
    .coord_units = {"m"},
    .rate_units = {"m s-1"},
    .laws = offsetof(LimberActuator, law),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_ACTUATOR,
    .example_nodes = "PF",
    .example = &example,
};
