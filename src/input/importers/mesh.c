// SPDX-License-Identifier: Apache-2.0
#include "input/importers/mesh.h"

#include <string.h>

const char *const mesh_dimensions[] = {"points", "lines", "surfaces", "volumes"};

bool mesh_has(const Mesh *m, const MeshCell *c, const MeshGroup *g) {
  if (!g) return true;
  if (c->entity < 0 || gmsh_dimension(c->type) != g->dimension) return false;
  const MeshEntity *e = &m->entity[c->entity];
  for (int i = e->first; i < e->first + e->count; i++)
    if (m->physical[i] == g->tag) return true;
  return false;
}

const MeshGroup *mesh_group(const Mesh *m, const char *name, int dimension) {
  const MeshGroup *found = NULL;
  for (int i = 0; i < m->groups; i++) {
    const MeshGroup *g = &m->group[i];
    if (strcmp(g->name, name) || (dimension >= 0 && g->dimension != dimension)) continue;
    if (!found || g->dimension < found->dimension) found = g;
  }
  return found;
}

int mesh_vtk(CellShape s, int a) {
  static const int vtk[10] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
  return s == LIMBER_TETRAHEDRON_10 ? vtk[a] : a;
}
