// SPDX-License-Identifier: Apache-2.0
// Numbers side by side in the lanes of a vector, and functions that are compiled for the vectors of several machines.
#ifndef LIMBER_MECHANICS_LANES_H
#define LIMBER_MECHANICS_LANES_H

// Such functions are static: GCC shows the names of all others outside of the library, whatever their visibility.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define TARGET_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TARGET_CLONES
#endif
#define INLINE static inline __attribute__((always_inline))

enum { BATCH_WIDTH = 8 };
// Lanes of a vector. Files that define NARROW_BATCH evaluate the first half of a batch alone, for small models: their
// vectors are half as wide, while arrays with a place for each lane keep BATCH_WIDTH places.
#ifdef NARROW_BATCH
enum { LANES = BATCH_WIDTH / 2 };
#else
enum { LANES = BATCH_WIDTH };
#endif
typedef double BatchReal __attribute__((vector_size(8 * LANES)));

#endif
