// SPDX-License-Identifier: Apache-2.0
// Numbers that look random and points that fill a space evenly.
#ifndef LIMBER_STATISTICS_RANDOM_H
#define LIMBER_STATISTICS_RANDOM_H

#include "base/mix.h"

#include <stdint.h>

// Random numbers by counter: a number follows from the seed, the index of the run and the name of what it is for, and
// from nothing else, so that it is the same on any process and at any time. Philox4x32-10 of Salmon, Moraes, Dror and
// Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).

void philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

uint64_t random_hash(const char *name); // FNV-1a
uint64_t random_bits(uint64_t seed, uint64_t index, uint64_t hash);

// A random order of 0 .. count - 1 whose entries are found one by one, in a time that grows with the logarithm of
// the count: the swap-or-not shuffle of Hoang, Morris and Rogaway, "An enciphering scheme based on a card shuffle"
// (CRYPTO 2012).
enum { PERMUTATION_ROUNDS = 288 }; // at most: 32, and 4 for each bit of the count
typedef struct {
  uint64_t count, key[PERMUTATION_ROUNDS], pivot[PERMUTATION_ROUNDS];
  int rounds;
} Permutation;

void permutation_make(uint64_t count, uint64_t seed, uint64_t hash, Permutation *out); // count below 2^63
uint64_t permutation_entry(const Permutation *p, uint64_t i);

// Points of Sobol' by index, with the direction numbers of Joe and Kuo, "Constructing Sobol' sequences with better
// two-dimensional projections", SIAM J. Sci. Comput. 30 (2008), and their scrambling after Owen, "Randomly permuted
// (t,m,s)-nets and (t,s)-sequences" (1995).

enum { SOBOL_DIMENSIONS = 128, SOBOL_BITS = 64 };

typedef struct {
  uint64_t v[SOBOL_BITS]; // of each bit of the index, as fractions of 2^64
} SobolDirections;

void sobol_directions(int dimension, SobolDirections *out); // 0 .. SOBOL_DIMENSIONS - 1
// A coordinate as a fraction of 2^64. The points are those of the usual sequence in the order of its index, not of
// Gray's code: the first 2^k are the same.
uint64_t sobol_bits(const SobolDirections *d, uint64_t index);
// Changes each digit by a random bit that follows from the key and all digits before it: the points stay as even as
// they are, and each is equally likely anywhere.
uint64_t sobol_scramble(uint64_t bits, uint64_t key);

#endif
