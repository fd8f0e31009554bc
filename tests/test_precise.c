// SPDX-License-Identifier: Apache-2.0
// Precise integration as Liu, Begg, Devane & Zhong print it: the 2^N algorithm, the particular integrals, and what in them is
// a misprint. v' = H v + f for one oscillator with damping and for two that are coupled.
// Equations: eq-exponential-misprint (15.10).
#include "check.h"
#include "mechanics/response.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4 };
typedef double Matrix[N][N];

static const double omega2[2] = {9, 400}, couple = 5, damping = 0.4;

// H of M = I, C = damping I, K = [9 + 5, -5; -5, 400 + 5], for D and u = D' + C D/2
static void structure(Matrix h) {
  memset(h, 0, sizeof(Matrix));
  for (int i = 0; i < 2; i++) {
    h[i][i] = h[i + 2][i + 2] = -damping / 2, h[i][i + 2] = 1;
    for (int j = 0; j < 2; j++) h[i + 2][j] = i == j ? damping * damping / 4 - omega2[i] - couple : couple;
  }
}

static void times(Matrix a, Matrix b, Matrix out) {
  Matrix c = {{0}};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];
  memcpy(out, c, sizeof c);
}

static void apply(Matrix a, const double *x, double *y) {
  double sum[N] = {0};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) sum[i] += a[i][j] * x[j];
  memcpy(y, sum, sizeof sum);
}

static void inverse(Matrix a, Matrix out) { // Gauss-Jordan with row exchange
  double w[N][2 * N] = {{0}};
  for (int i = 0; i < N; i++) memcpy(w[i], a[i], sizeof a[i]), w[i][N + i] = 1;
  for (int c = 0; c < N; c++) {
    int p = c;
    for (int r = c; r < N; r++)
      if (fabs(w[r][c]) > fabs(w[p][c])) p = r;
    for (int j = 0; j < 2 * N; j++) {
      double t = w[c][j];
      w[c][j] = w[p][j], w[p][j] = t;
    }
    for (int r = 0; r < N; r++) {
      double f = w[r][c] / w[c][c];
      for (int j = 0; j < 2 * N && r != c; j++) w[r][j] -= f * w[c][j];
    }
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) out[i][j] = w[i][N + j] / w[i][i];
}

// Equations 14 to 16: exp(H tau) = I + R_N, R_i = 2 R_(i-1) + R_(i-1)^2, so that small numbers are not added to 1.
static void precise(Matrix h, double tau, int doublings, Matrix out) {
  Matrix a, power, r = {{0}}, square;
  double factor = 1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = h[i][j] * ldexp(tau, -doublings);
  memcpy(power, a, sizeof a);
  for (int k = 1; k <= 4; k++, times(power, a, power)) {
    factor /= k;
    for (int i = 0; i < N * N; i++) r[i / N][i % N] += factor * power[i / N][i % N];
  }
  for (int k = 0; k < doublings; k++) {
    times(r, r, square);
    for (int i = 0; i < N * N; i++) r[i / N][i % N] = 2 * r[i / N][i % N] + square[i / N][i % N];
  }
  for (int i = 0; i < N; i++) r[i][i] += 1;
  memcpy(out, r, sizeof r);
}

// The undamped oscillator alone, whose exponential is known.
static double error_of_precise(double cycles, int doublings) {
  double omega = 2 * 3.141592653589793, theta = omega * cycles, worst;
  Matrix h = {{0}}, e;
  h[0][2] = 1, h[2][0] = -omega * omega, h[1][3] = 1, h[3][1] = -omega * omega;
  precise(h, cycles, doublings, e);
  worst = fmax(fabs(e[0][0] - cos(theta)), fabs(e[0][2] * omega - sin(theta)));
  return fmax(worst, fabs(e[2][0] / omega + sin(theta)));
}

TEST(the_2_N_algorithm_is_exact_but_errors_add_up_which_equation_18_leaves_out) {
  double one = error_of_precise(0.3, 20), many = error_of_precise(160, 20);
  CHECK_NOTE("tau/T = 0.3: %.1e; 160: %.1e, where equation 18 promises 1e-17", one, many);
  CHECK_LE(one, 1e-14);
  CHECK_LE(1e-13, many);
  CHECK_LE(many, 1e-10);
}

