// SPDX-License-Identifier: Apache-2.0
// The surface of bodies of cells: faces that belong to one cell only.
#include "post/picture/scene.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  int key[LOOK_CORNERS];                        // in order, for comparison
  int corner[LOOK_CORNERS], middle[LOOK_EDGES]; // nodes, as of a LookFace
  int cell;
} SurfaceFace;

static int by_key(const void *a, const void *b) { return memcmp(a, b, sizeof(int[LOOK_CORNERS])); }

static void make_face(const LookFace *f, const int *node, int first_cell, SurfaceFace *out) {
  *out = (SurfaceFace){.cell = first_cell + f->cell};
  for (int a = 0; a < LOOK_CORNERS; a++) out->key[a] = out->corner[a] = f->corner[a] >= 0 ? node[f->corner[a]] : -1;
  for (int a = 0; a < LOOK_EDGES; a++) out->middle[a] = f->middle[a] >= 0 ? node[f->middle[a]] : -1;
  for (int a = 1; a < LOOK_CORNERS; a++)
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

void scene_surface(Scene *s, Model m) {
  SurfaceFace *face = NULL;
  ElementLook look;
  int n = 0;
  if (!s->error) s->error = MemoryNew((size_t)(m->elements.count + 1) * LOOK_FACES * sizeof *face, &face);
  for (int i = 0; i < m->elements.count && !s->error; i++) {
    const ModelElement *e = model_element(m, i);
    element_look(e->kind, e->data, 0, &look);
    for (int f = 0; f < look.faces; f++)
      make_face(&look.face[f], model_element_nodes(m, e), s->first_cell[i], &face[n++]);
  }
  if (n) qsort(face, (size_t)n, sizeof *face, by_key);
  for (int i = 0; i < n; i++) {
    bool twice = (i && !by_key(&face[i], &face[i - 1])) || (i + 1 < n && !by_key(&face[i], &face[i + 1]));
    if (!twice) add_face(s, &face[i]);
  }
  memory_free(&face);
}
