// SPDX-License-Identifier: Apache-2.0
// The conformal rotation vector (Bauchau & Theron 1996, appendix A) on random turns, up to nearly a full one.
#include "check.h"
#include "contract.h"

#define PI 3.14159265358979323846
enum { TRIALS = 200 };

// Rodrigues: R = I + sin(phi) n~ + (1 - cos(phi)) n~ n~
static Mat3 rodrigues(Vec3 n, double phi) {
  Mat3 skew = mat3_cross(n), r = mat3_axpy(mat3_identity(), sin(phi), skew);
  return mat3_axpy(r, 1 - cos(phi), mat3_mul(skew, skew));
}

static double distance(Vec3 a, Vec3 b) { return vec3_norm(vec3_sub(a, b)); }

TEST(cross_outer_and_transposed_products_are_what_they_say) {
  random_restart(1);
  Vec3 a = random_vector(1), b = random_vector(1), c = random_vector(1);
  Mat3 m = mat3_columns(a, b, c);
  CHECK_LE(distance(mat3_apply(mat3_cross(a), b), vec3_cross(a, b)), 4 * EPS);
  CHECK_LE(distance(mat3_apply(mat3_outer(a, b), c), vec3_scale(vec3_dot(b, c), a)), 4 * EPS);
  CHECK_LE(distance(mat3_apply_transpose(m, c), mat3_apply(mat3_transpose(m), c)), 0);
  CHECK_LE(distance(mat3_apply(m, vec3(0, 1, 0)), b), 0);
  CHECK_NEAR(mat3_det(m), vec3_dot(vec3_cross(a, b), c), 8 * EPS);
  CHECK_LE(distance(vec3_axpy(a, -2, b), vec3_sub(a, vec3_scale(2, b))), 4 * EPS);
  CHECK_LE(mat3_distance(mat3_mul(m, mat3_identity()), m), 0);
}

TEST(normal_is_a_unit_vector_at_right_angles) {
  random_restart(2);
  Vec3 axes[4] = {vec3(1, 0, 0), vec3(0, -2, 0), vec3(0, 0, 3), vec3(1, 1, 1)};
  for (int i = 0; i < TRIALS; i++) {
    Vec3 a = i < 4 ? axes[i] : random_vector(10), n = vec3_normal(a);
    CHECK_NEAR(vec3_norm(n), 1, 4 * EPS);
    CHECK_NEAR(vec3_dot(n, a), 0, 4 * EPS * vec3_norm(a));
  }
}

TEST(conformal_vector_turns_by_four_times_the_arc_tangent_of_its_quarter) {
  random_restart(3);
  for (int i = 0; i < TRIALS; i++) {
    Vec3 n = vec3_unit(random_vector(1));
    double phi = random_in(0, 6.2), q = cos(phi / 4);
    Vec3 c = vec3_scale(4 * tan(phi / 4), n);
    CHECK_LE(mat3_distance(rotation_matrix(c), rodrigues(n, phi)), 20 * EPS);
    CHECK_LE(mat3_distance(rotation_half(c), rodrigues(n, phi / 2)), 20 * EPS);
    CHECK_NEAR(rotation_tau(c), q * q, 4 * EPS);
    CHECK_LE(mat3_distance(rotation_tangent(c), mat3_scale(q * q, rodrigues(n, phi / 2))), 20 * EPS);
  }
}

TEST(half_turn_twice_is_the_turn_and_leaves_its_axis) {
  random_restart(4);
  double worst = 0;
  for (int i = 0; i < TRIALS; i++) {
    Vec3 c = random_turn(6.2);
    Mat3 g = rotation_half(c), r = rotation_matrix(c);
    worst = worse(worst, mat3_distance(mat3_mul(g, g), r));
    worst = worse(worst, mat3_distance(mat3_mul(mat3_transpose(r), r), mat3_identity()));
    worst = worse(worst, fabs(mat3_det(r) - 1));
    worst = worse(worst, distance(mat3_apply(g, c), c) / vec3_norm(c));
    worst = worse(worst, distance(mat3_apply(r, c), c) / vec3_norm(c));
  }
  CHECK_LE(worst, 20 * EPS);
  CHECK_NOTE("%.1e", worst);
}

