// SPDX-License-Identifier: Apache-2.0
// Bodies described by points alone (R. L. Taylor, Rigid-Flexible Body Analysis Without Rotation Parameters, CIMNE 189,
// 2000): a simplex of n points, 2 on a line, 3 in a plane or 4 in space, carries every place of its body by constant
// weights,
//   y = sum_a L_a x_a,   sum_a L_a = 1,
// and every direction by weights of sum 0. Kinetic energy of an affine motion asks for mass, centre and Euler tensor of
// the body only; n equal masses at
//   X_a = X_c + sum_j sqrt(E_j/m) s_aj e_j      (E_j, e_j: the Euler tensor's values and axes; s_a: a regular simplex)
// have all three, so that masses need not couple the points.
// Equations: eq-points-weights (7.2).
#ifndef LIMBER_MECHANICS_SIMPLEX_H
#define LIMBER_MECHANICS_SIMPLEX_H

#include "base/vec3.h"

#include <stdbool.h>

enum { SIMPLEX_POINTS = 4, SIMPLEX_EDGES = 6 };

// The two points of each edge; those of the first n points come first.
extern const int simplex_edge[SIMPLEX_EDGES][2];
static inline int simplex_edges(int n) { return n * (n - 1) / 2; }

// d L_a / dy. False: the points lie in a space of less than n - 1 dimensions.
bool simplex_gradients(int n, const Vec3 *x, Vec3 *gradient);

// L_a of a place (sum 1) or of a direction (sum 0). False: it lies outside the line or plane of the points.
bool simplex_position_weights(int n, const Vec3 *x, Vec3 position, double *weight);
bool simplex_direction_weights(int n, const Vec3 *x, Vec3 direction, double *weight);

// Where equal masses stand for a body with the tensor jc about its centre: how many, one for a body without extension;
// 0: no body has such a tensor.
int simplex_of_body(double mass, Vec3 centre, Mat3 jc, Vec3 *x);

#endif
