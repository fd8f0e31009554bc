// SPDX-License-Identifier: Apache-2.0
// A formula F of the coordinates z_1, z_2, z_3 of a coupling. Over a stage the force of its multiplier acts along c with
//   c . (z_k - z_n) = F(z_k) - F(z_n)
// for any two positions: the mean of the gradient on the straight line between them, by Gauss's rule of four points, and what that rule
// leaves, which is of the order |z_k - z_n|^9, in proportion to the squares of the coordinates' parts in it, so that it does not depend on
// units (a discrete gradient: O. Gonzalez 1996; R. I. McLachlan, G. R. W. Quispel, N. Robidoux 1999).
// Equations: eq-coupling-formula (5.10).
#ifndef LIMBER_MECHANICS_COORD_FORMULA_H
#define LIMBER_MECHANICS_COORD_FORMULA_H

#include "mechanics/rows.h"

typedef struct {
  double end[MAX_COORDS], along[MAX_COORDS]; // gradient at z_k; c, at the end for FORCE_END
  double tangent[MAX_COORDS][MAX_COORDS];    // d c_i / d z_k,j
} CoordSecant;

double coord_formula_value(const Tape *f, const Coords *z);
double coord_formula_rate(const Tape *f, const Coords *z, int coord);
void coord_formula_secant(const Tape *f, ForceRule rule, const Coords *zn, const Coords *zk, CoordSecant *out);

#endif
