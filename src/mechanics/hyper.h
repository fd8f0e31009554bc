// SPDX-License-Identifier: Apache-2.0
// A compressible neo-Hookean solid: with C = 1 + 2 E of Green's strains E, d = det C and n dimensions
//   W = mu/2 (tr C - n) + g(d),   g = -mu/2 ln d + lambda/4 (d - 1 - ln d)       in solids and in plane strain.
// In plane stress S_33 = 0 where C_33 = (mu + lambda/2)/(mu + lambda d/2), and W is of the same form with
//   g = -(mu/2 + lambda/4) ln(d (mu + lambda/2)/(mu + lambda d/2)).
//
// Over a stage the stress is a discrete gradient of W. The determinant is a cubic, whose change is that of its mean
// gradient by Simpson's rule, and the change of g is that of its divided difference:
//   S = mu 1 + 2 (g(d1) - g(d0))/(d1 - d0) (adj C_0 + 4 adj C_mid + adj C_1)/6,    S : (E_1 - E_0) = W_1 - W_0.
// No difference is divided that could vanish (the divided difference of the logarithm is a series there), and all is
// written in x = d - 1, so that nothing is lost at small strain. Through a tableau the law passes as one along a
// coordinate does (law.h): with D_k = e_k - e_n
//   s_k = [k = 0] S + K (sum_l a_kl D_l - [k = 0] D_0/2),    K = 4 <(d g')' d> C^-1 x C^-1 + 4 <-g' d> I   at t_n,
// where I_ijkl = (C^-1_ik C^-1_jl + C^-1_il C^-1_jk)/2 and <> leaves out what is negative: K is d2W/dE2 without the
// parts that would make it indefinite. What is remembered of the last step (tableau.h) acts through the same K. A
// damper beside it is linear, damping C (e_k - e_n)/h with the stiffness C of small strain.
// Equations: eq-solid-stress (10.4), eq-solid-work (10.5).
#ifndef LIMBER_MECHANICS_HYPER_H
#define LIMBER_MECHANICS_HYPER_H

#include "mechanics/tableau.h"

#include <stdbool.h>

enum { HYPER_ROWS = 6 };

// Rows E_11, E_22, E_33, 2 E_23, 2 E_13, 2 E_12, or E_11, E_22, 2 E_12.
typedef struct {
  int rows;
  double mu, a, c, q; // a = mu/2 + lambda/4; plane stress: c = a, q = lambda/(2 mu + lambda), else 0
} Hyper;

Hyper hyper_solid(int rows, double lambda, double mu, bool plane_stress);

double hyper_energy(const Hyper *p, const double *e);
// dW/de, and its derivative if `rate` is not NULL
void hyper_stress(const Hyper *p, const double *e, double *stress, double *rate);

// Over a step of length h from en to ek of each stage, at the end of the step for FORCE_END.
typedef struct {
  double stress[MAX_STAGES][HYPER_ROWS];
  // d stress_k / d e_l = factor_kl K + [k = l] own_k, of rows x rows
  double factor[MAX_STAGES][MAX_STAGES], k[HYPER_ROWS * HYPER_ROWS];
  double own[MAX_STAGES][HYPER_ROWS * HYPER_ROWS];
  double damped, lost; // energy that the damper and the scheme take
} HyperState;

// `past`: the increments of the last step as they are remembered; NULL: none.
void hyper_evaluate(const Hyper *p, const double *stiffness, double damping, const Tableau *t, double h,
                    const Recall *m, const double *past, const double *en, double ek[][HYPER_ROWS], HyperState *out);
// What is to be remembered of a step from en to e1, shortened where K grew, and its energy; adds to `lost` what that
// takes.
double hyper_remember(const Hyper *p, const Recall *m, const double *en, const double *e1, double *next, double *lost);

#endif
