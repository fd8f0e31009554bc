// SPDX-License-Identifier: Apache-2.0
// Curves of columns, the same for pictures, reports and pages: which of them are nothing but round-off, and what a
// quantity is called.
#ifndef LIMBER_POST_CURVES_H
#define LIMBER_POST_CURVES_H

#include "post/selection.h"

#include <stdbool.h>

// What a curve is compared with: the largest values of other columns, each read when it is first needed.
typedef struct {
  const char *command; // for messages
  Results *run;
  RowSelection rows;
  double *largest; // of each column; NAN: not read yet
} CurveScales;

// A curve is constant within round-off if its range is at most
//   1e-12 of the largest component of its own vector (tip.velocity.y of tip.velocity), or
//   1e-13 of the largest value of its units that any probe of the run has.
// Formulae and dimensionless numbers are compared with their own vector only: a drift may be what a user looks for.
typedef struct {
  bool still;
  double value; // the constant; 0 if it is no more than round-off, too
  double most;  // largest magnitude of the curve
  double scale; // what it was compared with; 0: there is nothing
} RoundOff;

bool curve_scales_begin(const char *command, Results *run, const RowSelection *rows, CurveScales *out);
void curve_scales_end(CurveScales *s);
RoundOff curve_round_off(CurveScales *s, int column, int n, const double *y);
// Replaces the values of a still curve by their constant.
void curve_flatten(const RoundOff *o, int n, double *y);
// "0 within round-off" or, of a curve without any other value, "0"; "" of all others.
const char *round_off_text(const RoundOff *o);

bool column_is_probe(const ResultColumn *c); // neither time, ledger nor steps
// A quantity of a probe, each word once: "tip velocity"; "swing" of a formula.
void quantity_title(const ResultColumn *c, char *text, size_t size);

// Amplitude spectrum of N equally spaced values, without window:
//
//   A_k = 2/N |sum_n x_n exp(-2 pi i k n/N)|  at  f_k = k/(N h),  k = 0 ... N/2,
//
// with 1/N instead of 2/N at k = 0 and, for even N, at k = N/2. A sine of amplitude a whose frequency is one of the f_k
// has a peak of height a there and nothing elsewhere; A_0 is the mean. Between two f_k the height falls to 2/pi = 0.64
// a at the worst, and feet as 1/|f - f_k| appear. So are the spectra of Bauchau & Theron 1996: 128 values in 0.128 s.

static inline int spectrum_size(int n) { return n / 2 + 1; }

// Fills spectrum_size(n) amplitudes. With `straighten` the straight line of least squares is first taken out of x; its
// ends do not meet, which else puts feet as 1/f under the whole spectrum. False: no memory.
bool amplitude_spectrum(int n, const double *x, bool straighten, double *amplitude);

#endif
