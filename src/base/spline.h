// SPDX-License-Identifier: Apache-2.0
// Cubic splines of vectors, "not-a-knot": the third derivative does not jump at the second and the last but one point, so
// that a cubic is met exactly, ends included. Of three points it is a parabola, of two a straight line.
#ifndef LIMBER_BASE_SPLINE_H
#define LIMBER_BASE_SPLINE_H

typedef struct {
  int n, m;            // points, numbers of each
  const double *u, *y; // parameters, growing; n x m values
  double *second;      // n x m second derivatives
} Spline;

// Fills s->second; `work` has n numbers.
void spline_make(const Spline *s, double *work);

int spline_interval(const Spline *s, const double *u, double x); // i with u_i <= x <= u_i+1, u any n growing numbers
void spline_at(const Spline *s, int i, double x, double *value, double *slope); // in interval i

#endif
