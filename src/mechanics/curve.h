// SPDX-License-Identifier: Apache-2.0
// Cubic splines, and the line of an unloaded beam, which can follow one.
#ifndef LIMBER_MECHANICS_CURVE_H
#define LIMBER_MECHANICS_CURVE_H

#include "base/rotation.h"
#include "limber/catalogue.h"

#include <stdbool.h>
#include <stddef.h>

// Cubic splines of vectors, "not-a-knot": the third derivative does not jump at the second and the last but one point,
// so that a cubic is met exactly, ends included. Of three points it is a parabola, of two a straight line.

typedef struct {
  int n, m;            // points, numbers of each
  const double *u, *y; // parameters, growing; n x m values
  double *second;      // n x m second derivatives
} Spline;

// Fills s->second; `work` has n numbers.
void spline_make(const Spline *s, double *work);

int spline_interval(const Spline *s, const double *u, double x); // i with u_i <= x <= u_i+1, u any n growing numbers
void spline_at(const Spline *s, int i, double x, double *value, double *slope); // in interval i

// The line of an unloaded beam: position and section axes at a place 0 .. 1 of its arc length. Either a line of
// constant curvature k in section axes (straight, arc, helix), on which the axes are A0 exp(s k~) and the position is
// the integral of their first column; or a spline through stations in chord length, along which the axes are carried
// without turning about the tangent. In both, an even twist about the tangent is added.

typedef struct {
  Spline spline;  // x, y, z, twist
  double *length; // arc length up to each station
  Mat3 *axes;     // carried to each station, without twist
} Stations;

typedef struct {
  Vec3 start;
  Mat3 axes; // at the start, as columns
  double length, twist;
  Vec3 along;     // of a straight line: from start to end
  Vec3 curvature; // of another
  bool curved;
  const Stations *stations; // or NULL
} Curve;

// Section axes from the tangent and `up`; zero `up`: some choice. False where they are parallel.
bool curve_axes(Vec3 tangent, Vec3 up, Mat3 *out);

// Turns by `turn` about the axis through `centre` and climbs along it, from c->start. False if it starts on the axis.
bool curve_screw(Curve *c, Vec3 centre, Vec3 axis, double turn, double climb, Vec3 up, bool *upright);

// Through n >= 2 stations, no two in a row alike, in memory of curve_room(n) bytes.
size_t curve_room(int n);
bool curve_through(Curve *c, int n, const LimberStation *station, Vec3 up, void *memory);

void curve_at(const Curve *c, double at, Vec3 x[4]);

#endif
