// SPDX-License-Identifier: Apache-2.0
// The exact response of one oscillator, x'' + 2 d x' + w x = f (w = omega^2, of either sign), over a step h.
// R_j(h) = h^j psi_j is the response from rest to the force s^(j-2)/(j-2)!, so that R_j' = R_(j-1); R_1 is the response
// to a unit impulse and psi_0 = R_1'. For a force sum_k f_k s^k/k!
//   x(h) = (psi_0 + 2 d h psi_1) x_0 + h psi_1 v_0 + sum_k f_k h^(k+2) psi_(k+2)
//   v(h) =            -w h psi_1 x_0 +   psi_0 v_0 + sum_k f_k h^(k+1) psi_(k+1).
// Without damping psi_0 = cos, psi_1 = sin/theta, psi_2 = (1 - cos)/theta^2, ... of theta = omega h. All are finite at
// omega = 0, where psi_j = 1/j!.
// Equations: eq-exponential-mode (15.2).
#ifndef LIMBER_MECHANICS_RESPONSE_H
#define LIMBER_MECHANICS_RESPONSE_H

enum { MAX_RESPONSE = 12 };

// psi_0 .. psi_(count-1), at most MAX_RESPONSE.
void oscillator_response(double w, double d, double h, int count, double *psi);

// Gauss-Legendre points of 0 .. 1 and their weights, and the polynomial sum_k c_k x^k through values there:
// c_k = sum_i inverse[k][i] value_i.
enum { STEP_POINTS = 7 };
extern const double step_point[STEP_POINTS], step_weight[STEP_POINTS];
void step_polynomial(double inverse[STEP_POINTS][STEP_POINTS]);

#endif
