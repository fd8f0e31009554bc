// SPDX-License-Identifier: Apache-2.0
// An interface of a reduced body: three rows g = E_i . (sum_a weight_a x_a - place r - sum_j along_j d_j), linear in all
// vectors. Its centre has place 1, its axes have place 0 (mechanics/reduction.h). A frame that has the mean rotation of
// its nodes has in place of the axes three rows g = d_i . G_j - d_j . G_i with the moments G_i = sum_a mean_ia x_a.
// Equations: eq-reduced-interface (10.16), eq-reduced-average (10.17).
#include "mechanics/joint.h"

static const RowTerm terms[] = {{0, 0, 3, 1, FACTOR_ONE, 0}, {1, 1, 3, 1, FACTOR_ONE, 0}, {2, 2, 3, 1, FACTOR_ONE, 0}};

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const InterfaceTie *p = params;
  Vec3 off = vec3_scale(-p->place, n->x[0][0]); // round-off of the weights
  joint_ground_axes(n, out);
  out->geometry.at[0] = out->geometry.at[1] = n->x[0][0];
  rows_y(&out->rows);
  for (int a = 0; a < p->points; a++) {
    rows_y_add(&out->rows, n->first[a + 1], p->weight[a]);
    off = vec3_axpy(off, p->weight[a], n->x[a + 1][0]);
  }
  if (p->place != 0) rows_y_add(&out->rows, n->first[0], -p->place);
  rows_y_add_direction(&out->rows, -1, n->first[0], n->x[0], p->along);
  vec3_to(vec3_sub(off, p->along), out->rows.ref);
  out->rows.nrow = 3, out->rows.nterm = 3, out->rows.term = terms;
  return no_reason();
}

// The moments G_i come first, then the axes d_i.
enum { D = 3 };
static const RowTerm rotation_terms[] = {
    {0, 2, D + 1, 1, FACTOR_ONE, 0}, {0, 1, D + 2, -1, FACTOR_ONE, 0}, {1, 0, D + 2, 1, FACTOR_ONE, 0},
    {1, 2, D, -1, FACTOR_ONE, 0},    {2, 1, D, 1, FACTOR_ONE, 0},      {2, 0, D + 1, -1, FACTOR_ONE, 0},
};

static Reason prepare_rotation(const void *params, const JointNodes *n, Joint *out) {
  const InterfaceTie *p = params;
  double moment[3][3] = {{0}};
  out->geometry.at[0] = out->geometry.at[1] = n->x[0][0];
  for (int i = 0; i < 3; i++) {
    Vec3 sum = vec3_zero();
    rows_y(&out->rows);
    for (int a = 0; a < p->points; a++) {
      rows_y_add(&out->rows, n->first[a + 1], p->mean[i][a]);
      sum = vec3_axpy(sum, p->mean[i][a], n->x[a + 1][0]);
    }
    vec3_to(sum, moment[i]);
  }
  for (int i = 0; i < 3; i++) {
    rows_y(&out->rows);
    rows_y_add_direction(&out->rows, 1, n->first[0], n->x[0], vec3(i == 0, i == 1, i == 2));
    out->rows.ref[i] = moment[(i + 2) % 3][(i + 1) % 3] - moment[(i + 1) % 3][(i + 2) % 3]; // round-off
  }
  out->rows.nrow = 3, out->rows.nterm = 6, out->rows.term = rotation_terms;
  return no_reason();
}

static const Field fields[] = {
    {"frame", FIELD_NODE, 1, offsetof(InterfaceTie, frame), "", true, LIMBER_NONE, "a frame", NULL},
    {"points", FIELD_NODES, INTERFACE_POINTS, offsetof(InterfaceTie, point), "", false, LIMBER_NONE, "of the body",
     NULL},
};

static const char *const row_names[] = {"F1", "F2", "F3"}, *const row_units[] = {"N", "N", "N"};

const JointKind joint_interface = {
    .name = "interface",
    .help = "Holds a frame to the points of a reduced body.",
    .fields = FIELDS(fields, InterfaceTie),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
};

static const char *const rotation_names[] = {"M1", "M2", "M3"}, *const rotation_units[] = {"N m", "N m", "N m"};

const JointKind joint_interface_rotation = {
    .name = "interface_rotation",
    .help = "Gives a frame the mean rotation of nodes of a reduced body.",
    .fields = FIELDS(fields, InterfaceTie),
    .prepare = prepare_rotation,
    .row_names = rotation_names,
    .row_units = rotation_units,
};
