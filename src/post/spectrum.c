// SPDX-License-Identifier: Apache-2.0
#include "post/spectrum.h"

#include <complex.h>
#include <fftw3.h> // after complex.h: its numbers are those of C
#include <string.h>

static void take_line_out(int n, double *x) {
  double mean = 0, slope = 0, square = 0, middle = 0.5 * (n - 1);
  for (int i = 0; i < n; i++) mean += x[i] / n;
  for (int i = 0; i < n; i++) slope += (i - middle) * (x[i] - mean), square += (i - middle) * (i - middle);
  for (int i = 0; i < n; i++) x[i] -= mean + (square > 0 ? slope / square : 0) * (i - middle);
}

bool amplitude_spectrum(int n, const double *x, bool straighten, double *amplitude) {
  double *in = fftw_alloc_real((size_t)n);
  fftw_complex *out = fftw_alloc_complex((size_t)spectrum_size(n));
  fftw_plan plan = in && out ? fftw_plan_dft_r2c_1d(n, in, out, FFTW_ESTIMATE) : NULL;
  if (plan) {
    memcpy(in, x, (size_t)n * sizeof *in);
    if (straighten) take_line_out(n, in);
    fftw_execute(plan);
    for (int k = 0; k < spectrum_size(n); k++) amplitude[k] = (k == 0 || 2 * k == n ? 1.0 : 2.0) / n * cabs(out[k]);
    fftw_destroy_plan(plan);
  }
  fftw_free(out), fftw_free(in);
  return plan != NULL;
}
