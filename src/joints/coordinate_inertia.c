// SPDX-License-Identifier: Apache-2.0
// Inertia I of a coordinate z of another joint. A point of mass 1 moves along the ground's first axis,
//   g_0 = sqrt(I) z - E_1 . s,   g_1 = E_2 . s,   g_2 = E_3 . s,   g_3 = the row that gives z its value,   s = x - x(start),
// so that its kinetic energy is I zdot^2/2. Rows 0 to 2 are linear in z and x, and row 3 is that of the joint: the multipliers do no work.
// Equations: eq-inertia-rows (5.11).
#include "joints/tie.h"

#include <math.h>

enum { S = 3, OWN = 3 };

static int ties(const void *params, JointTie *tie) {
  const CoordinateInertia *p = params;
  tie[0] = (JointTie){.joint = p->joint, .coordinate = p->coordinate, .factor = sqrt(p->inertia)};
  return 1;
}

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  Rows *p = &out->rows;
  int point = n->nnode - 2, ground = n->nnode - 1;
  (void)params;
  joint_ground_axes(n, out);
  rows_y(p);
  joint_add_position(out, 1, n, point, n->x[point][0]);
  joint_add_position(out, -1, n, ground, n->x[point][0]);
  p->nterm = 0;
  Reason error = tie_copy_row(&n->tie[0], OWN, 0, n->term, out);
  if (error.text) return error;
  n->term[p->nterm++] = (RowTerm){0, 0, 0, n->tie[0].factor, FACTOR_LINEAR, 0};
  for (int i = 0; i < 3; i++) n->term[p->nterm++] = (RowTerm){i, i, S, -1, FACTOR_ONE, 0};
  p->term = n->term, p->nrow = OWN + 1;
  for (int i = 0; i < 2; i++) out->geometry.at[i] = n->tie[0].of->geometry.at[0];
  return no_reason();
}

static const Field fields[] = {
    {"point", FIELD_NODE, 1, offsetof(CoordinateInertia, point), "", true, LIMBER_NONE, "of mass 1", NULL},
};

static const char *const row_names[] = {"inertia", "y", "z", "joint"}, *const row_units[] = {"N", "N", "N", "N m"};

const JointKind joint_coordinate_inertia = {
    .name = "inertia",
    .help = "The inertia of a coordinate of another joint.",
    .fields = FIELDS(fields, CoordinateInertia),
    .ncoord = 1,
    .coord_names = {"coordinate"},
    .coord_units = {"rad"},
    .rate_units = {"rad s-1"},
    .ties = ties,
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
};
