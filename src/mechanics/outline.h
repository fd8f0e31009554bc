// SPDX-License-Identifier: Apache-2.0
// What a section of a beam looks like, for pictures. y and z are along e2 and e3, from the reference line.
#ifndef LIMBER_MECHANICS_OUTLINE_H
#define LIMBER_MECHANICS_OUTLINE_H

#include <stdbool.h>

// Closed lines through corners (y, z). One that runs clockwise, with y to the right and z up,
// is a hole in another.
enum { OUTLINE_LINES = 128, OUTLINE_CORNERS = 512, OUTLINE_ROUND = 24 };
typedef struct {
  int lines, end[OUTLINE_LINES]; // the corners of line l are end[l - 1] to end[l] - 1
  double corner[OUTLINE_CORNERS][2];
} Outline;

// Places on a section that a picture names: where a region of a layup ends (no text), the middle of a region or web.
typedef struct {
  double at[2], out[2]; // out: unit, away from the wall
  const char *text;     // or NULL
} OutlineMark;
typedef struct {
  int count;
  const OutlineMark *mark;
} OutlineMarks;

void outline_add(Outline *o, int count, const double (*corner)[2]);
void outline_add_rectangle(Outline *o, double y0, double z0, double y1, double z1);
void outline_add_circle(Outline *o, double radius, bool hole);
void outline_move(Outline *o, double y, double z);         // the reference line, by (y, z)
double outline_area(const Outline *o, double centroid[2]); // of the lines as they are, holes taken away
void outline_centre(Outline *o);                           // the reference line to the centroid

#endif