TEST(chord_of_a_director_is_tau_c_cross_the_half_turned_one) {
  random_restart(5);
  double worst = 0;
  for (int i = 0; i < TRIALS; i++) {
    Vec3 c = random_turn(6.2), d = vec3_unit(random_vector(1)), dk = mat3_apply(rotation_matrix(c), d);
    Vec3 half = mat3_apply(rotation_half(c), d), chord = vec3_sub(dk, d);
    worst = worse(worst, distance(chord, vec3_scale(rotation_tau(c), vec3_cross(c, half))));
    Vec3 e = random_turn(2.8), ek = mat3_apply(rotation_matrix(e), d); // p is singular at half a turn
    worst = worse(worst, distance(vec3_sub(ek, d), vec3_cross(tangent_vector(e), vec3_mean(d, ek))));
  }
  CHECK_LE(worst, 40 * EPS);
  CHECK_NOTE("%.1e", worst);
}

TEST(variation_of_c_spins_the_rotation_by_tau_g_dc) {
  random_restart(6);
  double worst = 0;
  for (int i = 0; i < TRIALS; i++) {
    Vec3 c = random_turn(6), dc = vec3_unit(random_vector(1));
    Mat3 r[4], rate;
    for (int e = 0; e < 4; e++) r[e] = rotation_matrix(vec3_axpy(c, difference_step(e), dc));
    for (int j = 0; j < 9; j++) {
      double f[4] = {r[0].m[j / 3][j % 3], r[1].m[j / 3][j % 3], r[2].m[j / 3][j % 3], r[3].m[j / 3][j % 3]};
      rate.m[j / 3][j % 3] = extrapolated(f);
    }
    Mat3 spin = mat3_mul(rate, mat3_transpose(rotation_matrix(c)));
    worst = worse(worst, mat3_distance(spin, mat3_cross(mat3_apply(rotation_tangent(c), dc))));
  }
  CHECK_LE(worst, 5e-12); // 1.1e-12
  CHECK_NOTE("%.1e", worst);
}

TEST(half_derivative_is_the_derivative_of_tau_g_v) {
  random_restart(7);
  double worst = 0;
  for (int i = 0; i < TRIALS; i++) {
    Vec3 c = random_turn(6), v = random_vector(1), dc = vec3_unit(random_vector(1)), f[4];
    for (int e = 0; e < 4; e++) f[e] = mat3_apply(rotation_tangent(vec3_axpy(c, difference_step(e), dc)), v);
    const double x[4] = {f[0].x, f[1].x, f[2].x, f[3].x}, y[4] = {f[0].y, f[1].y, f[2].y, f[3].y},
                 z[4] = {f[0].z, f[1].z, f[2].z, f[3].z};
    Vec3 rate = vec3(extrapolated(x), extrapolated(y), extrapolated(z));
    worst = worse(worst,
                  distance(rate, mat3_apply(rotation_turned_derivative(c, v, mat3_apply(rotation_tangent(c), v)), dc)));
  }
  CHECK_LE(worst, 5e-12); // 5e-13
  CHECK_NOTE("%.1e", worst);
}

static const double turns[] = {0, 1e-300, 1e-160, 1e-12, 1e-9,      1e-8,      1.1e-8,     1e-4, 0.3,
                               1, PI / 2, 2,      3,     PI - 1e-3, PI - 1e-7, PI - 1e-12, PI};
enum { TURNS = sizeof turns / sizeof turns[0] };

