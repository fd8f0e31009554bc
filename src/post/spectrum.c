// SPDX-License-Identifier: Apache-2.0
#include "post/spectrum.h"

#include <math.h>
#include <pocketfft.h>
#include <stdlib.h>
#include <string.h>

static void take_line_out(int n, double *x) {
  double mean = 0, slope = 0, square = 0, middle = 0.5 * (n - 1);
  for (int i = 0; i < n; i++) mean += x[i] / n;
  for (int i = 0; i < n; i++) slope += (i - middle) * (x[i] - mean), square += (i - middle) * (i - middle);
  for (int i = 0; i < n; i++) x[i] -= mean + (square > 0 ? slope / square : 0) * (i - middle);
}

bool amplitude_spectrum(int n, const double *x, bool straighten, double *amplitude) {
  double *c = n > 0 ? malloc((size_t)n * sizeof *c) : NULL; // the values; then Re 0, Re 1, Im 1, Re 2, Im 2, ...
  rfft_plan plan = c ? make_rfft_plan((size_t)n) : NULL;
  bool done = plan != NULL;
  if (done) {
    memcpy(c, x, (size_t)n * sizeof *c);
    if (straighten) take_line_out(n, c);
    done = rfft_forward(plan, c, 1) == 0;
    destroy_rfft_plan(plan);
  }
  for (int k = 0; done && k < spectrum_size(n); k++)
    amplitude[k] = k == 0       ? 1.0 / n * fabs(c[0])
                   : 2 * k == n ? 1.0 / n * fabs(c[n - 1])
                                : 2.0 / n * hypot(c[2 * k - 1], c[2 * k]);
  free(c);
  return done;
}
