// SPDX-License-Identifier: Apache-2.0
// Amplitude spectrum of N equally spaced values, without window:
//
//   A_k = 2/N |sum_n x_n exp(-2 pi i k n/N)|  at  f_k = k/(N h),  k = 0 ... N/2,
//
// with 1/N instead of 2/N at k = 0 and, for even N, at k = N/2. A sine of amplitude a whose frequency is one of the f_k
// has a peak of height a there and nothing elsewhere; A_0 is the mean. Between two f_k the height falls to 2/pi = 0.64 a
// at the worst, and feet as 1/|f - f_k| appear. So are the spectra of Bauchau & Theron 1996: 128 values in 0.128 s.
#ifndef LIMBER_POST_SPECTRUM_H
#define LIMBER_POST_SPECTRUM_H

#include <stdbool.h>

static inline int spectrum_size(int n) { return n / 2 + 1; }

// Fills spectrum_size(n) amplitudes. With `straighten` the straight line of least squares is first taken out of x; its
// ends do not meet, which else puts feet as 1/f under the whole spectrum. False: no memory.
bool amplitude_spectrum(int n, const double *x, bool straighten, double *amplitude);

#endif
