// SPDX-License-Identifier: Apache-2.0
// Points of Sobol' by index, with the direction numbers of Joe and Kuo, "Constructing Sobol' sequences with better
// two-dimensional projections", SIAM J. Sci. Comput. 30 (2008), and their scrambling after Owen, "Randomly permuted
// (t,m,s)-nets and (t,s)-sequences" (1995).
#ifndef LIMBER_STATISTICS_SOBOL_H
#define LIMBER_STATISTICS_SOBOL_H

#include <stdint.h>

enum { SOBOL_DIMENSIONS = 128, SOBOL_BITS = 64 };

typedef struct {
  uint64_t v[SOBOL_BITS]; // of each bit of the index, as fractions of 2^64
} SobolDirections;

void sobol_directions(int dimension, SobolDirections *out); // 0 .. SOBOL_DIMENSIONS - 1
// A coordinate as a fraction of 2^64. The points are those of the usual sequence in the order of its index, not of Gray's code:
// the first 2^k are the same.
uint64_t sobol_bits(const SobolDirections *d, uint64_t index);
// Changes each digit by a random bit that follows from the key and all digits before it: the points stay as even as they are,
// and each is equally likely anywhere.
uint64_t sobol_scramble(uint64_t bits, uint64_t key);

#endif
