// SPDX-License-Identifier: Apache-2.0
// Equation: eq-contact-faces (22.15). Rules of triangles: of degree 1, 2 and 4 (Strang & Fix 1973).
#include "mechanics/face.h"

#include "mechanics/quadrature.h"

int face_points(int nnode, int order) { return nnode == 4 ? order * order : order * (order + 1) / 2; }

// Area coordinates of a point of a triangle; returns its weight.
static double triangle_point(int order, int g, double *l) {
  static const double near[2] = {0.09157621350977074346, 0.44594849091596488632};
  static const double weight[2] = {0.5 * 0.10995174365532186764, 0.5 * 0.22338158967801146570};
  double other = order == 1 ? 1.0 / 3 : order == 2 ? 1.0 / 6 : near[g / 3];
  for (int i = 0; i < 3; i++) l[i] = i == g % 3 ? 1 - 2 * other : other;
  return order == 1 ? 0.5 : order == 2 ? 1.0 / 6 : weight[g / 3];
}

static double triangle_shape(int nnode, int order, int g, double *n, double dn[][2]) {
  static const double dl[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
  double l[3], weight = triangle_point(order, g, l);
  for (int a = 0; a < 3; a++) {
    int b = (a + 1) % 3;
    n[a] = nnode == 3 ? l[a] : l[a] * (2 * l[a] - 1);
    if (nnode == 6) n[3 + a] = 4 * l[a] * l[b];
    for (int k = 0; k < 2; k++) {
      dn[a][k] = (nnode == 3 ? 1 : 4 * l[a] - 1) * dl[a][k];
      if (nnode == 6) dn[3 + a][k] = 4 * (l[a] * dl[b][k] + l[b] * dl[a][k]);
    }
  }
  return weight;
}

static double square_shape(int order, int g, double *n, double dn[][2]) {
  static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  double x = gauss_point[order][g % order], y = gauss_point[order][g / order];
  for (int a = 0; a < 4; a++) {
    double f = 0.5 * (1 + x * corner[a][0]), h = 0.5 * (1 + y * corner[a][1]);
    n[a] = f * h, dn[a][0] = 0.5 * corner[a][0] * h, dn[a][1] = 0.5 * corner[a][1] * f;
  }
  return gauss_weight[order][g % order] * gauss_weight[order][g / order];
}

double face_point(int nnode, int order, int g, const Vec3 *at, double *n) {
  double dn[FACE_NODES][2] = {{0}};
  double weight = nnode == 4 ? square_shape(order, g, n, dn) : triangle_shape(nnode, order, g, n, dn);
  Vec3 t[2] = {vec3_zero(), vec3_zero()};
  for (int a = 0; a < nnode; a++)
    for (int k = 0; k < 2; k++) t[k] = vec3_axpy(t[k], dn[a][k], at[a]);
  return weight * vec3_norm(vec3_cross(t[0], t[1]));
}

Vec3 face_normal(int nnode, const Vec3 *at) {
  if (nnode == 4) return vec3_cross(vec3_sub(at[2], at[0]), vec3_sub(at[3], at[1]));
  return vec3_cross(vec3_sub(at[1], at[0]), vec3_sub(at[2], at[0]));
}
