// SPDX-License-Identifier: Apache-2.0
// Edges of bodies of cells: those of faces that belong to one cell only. Edges within a body are left out.
#include "mechanics/look.h"
#include "post/plot/plot.h"

#include <stdlib.h>
#include <string.h>

enum { TRIANGLE = 5, QUAD = 9, TETRA = 10, HEXAHEDRON = 12, QUADRATIC_TETRA = 24 }; // cells, as VTK numbers them

static const struct {
  int type;
  CellShape shape;
} types[] = {{TRIANGLE, LIMBER_TRIANGLE},
             {QUAD, LIMBER_QUADRILATERAL},
             {TETRA, LIMBER_TETRAHEDRON},
             {HEXAHEDRON, LIMBER_HEXAHEDRON},
             {QUADRATIC_TETRA, LIMBER_TETRAHEDRON_10}};
enum { TYPES = sizeof types / sizeof types[0] };

static int type_index(int type) {
  int i = 0;
  while (i < TYPES && types[i].type != type) i++;
  return i;
}

bool plot_has_edges(int type) { return type_index(type) < TYPES; }

typedef struct {
  int key[4];    // corners in order, for comparison
  int corner[4]; // around; the last is -1 of a triangle
  int middle[4]; // on the edge behind each corner; -1: none
  bool flat;     // a cell itself, which is always seen
} CellFace;

typedef struct {
  int end[2], middle;
} Edge;

static int faces_of(int type, const int *id, CellFace *out) {
  ElementLook look = {0};
  look_cell(&look, types[type_index(type)].shape);
  for (int f = 0; f < look.faces; f++) {
    const LookFace *q = &look.face[f];
    out[f] = (CellFace){.flat = look.faces == 1};
    for (int a = 0; a < 4; a++) {
      out[f].key[a] = out[f].corner[a] = q->corner[a] >= 0 ? id[q->corner[a]] : -1;
      out[f].middle[a] = a < LOOK_EDGES && q->middle[a] >= 0 ? id[q->middle[a]] : -1;
    }
    for (int a = 1; a < 4; a++) // in order
      for (int b = a; b > 0 && out[f].key[b] < out[f].key[b - 1]; b--) {
        int swap = out[f].key[b];
        out[f].key[b] = out[f].key[b - 1], out[f].key[b - 1] = swap;
      }
  }
  return look.faces;
}

static int by_key(const void *a, const void *b) {
  return memcmp(((const CellFace *)a)->key, ((const CellFace *)b)->key, sizeof(int[4]));
}
static int by_ends(const void *a, const void *b) { return memcmp(a, b, sizeof(int[2])); }

static int add_edges(const CellFace *f, Edge *out) {
  int n = f->corner[3] < 0 ? 3 : 4;
  for (int a = 0; a < n; a++) {
    int i = f->corner[a], j = f->corner[(a + 1) % n];
    out[a] = (Edge){{i < j ? i : j, i < j ? j : i}, f->middle[a]};
  }
  return n;
}

int plot_edges(const SnapshotGeometry *s, int (**out)[3]) {
  CellFace *face = malloc(((size_t)s->cells * LOOK_FACES + 1) * sizeof *face);
  int faces = 0, edges = 0, count = 0;
  *out = NULL;
  for (int c = 0; face && c < s->cells; c++)
    if (plot_has_edges(s->type[c])) faces += faces_of(s->type[c], s->ids + s->first[c], face + faces);
  Edge *edge = malloc(((size_t)faces * 4 + 1) * sizeof *edge);
  *out = malloc(((size_t)faces * 4 + 1) * sizeof **out);
  if (face && edge && *out) {
    qsort(face, (size_t)faces, sizeof *face, by_key);
    for (int f = 0; f < faces; f++) {
      bool twice = (f > 0 && !by_key(&face[f], &face[f - 1])) || (f + 1 < faces && !by_key(&face[f], &face[f + 1]));
      if (!twice || face[f].flat) edges += add_edges(&face[f], edge + edges);
    }
    qsort(edge, (size_t)edges, sizeof *edge, by_ends);
    for (int e = 0; e < edges; e++)
      if (e == 0 || by_ends(&edge[e], &edge[e - 1]))
        (*out)[count][0] = edge[e].end[0], (*out)[count][1] = edge[e].middle, (*out)[count++][2] = edge[e].end[1];
  }
  free(face), free(edge);
  return count;
}
