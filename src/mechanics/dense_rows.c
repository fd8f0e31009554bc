// SPDX-License-Identifier: Apache-2.0
#include "mechanics/dense_rows.h"

#include <string.h>

_Static_assert((int)ROW_LANES == (int)BATCH_WIDTH, "dense rows fill a vector");

// At `count` sets of vectors, so that the coefficients are read once.
INLINE void slopes_at(const Rows *p, const int count, const Vec3 *const *y, Slope *const *b) {
  const double *s = p->pair;
  for (int i = 0; i < p->ny; i++)
    for (int t = 0; t < count; t++)
      for (int x = 0; x < 3; x++) b[t][i][x] = (BatchReal){0};
  for (int i = 0; i < p->ny; i++) {
    BatchReal own[2][3] = {{{0}}}, c;
    Vec3 yi[2];
    for (int t = 0; t < count; t++) yi[t] = y[t][i];
    for (int j = i; j < p->ny; j++, s += ROW_LANES) {
      memcpy(&c, s, sizeof c);
#pragma GCC unroll 2
      for (int t = 0; t < count; t++) {
        Vec3 yj = y[t][j];
        BatchReal *bj = b[t][j];
        own[t][0] += c * yj.x, own[t][1] += c * yj.y, own[t][2] += c * yj.z;
        bj[0] += c * yi[t].x, bj[1] += c * yi[t].y, bj[2] += c * yi[t].z;
      }
    }
    for (int t = 0; t < count; t++)
      for (int x = 0; x < 3; x++) b[t][i][x] += own[t][x];
  }
}

TARGET_CLONES static void at_one(const Rows *p, const Vec3 *y, Slope *b) { slopes_at(p, 1, &y, &b); }

TARGET_CLONES static void at_two(const Rows *p, const Vec3 *const *y, Slope *const *b) { slopes_at(p, 2, y, b); }

TARGET_CLONES static void find_strains(const Rows *p, const Vec3 *y, const Slope *b, double *e) {
  BatchReal sum = {0};
  for (int i = 0; i < p->ny; i++) sum += b[i][0] * y[i].x + b[i][1] * y[i].y + b[i][2] * y[i].z;
  for (int r = 0; r < p->nrow; r++) e[r] = 0.5 * sum[r] - p->ref[r];
}

void slopes_of(const Rows *p, const Vec3 *y, Slope *b) { at_one(p, y, b); }

void two_slopes_of(const Rows *p, const Vec3 *const *y, Slope *const *b) { at_two(p, y, b); }

void strains_of(const Rows *p, const Vec3 *y, const Slope *b, double *e) { find_strains(p, y, b, e); }

// As they are evaluated with slopes, bit for bit: then round-off leaves the balance of energy.
void dense_values(const Rows *p, const Vec3 *y, double *e) {
  Slope b[MAX_Y];
  slopes_of(p, y, b);
  strains_of(p, y, b, e);
}

void dense_slopes(const Rows *p, const Vec3 *y, double slope[][3][ROW_LANES]) {
  Slope b[MAX_Y];
  slopes_of(p, y, b);
  memcpy(slope, b, (size_t)p->ny * sizeof *b);
}
