// SPDX-License-Identifier: Apache-2.0
// Sorts by values that are known up to round-off. A comparison with a tolerance is not an order: a may equal b, and b
// may equal c, although a is less than c.
#ifndef LIMBER_ANALYSES_SORT_LEVELS_H
#define LIMBER_ANALYSES_SORT_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct {
  int (*compare)(const void *a, const void *b); // exactly
  bool (*same)(const void *a, const void *b);   // up to round-off
} SortLevel;

// Sorts by the first level. Neighbours that are then the same are sorted by the second level, and so on. `same` of the
// last level is not called.
static inline void sort_by_levels(void *base, size_t count, size_t size, int levels, const SortLevel *level) {
  char *at = base;
  if (count < 2) return;
  qsort(base, count, size, level->compare);
  for (size_t i = 0, n; levels > 1 && i < count; i += n) {
    n = 1;
    while (i + n < count && level->same(at + (i + n - 1) * size, at + (i + n) * size)) n++;
    sort_by_levels(at + i * size, n, size, levels - 1, level + 1);
  }
}

#endif
