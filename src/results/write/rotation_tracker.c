// SPDX-License-Identifier: Apache-2.0
#include "results/write/rotation_tracker.h"

#include "base/rotation.h"

static const double full = 6.283185307179586;

static double nearest_turns(double angle) { return full * floor(angle / full + 0.5); }

Vec3 rotation_tracker_follow(RotationTracker *t, Mat3 r) {
  const double told = 0.2; // rad; from here on n tells the axis
  double q[4];
  rotation_quaternion(r, q);
  Vec3 e = vec3(q[1], q[2], q[3]);
  double sine = vec3_norm(e), phi = 2 * atan2(sine, q[0]), twist = 2 * atan2(vec3_dot(e, t->axis), q[0]);
  double change = twist - t->twist;
  t->total += change - nearest_turns(change), t->twist = twist;
  if (sine < 1e-9) // round-off of whole turns tells no axis
    return vec3_axpy(vec3_scale(2, e), nearest_turns(t->total), t->axis);
  Vec3 n = vec3_scale(1 / sine, e), v = vec3_scale(phi + nearest_turns(t->total * vec3_dot(n, t->axis) - phi), n);
  if (phi > told) {
    t->total = vec3_norm(v), t->axis = vec3_scale(1 / t->total, v);
    t->twist = 2 * atan2(vec3_dot(e, t->axis), q[0]);
  }
  return v;
}
