// SPDX-License-Identifier: Apache-2.0
// Gauss points and Gauss-Lobatto nodes on [-1, 1], degree p = 1, 2, 3, and the Lagrange functions of the nodes.
#ifndef LIMBER_MECHANICS_QUADRATURE_H
#define LIMBER_MECHANICS_QUADRATURE_H

enum { MAX_ORDER = 3 };

extern const double gauss_point[MAX_ORDER + 1][MAX_ORDER], gauss_weight[MAX_ORDER + 1][MAX_ORDER];
extern const double lobatto_node[MAX_ORDER + 1][MAX_ORDER + 1], lobatto_weight[MAX_ORDER + 1][MAX_ORDER + 1];

// Values and derivatives at x of the p + 1 Lagrange functions on the Lobatto nodes.
void lobatto_shape(int p, double x, double *n, double *dn);

#endif
