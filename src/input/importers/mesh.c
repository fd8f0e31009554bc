// SPDX-License-Identifier: Apache-2.0
// Meshes: their nodes become points of the model when an element takes cells that have them.
//   bracket: {file: bracket.msh, unit: mm, fixed: root}
// Wherever cells are wanted, `bracket.body` is the group of that name; wherever a node is wanted, `bracket.17` is the node with
// that number in the file and `bracket.tip` that of a group of one point. In a joint or a load a group of several stands for
// one joint or load at each.
#include "input/importers/mesh.h"

#include "input/yaml/kinds.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *file, *unit;
  double at[3];
  const void *fixed;
} MeshText;

static const Field mesh_fields[] = {
    {"file", FIELD_TEXT, 1, offsetof(MeshText, file), "", true, 0,
     "of Gmsh (2.2 or 4.1, ASCII), from the folder of the file that names it", NULL},
    {"unit", FIELD_TEXT, 1, offsetof(MeshText, unit), "", false, 0, "of its coordinates; default: m", NULL},
    {"at", FIELD_REALS, 3, offsetof(MeshText, at), "m", false, 0, "where its origin stands", NULL},
    {"fixed", FIELD_ANY, 1, offsetof(MeshText, fixed), "", false, 0,
     "groups whose nodes are places of the ground: a name or a list", NULL},
};
static const FieldTable mesh_table = FIELDS(mesh_fields, MeshText);
const Kind kind_mesh = {"mesh", "Cells from a file, for solids and membranes.", &mesh_table};

static const char *const dimensions[] = {"points", "lines", "surfaces", "volumes"};

// ---- groups ----

bool mesh_has(const Mesh *m, const MeshCell *c, const MeshGroup *g) {
  if (!g) return true;
  if (c->entity < 0 || gmsh_dimension(c->type) != g->dimension) return false;
  const MeshEntity *e = &m->entity[c->entity];
  for (int i = e->first; i < e->first + e->count; i++)
    if (m->physical[i] == g->tag) return true;
  return false;
}

// The group of that name, of that dimension (-1: the lowest that there is).
static const MeshGroup *find_group(const Mesh *m, const char *name, int dimension) {
  const MeshGroup *found = NULL;
  for (int i = 0; i < m->groups; i++) {
    const MeshGroup *g = &m->group[i];
    if (strcmp(g->name, name) || (dimension >= 0 && g->dimension != dimension)) continue;
    if (!found || g->dimension < found->dimension) found = g;
  }
  return found;
}

static Error ReportGroup(Reader *r, const Mesh *m, const Tree *word, const char *name, int dimension) {
  Nearest n;
  nearest_begin(&n, name);
  for (int i = 0; i < m->groups; i++)
    if (dimension < 0 || m->group[i].dimension == dimension) nearest_try(&n, m->group[i].name);
  TRY(ReportError(r, word->at, "mesh '%s' has no physical group%s%s '%s'%s", m->name, dimension < 0 ? "" : " of ",
                  dimension < 0 ? "" : dimensions[dimension], name,
                  *n.all ? nearest_hint(&n, "it has") : "; it has none"));
  return 0;
}

static Error FixGroup(Reader *r, Mesh *m, const Tree *word) {
  char name[200];
  const MeshGroup *g = word->kind == TREE_WORD ? find_group(m, word->text, -1) : NULL;
  if (word->broken) return 0;
  if (word->kind != TREE_WORD)
    TRY(ReportError(r, word->at, "the name of a physical group is wanted here, not %s",
                    tree_name(word, name, sizeof name)));
  else if (!g) TRY(ReportGroup(r, m, word, word->text, -1));
  for (int i = 0; g && i < m->cells; i++)
    if (mesh_has(m, &m->cell[i], g))
      for (int a = 0; a < m->cell[i].count; a++) m->node[m->cell_node[m->cell[i].first + a]].fixed = true;
  return 0;
}

// ---- the part of the file ----

