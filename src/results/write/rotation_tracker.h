// SPDX-License-Identifier: Apache-2.0
// The rotation vector of a body that goes on turning: of the vectors (phi + 2 pi k) n that describe its rotation, the one
// that continues those before. Near a whole number of turns n says nothing of the axis about which the body turns; there
// the turn about the last axis that could be told is followed instead.
#ifndef LIMBER_RESULTS_WRITE_ROTATION_TRACKER_H
#define LIMBER_RESULTS_WRITE_ROTATION_TRACKER_H

#include "base/vec3.h"

typedef struct {
  Vec3 axis;           // about which it turned when that could last be told; zero at the start
  double total, twist; // turn about it; the same between -pi and pi
} RotationTracker;

// Follows the rotation to r, by less than half a turn since the last; returns its vector.
Vec3 rotation_tracker_follow(RotationTracker *t, Mat3 r);

#endif
