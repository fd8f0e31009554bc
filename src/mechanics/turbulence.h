// SPDX-License-Identifier: Apache-2.0
// Turbulence with Kaimal's spectra and the coherence of IEC 61400-1, made on a grid by the method of Veers (1988).
// With the length l of a component, the speed U and the frequency f,
//   S(f) = sigma^2 (4 l/U)/(1 + 6 f l/U)^(5/3),   and of two points at the distance r
//   C(f, r) = exp(-12 sqrt((f r/U)^2 + (0.12 r/l_u)^2))   of the component along the wind; 0 of the others.
// The record has the period T, the frequencies m/T and random phases. The part of the spectrum below 3/(2T) is at 1/T;
// the part above the last frequency is left out.
// Equations: eq-air-kaimal (26.3), eq-air-coherence (26.4).
#ifndef LIMBER_MECHANICS_TURBULENCE_H
#define LIMBER_MECHANICS_TURBULENCE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  double speed, period;
  double deviation[3], length[3]; // sigma and l of the components along, across and up
  int across, upwards, steps;     // steps: a power of two
  double spacing[2];
  uint64_t seed;
} Turbulence;

// Numbers of scratch memory, and multiplications.
size_t turbulence_scratch(const Turbulence *t);
double turbulence_work(const Turbulence *t);
// Fills velocities [steps][upwards][across][3].
void turbulence_make(const Turbulence *t, double *scratch, double *out);

// Variance of a component between two frequencies, over sigma^2.
double kaimal_part(double length, double speed, double from, double to);

#endif
