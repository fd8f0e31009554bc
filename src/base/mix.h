// SPDX-License-Identifier: Apache-2.0
// Bits that look random, from a number.
#ifndef LIMBER_BASE_MIX_H
#define LIMBER_BASE_MIX_H

#include <stdint.h>

// Between 0 and 1, neither of which it reaches: the middle of one of 2^52 equal intervals.
static inline double random_unit(uint64_t bits) { return ((double)(bits >> 12) + 0.5) * 0x1p-52; }

// 64 bits that change with every bit of `x`: the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
static inline uint64_t random_mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

#endif
