// SPDX-License-Identifier: Apache-2.0
#include "model/outer_faces.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FACES 1e8 // looked at by all surfaces of a model

static int by_key(const void *a, const void *b) {
  const OuterFace *x = a, *y = b;
  for (int i = 0; i < LOOK_CORNERS; i++)
    if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? -1 : 1;
  return 0;
}

static void sort_key(int *key) {
  for (int a = 1; a < LOOK_CORNERS; a++)
    for (int b = a; b > 0 && key[b] < key[b - 1]; b--) {
      int swap = key[b];
      key[b] = key[b - 1], key[b - 1] = swap;
    }
}

static OuterFace face_of(const LookFace *f, const int *node) {
  OuterFace out = {.nnode = f->corner[3] >= 0 ? 4 : f->middle[0] >= 0 ? 6 : 3};
  for (int a = 0; a < LOOK_CORNERS; a++) out.key[a] = f->corner[a] >= 0 ? node[f->corner[a]] : -1;
  for (int a = 0; a < LOOK_CORNERS && f->corner[a] >= 0; a++) out.node[a] = node[f->corner[a]];
  for (int a = 0; a < LOOK_EDGES && out.nnode == 6; a++) out.node[3 + a] = node[f->middle[a]];
  sort_key(out.key);
  return out;
}

// Faces that occur once, from a sorted list.
static void keep_outer(OuterFaces *f, int n) {
  f->count = 0;
  for (int i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && !by_key(&f->face[i], &f->face[end]); end++) {}
    if (end == i + 1) f->face[f->count++] = f->face[i];
  }
}

// Those that are cells of a mesh, each of which must be one of them.
static Error KeepCells(const LimberCells *only, OuterFaces *f, const char **reason) {
  OuterFace *cell;
  const LimberNodeId *node = only->nodes;
  int n = 0, kept = 0, distinct = 0;
  TRY(MemoryNew((size_t)only->count * sizeof *cell, &cell));
  for (int i = 0; i < only->count && !*reason; node += cell_nodes(only->shape[i++])) {
    if (cell_dimension(only->shape[i]) != 2) *reason = "its `mesh` must have triangles and quadrilaterals";
    for (int a = 0; a < LOOK_CORNERS && !*reason; a++)
      cell[i].key[a] = a < cell_nodes(only->shape[i]) ? node[a].index : -1;
    sort_key(cell[i].key), n = i + 1;
  }
  qsort(cell, (size_t)n, sizeof *cell, by_key);
  for (int i = 0; i < n; i++) distinct += i == 0 || by_key(&cell[i], &cell[i - 1]);
  for (int i = 0; i < f->count; i++)
    if (bsearch(&f->face[i], cell, (size_t)n, sizeof *cell, by_key)) f->face[kept++] = f->face[i];
  f->count = kept;
  if (!*reason && kept < distinct) *reason = "its `mesh` has cells that are no outer faces of its `element`";
  memory_free(&cell);
  return 0;
}

Error OuterFacesFind(LimberModel m, int component, const LimberCells *only, OuterFaces *out, const char **reason) {
  ElementLook look;
  int n = 0;
  outer_faces_free(out);
  *reason = "its `element` has no faces: it must be a solid, solid_shell or membrane";
  if (component < 0 || component >= m->components.count) return 0;
  const ModelComponent *c = model_component(m, component);
  if (!c->kind->drawing.cell || c->count < 1) return 0;
  m->face_work += (double)c->count * LOOK_FACES;
  if (m->face_work > MOST_FACES) {
    *reason = "the surfaces of the model have too many faces";
    return 0;
  }
  TRY(MemoryNew((size_t)c->count * LOOK_FACES * sizeof *out->face, &out->face));
  for (int i = c->first; i < c->first + c->count; i++) {
    const ModelElement *e = model_element(m, i);
    element_look(e->kind, e->data, 0, &look);
    for (int f = 0; f < look.faces && look.shape == LOOK_CELL; f++)
      out->face[n++] = face_of(&look.face[f], model_element_nodes(m, e));
  }
  if (n == 0) return 0;
  *reason = NULL;
  qsort(out->face, (size_t)n, sizeof *out->face, by_key);
  keep_outer(out, n);
  if (only->count > 0) TRY(KeepCells(only, out, reason));
  return 0;
}

int outer_faces_at(const OuterFaces *f, int i, int node[SURFACE_NODES]) {
  if (i >= f->count) return 0;
  memcpy(node, f->face[i].node, sizeof f->face[i].node);
  return f->face[i].nnode;
}

void outer_faces_free(OuterFaces *f) {
  memory_free(&f->face);
  f->count = 0;
}
