// SPDX-License-Identifier: Apache-2.0
// The surface of bodies of cells: faces that belong to one cell only.
#include "post/picture/scene.h"

#include <stdlib.h>
#include <string.h>

enum { CORNERS = 4, MOST_FACES = 6 };

// Corners of the faces of each shape, seen from outside anticlockwise.
static const struct {
  int faces, corners;
  int corner[MOST_FACES][CORNERS];
} shapes[CELL_SHAPES] = {
    [LIMBER_TETRAHEDRON] = {4, 3, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}},
    [LIMBER_TETRAHEDRON_10] = {4, 3, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}},
    [LIMBER_HEXAHEDRON] = {6, 4, {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
    [LIMBER_TRIANGLE] = {1, 3, {{0, 1, 2}}},
    [LIMBER_QUADRILATERAL] = {1, 4, {{0, 1, 2, 3}}},
};
static const int between[4][4] = {{-1, 4, 6, 7}, {4, -1, 5, 8}, {6, 5, -1, 9}, {7, 8, 9, -1}}; // of a tetrahedron of 10

typedef struct {
  int key[CORNERS];    // in order, for comparison
  int corner[CORNERS]; // around; the last is -1 of a triangle
  int middle[3];       // on the edge behind each corner; -1: none
  int cell;
} SurfaceFace;

static int by_key(const void *a, const void *b) { return memcmp(a, b, sizeof(int[CORNERS])); }

static void make_face(CellShape shape, int f, const LimberId *node, int cell, SurfaceFace *out) {
  int n = shapes[shape].corners;
  const int *at = shapes[shape].corner[f];
  *out = (SurfaceFace){.cell = cell};
  for (int a = 0; a < CORNERS; a++) out->key[a] = out->corner[a] = a < n ? node[at[a]] : -1;
  for (int a = 0; a < 3; a++)
    out->middle[a] = shape == LIMBER_TETRAHEDRON_10 ? node[between[at[a]][at[(a + 1) % 3]]] : -1;
  for (int a = 1; a < CORNERS; a++)
    for (int b = a; b > 0 && out->key[b] < out->key[b - 1]; b--) {
      int swap = out->key[b];
      out->key[b] = out->key[b - 1], out->key[b - 1] = swap;
    }
}

static void add_triangle(Scene *s, int a, int b, int c, int cell) {
  scene_add(s, &s->triangles, sizeof(int32_t[4]), (int32_t[]){a, b, c, cell});
}
static void add_edge(Scene *s, int a, int b) { scene_add(s, &s->edges, sizeof(int32_t[2]), (int32_t[]){a, b}); }

static void add_face(Scene *s, const SurfaceFace *f) {
  const int *c = f->corner, *mid = f->middle;
  int n = c[3] < 0 ? 3 : 4;
  if (mid[0] >= 0) {
    add_triangle(s, mid[0], mid[1], mid[2], f->cell);
    for (int a = 0; a < 3; a++) add_triangle(s, c[a], mid[a], mid[(a + 2) % 3], f->cell);
  } else {
    add_triangle(s, c[0], c[1], c[2], f->cell);
    if (n == 4) add_triangle(s, c[0], c[2], c[3], f->cell);
  }
  for (int a = 0; a < n; a++) {
    int end = c[(a + 1) % n];
    if (n == 3 && mid[a] >= 0) add_edge(s, c[a], mid[a]), add_edge(s, mid[a], end);
    else add_edge(s, c[a], end);
  }
}

// A body of points is drawn by triangles from its first point on.
static int body_faces(const ModelElement *e, const LimberId *node, int cell, SurfaceFace *out) {
  int last = e->nnode - 1, n = 0;
  for (int k = 0; k < (last == 2 ? 1 : last); k++) {
    LimberId corner[3] = {node[0], node[1 + k % last], node[1 + (k + 1) % last]};
    make_face(LIMBER_TRIANGLE, 0, corner, cell + k, &out[n++]);
  }
  if (last == 3) make_face(LIMBER_TRIANGLE, 0, node + 1, cell, &out[n++]); // the fourth side
  return n;
}

void scene_surface(Scene *s, Model m) {
  SurfaceFace *face = NULL;
  int n = 0, cell = 0;
  if (!s->error) s->error = MemoryNew((size_t)(m->elements.count + 1) * MOST_FACES * sizeof *face, &face);
  for (int i = 0; i < m->elements.count && !s->error; i++) {
    const ModelElement *e = model_element(m, i);
    const LimberId *node = model_element_nodes(m, e);
    if (e->kind->cell) {
      CellShape shape = e->kind->cell(e->data);
      for (int f = 0; f < shapes[shape].faces; f++) make_face(shape, f, node, cell, &face[n++]);
    } else if (e->kind->body && e->nnode > 2) n += body_faces(e, node, cell, &face[n]);
    for (int k = 0; k < element_cells(e->kind, e->nnode); k++)
      cell += node[e->nnode > 1 ? k : 0] != LIMBER_GROUND || (e->nnode > 1 && node[k + 1] != LIMBER_GROUND);
  }
  if (n) qsort(face, (size_t)n, sizeof *face, by_key);
  for (int i = 0; i < n; i++) {
    bool twice = (i && !by_key(&face[i], &face[i - 1])) || (i + 1 < n && !by_key(&face[i], &face[i + 1]));
    if (!twice) add_face(s, &face[i]);
  }
  memory_free(&face);
}
