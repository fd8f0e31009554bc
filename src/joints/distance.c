// SPDX-License-Identifier: Apache-2.0
// A rigid massless link: g = ((x_a - x_b).(x_a - x_b) - L^2)/(2 L), so that the multiplier is a force in the link.
#include "mechanics/joint.h"

static const RowTerm terms[] = {{0, 0, 0, 0.5, FACTOR_ONE, 0}};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberDistance *p = params;
  Vec3 end[2];
  for (int i = 0; i < 2; i++) {
    end[i] = out->geometry.at[i] = p->at[i] ? vec3_of(p->at[i]) : n->x[i][0];
    if (n->kind[i] == NODE_POINT && vec3_norm(vec3_sub(end[i], n->x[i][0])) > 0)
      return reason(REASON_GEOMETRY, i ? "to" : "from", "a point has no lever arm: the link ends at the node itself");
  }
  double distance = vec3_norm(vec3_sub(end[0], end[1])), length = p->length > 0 ? p->length : distance;
  if (p->length < 0) return reason(REASON_VALUE, "length", "a length must not be negative");
  if (!(distance > 0))
    return reason(REASON_GEOMETRY,
                  p->at[1]   ? "to"
                  : p->at[0] ? "from"
                             : "nodes",
                  "the ends of a distance link coincide");
  rows_y(&out->rows);
  for (int i = 0; i < 2; i++) joint_add_position(out, (i ? -1 : 1) / sqrt(length), n, i, end[i]);
  out->rows.nrow = 1, out->rows.nterm = 1, out->rows.term = terms;
  out->rows.ref[0] = 0.5 * length;
  return no_reason();
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberDistance, nodes), "", true, GROUND, "the two nodes", NULL},
    {"length", FIELD_REAL, 1, offsetof(LimberDistance, length), "m", false, 0,
     "length; default: distance of the ends; a given length may require the model to be assembled", NULL},
    {"from", FIELD_OPTIONAL_REALS, 3, offsetof(LimberDistance, at[0]), "m", false, 0,
     "end of the link, fixed to the first node, in ground axes at the start; default: the node", &field_position},
    {"to", FIELD_OPTIONAL_REALS, 3, offsetof(LimberDistance, at[1]), "m", false, 0, "the same for the second node",
     &field_position},
};

static const char *const row_names[] = {"N"}, *const row_units[] = {"N"};
static const LimberDistance example = {{{1}, {2}}, 0, {NULL, NULL}};

const JointKind joint_distance = {
    .name = "distance",
    .help = "A rigid massless link between two nodes.",
    .fields = FIELDS(fields, LimberDistance),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_LINK,
    .example_nodes = "PF",
    .example = &example,
};