// Axes with zeros and with any component largest, so that every branch of the quaternion is taken.
static Vec3 axis(int i) {
  const Vec3 fixed[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0.6, 0.8, 0}, {0, -0.6, 0.8}};
  return i < 6 ? fixed[i] : vec3_unit(random_vector(1));
}

TEST(rotation_vector_and_conformal_vector_come_back_from_the_matrix) {
  random_restart(8);
  double worst = 0;
  for (int k = 0; k < TURNS; k++)
    for (int i = 0; i < 20; i++) {
      double phi = turns[k];
      Vec3 n = axis(i), v = vec3_scale(phi, n), c = vec3_scale(4 * tan(phi / 4), n);
      Mat3 r = rotation_exponential(v);
      Vec3 v1 = rotation_vector(r), c1 = rotation_conformal(r);
      if (PI - phi < 1e-9 && vec3_dot(v1, n) < 0) v1 = vec3_scale(-1, v1), c1 = vec3_scale(-1, c1); // either sign
      worst = worse(worst, distance(v1, v));
      worst = worse(worst, distance(c1, c));
      worst = worse(worst, mat3_distance(r, rodrigues(n, phi)));
      worst = worse(worst, mat3_distance(rotation_matrix(rotation_conformal(r)), r));
      worst = worse(worst, mat3_distance(rotation_exponential(rotation_vector(r)), r));
    }
  CHECK_LE(worst, 50 * EPS);
  CHECK_NOTE("%.1e", worst);
}

TEST(quaternion_is_a_unit_one_and_comes_back) {
  random_restart(9);
  double worst = 0;
  for (int k = 0; k < TURNS; k++)
    for (int i = 0; i < 20; i++) {
      Mat3 r = rodrigues(axis(i), k % 2 ? turns[k] : -turns[k]);
      double q[4];
      rotation_quaternion(r, q);
      CHECK_LE(0, q[0]);
      worst = worse(worst, fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1));
      worst = worse(worst, mat3_distance(rotation_of_quaternion(q), r));
    }
  CHECK_LE(worst, 20 * EPS);
  CHECK_NOTE("%.1e", worst);
}

TEST(small_turns_keep_all_their_digits) {
  for (int i = 6; i < 12; i++)
    for (double phi = 1e-140; phi < 1e-3; phi *= 1e7) {
      Vec3 n = axis(i), v = vec3_scale(phi, n);
      CHECK_LE(distance(rotation_vector(rotation_exponential(v)), v) / phi, 8 * EPS);
      CHECK_LE(distance(rotation_conformal(rotation_matrix(v)), v) / phi, 8 * EPS);
    }
}

TEST(turns_about_one_axis_add_up) {
  random_restart(10);
  for (int i = 0; i < TRIALS; i++) {
    Vec3 n = vec3_unit(random_vector(1));
    double a = random_in(-10, 10), b = random_in(-10, 10);
    Mat3 ab = mat3_mul(rotation_exponential(vec3_scale(a, n)), rotation_exponential(vec3_scale(b, n)));
    CHECK_LE(mat3_distance(ab, rotation_exponential(vec3_scale(a + b, n))), 40 * EPS);
  }
}

TEST(orthonormalised_matrix_is_the_nearest_rotation) {
  random_restart(11);
  double worst = 0;
  for (int i = 0; i < TRIALS; i++) {
    Mat3 a = random_rotation();
    for (int j = 0; j < 9; j++) a.m[j / 3][j % 3] += random_in(-3e-3, 3e-3);
    Mat3 q = rotation_orthonormalised(a), s = mat3_mul(mat3_transpose(q), a); // polar: a = q s, s symmetric
    worst = worse(worst, mat3_distance(mat3_mul(mat3_transpose(q), q), mat3_identity()));
    worst = worse(worst, mat3_distance(s, mat3_transpose(s)));
    worst = worse(worst, fabs(mat3_det(q) - 1));
  }
  CHECK_LE(worst, 20 * EPS);
  CHECK_NOTE("%.1e", worst);
}

CHECK_MAIN
