// SPDX-License-Identifier: Apache-2.0
// What flows around a point of an element: forces on all vectors y_i of the point that depend on their places and their
// rates over the step, beside the response of its strains. The forces act over the step itself (stage 0), from the
// vectors at its middle, or at its end for FORCE_END, and the mean rates (y_1 - y_n)/h. Their work over a step is
//   W = sum_i f_i.(y_i,1 - y_i,n),
// which may have either sign. Vectors of nodes without mass may be states of the flow: the "force" on such a vector is
// its equation, zero in a solution, so that it does no work.
// Equations: eq-air-work (26.13).
#ifndef LIMBER_MECHANICS_FLOW_H
#define LIMBER_MECHANICS_FLOW_H

#include "base/dual.h"
#include "mechanics/rows.h"

// y_0 place, y_1 .. y_3 axes of the section, y_4 states; y_5 place and y_6 axis of the rotor that the section belongs to,
// on which nothing acts. Vectors without entries are zero.
enum { FLOW_STATES = 4, FLOW_HUB = 5, FLOW_AXIS = 6, FLOW_VECTORS = 7 };
_Static_assert(3 * FLOW_VECTORS == DUAL_UNKNOWNS, "a derivative for each component of each vector");

// A step of length h; infinite: nothing moves but by the steady rotation.
typedef struct {
  double h, time, amplitude; // time at its start; factor of the wind at its middle, or at its end for FORCE_END
  ForceRule force_rule;
  Vec3 omega, centre; // steady rotation of the whole, in whose frame the motion is that of the vectors; 0: none
  const Vec3 *yn, *yk;
} FlowStep;

typedef struct {
  DualVec force[FLOW_VECTORS]; // derivatives by the vectors at the end of the step
} FlowState;

typedef struct {
  // Fills the forces per weight; `moving` false: of a structure at rest.
  void (*force)(const void *of, const FlowStep *step, bool moving, FlowState *out);
  // The steady values of the states where the vectors y have the rates v.
  Vec3 (*settled)(const void *of, double time, double amplitude, const Vec3 *y, const Vec3 *v);
  // Whether the flow is constant as seen from parts that rotate about the axis.
  bool (*rotates)(const void *of, Vec3 axis);
} FlowTable;

// Adds the residual and tangent of weight times the forces. `force`: those on the vectors, for stage 0.
void flow_add(const Rows *p, double weight, const FlowState *q, const LocalMotion *it, Vec3 *force, Local *out);

// Work of a step: of all, and of the part that acts on a structure at rest.
typedef struct {
  double all, at_rest;
} FlowWork;
FlowWork flow_work(const FlowTable *table, const void *of, double weight, const FlowStep *step);

#endif
