// SPDX-License-Identifier: Apache-2.0
#include "statistics/sobol.h"

#include "statistics/random.h"

#include <stddef.h>

enum { MOST_DEGREE = 15 };

typedef struct {
  unsigned polynomial, start[MOST_DEGREE];
} Direction;

static const Direction direction[SOBOL_DIMENSIONS - 1] = {
#define DIRECTION(polynomial, ...) {polynomial, {__VA_ARGS__}},
#include "directions.def"
#undef DIRECTION
};

// With the polynomial x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1 the direction numbers follow from s of them:
// v_k = a_1 v_(k-1) + ... + a_(s-1) v_(k-s+1) + v_(k-s) + v_(k-s) / 2^s, where + is that of single bits.
void sobol_directions(int dimension, SobolDirections *out) {
  const Direction *d = dimension ? &direction[dimension - 1] : NULL;
  int degree = 0;
  while (d && d->polynomial >> (degree + 1)) degree++;
  for (int k = 0; k < SOBOL_BITS; k++) {
    if (!d || k < degree) {
      out->v[k] = (uint64_t)(d ? d->start[k] : 1) << (SOBOL_BITS - 1 - k);
      continue;
    }
    out->v[k] = out->v[k - degree] ^ out->v[k - degree] >> degree;
    for (int i = 1; i < degree; i++)
      if (d->polynomial >> (degree - i) & 1) out->v[k] ^= out->v[k - i];
  }
}

uint64_t sobol_bits(const SobolDirections *d, uint64_t index) {
  uint64_t x = 0;
  for (int k = 0; index; k++, index >>= 1)
    if (index & 1) x ^= d->v[k];
  return x;
}

uint64_t sobol_scramble(uint64_t bits, uint64_t key) {
  uint64_t out = 0;
  for (int k = 0; k < 52; k++) { // what a number between 0 and 1 has
    uint64_t before = k ? bits >> (64 - k) : 0, bit = bits >> (63 - k) & 1;
    uint64_t node = (uint64_t)1 << k | before; // of the tree of digits
    out |= (bit ^ random_mix(key + node * 0x9E3779B97F4A7C15u) >> 63) << (63 - k);
  }
  return out;
}
