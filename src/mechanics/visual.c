// SPDX-License-Identifier: Apache-2.0
#include "mechanics/visual.h"

// Corners of the faces of each shape, seen from outside anticlockwise.
static const struct {
  int faces, corners;
  int corner[VISUAL_FACES][VISUAL_CORNERS];
} shapes[CELL_SHAPES] = {
    [LIMBER_TETRAHEDRON] = {4, 3, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}},
    [LIMBER_TETRAHEDRON_10] = {4, 3, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}},
    [LIMBER_HEXAHEDRON] = {6, 4, {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
    [LIMBER_HEXAHEDRON_20] = {6,
                              4,
                              {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
    [LIMBER_TRIANGLE] = {1, 3, {{0, 1, 2}}},
    [LIMBER_QUADRILATERAL] = {1, 4, {{0, 1, 2, 3}}},
};
static const int between[4][4] = {{-1, 4, 6, 7}, {4, -1, 5, 8}, {6, 5, -1, 9}, {7, 8, 9, -1}}; // of a tetrahedron of 10

// The node on the edge of a hexahedron of 20 between two corners.
static int between_corners(int a, int b) {
  int low = a < b ? a : b, high = a < b ? b : a;
  if (high - low == 4) return 16 + low;
  return 8 + (low < 4 ? 0 : 4) + (high - low == 3 ? 3 : low % 4);
}

void visual_ends_at(ElementVisual *out, int first, int second) {
  rows_begin(&out->ends);
  rows_y(&out->ends);
  rows_y_add(&out->ends, first, 1);
  rows_y(&out->ends);
  rows_y_add(&out->ends, second, 1);
}

void visual_cell(ElementVisual *out, CellShape shape) {
  out->shape = VISUAL_CELL, out->faces = shapes[shape].faces;
  for (int f = 0; f < out->faces; f++) {
    const int *at = shapes[shape].corner[f], n = shapes[shape].corners;
    out->face[f].cell = 0;
    for (int a = 0; a < VISUAL_CORNERS; a++) out->face[f].corner[a] = a < n ? at[a] : -1;
    for (int a = 0; a < VISUAL_EDGES; a++)
      out->face[f].middle[a] = shape == LIMBER_HEXAHEDRON_20             ? between_corners(at[a], at[(a + 1) % 4])
                               : shape == LIMBER_TETRAHEDRON_10 && a < 3 ? between[at[a]][at[(a + 1) % 3]]
                                                                         : -1;
  }
}

void visual_triangle(ElementVisual *out, int a, int b, int c, int cell) {
  out->shape = VISUAL_CELL;
  out->face[out->faces++] = (VisualFace){{a, b, c, -1}, {-1, -1, -1, -1}, cell};
}
