// SPDX-License-Identifier: Apache-2.0
// Equations: eq-exponential-psi (15.3).
#include "mechanics/response.h"

#include <math.h>

const double step_point[STEP_POINTS] = {0.025446043828620737737, 0.12923440720030278007, 0.29707742431130141655, 0.5,
                                        0.70292257568869858345,  0.87076559279969721993, 0.97455395617137926226};
const double step_weight[STEP_POINTS] = {0.064742483084434846635, 0.13985269574463833395, 0.19091502525255947248,
                                         0.20897959183673469388,  0.19091502525255947248, 0.13985269574463833395,
                                         0.064742483084434846635};

// psi_(j-2) + 2 delta psi_(j-1) + theta^2 psi_j = 1/(j-2)!, taken downwards: stable for j above theta and delta.
static void recur_downward(double theta2, double delta, int from, int to, int count, double *psi) {
  double factorial = 1;
  for (int j = 2; j <= from; j++) factorial *= j;
  double above = 1 / (factorial * (from + 1)), here = 1 / factorial; // psi_(from+1), psi_from, nearly
  for (int j = from; j >= to; j--) {
    if (j < count) psi[j] = here;
    if (j == 0) break;
    factorial /= j;
    double below = 1 / factorial - 2 * delta * here - theta2 * above;
    above = here, here = below;
  }
}

// Without damping: cosine and sine, upwards as long as j is below theta, downwards above.
static void undamped_response(double theta2, int count, double *psi) {
  double theta = sqrt(fabs(theta2)), factorial = 1;
  if (theta < 1) {
    recur_downward(theta2, 0, 30, 0, count, psi);
    return;
  }
  double p[MAX_RESPONSE + 2];
  int turn = theta < count ? (int)theta + 1 : count;
  p[0] = theta2 > 0 ? cos(theta) : cosh(theta);
  p[1] = (theta2 > 0 ? sin(theta) : sinh(theta)) / theta;
  for (int j = 2; j < turn; j++) {
    if (j > 2) factorial *= j - 2;
    p[j] = (1 / factorial - p[j - 2]) / theta2;
  }
  for (int j = 0; j < turn && j < count; j++) psi[j] = p[j];
  if (turn < count) recur_downward(theta2, 0, 60, turn, count, psi);
}

// From h to 2 h: the state after the first half swings on, and the force goes on from s^k/k! to (s + t)^k/k!.
static void double_step(double w, double d, double h, int count, double *psi) {
  double r[MAX_RESPONSE], power = 1, out[MAX_RESPONSE], part[MAX_RESPONSE];
  for (int j = 0; j < count; j++, power *= h) r[j] = power * psi[j];
  part[0] = 1; // h^i/i!
  for (int i = 1; i < count; i++) part[i] = part[i - 1] * h / i;
  double stays = r[0] + 2 * d * r[1];
  out[0] = -w * r[1] * r[1] + r[0] * r[0];
  out[1] = stays * r[1] + r[1] * r[0];
  for (int j = 2; j < count; j++) {
    out[j] = stays * r[j] + r[1] * r[j - 1];
    for (int i = 2; i <= j; i++) out[j] += part[j - i] * r[i];
  }
  power = 1;
  for (int j = 0; j < count; j++, power *= 2 * h) psi[j] = out[j] / power;
}

void oscillator_response(double w, double d, double h, int count, double *psi) {
  if (d == 0) {
    undamped_response(w * h * h, count, psi);
    return;
  }
  int doublings = 0;
  for (; fmax(fabs(w) * h * h, fabs(d) * h) > 1 && doublings < 60; doublings++) h *= 0.5;
  recur_downward(w * h * h, d * h, 30, 0, count, psi);
  for (; doublings > 0; doublings--, h *= 2) double_step(w, d, h, count, psi);
}

void step_polynomial(double inverse[STEP_POINTS][STEP_POINTS]) {
  for (int i = 0; i < STEP_POINTS; i++) { // Lagrange's polynomial of the point i, factor by factor
    double c[STEP_POINTS] = {1};
    for (int j = 0, degree = 0; j < STEP_POINTS; j++) {
      if (j == i) continue;
      double scale = 1 / (step_point[i] - step_point[j]);
      degree++;
      for (int k = degree; k >= 0; k--)
        c[k] = scale * ((k > 0 ? c[k - 1] : 0) - (k < degree ? step_point[j] * c[k] : 0));
    }
    for (int k = 0; k < STEP_POINTS; k++) inverse[k][i] = c[k];
  }
}
