// SPDX-License-Identifier: Apache-2.0
// Any bytes are read as a shape of each format (STL, OBJ) and as a robot (URDF), or refused: a target for libFuzzer, run by run.sh. A
// robot that was read is written as a model, which is read.
#include "input/input.h"
#include "input/robots/robot.h"
#include "input/shapes/shape.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { MOST_TRIANGLES = 1000 };

static void read_shape(const ShapeFormat *format, const char *text, size_t length) {
  Store store = {0};
  Triangles t = {.store = &store, .most = MOST_TRIANGLES};
  ShapeMistake mistake = {0};
  if (format->read(text, length, &t, &mistake) || t.triangles > MOST_TRIANGLES) abort();
  for (int i = 0; i < 9 * t.triangles && !mistake.text[0]; i++)
    if (!(t.vertex[i / 3][i % 3] < 2e30f && t.vertex[i / 3][i % 3] > -2e30f)) abort();
  if (StoreDestroy(&store)) abort();
}

static void read_robot(const char *text, size_t length) {
  Store store = {0};
  Diagnostics diagnostics = {0};
  Robot robot;
  bool good;
  char *written = NULL;
  size_t all = 0;
  FILE *out = open_memstream(&written, &all);
  if (!out || RobotReadText("robot.urdf", text, length, &store, &diagnostics, &robot, &good)) abort();
  if (good == (diagnostics.errors > 0)) abort();
  if (good ? RobotWriteModel(&robot, "robot.urdf", out) : DiagnosticsPrint(&diagnostics, out, NULL)) abort();
  fclose(out);
  Input *in = NULL;
  if (good && (InputRead("robot.yaml", written, all, NULL, &in) || InputDestroy(&in))) abort();
  free(written);
  if (DiagnosticsDestroy(&diagnostics) || StoreDestroy(&store)) abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text) abort();
  if (size) memcpy(text, data, size);
  text[size] = 0;
  read_shape(shape_format("a.stl"), text, size);
  read_shape(shape_format("a.obj"), text, size);
  read_robot(text, size);
  free(text);
  return 0;
}
