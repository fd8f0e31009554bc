// SPDX-License-Identifier: Apache-2.0
// Equations: eq-steps-rotation (14.4).
#include "model/rotation_error.h"

#include <math.h>
#include <stdio.h>

void say_rotation_error(const RotationError *e, double h, char *text, size_t size) {
  text[0] = 0;
  if (e->energy == 0) return;
  snprintf(
      text, size,
      "speeds of its points are reported %.2g %% and its kinetic energy %.2g %% too %s; steps of %.2g s give 0.1 %%",
      100 * fabs(e->speed), 100 * fabs(e->energy), e->energy > 0 ? "large" : "small", h * sqrt(1e-3 / fabs(e->energy)));
}