static Error ReadMesh(Reader *r, const Tree *key, const Tree *entry, Mesh *m, bool *good) {
  static const Field length = {.name = "unit", .unit = "m"};
  MeshText text;
  Form form = {&mesh_table, &text, 0, 0, 0};
  const char *path, *all;
  size_t size = 0;
  double factor = 1;
  bool unit = true;
  m->name = key->text;
  TRY(FormsRead(r, "mesh", key->at, entry, 1, &form, good));
  if (!*good) return 0;
  const Tree *file = tree_find(entry, "file");
  if (text.unit) TRY(FindFactor(r, &length, tree_find(entry, "unit"), &factor, &unit));
  TRY(ReadSource(r, file, &path, &all, &size));
  *good = unit && all;
  if (all) {
    bool right;
    TRY(ReadGmsh(r, file->at, path, all, size, m, &right));
    *good = *good && right;
  }
  for (int i = 0; *good && i < m->nodes; i++)
    m->node[i].at = vec3_add(vec3_of(text.at), vec3_scale(factor, m->node[i].at));
  const Tree *fixed = text.fixed;
  if (!*good || !fixed) return 0;
  int before = r->diagnostics->errors;
  if (fixed->kind != TREE_LIST) TRY(FixGroup(r, m, fixed));
  else
    for (int i = 0; i < fixed->count; i++) TRY(FixGroup(r, m, fixed->entry[i]));
  *good = r->diagnostics->errors == before;
  return 0;
}

Error ReadMeshes(Reader *r, const Tree *map) {
  char name[200];
  if (map->kind != TREE_MAP) {
    TRY(ReportError(r, map->at, "'meshes' must be a map, one name to a mesh, not %s",
                    tree_name(map, name, sizeof name)));
    return 0;
  }
  TRY(StoreAllocate(&r->store, (size_t)map->count * sizeof *r->mesh, &r->mesh));
  for (int i = 0; i < map->count; i++) {
    bool fresh, good;
    TRY(CheckName(r, "mesh", &r->meshes, map->key[i]->text, map->key[i]->at, &fresh));
    TRY(ReadMesh(r, map->key[i], map->entry[i], &r->mesh[i], &good));
    if (fresh) TRY(NamesAdd(&r->meshes, map->key[i]->text, good ? i : BROKEN, map->key[i]->at));
  }
  return 0;
}

// ---- cells ----

// A node of the mesh as one of the model.
static Error TakeNode(Reader *r, const Mesh *m, MeshNode *n, LimberId *id) {
  char name[300];
  double at[3];
  if (n->id == LIMBER_NONE) {
    snprintf(name, sizeof name, "%.250s.%ld", m->name, n->tag);
    vec3_to(n->at, at);
    if (n->fixed) TRY(LimberModelAddFixed(r->model, name, at, NULL, &n->id));
    else TRY(LimberModelAddPoint(r->model, name, at, &n->id));
  }
  *id = n->id;
  return 0;
}

int mesh_vtk(CellShape s, int a) {
  static const int vtk[10] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
  return s == LIMBER_TETRAHEDRON_10 ? vtk[a] : a;
}

// How many there are, with how many nodes; 0: none, or some of which no element is made.
static Error CountCells(Reader *r, const Mesh *m, const MeshGroup *g, int dimension, const Tree *word, int *cells,
                        int *nodes) {
  CellShape one;
  *cells = *nodes = 0;
  for (int i = 0; i < m->cells; i++) {
    const MeshCell *c = &m->cell[i];
    if (gmsh_dimension(c->type) != dimension || !mesh_has(m, c, g)) continue;
    if (!gmsh_shape(c->type, &one)) {
      *cells = 0;
      TRY(ReportError(r, word->at, "'%s' has cells of the type %d of Gmsh, of which no element is made; there are %s",
                      word->text, c->type,
                      dimension == 3 ? "tetrahedra of 4 and 10 nodes and hexahedra of 8"
                                     : "triangles of 3 and quadrilaterals of 4 nodes"));
      return 0;
    }
    ++*cells, *nodes += c->count;
  }
  if (!*cells) TRY(ReportError(r, word->at, "'%s' has no %s", word->text, dimensions[dimension]));
  return 0;
}

static Error TakeCells(Reader *r, const Mesh *m, const MeshGroup *g, int dimension, const Tree *word,
                       LimberCells *out) {
  LimberCellShape *shape;
  LimberId *node;
  int count, nodes;
  TRY(CountCells(r, m, g, dimension, word, &count, &nodes));
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *shape, &shape));
  TRY(StoreAllocate(&r->store, (size_t)nodes * sizeof *node, &node));
  *out = (LimberCells){shape, node, count};
  for (int i = 0; i < m->cells; i++) {
    const MeshCell *c = &m->cell[i];
    if (gmsh_dimension(c->type) != dimension || !mesh_has(m, c, g) || !gmsh_shape(c->type, shape)) continue;
    for (int a = 0; a < c->count; a++)
      TRY(TakeNode(r, m, &m->node[m->cell_node[c->first + mesh_vtk(*shape, a)]], node++));
    shape++;
  }
  return 0;
}

