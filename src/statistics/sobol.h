// SPDX-License-Identifier: Apache-2.0
// Points of Sobol' by index, with the direction numbers of Joe and Kuo, "Constructing Sobol' sequences with better
// two-dimensional projections" (2008), and their scrambling after Owen.
#ifndef LIMBER_STATISTICS_SOBOL_H
#define LIMBER_STATISTICS_SOBOL_H

#include <stdint.h>

enum { SOBOL_DIMENSIONS = 64 };

uint64_t sobol_bits(int dimension, uint64_t index); // a fraction of 2^64
uint64_t sobol_scramble(uint64_t bits, uint64_t key);

#endif
