// SPDX-License-Identifier: Apache-2.0
// OBJ: `v x y z` are points, `f 1 2 3 4` polygons of them, counted from 1, or from the last by negative numbers; what
// follows a '/', textures and normals, and all other lines do not count.
#include "input/shapes/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Store *store;
  double (*at)[3];
  int count, room;
} Points;

static Error ReadPoint(const char *text, Points *points, ShapeMistake *mistake) {
  double x[3];
  char *after;
  for (int k = 0; k < 3; k++, text = after) {
    x[k] = strtod(text, &after);
    if (after == text || !isfinite(x[k])) {
      snprintf(mistake->text, sizeof mistake->text, "'v' needs three finite numbers");
      return 0;
    }
  }
  TRY(StoreGrow(points->store, sizeof *points->at, points->count, points->count + 1, &points->room, &points->at));
  memcpy(points->at[points->count++], x, sizeof x);
  return 0;
}

static Error ReadFace(const char *text, const Points *points, Triangles *out, ShapeMistake *mistake) {
  long corner[3] = {0, 0, 0};
  int count = 0;
  while (!mistake->text[0]) {
    char *after;
    long i = strtol(text, &after, 10);
    if (after == text) break;
    i = i < 0 ? points->count + i : i - 1;
    if (i < 0 || i >= points->count) {
      snprintf(mistake->text, sizeof mistake->text, "'f' refers to a point that is not defined before it; there are %d",
               points->count);
      return 0;
    }
    if (count >= 2) {
      double x[3][3];
      corner[2] = i;
      for (int k = 0; k < 3; k++) memcpy(x[k], points->at[corner[k]], sizeof x[k]);
      TRY(AddTriangle(out, (const double(*)[3])x, mistake));
    }
    corner[count < 2 ? count : 1] = i, count++;
    text = after + strcspn(after, " \t");
  }
  if (!mistake->text[0] && count < 3) snprintf(mistake->text, sizeof mistake->text, "'f' needs three points or more");
  return 0;
}

static Error ReadObj(const char *text, size_t length, Triangles *out, ShapeMistake *mistake) {
  enum { LINE = 100000 };
  Points points = {.store = out->store};
  const char *end = text + length, *next;
  char *copy;
  TRY(StoreAllocate(out->store, LINE, &copy));
  for (const char *line = text; line < end && !mistake->text[0]; line = next) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    size_t n = (size_t)((stop ? stop : end) - line);
    next = stop ? stop + 1 : end, mistake->line++;
    if (n < 2 || (*line != 'v' && *line != 'f') || (line[1] != ' ' && line[1] != '\t')) continue;
    if (n >= LINE) {
      snprintf(mistake->text, sizeof mistake->text, "the line is too long");
      return 0;
    }
    memcpy(copy, line, n), copy[n] = 0;
    if (*line == 'v') TRY(ReadPoint(copy + 1, &points, mistake));
    else TRY(ReadFace(copy + 1, &points, out, mistake));
  }
  return 0;
}

const ShapeFormat shape_format_obj = {"OBJ", ".obj", ReadObj};
