// SPDX-License-Identifier: Apache-2.0
#include "statistics/random.h"

#include <stddef.h>

void philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; round++) {
    uint64_t a = (uint64_t)0xD2511F53u * c0, b = (uint64_t)0xCD9E8D57u * c2;
    c0 = (uint32_t)(b >> 32) ^ c1 ^ k0, c1 = (uint32_t)b;
    c2 = (uint32_t)(a >> 32) ^ c3 ^ k1, c3 = (uint32_t)a;
    k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
  }
  out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}

uint64_t random_hash(const char *name) {
  uint64_t h = 0xCBF29CE484222325u;
  for (const char *p = name; *p; p++) h = (h ^ (unsigned char)*p) * 0x100000001B3u;
  return h;
}

uint64_t random_bits(uint64_t seed, uint64_t index, uint64_t hash) {
  const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)hash, (uint32_t)(hash >> 32)};
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint32_t out[4];
  philox4x32(counter, key, out);
  return (uint64_t)out[1] << 32 | out[0];
}

// ---- permutations ----

void permutation_make(uint64_t count, uint64_t seed, uint64_t hash, Permutation *out) {
  out->count = count, out->rounds = 32;
  for (uint64_t rest = count; rest > 1; rest >>= 1) out->rounds += 4;
  for (int i = 0; i < out->rounds; i++) {
    uint64_t index = UINT64_MAX - 2 * (uint64_t)i; // far from those of runs
    out->key[i] = random_bits(seed, index, hash);
    out->pivot[i] = random_bits(seed, index - 1, hash) % count;
  }
}

// In each round every entry has a partner, the one with which it adds up to the pivot, and both change places or none
// does.
uint64_t permutation_entry(const Permutation *p, uint64_t i) {
  for (int k = 0; k < p->rounds; k++) {
    uint64_t partner = p->pivot[k] >= i ? p->pivot[k] - i : p->pivot[k] + p->count - i;
    uint64_t larger = i > partner ? i : partner;
    if (random_mix(p->key[k] + larger * 0x9E3779B97F4A7C15u) >> 63) i = partner;
  }
  return i;
}

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
