// SPDX-License-Identifier: Apache-2.0
#include "mechanics/batch.h"
#include "mechanics/sparse_cholesky.h"

#include <string.h>

enum { TALL = 6 };

// Six rows at a time; those beyond the last repeat it and are not kept.
TARGET_CLONES static void multiply(const StripProduct *p) {
  for (int i = 0; i < p->rows; i += TALL) {
    const double *a[TALL];
    BatchReal sum[TALL], x;
#pragma GCC unroll 6
    for (int r = 0; r < TALL; r++) {
      a[r] = p->a + (size_t)(i + r < p->rows ? i + r : p->rows - 1) * p->a_row;
      sum[r] = (BatchReal){0};
    }
    for (size_t k = 0; k < (size_t)p->depth; k++) {
      memcpy(&x, p->b + k * p->b_deep, sizeof x);
#pragma GCC unroll 6
      for (int r = 0; r < TALL; r++) sum[r] += a[r][k * p->a_deep] * x;
    }
#pragma GCC unroll 6
    for (int r = 0; r < TALL; r++) {
      if (i + r >= p->rows) break;
      double *c = p->c + (size_t)(i + r) * p->c_row;
      if (p->columns == STRIP) {
        memcpy(&x, c, sizeof x);
        x += p->sign * sum[r];
        memcpy(c, &x, sizeof x);
      } else
        for (int j = 0; j < p->columns; j++) c[j] += p->sign * sum[r][j];
    }
  }
}

void strip_product(const StripProduct *p) { multiply(p); }
