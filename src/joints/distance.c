// SPDX-License-Identifier: Apache-2.0
// A rigid massless link: g = ((x_a - x_b).(x_a - x_b) - L^2)/(2 L), so that the multiplier is a force in the link.
#include "mechanics/joint.h"

static const RowTerm terms[] = {{0, 0, 0, 0.5, FACTOR_ONE}};

static const char *prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberDistance *p = params;
  double distance = vec3_norm(vec3_sub(n->x[0][0], n->x[1][0])), length = p->length > 0 ? p->length : distance;
  if (!(length > 0)) return "the nodes of a distance link coincide";
  if (fabs(distance - length) > 1e-9 * length) return "the nodes do not stand at the link's length";
  rows_y(&out->rows);
  rows_y_add(&out->rows, n->first[0], 1 / sqrt(length));
  rows_y_add(&out->rows, n->first[1], -1 / sqrt(length));
  out->rows.nrow = 1, out->rows.nterm = 1, out->rows.term = terms;
  out->rows.ref[0] = 0.5 * length;
  return NULL;
}

static const Field fields[] = {
    {"nodes", FIELD_NODES, 2, offsetof(LimberDistance, nodes), "", true, LIMBER_GROUND, "the two ends", NULL},
    {"length", FIELD_REAL, 1, offsetof(LimberDistance, length), "m", false, 0, "0: the distance of the nodes", NULL},
};

static const char *const row_names[] = {"N"}, *const row_units[] = {"N"};
static const LimberDistance example = {{1, 2}, 0};

const JointKind joint_distance = {
    .name = "distance",
    .help = "A rigid massless link between two nodes.",
    .fields = FIELDS(fields, LimberDistance),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .example_nodes = "PF",
    .example = &example,
};
