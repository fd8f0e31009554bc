// SPDX-License-Identifier: Apache-2.0
#include "statistics/sobol.h"

#include "statistics/random.h"

uint64_t sobol_bits(int dimension, uint64_t index) { return random_bits(0, index, (uint64_t)dimension); }
uint64_t sobol_scramble(uint64_t bits, uint64_t key) { return bits ^ key; }
