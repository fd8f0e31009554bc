// SPDX-License-Identifier: Apache-2.0
#include "input/importers/mesh.h"

#include "limber/limber.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- making one ----

// Makes room for `need` entries in a list.
static Error MeshGrowList(int need, int *room, size_t size, void *list) {
  if (need <= *room) return 0;
  while (*room < need) *room = *room > INT_MAX / 2 ? INT_MAX : *room ? 2 * *room : 64;
  TRY(MemoryResize((size_t)*room * size, list));
  return 0;
}

Error MeshAddNode(Mesh *m, long number, Vec3 at) {
  TRY(MeshGrowList(m->nodes + 1, &m->nodes_room, sizeof *m->node, &m->node));
  m->node[m->nodes++] = (MeshNode){number, at, LIMBER_NONE, false};
  return 0;
}

static int by_number(const void *a, const void *b) {
  long x = ((const MeshNode *)a)->number, y = ((const MeshNode *)b)->number;
  return x < y ? -1 : x > y;
}

bool mesh_sort_nodes(Mesh *m, long *twice) {
  if (m->nodes) qsort(m->node, (size_t)m->nodes, sizeof *m->node, by_number);
  for (int i = 1; i < m->nodes; i++)
    if (m->node[i].number == m->node[i - 1].number) return *twice = m->node[i].number, false;
  return true;
}

Error MeshAddCell(Mesh *m, MeshCell cell, int count, const int *node) {
  cell.first = m->cell_nodes, cell.count = count;
  TRY(MeshGrowList(m->cells + 1, &m->cells_room, sizeof *m->cell, &m->cell));
  ENSURE(m->cell_nodes <= INT_MAX - count, ERROR_MEMORY, "the cells of a mesh have at most %d nodes together", INT_MAX);
  TRY(MeshGrowList(m->cell_nodes + count, &m->cell_nodes_room, sizeof *m->cell_node, &m->cell_node));
  memcpy(m->cell_node + m->cell_nodes, node, (size_t)count * sizeof *node);
  m->cell[m->cells++] = cell, m->cell_nodes += count;
  return 0;
}

Error MeshAddGroup(Mesh *m, int dimension, const char *name, int *group) {
  const char *own;
  TRY(MeshGrowList(m->groups + 1, &m->groups_room, sizeof *m->group, &m->group));
  TRY(StoreText(m->store, name, strlen(name), &own));
  m->group[ *group = m->groups++] = (MeshGroup){dimension, own};
  return 0;
}

Error MeshAddMaterial(Mesh *m, const char *name, int *material) {
  const char *own;
  TRY(MeshGrowList(m->materials + 1, &m->materials_room, sizeof *m->material, &m->material));
  TRY(StoreText(m->store, name, strlen(name), &own));
  m->material[ *material = m->materials++] = (MeshMaterial){.name = own};
  return 0;
}

Error MeshAddSet(Mesh *m, int *set) {
  TRY(MeshGrowList(m->sets + 1, &m->sets_room, sizeof *m->set, &m->set));
  m->set[ *set = m->sets++] = (MeshSet){m->members, 0};
  return 0;
}

Error MeshAddMember(Mesh *m, int group) {
  TRY(MeshGrowList(m->members + 1, &m->members_room, sizeof *m->member, &m->member));
  m->member[m->members++] = group, m->set[m->sets - 1].count++;
  if (m->set[m->sets - 1].count > m->largest_set) m->largest_set = m->set[m->sets - 1].count;
  return 0;
}

static Error MoveList(Store *s, size_t size, void *list) {
  void *own, **at = list;
  TRY(StoreAllocate(s, size ? size : 1, &own));
  if (size) memcpy(own, *at, size);
  memory_free(list);
  *at = own;
  return 0;
}

Error MeshFinish(Mesh *m) {
  TRY(MoveList(m->store, (size_t)m->nodes * sizeof *m->node, &m->node));
  TRY(MoveList(m->store, (size_t)m->cells * sizeof *m->cell, &m->cell));
  TRY(MoveList(m->store, (size_t)m->cell_nodes * sizeof *m->cell_node, &m->cell_node));
  TRY(MoveList(m->store, (size_t)m->sets * sizeof *m->set, &m->set));
  TRY(MoveList(m->store, (size_t)m->members * sizeof *m->member, &m->member));
  TRY(MoveList(m->store, (size_t)m->groups * sizeof *m->group, &m->group));
  TRY(MoveList(m->store, (size_t)m->materials * sizeof *m->material, &m->material));
  return 0;
}

// ---- asking it ----

