// SPDX-License-Identifier: Apache-2.0
#include "mechanics/curve.h"
#include "check.h"

#define EPS 2.220446049250313e-16

TEST(spline_meets_its_points_and_every_cubic) {
  const double u[6] = {0, 0.3, 1, 1.4, 2.5, 2.7};
  for (int n = 2; n <= 6; n++) {
    double y[12], second[12], work[6], value[2], slope[2];
    for (int i = 0; i < n; i++) {
      double x = u[i];
      y[2 * i] = n < 4 ? 1 - 2 * x + (n == 3) * x * x : 1 - 2 * x + 0.5 * x * x - 0.3 * x * x * x,
            y[2 * i + 1] = sin(3 * x);
    }
    Spline s = {n, 2, u, y, second};
    spline_make(&s, work);
    for (double x = 0; x <= u[n - 1]; x += 0.07) {
      spline_at(&s, spline_interval(&s, u, x), x, value, slope);
      double exact = n < 4 ? 1 - 2 * x + (n == 3) * x * x : 1 - 2 * x + 0.5 * x * x - 0.3 * x * x * x;
      double rate = n < 4 ? -2 + 2 * (n == 3) * x : -2 + x - 0.9 * x * x;
      CHECK_NEAR(value[0], exact, 100 * EPS);
      CHECK_NEAR(slope[0], rate, 200 * EPS);
    }
    for (int i = 0; i < n; i++) {
      spline_at(&s, spline_interval(&s, u, u[i]), u[i], value, slope);
      CHECK_NEAR(value[1], sin(3 * u[i]), 4 * EPS);
    }
  }
}

TEST(spline_slope_is_the_derivative_and_does_not_jump) {
  const double u[5] = {0, 0.4, 0.9, 1.7, 2}, y[5] = {1, 3, -2, 0, 1};
  double second[5], work[5], a, b, slope[2];
  Spline s = {5, 1, u, y, second};
  spline_make(&s, work);
  for (int i = 0; i < 4; i++)
    for (double f = 0.1; f < 1; f += 0.2) {
      double x = u[i] + f * (u[i + 1] - u[i]), h = 1e-5;
      spline_at(&s, i, x + h, &b, slope), spline_at(&s, i, x - h, &a, slope);
      double difference = (b - a) / (2 * h);
      spline_at(&s, i, x, &a, slope);
      CHECK_NEAR(slope[0], difference, 1e-6); // third derivative h^2/6: 1e-8
    }
  for (int i = 1; i < 4; i++) {
    spline_at(&s, i - 1, u[i], &a, slope), spline_at(&s, i, u[i], &b, slope + 1);
    CHECK_NEAR(a, b, 20 * EPS);
    CHECK_NEAR(slope[0], slope[1], 100 * EPS);
  }
}

CHECK_MAIN
