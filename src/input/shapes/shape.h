// SPDX-License-Identifier: Apache-2.0
// Shapes that nodes look like: triangles of STL and OBJ files, boxes, cylinders and spheres. A new format of files is
// one file and one line of shapes.def.
#ifndef LIMBER_INPUT_SHAPES_SHAPE_H
#define LIMBER_INPUT_SHAPES_SHAPE_H

#include "model/store.h"

#include <stdbool.h>

typedef struct {
  Store *store;
  float (*vertex)[3]; // three of each triangle, anticlockwise seen from outside
  int triangles, room, most;
} Triangles;

typedef struct {
  int line;       // 0: none, of a binary file
  char text[200]; // "": nothing is wrong
} ShapeMistake;

// Adds one; false: there are too many, or a number is not finite, which the mistake reports.
Error AddTriangle(Triangles *t, const double corner[3][3], ShapeMistake *mistake);

typedef struct {
  const char *name, *ending;
  Error (*read)(const char *text, size_t length, Triangles *out, ShapeMistake *mistake);
} ShapeFormat;

#define SHAPE_FORMAT(name) extern const ShapeFormat shape_format_##name;
#include "input/shapes/shapes.def"
#undef SHAPE_FORMAT
// By the ending of the name of a file; NULL: none.
const ShapeFormat *shape_format(const char *path);

// About the origin: sides along the axes; along z; of that radius.
Error MakeBox(const double sides[3], Triangles *out);
Error MakeCylinder(double radius, double length, Triangles *out);
Error MakeSphere(double radius, Triangles *out);

#endif
