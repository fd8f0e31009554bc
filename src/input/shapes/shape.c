// SPDX-License-Identifier: Apache-2.0
#include "input/shapes/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const ShapeFormat *shape_format(const char *path) {
#define SHAPE_FORMAT(name) &shape_format_##name,
  static const ShapeFormat *const formats[] = {
#include "input/shapes/shapes.def"
  };
#undef SHAPE_FORMAT
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof formats / sizeof formats[0]; i++)
    if (!strcasecmp(dot, formats[i]->ending)) return formats[i];
  return NULL;
}

Error AddTriangle(Triangles *t, const double corner[3][3], ShapeMistake *mistake) {
  if (t->triangles >= t->most) {
    snprintf(mistake->text, sizeof mistake->text, "visuals of a model have at most %d triangles", t->most);
    return 0;
  }
  for (int i = 0; i < 9; i++)
    if (!(fabs(corner[i / 3][i % 3]) < 1e30)) {
      snprintf(mistake->text, sizeof mistake->text, "a coordinate is not a finite number");
      return 0;
    }
  int room = 3 * t->room;
  TRY(StoreGrow(t->store, sizeof *t->vertex, 3 * t->triangles, 3 * (t->triangles + 1), &room, &t->vertex));
  t->room = room / 3;
  for (int i = 0; i < 9; i++) t->vertex[3 * t->triangles + i / 3][i % 3] = (float)corner[i / 3][i % 3];
  t->triangles++;
  return 0;
}

static Error AddQuad(Triangles *t, const double q[4][3]) {
  ShapeMistake none = {0};
  const double first[3][3] = {{q[0][0], q[0][1], q[0][2]}, {q[1][0], q[1][1], q[1][2]}, {q[2][0], q[2][1], q[2][2]}};
  const double second[3][3] = {{q[0][0], q[0][1], q[0][2]}, {q[2][0], q[2][1], q[2][2]}, {q[3][0], q[3][1], q[3][2]}};
  TRY(AddTriangle(t, first, &none));
  TRY(AddTriangle(t, second, &none));
  return 0;
}

Error MakeBox(const double sides[3], Triangles *out) {
  for (int axis = 0; axis < 3; axis++)
    for (int side = -1; side < 2; side += 2) {
      static const int around[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
      double q[4][3];
      for (int k = 0; k < 4; k++) {
        int corner = side > 0 ? k : 3 - k;
        q[k][axis] = 0.5 * side * sides[axis];
        q[k][(axis + 1) % 3] = 0.5 * around[corner][0] * sides[(axis + 1) % 3];
        q[k][(axis + 2) % 3] = 0.5 * around[corner][1] * sides[(axis + 2) % 3];
      }
      TRY(AddQuad(out, (const double(*)[3])q));
    }
  return 0;
}

// A surface of revolution about z through points of radius and height, from below to above.
static Error RevolveProfile(int points, const double profile[][2], Triangles *out) {
  enum { AROUND = 32 };
  for (int i = 0; i + 1 < points; i++)
    for (int k = 0; k < AROUND; k++) {
      double a = 6.283185307179586 * k / AROUND, b = 6.283185307179586 * ((k + 1) % AROUND) / AROUND;
      double r = profile[i][0], s = profile[i + 1][0], low = profile[i][1], high = profile[i + 1][1];
      const double q[4][3] = {{r * cos(a), r * sin(a), low},
                              {r * cos(b), r * sin(b), low},
                              {s * cos(b), s * sin(b), high},
                              {s * cos(a), s * sin(a), high}};
      ShapeMistake none = {0};
      if (r > 0 && s > 0) TRY(AddQuad(out, q));
      else if (r > 0)
        TRY(AddTriangle(out, (const double[3][3]){{q[0][0], q[0][1], low}, {q[1][0], q[1][1], low}, {0, 0, high}},
                        &none));
      else
        TRY(AddTriangle(out, (const double[3][3]){{0, 0, low}, {q[2][0], q[2][1], high}, {q[3][0], q[3][1], high}},
                        &none));
    }
  return 0;
}

Error MakeCylinder(double radius, double length, Triangles *out) {
  const double profile[4][2] = {{0, -0.5 * length}, {radius, -0.5 * length}, {radius, 0.5 * length}, {0, 0.5 * length}};
  return RevolveProfile(4, profile, out);
}

Error MakeSphere(double radius, Triangles *out) {
  enum { RINGS = 16 };
  double profile[RINGS + 1][2];
  for (int i = 0; i <= RINGS; i++) {
    double a = 3.141592653589793 * i / RINGS;
    profile[i][0] = i % RINGS ? radius * sin(a) : 0, profile[i][1] = -radius * cos(a);
  }
  return RevolveProfile(RINGS + 1, (const double(*)[2])profile, out);
}
