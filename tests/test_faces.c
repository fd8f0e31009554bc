// SPDX-License-Identifier: Apache-2.0
// Quadrature of faces: shape functions and areas.
#include "check.h"
#include "mechanics/cell.h"

static const Vec3 square[8] = {{0, 0, 0}, {2, 0, 0},   {2, 3, 0}, {0, 3, 0},
                               {1, 0, 0}, {2, 1.5, 0}, {1, 3, 0}, {0, 1.5, 0}};
static const Vec3 triangle[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}};

// Integral of x^a y^b over the face, with x by its shape functions.
static double integral(int nnode, int order, const Vec3 *at, int a, int b) {
  double sum = 0;
  for (int g = 0; g < face_points(nnode, order); g++) {
    double n[FACE_NODES], w = face_point(nnode, order, g, at, n);
    Vec3 x = vec3_zero();
    for (int i = 0; i < nnode; i++) x = vec3_axpy(x, n[i], at[i]);
    sum += w * pow(x.x, a) * pow(x.y, b);
  }
  return sum;
}

static double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

TEST(triangles_integrate_polynomials_of_their_degree) {
  static const int degree[] = {0, 1, 2, 4};
  for (int nnode = 3; nnode <= 6; nnode += 3)
    for (int order = 1; order <= FACE_ORDER; order++)
      for (int a = 0; a <= degree[order]; a++)
        for (int b = 0; a + b <= degree[order]; b++)
          CHECK_NEAR(integral(nnode, order, triangle, a, b), factorial(a) * factorial(b) / factorial(a + b + 2), 1e-15);
}

TEST(squares_integrate_polynomials_of_their_degree) {
  for (int nnode = 4; nnode <= 8; nnode += 4)
    for (int order = 1; order <= FACE_ORDER; order++)
      for (int a = 0; a < 2 * order; a++)
        for (int b = 0; b < 2 * order; b++) {
          double exact = pow(2, a + 1) / (a + 1) * pow(3, b + 1) / (b + 1);
          CHECK_NEAR(integral(nnode, order, square, a, b), exact, 1e-14 * exact);
        }
}

TEST(shape_functions_add_up_to_one_and_normals_point_out) {
  for (int nnode = 3; nnode <= 8; nnode++)
    for (int order = 1; order <= FACE_ORDER && nnode != 5 && nnode != 7; order++)
      for (int g = 0; g < face_points(nnode, order); g++) {
        double n[FACE_NODES], sum = 0;
        double w = face_point(nnode, order, g, nnode % 4 == 0 ? square : triangle, n);
        for (int a = 0; a < nnode; a++) sum += n[a];
        CHECK_NEAR(sum, 1, 1e-15);
        CHECK(w > 0);
      }
  CHECK_NEAR(face_normal(4, square).z, 12, 1e-15);
  CHECK_NEAR(face_normal(8, square).z, 12, 1e-15);
  CHECK_NEAR(face_normal(6, triangle).z, 1, 1e-15);
}

CHECK_MAIN
