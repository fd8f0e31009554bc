// SPDX-License-Identifier: Apache-2.0
// Dense rows (rows.h): tables in which every pair of vectors takes part. They are read once for each evaluation:
// b_r = S_r y at the start of the step and at the ends of its stages are the slopes there; the strains follow from them,
// e_r = b_r . y/2 - ref_r, and so do the slopes at the middle, their mean.
#ifndef LIMBER_MECHANICS_DENSE_ROWS_H
#define LIMBER_MECHANICS_DENSE_ROWS_H

#include "mechanics/lanes.h"
#include "mechanics/rows.h"

typedef BatchReal Slope[3]; // d e_r / d y_i, along three axes, of ROW_LANES rows side by side

void slopes_of(const Rows *p, const Vec3 *y, Slope *b);
void two_slopes_of(const Rows *p, const Vec3 *const *y, Slope *const *b); // at two sets of vectors
void strains_of(const Rows *p, const Vec3 *y, const Slope *b, double *e); // from the slopes at y
// e_r at the vectors y.
void dense_values(const Rows *p, const Vec3 *y, double *e);
// d e_r / d y_i; slope[i][component][r], ROW_LANES rows side by side.
void dense_slopes(const Rows *p, const Vec3 *y, double slope[][3][ROW_LANES]);

#endif
