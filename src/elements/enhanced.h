// SPDX-License-Identifier: Apache-2.0
// Hexahedra of 8 nodes that bend, by enhanced strains (Simo & Rifai 1990) in the form of Green's strains. To the strains
// E of the displacements are added strains M(X) alpha that make the cell softer and vanish where E is constant,
//   W = sum_g w_g/2 (E_g + M_g alpha) : C : (E_g + M_g alpha),     sum_g w_g M_g = 0.
// W is least at  alpha = -H^-1 sum_g w_g M_g : C : E_g,  H = sum_g w_g M_g : C : M_g,  linear in the strains. So alpha is
// no unknown: the rows of a point are E_g + M_g alpha, sums of dot products as those of any element are, with constant
// numbers, and energy, momentum and schemes need nothing new.
// Equations: eq-solid-enhanced (10.2), eq-solid-enhanced-rows (10.3).
#ifndef LIMBER_ELEMENTS_ENHANCED_H
#define LIMBER_ELEMENTS_ENHANCED_H

#include "elements/continuum.h"

// Place in the cell = sum of 7 vectors a_m times xi, eta, zeta, eta zeta, zeta xi, xi eta, xi eta zeta; the strains are
// sums of the products a_m . a_n, m <= n.
enum { ENHANCED_VECTORS = 7, ENHANCED_PRODUCTS = 28, ENHANCED_MODES = 9 };

struct Enhanced {
  double alpha[ENHANCED_MODES][ENHANCED_PRODUCTS]; // -alpha by the products
};

// Of a hexahedron that is not inverted, at the places of its nodes. False: its strains are not independent.
bool enhanced_make(const Vec3 *at, const double *stiffness, Enhanced *out);
// The rows of a point and its volume.
void enhanced_rows(const Continuum *c, int g, ElementPoint *p);

#endif
