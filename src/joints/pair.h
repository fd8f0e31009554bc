// SPDX-License-Identifier: Apache-2.0
// Joints between two nodes, from three ingredients: the difference of a point that both carry, its component along
// a director, and products of directors. All such joints read the same vectors y; each is a list of terms over them.
//   y = E_1 E_2 E_3 (ground), s = x_a - x_b, a_1 a_2 a_3, b_1 b_2 b_3
// (a) and (b) are triads of the two nodes that coincide at the start, their third vector along the joint's axis.
// Equations: eq-rows-joint (2.7).
#ifndef LIMBER_JOINTS_PAIR_H
#define LIMBER_JOINTS_PAIR_H

#include "mechanics/joint.h"

enum { Y_S = 3, Y_A1, Y_A2, Y_A3, Y_B1, Y_B2, Y_B3 };

#define PAIR_TERMS(terms) terms, (int)(sizeof(terms) / sizeof((terms)[0]))

// Rows that several joints share; `r` is the number of the (first) row.
#define MEET(r) \
  {r, 0, Y_S, 1, FACTOR_ONE, 0}, {(r) + 1, 1, Y_S, 1, FACTOR_ONE, 0}, { (r) + 2, 2, Y_S, 1, FACTOR_ONE, 0 }
#define KEEP(r, director) \
  { r, Y_S, director, 1, FACTOR_ONE, 0 }
// The second node slides by z along a director of the first.
#define SLIDE(r, director, coord) \
  KEEP(r, director), { r, 0, 0, 1, FACTOR_LINEAR, coord }
#define NORMAL(r, a, b) \
  { r, a, b, 1, FACTOR_ONE, 0 }
// The third vectors stay parallel.
#define PARALLEL(r) NORMAL(r, Y_B1, Y_A3), NORMAL((r) + 1, Y_B2, Y_A3)
// (b) is turned by z about a_3 (Bauchau & Theron 1996, eq. 31).
#define TURN(r, coord) \
  {r, Y_A1, Y_B1, 1, FACTOR_SIN, coord}, { r, Y_A1, Y_B2, 1, FACTOR_COS, coord }
// (a) and (b) stay parallel.
#define ALIGN(r) NORMAL(r, Y_A1, Y_B2), NORMAL((r) + 1, Y_A2, Y_B3), NORMAL((r) + 2, Y_A3, Y_B1)

#define PAIR_AT \
  "location of the joint, fixed to both nodes, in ground axes at the start; default: position of the second node"
#define PAIR_ALONG \
  "direction of `slide1` in ground axes at the start, as far as it is in the plane; `slide2` is along axis x slide1; " \
  "default: " JOINT_FIRST_DIRECTION
#define PAIR_SECOND_AT "location of the joint on the second node, if it differs from `at`: the model is then assembled"

// A law for examples, with everything in it.
extern const double pair_limits[2];
#define PAIR_LAW \
  { \
    .stiffness = 3, .rest = 0.2, .clearance = 0.4, .damping = 0.1, .limit_stiffness = 20, .limits = pair_limits, \
    .friction = { \
      .kinetic = 0.5, \
      .static_limit = 0.7, \
      .kinetic_coefficient = 0.2, \
      .stiffness = 40, \
      .radius = 0.3 \
    } \
  }

typedef enum {
  PAIR_FRAMES,      // both nodes have axes
  PAIR_FIRST_FRAME, // the first has; the second may be a point
} PairNodes;

// Fills the vectors y and the rows. `axis` (not zero) and `at` in ground axes at the start; `at` NULL: where the second
// node stands. `first`: the direction of a_1 and b_1 as far as it is normal to the axis; NULL: joint_first_direction.
Reason pair_prepare(const JointNodes *n, PairNodes nodes, const double *axis, const double *first, const double *at,
                    const double *second_at, const RowTerm *term, int nterm, Joint *out);

// Welds node b of the list to node a; also serves the clamp, which is a weld to the ground.
extern const char weld_needs_frames[];
Reason weld_prepare(const JointNodes *n, int a, int b, Joint *out);
extern const char *const weld_row_names[], *const weld_row_units[];

#endif
