// SPDX-License-Identifier: Apache-2.0
// Equations: eq-points-edge (7.1), eq-points-simplex (7.3).
#include "mechanics/simplex.h"

#include "base/rotation.h"

static const double flat = 1e-10;   // Euler's tensor: a body this much thinner (squared) has no thickness
static const double outside = 1e-9; // of the simplex's size

const int simplex_edge[SIMPLEX_EDGES][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}};

bool simplex_gradients(int n, const Vec3 *x, Vec3 *gradient) {
  Vec3 e[3] = {{0, 0, 0}}, sum = vec3_zero();
  double size = 1;
  for (int a = 1; a < n; a++) e[a - 1] = vec3_sub(x[a], x[0]), size *= vec3_norm(e[a - 1]);
  if (n < 2 || !(size > 0)) return false;
  if (n == 2) gradient[1] = vec3_scale(1 / vec3_dot(e[0], e[0]), e[0]);
  Vec3 normal = vec3_cross(e[0], e[1]);
  double square = vec3_dot(normal, normal), volume = vec3_dot(normal, e[2]);
  if (n == 3) {
    if (!(square > outside * outside * size * size)) return false;
    gradient[1] = vec3_scale(1 / square, vec3_cross(e[1], normal));
    gradient[2] = vec3_scale(1 / square, vec3_cross(normal, e[0]));
  }
  if (n == 4) {
    if (!(fabs(volume) > outside * size)) return false;
    for (int a = 0; a < 3; a++) gradient[a + 1] = vec3_scale(1 / volume, vec3_cross(e[(a + 1) % 3], e[(a + 2) % 3]));
  }
  for (int a = 1; a < n; a++) sum = vec3_add(sum, gradient[a]);
  gradient[0] = vec3_scale(-1, sum);
  return true;
}

bool simplex_direction_weights(int n, const Vec3 *x, Vec3 direction, double *weight) {
  Vec3 gradient[SIMPLEX_POINTS], left = direction;
  double size = vec3_norm(direction);
  if (!simplex_gradients(n, x, gradient)) return false;
  for (int a = 0; a < n; a++) {
    weight[a] = vec3_dot(gradient[a], direction);
    left = vec3_axpy(left, -weight[a], x[a]);
    size += fabs(weight[a]) * vec3_norm(vec3_sub(x[a], x[0]));
  }
  return vec3_norm(left) <= outside * size;
}

bool simplex_position_weights(int n, const Vec3 *x, Vec3 position, double *weight) {
  double size = 0;
  Vec3 left = vec3_sub(position, x[0]), gradient[SIMPLEX_POINTS];
  if (!simplex_gradients(n, x, gradient)) return false;
  for (int a = 0; a < n; a++) {
    weight[a] = vec3_dot(gradient[a], vec3_sub(position, x[0])) + (a == 0);
    left = vec3_axpy(left, -weight[a], vec3_sub(x[a], x[0]));
    size += vec3_norm(vec3_sub(x[a], x[0]));
  }
  return vec3_norm(left) <= outside * size;
}

int simplex_of_body(double mass, Vec3 centre, Mat3 jc, Vec3 *x) {
  static const double line[2][3] = {{1, 0, 0}, {-1, 0, 0}},
                      triangle[3][3] = {{1.4142135623730951, 0, 0},
                                        {-0.7071067811865476, 1.224744871391589, 0},
                                        {-0.7071067811865476, -1.224744871391589, 0}},
                      tetrahedron[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  double half = 0.5 * (jc.m[0][0] + jc.m[1][1] + jc.m[2][2]), e[3][3], v[3][3];
  int order[3] = {0, 1, 2}, n = 1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) e[i][j] = half * (i == j) - 0.5 * (jc.m[i][j] + jc.m[j][i]);
  principal_axes(e, v);
  for (int i = 0; i < 2; i++)
    for (int j = i + 1; j < 3; j++)
      if (e[order[j]][order[j]] > e[order[i]][order[i]]) {
        int swap = order[i];
        order[i] = order[j], order[j] = swap;
      }
  double most = e[order[0]][order[0]], least = e[order[2]][order[2]];
  if (!(most >= 0) || least < -1e-9 * most) return 0;
  while (n < 4 && e[order[n - 1]][order[n - 1]] > flat * most) n++;
  const double(*s)[3] = n == 4 ? tetrahedron : n == 3 ? triangle : line;
  for (int a = 0; a < n; a++) {
    x[a] = centre;
    for (int j = 0; j + 1 < n; j++) {
      int k = order[j];
      x[a] = vec3_axpy(x[a], s[a][j] * sqrt(e[k][k] / mass), vec3(v[0][k], v[1][k], v[2][k]));
    }
  }
  return n;
}