// A chain of equal masses between two walls: exp(H tau) of all of it by the 2^N algorithm, against its modes, sine waves, each in closed
// form (response.h). Both start from a pluck and a blow.
enum { CHAIN = 14, ROWS = 2 * CHAIN };

static void chain_times(double (*a)[ROWS], double (*b)[ROWS], double (*out)[ROWS]) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < ROWS; j++) {
      out[i][j] = 0;
      for (int k = 0; k < ROWS; k++) out[i][j] += a[i][k] * b[k][j];
    }
}

// R_N = exp(H tau) - I
static void chain_precise(double stiffness, double tau, int doublings, double (*r)[ROWS]) {
  static double a[ROWS][ROWS], power[ROWS][ROWS], next[ROWS][ROWS];
  double factor = 1;
  memset(a, 0, sizeof a), memset(r, 0, sizeof a);
  for (int i = 0; i < CHAIN; i++) {
    a[i][i + CHAIN] = ldexp(tau, -doublings);
    for (int j = 0; j < CHAIN; j++)
      a[i + CHAIN][j] = (i == j ? -2 : abs(i - j) == 1 ? 1 : 0) * stiffness * ldexp(tau, -doublings);
  }
  memcpy(power, a, sizeof a);
  for (int k = 1; k <= 4; k++) {
    factor /= k;
    for (int i = 0; i < ROWS * ROWS; i++) r[i / ROWS][i % ROWS] += factor * power[i / ROWS][i % ROWS];
    chain_times(power, a, next);
    memcpy(power, next, sizeof a);
  }
  for (int k = 0; k < doublings; k++) {
    chain_times(r, r, next);
    for (int i = 0; i < ROWS * ROWS; i++) r[i / ROWS][i % ROWS] = 2 * r[i / ROWS][i % ROWS] + next[i / ROWS][i % ROWS];
  }
}

static double chain_apart(double phase) { // omega_max tau
  static double r[ROWS][ROWS];
  const double stiffness = 1e4, pi = 3.141592653589793, tau = phase / (2 * sqrt(stiffness));
  double start[ROWS] = {0}, dense, worst = 0, size = 0;
  start[2] = 1, start[CHAIN + 9] = 100;
  chain_precise(stiffness, tau, 20, r);
  for (int i = 0; i < CHAIN; i++) {
    double modal = 0, psi[2];
    dense = start[i];
    for (int j = 0; j < ROWS; j++) dense += r[i][j] * start[j];
    for (int k = 1; k <= CHAIN; k++) {
      double wave = pi * k / (CHAIN + 1), w = 2 * stiffness * (1 - cos(wave));
      oscillator_response(w, 0, tau, 2, psi);
      double x = sin(wave * 3) * start[2] * psi[0] + sin(wave * 10) * start[CHAIN + 9] * tau * psi[1];
      modal += 2.0 / (CHAIN + 1) * sin(wave * (i + 1)) * x;
    }
    worst = fmax(worst, fabs(dense - modal)), size = fmax(size, fabs(modal));
  }
  return worst / size;
}

TEST(modes_in_closed_form_are_what_the_2_N_algorithm_gives_to_round_off) {
  double slow = chain_apart(0.65), fast = chain_apart(67);
  CHECK_NOTE("omega_max tau = 0.65: apart by %.1e; 67: %.1e", slow, fast);
  CHECK_LE(slow, 1e-14);
  CHECK_LE(fast, 1e-11);
}

// |x' - H x - f| of the particular integral x = a1 sin + a2 cos of f = r1 sin + r2 cos, over |f|
static double harmonic_residual(Matrix h, double theta, const double *r1, const double *r2, const double *a1,
                                const double *a2) {
  double ha1[N], ha2[N], worst = 0, scale = 0;
  apply(h, a1, ha1), apply(h, a2, ha2);
  for (int i = 0; i < N; i++) {
    worst = fmax(worst, fmax(fabs(-theta * a2[i] - ha1[i] - r1[i]), fabs(theta * a1[i] - ha2[i] - r2[i])));
    scale = fmax(scale, fmax(fabs(r1[i]), fabs(r2[i])));
  }
  return worst / scale;
}

