// SPDX-License-Identifier: Apache-2.0
// Any bytes are read as a shape of each format (STL, OBJ), as a mesh of each (Gmsh, Abaqus), as a matrix of each (CalculiX,
// Matrix Market, Nastran), as a robot (URDF), as an archive of an FMU and as its description, or refused: a target for libFuzzer, run by run.sh. A robot that was read is written as a model, which is read.
#include "fmu/read/description.h"
#include "fmu/read/unzip.h"
#include "input/importers/matrix.h"
#include "input/importers/mesh.h"
#include "input/input.h"
#include "input/robots/robot.h"
#include "input/shapes/shape.h"

#include <limits.h>
#include <math.h>
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

// Cells have nodes that there are, and sets that there are.
static void read_mesh(const Importer *importer, const char *text, size_t length) {
  Store store = {0};
  Mesh m = {.name = "mesh", .importer = importer, .store = &store};
  ImportMistake mistake = {0};
  if (importer->read(text, length, &m, &mistake) || MeshFinish(&m)) abort();
  for (int i = 0; i < m.cell_nodes && !mistake.text[0]; i++)
    if (m.cell_node[i] < 0 || m.cell_node[i] >= m.nodes) abort();
  for (int i = 0; i < m.cells && !mistake.text[0]; i++)
    if (m.cell[i].set >= m.sets || m.cell[i].first + m.cell[i].count > m.cell_nodes) abort();
  if (StoreDestroy(&store)) abort();
}

// Entries are within the matrix, between nodes of the mesh, and finite.
static void read_matrix(char letter, const char *text, size_t length) {
  Store store = {0};
  MeshNode node[] = {{.number = 1}, {.number = 2}, {.number = 3}, {.number = 7}};
  Mesh m = {.name = "mesh", .store = &store, .nodes = 4, .node = node};
  FileMatrix matrix;
  ImportMistake mistake = {0};
  if (ReadMatrix(text, length, letter, &m, &store, &matrix, &mistake)) abort();
  int most = matrix.size ? matrix.size : matrix.of_nodes ? 3 * m.nodes : INT_MAX;
  for (int i = 0; i < matrix.count && !mistake.text[0]; i++) {
    MatrixEntry e = matrix.entry[i];
    if (e.row < 0 || e.row >= most || e.column < 0 || e.column >= most || !isfinite(e.value)) abort();
  }
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

static void read_description(const char *text, size_t length) {
  Store store = {0};
  FmuDescription d;
  Refusal wrong;
  if (FmuDescriptionRead(&store, text, length, &d, &wrong)) abort();
  for (int i = 0; i < d.variables && !is_refused(&wrong); i++)
    if (!fmu_variable(&d, d.variable[i].name)) abort();
  if (StoreDestroy(&store)) abort();
}

static void read_archive(const char *text, size_t length) {
  Store store = {0};
  Zip z;
  Refusal wrong;
  if (ZipRead(&store, text, length, &z, &wrong)) abort();
  for (int i = 0; i < z.entries && i < 20; i++) {
    char *bytes = NULL;
    if (z.entry[i].name[0] == '/' || strstr(z.entry[i].name, "../") || ZipUnpack(&z.entry[i], &bytes, &wrong)) abort();
    if (bytes) read_description(bytes, z.entry[i].size);
    memory_free(&bytes);
  }
  if (StoreDestroy(&store)) abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text) abort();
  if (size) memcpy(text, data, size);
  text[size] = 0;
  read_shape(shape_format("a.stl"), text, size);
  read_shape(shape_format("a.obj"), text, size);
  for (int i = 0; importers[i]; i++) read_mesh(importers[i], text, size);
  read_matrix('K', text, size);
  read_matrix('M', text, size);
  read_robot(text, size);
  read_description(text, size);
  read_archive(text, size);
  free(text);
  return 0;
}
