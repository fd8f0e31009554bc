// SPDX-License-Identifier: Apache-2.0
// Wind: derivatives by the place; turbulence against its spectrum, coherence and mean.
#include "check.h"
#include "mechanics/turbulence.h"
#include "mechanics/wind.h"

#include <stdlib.h>
#include <string.h>

static const double two_pi = 6.283185307179586;

// ---- derivatives ----

enum { TIMES = 5, UP = 3, ACROSS = 4 };

static Wind some_wind(WindBox *box, double *velocity) {
  for (int i = 0; i < 3 * TIMES * UP * ACROSS; i++) velocity[i] = 3 * sin(1.7 * i * i);
  *box = (WindBox){.origin = {1, 2, 3},
                   .bottom = 4,
                   .spacing = {2, 3},
                   .count = {ACROSS, UP},
                   .steps = TIMES,
                   .step = 0.4,
                   .speed = 8,
                   .periodic = true,
                   .velocity = velocity};
  wind_box_axes(box, vec3(1, 0.5, 0.1), vec3(0.1, -0.2, 1));
  return (Wind){.velocity = {9, 1, 0}, .up = box->up, .reference = 10, .exponent = 0.3, .origin = 1, .box = box};
}

static DualVec place_of(Vec3 x) {
  DualVec p = dual_vec(x);
  for (int i = 0; i < 3; i++) p.x[i].d[i] = 1;
  return p;
}

TEST(the_derivative_by_the_place_is_that_of_the_velocity) {
  WindBox box;
  double velocity[3 * TIMES * UP * ACROSS];
  Wind w = some_wind(&box, velocity);
  double h = 1e-6, worst = 0;
  for (int k = 0; k < 40; k++) {
    Vec3 x = vec3(1 + 0.37 * k, 2 + 2.5 * sin(k), 8 + 2.5 * cos(3 * k));
    DualVec p = place_of(x), v = wind_at(&w, 0.1 * k + 0.03, 1.2, &p);
    for (int d = 0; d < 3; d++) {
      Vec3 e = vec3(d == 0 ? h : 0, d == 1 ? h : 0, d == 2 ? h : 0);
      DualVec a = dual_vec(vec3_sub(x, e)), b = dual_vec(vec3_add(x, e));
      DualVec before = wind_at(&w, 0.1 * k + 0.03, 1.2, &a), behind = wind_at(&w, 0.1 * k + 0.03, 1.2, &b);
      for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(v.x[i].d[d] - (behind.x[i].v - before.x[i].v) / (2 * h)));
    }
  }
  CHECK_LE(worst, 1e-7); // measured 3e-9
}

TEST(a_box_that_ends_has_no_velocity_beyond_its_times) {
  WindBox box;
  double velocity[3 * TIMES * UP * ACROSS];
  Wind w = some_wind(&box, velocity);
  box.periodic = false;
  DualVec p = dual_vec(box.origin);
  CHECK(isfinite(wind_at(&w, 0, 1, &p).x[0].v) && isfinite(wind_at(&w, 1.6, 1, &p).x[0].v));
  CHECK(isnan(wind_at(&w, -0.01, 1, &p).x[0].v) && isnan(wind_at(&w, 1.61, 1, &p).x[0].v));
}

// ---- turbulence ----

enum { SIDE = 4, POINTS = SIDE * SIDE, STEPS = 16384 };

static const Turbulence turbulence = {.speed = 12,
                                      .period = 3276.8,
                                      .deviation = {2, 1.6, 1},
                                      .length = {340.2, 113.4, 27.72},
                                      .across = SIDE,
                                      .upwards = SIDE,
                                      .steps = STEPS,
                                      .spacing = {10, 15},
                                      .seed = 7};

static double *make(const Turbulence *t) {
  double *scratch = calloc(turbulence_scratch(t), sizeof *scratch);
  double *out = malloc(3 * (size_t)(t->across * t->upwards * t->steps) * sizeof *out);
  turbulence_make(t, scratch, out);
  free(scratch);
  return out;
}

static double at(const double *v, int step, int point, int component) {
  return v[3 * (step * POINTS + point) + component];
}

