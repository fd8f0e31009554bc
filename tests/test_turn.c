// SPDX-License-Identifier: Apache-2.0
// Rotation vectors that go on past full turns.
#include "check.h"

#include "base/rotation.h"
#include "results/write/probe_values.h"

#include <stdbool.h>

static double off(Vec3 a, Vec3 b) { return vec3_norm(vec3_sub(a, b)); }

TEST(a_turn_about_a_fixed_axis_is_followed_both_ways) {
  Vec3 axis = vec3_unit(vec3(0.3, -0.5, 0.8));
  RotationTracker t = {0};
  double worst = 0;
  for (int i = 0; i <= 400; i++) {
    double phi = 0.11 * (i < 250 ? i : 500 - i) - 4 * sin(0.02 * i); // up to four turns, and back
    worst = fmax(worst,
                 off(rotation_tracker_follow(&t, rotation_exponential(vec3_scale(phi, axis))), vec3_scale(phi, axis)));
  }
  CHECK_LE(worst, 1e-13);
}

TEST(whole_turns_are_counted) {
  RotationTracker t = {0};
  for (int i = 0; i <= 12; i++) // steps of a third of a turn: every third is the identity
    CHECK_NEAR(rotation_tracker_follow(&t, rotation_exponential(vec3(0, 2.0943951023931953 * i, 0))).y,
               2.0943951023931953 * i, 1e-13);
}

// A blade that bends as it turns: a small rotation besides. At whole turns the vector is nothing but that rotation.
TEST(a_small_tilt_does_not_lose_the_count) {
  for (double step = 1e-3; step < 1; step *= 3) {
    RotationTracker t = {0};
    int lost = 0, wrong = 0;
    for (double phi = 0; phi < 60; phi += step) {
      Mat3 tilt = rotation_exponential(vec3(0.004 * sin(3 * phi), 0.003, 0)), r = rotation_exponential(vec3(0, 0, phi));
      r = mat3_mul(tilt, r);
      Vec3 v = rotation_tracker_follow(&t, r);
      Mat3 again = mat3_sub(rotation_exponential(v), r);
      for (int i = 0; i < 9; i++) wrong += !(fabs(again.m[i / 3][i % 3]) < 1e-13);
      bool whole = fabs(phi - 6.283185307179586 * floor(phi / 6.283185307179586 + 0.5)) < 0.05;
      lost += !whole && fabs(v.z - phi) > 0.02 * (1 + phi);
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(lost, 0);
  }
}

TEST(an_axis_that_swings_is_followed) {
  RotationTracker t = {0};
  for (int i = 0; i <= 1000; i++) { // no full turns: the vector itself
    Vec3 v = vec3_scale(2.5 * sin(0.01 * i), vec3_unit(vec3(cos(0.004 * i), sin(0.004 * i), 0.3)));
    CHECK_LE(off(rotation_tracker_follow(&t, rotation_exponential(v)), v), 1e-13);
  }
}

// 60 degrees a step meet whole turns to round-off, which has an axis of its own.
TEST(round_off_of_a_whole_turn_is_no_axis) {
  RotationTracker t = {.total = 0};
  for (int i = 0; i <= 24; i++) {
    double phi = 1.0471975511965976 * i;
    Mat3 r = mat3_mul(rotation_exponential(vec3(3e-14, -2e-14, 0)), rotation_exponential(vec3(0, 0, phi)));
    CHECK_LE(off(rotation_tracker_follow(&t, r), vec3(0, 0, phi)), 1e-11); // the axis is off by 4e-14, of 25 rad
  }
}

CHECK_MAIN
