// SPDX-License-Identifier: Apache-2.0
#include "mechanics/quadrature.h"

#define S3  0.57735026918962576451 // 1/sqrt(3)
#define S35 0.77459666924148337704 // sqrt(3/5)
#define S5  0.44721359549995793928 // 1/sqrt(5)

const double gauss_point[MAX_ORDER + 1][MAX_ORDER] = {{0}, {0}, {-S3, S3}, {-S35, 0, S35}};
const double gauss_weight[MAX_ORDER + 1][MAX_ORDER] = {{0}, {2}, {1, 1}, {5.0 / 9, 8.0 / 9, 5.0 / 9}};
const double lobatto_node[MAX_ORDER + 1][MAX_ORDER + 1] = {{0}, {-1, 1}, {-1, 0, 1}, {-1, -S5, S5, 1}};
const double lobatto_weight[MAX_ORDER + 1][MAX_ORDER + 1] = {
    {0}, {1, 1}, {1.0 / 3, 4.0 / 3, 1.0 / 3}, {1.0 / 6, 5.0 / 6, 5.0 / 6, 1.0 / 6}};

void lobatto_shape(int p, double x, double *n, double *dn) {
  const double *node = lobatto_node[p];
  for (int i = 0; i <= p; i++) {
    n[i] = 1, dn[i] = 0;
    for (int j = 0; j <= p; j++) {
      if (j == i) continue;
      double d = 1 / (node[i] - node[j]);
      dn[i] = dn[i] * (x - node[j]) * d + n[i] * d;
      n[i] *= (x - node[j]) * d;
    }
  }
}