long long mesh_scan_cost(const Mesh *m) { return m->cells * (1LL + m->largest_set) + m->groups; }

const char *const mesh_dimensions[] = {"points", "lines", "surfaces", "volumes"};

int mesh_node(const Mesh *m, long number) {
  const MeshNode key = {.number = number},
                 *found = m->nodes ? bsearch(&key, m->node, (size_t)m->nodes, sizeof key, by_number) : NULL;
  return found ? (int)(found - m->node) : -1;
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

const MeshMaterial *mesh_material(const Mesh *m, const char *name) {
  for (int i = 0; i < m->materials; i++)
    if (!strcmp(m->material[i].name, name)) return &m->material[i];
  return NULL;
}

const char *mesh_type_name(const Mesh *m, const MeshCell *c, char *text, size_t size) {
  if (m->importer->type_name) snprintf(text, size, "%s", m->importer->type_name(c->type));
  else snprintf(text, size, "%d", c->type);
  return text;
}

bool mesh_has(const Mesh *m, const MeshCell *c, const MeshGroup *g) {
  if (!g) return true;
  if (c->set < 0 || c->dimension != g->dimension) return false;
  const MeshSet *s = &m->set[c->set];
  for (int i = s->first; i < s->first + s->count; i++)
    if (&m->group[m->member[i]] == g) return true;
  return false;
}

double mesh_measure(const Mesh *m, const MeshCell *c, double *part) {
  const int *id = m->cell_node + c->first;
  double measure = 0, n[CELL_NODES];
  bool edges =
      c->dimension == 2 && c->shape == CELL_WITHOUT_SHAPE && c->count == 6; // a triangle with nodes on its edges
  Vec3 at[CELL_NODES], dn[CELL_NODES], normal;
  for (int a = 0; a < c->count && a < CELL_NODES; a++) at[a] = m->node[id[a]].at;
  for (int a = 0; a < c->count; a++) part[a] = 1.0 / c->count;
  if (c->dimension == 1 && (c->count == 2 || c->count == 3)) { // a line, with a node in its middle
    for (int a = 0; a < c->count; a++) part[a] = c->count == 2 ? 0.5 : a < 2 ? 1.0 / 6 : 2.0 / 3;
    return vec3_norm(vec3_sub(at[1], at[0]));
  }
  if (c->dimension == 2 && c->plane == 8) {
    for (int a = 0; a < 8; a++) part[a] = 0;
    for (int g = 0; g < face_points(8, FACE_ORDER); g++) {
      double area = face_point(8, FACE_ORDER, g, at, n);
      measure += area;
      for (int a = 0; a < 8; a++) part[a] += area * n[a];
    }
    for (int a = 0; a < 8 && measure > 0; a++) part[a] /= measure;
    return measure;
  }
  if (edges) // taken as straight
    for (int a = 0; a < 6; a++) part[a] = a < 3 ? 0 : 1.0 / 3;
  if (c->dimension != 2 || (c->shape == CELL_WITHOUT_SHAPE && !edges)) return 1;
  CellShape s = edges ? LIMBER_TRIANGLE : (CellShape)c->shape;
  for (int g = 0; g < cell_points(s); g++) measure += cell_derive(s, at, g, n, dn, &normal);
  if (!edges) cell_masses(s, at, part);
  return measure;
}

#define IMPORTER(name) &importer_##name,
const Importer *const importers[] = {
#include "input/importers/importers.def"
    NULL};
#undef IMPORTER

static bool ends_with(const char *path, const char *extension) {
  size_t n = strlen(path), m = strlen(extension);
  return n >= m && !strcmp(path + n - m, extension);
}

const Importer *importer_find(const Importer *const *list, const char *path, const char *text, size_t length) {
  for (int i = 0; list[i]; i++)
    if (list[i]->recognises(text, length)) return list[i];
  for (int i = 0; list[i]; i++)
    for (int k = 0; list[i]->extensions[k]; k++)
      if (ends_with(path, list[i]->extensions[k])) return list[i];
  return NULL;
}

const char *importers_text(const Importer *const *list, char *text, size_t size) {
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; list[i] && used < size; i++) {
    used += (size_t)snprintf(text + used, size - used, "%s%s (", i ? ", " : "", list[i]->name);
    for (int k = 0; list[i]->extensions[k] && used < size; k++)
      used += (size_t)snprintf(text + used, size - used, "%s%s", k ? " " : "", list[i]->extensions[k]);
    if (used < size) used += (size_t)snprintf(text + used, size - used, ")");
  }
  return text;
}
