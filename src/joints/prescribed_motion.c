// SPDX-License-Identifier: Apache-2.0
// A node is led: its displacement along the ground's axes and, of a frame, its turn about an axis are coordinates that drives
// prescribe; what nothing drives is held. y = E_1 E_2 E_3, s = x - x(start), then the ground's and the node's triad.
#include "mechanics/joint.h"

enum { S = 3, A1, A2, A3, B1, B2 };

static const RowTerm terms[] = {
    {0, 0, S, 1, FACTOR_ONE, 0},     {0, 0, 0, -1, FACTOR_LINEAR, 0}, // E_1 . s = x
    {1, 1, S, 1, FACTOR_ONE, 0},     {1, 0, 0, -1, FACTOR_LINEAR, 1}, {2, 2, S, 1, FACTOR_ONE, 0},
    {2, 0, 0, -1, FACTOR_LINEAR, 2}, {3, A3, B1, 1, FACTOR_ONE, 0},   {4, A3, B2, 1, FACTOR_ONE, 0}, // the axis stays
    {5, A1, B1, 1, FACTOR_SIN, 3},   {5, A1, B2, 1, FACTOR_COS, 3}, // about it, the angle
};
enum { OF_A_POINT = 6 };

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberPrescribedMotion *p = params;
  bool point = n->kind[0] == NODE_POINT;
  int ground = n->nnode - 1;
  Vec3 axis = vec3_of(p->axis), e3, e[3];
  if (point && vec3_norm(axis) > 0) return reason(REASON_CONFLICT, "axis", "a point has no rotation: leave out `axis`");
  e3 = vec3_norm(axis) > 0 ? vec3_unit(axis) : vec3_of((double[]){0, 0, 1});
  e[0] = joint_first_direction(e3), e[1] = vec3_cross(e3, e[0]), e[2] = e3;
  joint_ground_axes(n, out);
  if (!point) out->geometry.axis = e3;
  rows_y(&out->rows);
  joint_add_position(out, 1, n, 0, n->x[0][0]);
  joint_add_position(out, -1, n, ground, n->x[0][0]);
  for (int i = 0; i < 5 && !point; i++) {
    bool own = i >= 3;
    rows_y(&out->rows);
    joint_add_direction(out, 1, n, own ? 0 : ground, e[i % 3]);
  }
  out->rows.term = terms, out->rows.nterm = point ? OF_A_POINT : (int)(sizeof terms / sizeof terms[0]);
  out->rows.nrow = point ? 3 : 6, out->ncoord = point ? 3 : 4;
  for (int c = 0; c < out->ncoord; c++) out->prescribed[c] = true;
  return no_reason();
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberPrescribedMotion, node), "", true, LIMBER_NONE, "frame or point to move",
     NULL},
    {"axis", FIELD_REALS, 3, offsetof(LimberPrescribedMotion, axis), "", false, 0,
     "axis of rotation of a frame, in ground axes; default: z", &field_direction},
};

static const char *const row_names[] = {"F1", "F2", "F3", "M1", "M2", "M3"};
static const char *const row_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const LimberPrescribedMotion example = {{1}, {0.3, -0.5, 0.8}};

const JointKind joint_prescribed_motion = {
    .name = "prescribed_motion",
    .help =
        "Prescribed motion of a node: drives prescribe its displacement x, y, z and its angle; the others are fixed.",
    .fields = FIELDS(fields, LimberPrescribedMotion),
    .ncoord = 4,
    .coord_names = {"x", "y", "z", "angle"},
    .coord_units = {"m", "m", "m", "rad"},
    .rate_units = {"m s-1", "m s-1", "m s-1", "rad s-1"},
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .mark = MARK_PRESCRIBED_MOTION,
    .example_nodes = "F",
    .example = &example,
};