// {tetrahedron: [a, b, c, d]}
static Error ReadCell(Reader *r, const Tree *t, CellShape *shape, LimberId *node, int *nodes, bool *good) {
  char name[200];
  Nearest n;
  const Tree *list = t->kind == TREE_MAP && t->count == 1 ? t->entry[0] : NULL;
  *nodes = 0;
  if (t->broken || !list) {
    *good = false;
    if (!t->broken)
      TRY(ReportError(r, t->at, "a cell is written as its shape and its nodes, {tetrahedron: [a, b, c, d]}, not as %s",
                      tree_name(t, name, sizeof name)));
    return 0;
  }
  int s = 0;
  nearest_begin(&n, t->key[0]->text);
  for (int i = 0; i < CELL_SHAPES; i++) nearest_try(&n, cell_name((CellShape)i));
  while (s < CELL_SHAPES && strcmp(cell_name((CellShape)s), t->key[0]->text)) s++;
  if (s == CELL_SHAPES) {
    *good = false;
    TRY(ReportError(r, t->key[0]->at, "there is no cell '%s'%s", t->key[0]->text, nearest_hint(&n, "there are")));
    return 0;
  }
  *shape = (CellShape)s;
  if (list->kind != TREE_LIST || list->count != cell_nodes(*shape)) {
    *good = false;
    TRY(ReportError(r, list->at, "a %s is a list of %d nodes, not %s", cell_name(*shape), cell_nodes(*shape),
                    tree_name(list, name, sizeof name)));
    return 0;
  }
  *nodes = list->count;
  for (int a = 0; a < list->count; a++) {
    TRY(FindNode(r, list->entry[a], &node[a]));
    if (node[a] == BROKEN) *good = false;
  }
  return 0;
}

static Error ReadCellList(Reader *r, const Tree *list, LimberCells *out, bool *good) {
  CellShape *shape;
  LimberId *node;
  int nodes = 0, count;
  TRY(StoreAllocate(&r->store, (size_t)list->count * sizeof *shape, &shape));
  TRY(StoreAllocate(&r->store, (size_t)list->count * CELL_NODES * sizeof *node, &node));
  for (int i = 0; i < list->count; i++, nodes += count)
    TRY(ReadCell(r, list->entry[i], &shape[i], node + nodes, &count, good));
  *out = (LimberCells){shape, node, list->count};
  return 0;
}

// The mesh whose name stands before the last dot of a text, or is all of it; NULL: there is none of that name.
static const Name *mesh_named(const Reader *r, const char *text, const char **rest) {
  char name[256];
  const char *dot = strrchr(text, '.');
  *rest = dot ? dot + 1 : NULL;
  int length = dot && dot - text < 255 ? (int)(dot - text) : 255;
  snprintf(name, sizeof name, "%.*s", length, text);
  return names_find(&r->meshes, name);
}

Error FindCells(Reader *r, const Field *f, const Tree *t, const Mesh **out, const MeshGroup **group, bool *good) {
  char name[200], hint[200];
  const char *rest;
  int dimension = f->count, groups = 0, cells = 0, nodes;
  if (t->kind != TREE_WORD) {
    *good = false;
    TRY(ReportError(r, t->at, "'%s' must be a mesh, MESH or MESH.GROUP, not %s", f->name,
                    tree_name(t, name, sizeof name)));
    return 0;
  }
  const Name *found = mesh_named(r, t->text, &rest);
  if (!found || found->id == BROKEN) {
    *good = false;
    if (!found) {
      snprintf(name, sizeof name, "%.*s", (int)(rest ? rest - 1 - t->text : 199), t->text);
      TRY(ReportError(r, t->at, "there is no mesh '%s'%s", name, did_you_mean(r, &r->meshes, name, hint, sizeof hint)));
    }
    return 0;
  }
  const Mesh *m = &r->mesh[found->id];
  const MeshGroup *g = rest ? find_group(m, rest, dimension) : NULL;
  for (int i = 0; i < m->groups; i++) groups += m->group[i].dimension == dimension;
  if (rest && !g) TRY(ReportGroup(r, m, t, rest, dimension));
  else if (!rest && groups > 1)
    TRY(ReportError(r, t->at, "mesh '%s' has %d physical groups of %s: name one, %s.GROUP", m->name, groups,
                    dimensions[dimension], m->name));
  else TRY(CountCells(r, m, g, dimension, t, &cells, &nodes));
  *out = m, *group = g, *good = *good && cells > 0;
  return 0;
}

