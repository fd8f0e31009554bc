// SPDX-License-Identifier: Apache-2.0
#include "post/picture/faces.h"

#include <stdlib.h>
#include <string.h>

static int by_key(const void *a, const void *b) { return memcmp(a, b, sizeof(int[VISUAL_CORNERS])); }

static void make_face(const VisualFace *f, const int *node, int first_cell, SurfaceFace *out) {
  *out = (SurfaceFace){.cell = first_cell + f->cell};
  for (int a = 0; a < VISUAL_CORNERS; a++) out->key[a] = out->corner[a] = f->corner[a] >= 0 ? node[f->corner[a]] : -1;
  for (int a = 0; a < VISUAL_EDGES; a++) out->middle[a] = f->middle[a] >= 0 ? node[f->middle[a]] : -1;
  for (int a = 1; a < VISUAL_CORNERS; a++)
    for (int b = a; b > 0 && out->key[b] < out->key[b - 1]; b--) {
      int swap = out->key[b];
      out->key[b] = out->key[b - 1], out->key[b - 1] = swap;
    }
}

// Faces of the meshes that elements carry.
static int add_carried_faces(Model m, const int *first_cell, SurfaceFace *face) {
  ModelMesh it = {.element = -1};
  int n = 0, node[CARRIED_NODES];
  while (model_next_mesh(m, &it))
    for (int k = 0; k < it.mesh->cells; k++) {
      const CarriedCell *c = &it.mesh->cell[k];
      ElementVisual visual;
      for (int a = 0; a < c->nnode; a++) node[a] = m->nodes.count + it.first + c->node[a];
      element_visual(c->kind, c->data, 0, &visual);
      for (int f = 0; f < visual.faces; f++)
        make_face(&visual.face[f], node, first_cell ? first_cell[it.element] + k : 0, &face[n++]);
    }
  return n;
}

Error FindOuterFaces(Model m, const int *first_cell, SurfaceFace **out, int *count) {
  ModelMesh it = {.element = -1};
  ElementVisual visual;
  size_t cells = (size_t)m->elements.count + 1;
  int kept = 0;
  while (model_next_mesh(m, &it)) cells += (size_t)it.mesh->cells;
  *count = 0;
  TRY(MemoryNew(cells * VISUAL_FACES * sizeof **out, out));
  SurfaceFace *face = *out;
  int n = add_carried_faces(m, first_cell, face);
  for (int i = 0; first_cell && i < m->elements.count; i++) {
    const ModelElement *e = model_element(m, i);
    element_visual(e->kind, e->data, 0, &visual);
    for (int f = 0; f < visual.faces; f++)
      make_face(&visual.face[f], model_element_nodes(m, e), first_cell[i], &face[n++]);
  }
  if (n) qsort(face, (size_t)n, sizeof *face, by_key);
  for (int i = 0; i < n;) {
    int end = i + 1;
    while (end < n && !by_key(&face[i], &face[end])) end++;
    if (end == i + 1) face[kept++] = face[i];
    i = end;
  }
  *count = kept;
  return 0;
}
