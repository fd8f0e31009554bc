// SPDX-License-Identifier: Apache-2.0
#include "mechanics/turbulence.h"
#include "base/mix.h"

#include <math.h>
#include <string.h>

static const double pi = 3.141592653589793;

double kaimal_part(double length, double speed, double from, double to) {
  double by = 6 * length / speed;
  return pow(1 + by * from, -2.0 / 3) - (to < HUGE_VAL ? pow(1 + by * to, -2.0 / 3) : 0);
}

static size_t points_of(const Turbulence *t) { return (size_t)t->across * (size_t)t->upwards; }

// The lower half of the coherence matrix; the sums of phases; a record.
size_t turbulence_scratch(const Turbulence *t) {
  size_t n = points_of(t);
  return n * (n + 1) / 2 + 2 * n + 2 * (size_t)t->steps;
}

double turbulence_work(const Turbulence *t) {
  double n = (double)points_of(t), steps = t->steps;
  return 0.5 * steps * (n * n * n / 6 + 3 * n * n) + 3 * n * 2 * steps * log2(steps + 1);
}

// ---- coherence ----

// Row i of a lower half has i + 1 entries.
static double *row_of(double *half, size_t i) { return half + i * (i + 1) / 2; }

static void fill_coherence(const Turbulence *t, double frequency, double *half) {
  for (size_t i = 0; i < points_of(t); i++) {
    double *row = row_of(half, i);
    for (size_t j = 0; j <= i; j++) {
      double y = t->spacing[0] * ((double)(i % (size_t)t->across) - (double)(j % (size_t)t->across));
      double z = t->spacing[1] * (double)(i / (size_t)t->across - j / (size_t)t->across);
      double r = sqrt(y * y + z * z);
      row[j] = exp(-12 * hypot(frequency * r / t->speed, 0.12 * r / t->length[0]));
    }
  }
}

// Cholesky's factor in the place of the matrix, which is positive definite; round-off may leave a small negative pivot.
static void factorise(size_t n, double *half) {
  for (size_t i = 0; i < n; i++) {
    double *a = row_of(half, i);
    for (size_t j = 0; j <= i; j++) {
      const double *b = row_of(half, j);
      double sum = a[j];
      for (size_t k = 0; k < j; k++) sum -= a[k] * b[k];
      if (j < i) a[j] = b[j] > 0 ? sum / b[j] : 0;
      else a[j] = sum > 0 ? sqrt(sum) : 0;
    }
  }
}

// ---- spectra ----

// Phase of a point's component at a frequency: by the seed and its number alone.
static double phase_of(const Turbulence *t, int m, size_t point, int component) {
  uint64_t number = ((uint64_t)m * points_of(t) + point) * 3 + (uint64_t)component;
  return 2 * pi * random_unit(random_mix(random_mix(t->seed + 0x9E3779B97F4A7C15u) + number * 0x9E3779B97F4A7C15u));
}

// The amplitudes at the frequency m/T go to the places 2m and 2m + 1 of the record of each point.
static void fill_frequency(const Turbulence *t, int m, double *half, double *phase, double *out) {
  size_t n = points_of(t);
  double from = m > 1 ? (m - 0.5) / t->period : 0, to = (m + 0.5) / t->period;
  fill_coherence(t, m / t->period, half);
  factorise(n, half);
  for (int c = 0; c < 3; c++) {
    double size = t->deviation[c] * sqrt(0.5 * kaimal_part(t->length[c], t->speed, from, to));
    for (size_t i = 0; i < n; i++) {
      double angle = phase_of(t, m, i, c), sum[2] = {0, 0};
      phase[2 * i] = cos(angle), phase[2 * i + 1] = sin(angle);
      for (size_t j = c ? i : 0; j <= i; j++) {
        double h = c ? 1 : row_of(half, i)[j];
        sum[0] += h * phase[2 * j], sum[1] += h * phase[2 * j + 1];
      }
      for (int k = 0; k < 2; k++) out[3 * (((size_t)(2 * m + k)) * n + i) + (size_t)c] = size * sum[k];
    }
  }
}

// x_i = sum_m X_m exp(2 pi i m i/n), in place; n a power of two, x of pairs.
static void transform(int n, double *x) {
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    for (int k = 0; i < j && k < 2; k++) {
      double swap = x[2 * i + k];
      x[2 * i + k] = x[2 * j + k], x[2 * j + k] = swap;
    }
  }
  for (int size = 2; size <= n; size *= 2)
    for (int k = 0; k < size / 2; k++) {
      double c = cos(2 * pi * k / size), s = sin(2 * pi * k / size);
      for (int i = k; i < n; i += size) {
        double *a = x + 2 * i, *b = a + size, re = c * b[0] - s * b[1], im = s * b[0] + c * b[1];
        b[0] = a[0] - re, b[1] = a[1] - im, a[0] += re, a[1] += im;
      }
    }
}

void turbulence_make(const Turbulence *t, double *scratch, double *out) {
  size_t n = points_of(t);
  double *phase = scratch + n * (n + 1) / 2, *x = phase + 2 * n;
  memset(out, 0, 3 * n * (size_t)t->steps * sizeof *out);
  for (int m = 1; m < t->steps / 2; m++) fill_frequency(t, m, scratch, phase, out);
  for (size_t i = 0; i < 3 * n; i++) {
    memset(x, 0, 2 * (size_t)t->steps * sizeof *x);
    for (int m = 1; m < t->steps / 2; m++)
      for (int k = 0; k < 2; k++) {
        double part = out[3 * n * (size_t)(2 * m + k) + i];
        x[2 * m + k] = part, x[2 * (t->steps - m) + k] = k ? -part : part;
      }
    transform(t->steps, x);
    for (int k = 0; k < t->steps; k++) out[3 * n * (size_t)k + i] = x[2 * k];
  }
}
