// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/mesh_nodes.h"

#include "input/importers/importer.h"
#include "input/yaml/files.h"
#include "input/yaml/lookup.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const Name *mesh_named(const Reader *r, const char *text, const char **rest) {
  char name[256];
  const char *dot = strrchr(text, '.');
  *rest = dot ? dot + 1 : NULL;
  int length = dot && dot - text < 255 ? (int)(dot - text) : 255;
  snprintf(name, sizeof name, "%.*s", length, text);
  return scope_find(r, &r->meshes, name);
}

Error ReportGroup(Reader *r, const Mesh *m, const Tree *word, const char *name, int dimension) {
  Nearest n;
  nearest_begin(&n, name);
  for (int i = 0; i < m->groups; i++)
    if (dimension < 0 || m->group[i].dimension == dimension) nearest_try(&n, m->group[i].name);
  TRY(ReportError(r, word->at, "mesh '%s' has no %s%s%s '%s'%s", m->name, m->importer->group,
                  dimension < 0 ? "" : " of ", dimension < 0 ? "" : mesh_dimensions[dimension], name,
                  *n.all ? nearest_hint(&n, "it has") : "; it has none"));
  return 0;
}

// The nodes of a group, each once, in the order of their numbers.
static Error NodesOfGroup(Reader *r, const Mesh *m, const MeshGroup *g, const MeshNode ***out, int *count) {
  bool *is_used;
  *count = 0;
  TRY(MemoryNew((size_t)m->nodes * sizeof *is_used, &is_used));
  for (int i = 0; i < m->cells; i++)
    for (int a = 0; mesh_has(m, &m->cell[i], g) && a < m->cell[i].count; a++)
      is_used[m->cell_node[m->cell[i].first + a]] = true;
  for (int i = 0; i < m->nodes; i++) *count += is_used[i];
  TRY(StoreAllocate(&r->store, (size_t)(*count + 1) * sizeof **out, out));
  for (int i = 0, n = 0; i < m->nodes; i++)
    if (is_used[i]) (*out)[n++] = &m->node[i];
  memory_free(&is_used);
  return 0;
}

// The nodes of a group in the place of one, and what each gets of a force that is spread evenly over lines or surfaces.
static Error TakeGroup(Reader *r, const Mesh *m, const MeshGroup *g, const MeshNode **node, int count) {
  double *weight, *all, part[CELL_MOST_NODES], sum = 0;
  LimberId *id;
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *weight, &weight));
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *id, &id));
  TRY(MemoryNew((size_t)m->nodes * sizeof *all, &all));
  for (int i = 0; i < m->cells; i++) {
    const MeshCell *c = &m->cell[i];
    if (!mesh_has(m, c, g)) continue;
    double measure = mesh_measure(m, c, part);
    sum += measure;
    for (int a = 0; a < c->count; a++) all[m->cell_node[c->first + a]] += measure * part[a];
  }
  for (int i = 0; i < count; i++) id[i] = node[i]->id, weight[i] = sum > 0 ? all[node[i] - m->node] / sum : 0;
  memory_free(&all);
  r->node_group.node = id, r->node_group.weight = weight;
  return 0;
}

static Error FindByNumber(Reader *r, const Mesh *m, const Tree *word, const char *text, LimberId *id) {
  char *end;
  long number = strtol(text, &end, 10);
  int i = *end ? -1 : mesh_node(m, number);
  const MeshNode *n = i < 0 ? NULL : &m->node[i];
  if (!n) TRY(ReportError(r, word->at, "mesh '%s' has no node %s", m->name, text));
  else if (n->id == LIMBER_NONE)
    TRY(ReportError(r, word->at, "no element before this line holds node %s of mesh '%s'", text, m->name));
  else *id = n->id;
  return 0;
}

Error FindNodeOfMesh(Reader *r, const Tree *word, LimberId *id, bool *mine) {
  const char *rest;
  const Name *found = mesh_named(r, word->text, &rest);
  const MeshNode **node = NULL;
  int count = 0;
  *mine = found && rest;
  *id = BROKEN;
  if (!*mine || found->id == BROKEN) return 0;
  const Mesh *m = &r->mesh[found->id];
  if (isdigit((unsigned char)*rest)) return FindByNumber(r, m, word, rest, id);
  bool good;
  TRY(CountScanned(r, word, mesh_scan_cost(m), &good));
  if (!good) return 0;
  const MeshGroup *g = mesh_group(m, rest, -1);
  if (!g) {
    TRY(ReportGroup(r, m, word, rest, -1));
    return 0;
  }
  TRY(NodesOfGroup(r, m, g, &node, &count));
  for (int i = 0; i < count; i++)
    if (node[i]->id == LIMBER_NONE) {
      TRY(ReportError(r, word->at, "no element before this line holds node %ld of mesh '%s', of the group '%s'",
                      node[i]->number, m->name, rest));
      return 0;
    }
  if (count == 0) TRY(ReportError(r, word->at, "the group '%s' of mesh '%s' has no nodes", rest, m->name));
  else if (count == 1) *id = node[0]->id;
  else if (r->node_group.allowed && !r->node_group.target) {
    *id = node[0]->id;
    r->node_group.target = id, r->node_group.count = count;
    TRY(TakeGroup(r, m, g, node, count));
  } else if (r->node_group.allowed)
    TRY(ReportError(r, word->at, "one group at a time: only one node can be a group, and another is already"));
  else
    TRY(ReportError(r, word->at, "the group '%s' of mesh '%s' has %d nodes; one is wanted here", rest, m->name, count));
  return 0;
}
