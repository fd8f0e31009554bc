// SPDX-License-Identifier: Apache-2.0
#include "check.h"
#include "post/curves.h"

enum { N = 128, M = 101 };
static const double pi = 3.14159265358979323846;

static void sines(int n, double bin, double amplitude, double phase, double *x) {
  for (int i = 0; i < n; i++) x[i] = amplitude * sin(2 * pi * bin * i / n + phase);
}

TEST(a_sine_on_a_line_has_a_peak_of_its_amplitude_and_nothing_elsewhere) {
  double x[N], a[N / 2 + 1];
  for (int n = M; n <= N; n += N - M) // odd and even
    for (int bin = 1; bin < n / 2; bin += 7) {
      sines(n, bin, 3, 0.4 * bin, x);
      CHECK(amplitude_spectrum(n, x, false, a));
      for (int k = 0; k < spectrum_size(n); k++) CHECK_NEAR(a[k], k == bin ? 3 : 0, 1e-13);
    }
}

TEST(any_length_gives_the_sums_of_the_definition) {
  static const int lengths[] = {1,   2,    3,    7,    97,
                                360, 1009, 2018, 2047, 2048}; // primes, products of large primes, powers
  static double x[2048], a[2048 / 2 + 1];
  for (int i = 0; i < 2048; i++) x[i] = sin(0.7 * i * i) + 0.1;
  for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++) {
    int n = lengths[j];
    CHECK(amplitude_spectrum(n, x, false, a));
    for (int k = 0; k < spectrum_size(n); k += 1 + n / 60) {
      double re = 0, im = 0;
      for (int i = 0; i < n; i++)
        re += x[i] * cos(2 * pi * (i * k % n) / n), im += x[i] * sin(2 * pi * (i * k % n) / n);
      CHECK_NEAR(a[k], (k == 0 || 2 * k == n ? 1.0 : 2.0) / n * hypot(re, im), 1e-14);
    }
  }
}

TEST(mean_and_fastest_alternation_have_their_own_height) {
  double x[N], a[N / 2 + 1];
  for (int i = 0; i < N; i++) x[i] = 5 + (i % 2 ? -2 : 2);
  CHECK(amplitude_spectrum(N, x, false, a));
  CHECK_NEAR(a[0], 5, 1e-14);
  CHECK_NEAR(a[N / 2], 2, 1e-14);
  for (int k = 1; k < N / 2; k++) CHECK_NEAR(a[k], 0, 1e-14);
}

// Half way between two lines both show sin(pi/2)/(pi/2) of the height, but for the feet of the mirrored
// frequency, 1/N.
TEST(a_sine_between_two_lines_shows_two_over_pi_on_both) {
  double x[N], a[N / 2 + 1];
  sines(N, 30.5, 1, 0.9, x);
  CHECK(amplitude_spectrum(N, x, false, a));
  CHECK_NOTE("heights %.4f and %.4f, 2/pi is %.4f", a[30], a[31], 2 / pi);
  CHECK_NEAR(a[30], 2 / pi, 0.01);       // measured 0.0075
  CHECK_NEAR(a[31], 2 / pi, 0.01);       // measured 0.0075
  CHECK_NEAR(a[29], 2 / (3 * pi), 0.01); // measured 0.0076
  CHECK_LT(a[10], 0.04);
}

TEST(a_straight_line_is_taken_out_if_asked) {
  double x[N], a[N / 2 + 1], b[N / 2 + 1];
  for (int i = 0; i < N; i++) x[i] = 7 - 0.3 * i;
  CHECK(amplitude_spectrum(N, x, true, a));
  CHECK(amplitude_spectrum(N, x, false, b));
  for (int k = 0; k < spectrum_size(N); k++) CHECK_NEAR(a[k], 0, 1e-12);
  CHECK_LT(5, b[1]); // N slope/pi = 12: the feet of the step from end to start
}

CHECK_MAIN