Error ReadCells(Reader *r, const Field *f, const Tree *t, LimberCells *out, bool *good) {
  const Mesh *m;
  const MeshGroup *g;
  bool named = true;
  if (t->kind == TREE_LIST && t->count) return ReadCellList(r, t, out, good);
  TRY(FindCells(r, f, t, &m, &g, &named));
  *good = *good && named;
  if (named) TRY(TakeCells(r, m, g, f->count, t, out));
  return 0;
}

// ---- nodes ----

static int tag_order(const void *a, const void *b) {
  long x = ((const MeshNode *)a)->tag, y = ((const MeshNode *)b)->tag;
  return x < y ? -1 : x > y;
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

static double measure_of(const Mesh *m, const MeshCell *c, double *part) {
  const int *id = m->cell_node + c->first;
  double measure = 0, n[CELL_NODES];
  CellShape s;
  Vec3 at[CELL_NODES], dn[CELL_NODES], normal;
  for (int a = 0; a < c->count && a < CELL_NODES; a++) at[a] = m->node[id[a]].at;
  for (int a = 0; a < c->count; a++) part[a] = 1.0 / c->count;
  if (c->type == 1 || c->type == 8) { // a line, with a node in its middle
    for (int a = 0; a < c->count; a++) part[a] = c->count == 2 ? 0.5 : a < 2 ? 1.0 / 6 : 2.0 / 3;
    return vec3_norm(vec3_sub(at[1], at[0]));
  }
  if (c->type == 9) // a triangle with nodes on its edges, taken as straight
    for (int a = 0; a < 6; a++) part[a] = a < 3 ? 0 : 1.0 / 3;
  if (!gmsh_shape(c->type == 9 ? 2 : c->type, &s) || cell_dimension(s) != 2) return 1;
  for (int g = 0; g < cell_points(s); g++) measure += cell_derive(s, at, g, n, dn, &normal);
  if (c->type != 9) cell_masses(s, at, part);
  return measure;
}

// The nodes of a group in the place of one, and what each gets of a force that is spread evenly over lines or surfaces.
static Error TakeGroup(Reader *r, const Mesh *m, const MeshGroup *g, const MeshNode **node, int count) {
  double *weight, *all, part[64], sum = 0;
  LimberId *id;
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *weight, &weight));
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *id, &id));
  TRY(MemoryNew((size_t)m->nodes * sizeof *all, &all));
  for (int i = 0; i < m->cells; i++) {
    const MeshCell *c = &m->cell[i];
    if (!mesh_has(m, c, g)) continue;
    double measure = measure_of(m, c, part);
    sum += measure;
    for (int a = 0; a < c->count; a++) all[m->cell_node[c->first + a]] += measure * part[a];
  }
  for (int i = 0; i < count; i++) id[i] = node[i]->id, weight[i] = sum > 0 ? all[node[i] - m->node] / sum : 0;
  memory_free(&all);
  r->node_group.node = id, r->node_group.weight = weight;
  return 0;
}

static Error FindByTag(Reader *r, const Mesh *m, const Tree *word, const char *text, LimberId *id) {
  char *end;
  MeshNode key = {.tag = strtol(text, &end, 10)};
  const MeshNode *n = *end ? NULL : bsearch(&key, m->node, (size_t)m->nodes, sizeof key, tag_order);
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
  if (isdigit((unsigned char)*rest)) return FindByTag(r, m, word, rest, id);
  const MeshGroup *g = find_group(m, rest, -1);
  if (!g) {
    TRY(ReportGroup(r, m, word, rest, -1));
    return 0;
  }
  TRY(NodesOfGroup(r, m, g, &node, &count));
  for (int i = 0; i < count; i++)
    if (node[i]->id == LIMBER_NONE) {
      TRY(ReportError(r, word->at, "no element before this line holds node %ld of mesh '%s', of the group '%s'",
                      node[i]->tag, m->name, rest));
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