// The amplitude at m/T by its sum, with a pointer that turns.
static void amplitude(const double *v, int m, int point, int component, double out[2]) {
  double turn[2] = {cos(two_pi * m / STEPS), sin(two_pi * m / STEPS)}, by[2] = {1, 0};
  out[0] = out[1] = 0;
  for (int i = 0; i < STEPS; i++) {
    double x = at(v, i, point, component) / STEPS, re = by[0] * turn[0] - by[1] * turn[1];
    out[0] += x * by[0], out[1] -= x * by[1];
    by[1] = by[0] * turn[1] + by[1] * turn[0], by[0] = re;
  }
}

TEST(the_same_seed_gives_the_same_bits_and_another_gives_others) {
  Turbulence t = turbulence;
  t.steps = 64;
  size_t size = (size_t)(3 * POINTS * t.steps) * sizeof(double);
  double *a = make(&t), *b = make(&t);
  CHECK(!memcmp(a, b, size));
  free(b);
  t.seed++;
  b = make(&t);
  CHECK(memcmp(a, b, size));
  free(a), free(b);
}

TEST(mean_and_variance_are_those_of_the_spectrum) {
  double *v = make(&turbulence);
  for (int c = 0; c < 3; c++) {
    double most = 0, sum = 0, last = (STEPS / 2 - 0.5) / turbulence.period;
    double exact = kaimal_part(turbulence.length[c], turbulence.speed, 0, last) * pow(turbulence.deviation[c], 2);
    for (int p = 0; p < POINTS; p++) {
      double mean = 0, variance = 0;
      for (int i = 0; i < STEPS; i++) mean += at(v, i, p, c) / STEPS, variance += pow(at(v, i, p, c), 2) / STEPS;
      most = fmax(most, fabs(mean)), sum += variance / POINTS;
      // one point of u: random phases of correlated points add up at random; measured within 5 %
      CHECK_REL(variance, exact, c ? 1e-5 : 0.15);
    }
    CHECK_LE(most, 1e-6);
    CHECK_REL(sum, exact, c ? 1e-5 : 0.1); // u: measured 2 %
  }
  free(v);
}

TEST(bands_of_frequencies_have_the_variance_of_kaimals_spectrum) {
  double *v = make(&turbulence);
  for (int c = 0; c < 3; c++)
    for (int b = 2; b < 7; b++) { // octaves
      int from = 1 << b, to = 2 << b;
      double sum = 0, x[2];
      for (int m = from; m < to; m++)
        for (int p = 0; p < POINTS; p++) {
          amplitude(v, m, p, c, x);
          sum += 2 * (x[0] * x[0] + x[1] * x[1]) / POINTS;
        }
      double exact = kaimal_part(turbulence.length[c], turbulence.speed, (from - 0.5) / turbulence.period,
                                 (to - 0.5) / turbulence.period) *
                     pow(turbulence.deviation[c], 2);
      CHECK_REL(sum, exact, c ? 1e-5 : 3 / sqrt(to - from));
    }
  free(v);
}

// The mean of X_i conj(X_j) over a band, over the target's spectrum, is the coherence; its statistical error is below
// one over the root of the number of frequencies.
TEST(points_have_the_coherence_of_the_standard) {
  double *v = make(&turbulence);
  static const int pair[][2] = {{0, 1}, {0, 2}, {5, 9}, {1, 14}};
  double worst = 0;
  for (int k = 0; k < 4; k++)
    for (int c = 0; c < 3; c++)
      for (int first = 8; first < 400; first *= 4) {
        int count = 3 * first, i = pair[k][0], j = pair[k][1];
        double both = 0, exact = 0, x[2], y[2];
        double dy = 10.0 * (i % SIDE - j % SIDE), dz = 15.0 * (i / SIDE - j / SIDE), r = hypot(dy, dz);
        for (int m = first; m < first + count; m++) {
          double f = m / turbulence.period;
          double size = 0.5 * pow(turbulence.deviation[c], 2) *
                        kaimal_part(turbulence.length[c], turbulence.speed, (m - 0.5) / turbulence.period,
                                    (m + 0.5) / turbulence.period);
          amplitude(v, m, i, c, x), amplitude(v, m, j, c, y);
          both += (x[0] * y[0] + x[1] * y[1]) / (size * count);
          exact += (c ? 0 : exp(-12 * hypot(f * r / 12, 0.12 * r / 340.2))) / count;
        }
        worst = fmax(worst, fabs(both - exact) * sqrt(count));
      }
  CHECK_LE(worst, 3.5); // measured 2.0: in deviations of the mean of independent frequencies
  free(v);
}

CHECK_MAIN
