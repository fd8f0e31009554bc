// SPDX-License-Identifier: Apache-2.0
// Functions of time: what every line of functions.def promises, and each kind by itself.
#include "base/function.h"
#include "check.h"
#include "contract.h"

#include <string.h>

// The rate is that of the value, to the right of corners: against differences of the fourth order, over a tenth of the
// distance in which no example has a corner.
TEST(every_function_knows_its_rate) {
  for (int i = 0; function_kinds[i]; i++) {
    const FunctionKind *k = function_kinds[i];
    double worst = 0, scale = 0;
    CHECK(k->example && k->at);
    if (k->check) CHECK_STR(k->check(k->example), NULL);
    for (int n = 0; n < 60; n++) {
      const double t = 0.05 * n, h = 1e-3; // corners are multiples of 0.05
      double f[5];
      for (int j = 0; j < 5; j++) f[j] = k->at(k->example, NULL, t + h * (j + 1)).value;
      Signal s = k->at(k->example, NULL, t + 3 * h);
      worst = fmax(worst, fabs(s.rate - (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h)));
      scale = fmax(scale, fmax(fabs(s.rate), fabs(s.value)));
    }
    CHECK_NOTE("%s: %.1e", k->name, worst / scale);
    CHECK_LE(worst, 2e-8 * scale); // of the chirp 5e-9, of h^4 w^4/30
  }
}

TEST(at_a_corner_the_rate_is_that_to_the_right) {
  const LimberTriangle triangle = {8, 1, 2, 4};
  const double corner[][2] = {{0.5, 0}, {1, 8}, {2, -4}, {4, 0}};
  for (int i = 0; i < 4; i++) CHECK_NEAR(function_triangle.at(&triangle, NULL, corner[i][0]).rate, corner[i][1], 0);
  const LimberRamp ramp = {1, 3, 0, 4};
  const double end[][2] = {{-1, 0}, {0, 0.5}, {4, 0}};
  for (int i = 0; i < 3; i++) CHECK_NEAR(function_ramp.at(&ramp, NULL, end[i][0]).rate, end[i][1], 0);
  const double time[] = {0, 1, 3}, value[] = {5, 6, 2};
  const LimberTable table = {3, time, value};
  const double entry[][2] = {{-1, 0}, {0, 1}, {1, -2}, {3, 0}};
  for (int i = 0; i < 4; i++) CHECK_NEAR(function_table.at(&table, NULL, entry[i][0]).rate, entry[i][1], 0);
}

CHECK_MAIN
