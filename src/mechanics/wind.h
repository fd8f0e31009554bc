// SPDX-License-Identifier: Apache-2.0
// The velocity of the undisturbed air: uniform, or growing with the height over the ground by a power law, and a box of
// turbulence that is carried along.
//   v(r) = factor v_0 (max(h, 0)/h_0)^s + v_b(t + lead - x/U, y, z),   h = r.up - origin
// with x, y, z the place against that of the box, along, across and up.
// Equations: eq-air-shear (26.1), eq-air-box (26.2).
#ifndef LIMBER_MECHANICS_WIND_H
#define LIMBER_MECHANICS_WIND_H

#include "base/dual.h"

#include <stdbool.h>

// Velocities on a grid across the wind, one grid after the other in time. Between them they are linear; beyond the
// edges of the grid they are those of the edges; a box that is not periodic has no velocity before and after its times.
typedef struct {
  Vec3 origin, along, across, up; // the place on the ground at which x = y = 0, unit vectors
  double bottom, spacing[2];      // height of the lowest points; distances across and up
  int count[2], steps;            // points across and up; grids
  double step, speed, lead;       // between two grids; U; time that has passed at the origin at t = 0
  bool periodic;
  const double *velocity; // [steps][count up][count across][3]: along, across, up
} WindBox;

typedef struct {
  Vec3 velocity, up;
  double reference, exponent, origin; // h_0, s, and the height of the ground; s = 0: uniform
  const WindBox *box;                 // NULL: none
} Wind;

// The velocity at a place at a time, `factor` times the part that is not in the box.
DualVec wind_at(const Wind *w, double time, double factor, const DualVec *place);

// Whether a place is within the edges of the box's grid.
bool wind_reaches(const WindBox *b, Vec3 place);

// Sets the axes of a box by the direction of the wind and the direction upwards (zero: the z axis). False: there are no
// such axes.
bool wind_box_axes(WindBox *b, Vec3 direction, Vec3 up);

#endif
