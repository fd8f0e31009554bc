// SPDX-License-Identifier: Apache-2.0
// The exact response of one oscillator over a step, and the polynomial through the Gauss points of a step.
#include "check.h"
#include "mechanics/response.h"

#define EPS 2.220446049250313e-16

// sum_i (-theta^2)^i / (2 i + j)!, in long double: right to 1e-19 exp(theta)
static double series(double theta2, int j) {
  long double term = 1, sum = 0;
  for (int i = 2; i <= j; i++) term /= i;
  for (int i = 0; i < 60; i++) {
    sum += term;
    term *= -(long double)theta2 / ((2 * i + j + 1) * (2 * i + j + 2));
  }
  return (double)sum;
}

TEST(response_without_damping_is_the_series) {
  double worst = 0, psi[MAX_RESPONSE], factorial;
  for (double theta = 0; theta < 8; theta = 1.3 * theta + 1e-9)
    for (int sign = -1; sign <= 1; sign += 2) {
      factorial = 1;
      oscillator_response(sign * theta * theta / 0.09, 0, 0.3, MAX_RESPONSE, psi);
      double scale = sign < 0 ? cosh(theta) : 1;
      for (int j = 0; j < MAX_RESPONSE; j++) {
        if (j > 1) factorial *= j;
        worst = fmax(worst, fabs(psi[j] - series(sign * theta * theta, j)) * factorial / scale);
      }
    }
  CHECK_NOTE("off by %.1e of 1/j! at most", worst);
  CHECK_LE(worst, 4 * EPS);
}

TEST(response_fulfils_the_equation_of_motion_at_any_frequency) {
  double worst = 0, psi[MAX_RESPONSE], factorial;
  for (double theta = 1e-6; theta < 1e6; theta *= 3.7)
    for (double delta = 0; delta <= 3 * theta; delta += 0.75 * theta) {
      factorial = 1;
      oscillator_response(theta * theta, delta, 1, MAX_RESPONSE, psi);
      for (int j = 2; j < MAX_RESPONSE; j++) { // R'' + 2 d R' + w R = s^(j-2)/(j-2)!
        if (j > 2) factorial *= j - 2;
        double sum = psi[j - 2] + 2 * delta * psi[j - 1] + theta * theta * psi[j] - 1 / factorial;
        worst = fmax(worst, fabs(sum) * factorial);
      }
    }
  CHECK_NOTE("off by %.1e at most", worst);
  CHECK_LE(worst, 1e-13); // measured 9e-15
}

TEST(response_with_damping_is_the_closed_form) {
  double worst = 0, psi[2];
  for (double theta = 1e-3; theta < 200; theta *= 1.7)
    for (double zeta = 0.01; zeta < 5; zeta *= 1.9) {
      double delta = zeta * theta, nu = theta * sqrt(fabs(1 - zeta * zeta));
      oscillator_response(theta * theta, delta, 1, 2, psi);
      double exact = zeta < 1 ? exp(-delta) * sin(nu) / nu : (exp(nu - delta) - exp(-nu - delta)) / (2 * nu);
      worst = fmax(worst, fabs(psi[1] - exact) * fmax(1, nu));
    }
  CHECK_NOTE("response to an impulse off by %.1e at most", worst);
  CHECK_LE(worst, 1e-13); // measured 1e-14
}

TEST(polynomial_of_a_step_meets_its_points_and_integrates) {
  double inverse[STEP_POINTS][STEP_POINTS], value[STEP_POINTS], sum = 0, worst = 0;
  step_polynomial(inverse);
  for (int i = 0; i < STEP_POINTS; i++) value[i] = exp(step_point[i]), sum += step_weight[i] * value[i];
  CHECK_NEAR(sum, exp(1) - 1, 4 * EPS);
  for (double x = 0; x <= 1; x += 0.01) {
    double p = 0;
    for (int k = STEP_POINTS - 1; k >= 0; k--) {
      double c = 0;
      for (int i = 0; i < STEP_POINTS; i++) c += inverse[k][i] * value[i];
      p = p * x + c;
    }
    worst = fmax(worst, fabs(p - exp(x)));
  }
  CHECK_NOTE("exp over a step of 1: off by %.1e", worst);
  CHECK_LE(worst, 2e-7); // at the ends of the step, which are no points of it
}

CHECK_MAIN
