// SPDX-License-Identifier: Apache-2.0
#include "mechanics/outline.h"

#include <math.h>

void outline_add(Outline *o, int count, const double (*corner)[2]) {
  int first = o->lines ? o->end[o->lines - 1] : 0;
  if (o->lines == OUTLINE_LINES || first + count > OUTLINE_CORNERS) return;
  for (int i = 0; i < 2 * count; i++) o->corner[first + i / 2][i % 2] = corner[i / 2][i % 2];
  o->end[o->lines++] = first + count;
}

void outline_add_rectangle(Outline *o, double y0, double z0, double y1, double z1) {
  outline_add(o, 4, (const double[][2]){{y0, z0}, {y1, z0}, {y1, z1}, {y0, z1}});
}

void outline_add_circle(Outline *o, double radius, bool hole) {
  const double turn = (hole ? -2 : 2) * 3.14159265358979323846 / OUTLINE_ROUND;
  double corner[OUTLINE_ROUND][2];
  for (int i = 0; i < OUTLINE_ROUND; i++) corner[i][0] = radius * cos(turn * i), corner[i][1] = radius * sin(turn * i);
  outline_add(o, OUTLINE_ROUND, (const double(*)[2])corner);
}

void outline_move(Outline *o, double y, double z) {
  for (int i = 0; o->lines && i < o->end[o->lines - 1]; i++) o->corner[i][0] -= y, o->corner[i][1] -= z;
}

// Green's theorem along each line.
double outline_area(const Outline *o, double centroid[2]) {
  double area = 0, first[2] = {0, 0};
  for (int l = 0, from = 0; l < o->lines; from = o->end[l++])
    for (int i = from; i < o->end[l]; i++) {
      const double *a = o->corner[i], *b = o->corner[i + 1 < o->end[l] ? i + 1 : from];
      double twice = a[0] * b[1] - b[0] * a[1];
      area += twice / 2;
      for (int d = 0; d < 2; d++) first[d] += (a[d] + b[d]) * twice / 6;
    }
  for (int d = 0; d < 2; d++) centroid[d] = area > 0 ? first[d] / area : 0;
  return area;
}

void outline_centre(Outline *o) {
  double centroid[2];
  outline_area(o, centroid);
  outline_move(o, centroid[0], centroid[1]);
}
