// SPDX-License-Identifier: Apache-2.0
#include "analyses/sort_levels.h"

#include <stdlib.h>

void sort_by_levels(void *base, size_t count, size_t size, int levels, const SortLevel *level) {
  char *at = base;
  if (count < 2) return;
  qsort(base, count, size, level->compare);
  for (size_t i = 0, n; levels > 1 && i < count; i += n) {
    n = 1;
    while (i + n < count && level->same(at + (i + n - 1) * size, at + (i + n) * size)) n++;
    sort_by_levels(at + i * size, n, size, levels - 1, level + 1);
  }
}