TEST(equation_22_is_a_solution_once_its_two_misprints_are_mended) {
  const double r1[N] = {0, 0, 3, -1}, r2[N] = {0, 0, 0.5, 2}, theta = 7;
  Matrix h, m;
  double found[3];
  structure(h);
  for (int way = 0; way < 3; way++) { // mended; theta in place of theta^2; the sign in a2
    double hr1[N], hr2[N], a1[N], a2[N];
    times(h, h, m);
    for (int i = 0; i < N; i++) m[i][i] += way == 1 ? theta : theta * theta;
    inverse(m, m);
    apply(h, r1, hr1), apply(h, r2, hr2);
    for (int i = 0; i < N; i++) {
      a1[i] = theta * r2[i] - hr1[i];
      a2[i] = -(theta * r1[i] + (way == 2 ? -1 : 1) * hr2[i]);
    }
    apply(m, a1, a1), apply(m, a2, a2);
    found[way] = harmonic_residual(h, theta, r1, r2, a1, a2);
  }
  CHECK_NOTE("residual: mended %.1e, with theta for theta^2 %.1e, with the printed sign %.1e", found[0], found[1],
             found[2]);
  CHECK_LE(found[0], 1e-13);
  CHECK_LE(0.1, found[1]);
  CHECK_LE(0.1, found[2]);
}

TEST(equation_23_is_a_solution) {
  const double r[N] = {0, 0, 3, -1}, b = -2.5;
  double a[N], ha[N], worst = 0;
  Matrix h, m;
  structure(h);
  for (int i = 0; i < N * N; i++) m[i / N][i % N] = (i % (N + 1) == 0) * b - h[i / N][i % N];
  inverse(m, m);
  apply(m, r, a), apply(h, a, ha);
  for (int i = 0; i < N; i++) worst = fmax(worst, fabs(b * a[i] - ha[i] - r[i]));
  CHECK_LE(worst, 1e-13);
}

// Equations 20 and 30 for f = f0 + f1 (t - t0) + f2 (t - t0)^2/2: a step of tau = 0.01 from rest at t0, D of the first mass.
static double step_from(double t0, bool local) {
  const double f0[N] = {0, 0, 3, -1}, f1[N] = {0, 0, 20, 7}, f2[N] = {0, 0, -50, 9}, tau = 0.01;
  double base = local ? 0 : t0, a[3][N], right[N], start[N], end[N];
  Matrix h, inv, e;
  structure(h);
  inverse(h, inv);
  precise(h, tau, 20, e);
  apply(inv, f2, a[2]);
  for (int i = 0; i < N; i++) a[2][i] *= -0.5;
  for (int i = 0; i < N; i++) right[i] = 2 * a[2][i] - f1[i] + f2[i] * base;
  apply(inv, right, a[1]);
  for (int i = 0; i < N; i++) right[i] = a[1][i] - f0[i] + f1[i] * base - 0.5 * f2[i] * base * base;
  apply(inv, right, a[0]);
  for (int i = 0; i < N; i++) {
    start[i] = -(a[0][i] + a[1][i] * base + a[2][i] * base * base);
    end[i] = a[0][i] + a[1][i] * (base + tau) + a[2][i] * (base + tau) * (base + tau);
  }
  apply(e, start, start);
  return start[0] + end[0];
}

TEST(equation_30_must_count_time_from_the_start_of_the_step) {
  double exact = step_from(0, true), psi[MAX_RESPONSE], close, far = fabs(step_from(1e4, false) - exact) / exact;
  oscillator_response(14, damping / 2, 0.01, 6, psi); // the first mass alone: the second moves it by its own D, of h^4
  close = 1e-4 * (3 * psi[2] + 0.01 * 20 * psi[3] - 1e-4 * 50 * psi[4]);
  CHECK_NOTE("D = %.9e m; with absolute time at 1e4 s off by %.1e of it", exact, far);
  CHECK_REL(exact, close, 1e-4);
  CHECK_REL(step_from(1e4, true), exact, 1e-15);
  CHECK_LE(1e-6, far); // measured 6e-5
}

CHECK_MAIN
