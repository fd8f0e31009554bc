// SPDX-License-Identifier: Apache-2.0
// Meshes: their nodes become points of the model when an element takes cells that have them.
//   bracket: {file: bracket.msh, unit: mm, fixed: root}
// Wherever cells are wanted, `bracket.body` is the group of that name; wherever a node is wanted, `bracket.17` is the
// node with that number in the file and `bracket.tip` that of a group of one point. In a joint or a load a group of
// several stands for one joint or load at each.
#include "input/yaml/meshes.h"

#include "input/importers/mesh.h"
#include "input/yaml/files.h"
#include "input/yaml/form.h"
#include "input/yaml/kept.h"
#include "input/yaml/nodes.h"
#include "input/yaml/number.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *file, *unit;
  double at[3];
  const void *fixed;
  const char *stiffness, *mass, *unknowns;
} MeshText;

static const Field mesh_fields[] = {
    {"file", FIELD_TEXT, 1, offsetof(MeshText, file), "", true, 0,
     "file in a format that `limber describe mesh` lists, relative to the file that names it", NULL},
    {"unit", FIELD_TEXT, 1, offsetof(MeshText, unit), "", false, 0, "unit of its coordinates; default: m", NULL},
    {"at", FIELD_REALS, 3, offsetof(MeshText, at), "m", false, 0, "position of its origin", &field_position},
    {"fixed", FIELD_ANY, 1, offsetof(MeshText, fixed), "", false, 0,
     "groups whose nodes are fixed to the ground: a name or a list", NULL},
    {"stiffness", FIELD_TEXT, 1, offsetof(MeshText, stiffness), "", false, 0,
     "for a reduced_body: file with the stiffness between its nodes, of CalculiX (.sti), Matrix Market (.mtx) or "
     "Nastran (DMIG, OUTPUT4)",
     NULL},
    {"mass", FIELD_TEXT, 1, offsetof(MeshText, mass), "", false, 0,
     "file with the masses between its nodes, in the same formats", NULL},
    {"unknowns", FIELD_TEXT, 1, offsetof(MeshText, unknowns), "", false, 0,
     "file with NODE.DIRECTION of each row of the matrices (.dof of CalculiX); default: three of each node, in the "
     "order of their numbers",
     NULL},
};
static const FieldTable mesh_table = FIELDS(mesh_fields, MeshText);
static const Kind kind_mesh = {"mesh", "Cells from a file, for solids and membranes.", &mesh_table};

typedef struct { // while a file is read
  Mesh *mesh;
  int count, room;
  const Importer *const *formats; // that can be read; ends with NULL
} Meshes;

static Meshes *meshes_of(const Reader *r) { return part_data(r, &part_meshes); }

void meshes_use_formats(Reader *r, const Importer *const *formats) { meshes_of(r)->formats = formats; }

// ---- names ----

const Mesh *mesh_of_file(const Reader *r, int id) { return &meshes_of(r)->mesh[id]; }

const Name *mesh_named(const Reader *r, const char *text, const char **rest) {
  char name[256];
  const char *dot = strrchr(text, '.');
  *rest = dot ? dot + 1 : NULL;
  int length = dot && dot - text < 255 ? (int)(dot - text) : 255;
  snprintf(name, sizeof name, "%.*s", length, text);
  return scope_find(r, part_names(r, &part_meshes), name);
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
static Error TakeGroup(Reader *r, const Mesh *m, const MeshGroup *g, const MeshNode **node, int count,
                       NodeGroup *group) {
  double *weight, *all, part[CELL_MOST_NODES], sum = 0;
  int *id;
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
  group->node = id, group->weight = weight;
  return 0;
}

static Error FindByNumber(Reader *r, const Mesh *m, const Tree *word, const char *text, int *id) {
  char *end;
  long number = strtol(text, &end, 10);
  int i = *end ? -1 : mesh_node(m, number);
  const MeshNode *n = i < 0 ? NULL : &m->node[i];
  if (!n) TRY(ReportError(r, word->at, "mesh '%s' has no node %s", m->name, text));
  else if (n->id == LIMBER_NONE)
    TRY(ReportError(r, word->at, "no element before this line uses node %s of mesh '%s'", text, m->name));
  else *id = n->id;
  return 0;
}

Error FindNodeOfMesh(Reader *r, const Tree *word, int *id, bool *mine) {
  const char *rest;
  const Name *found = mesh_named(r, word->text, &rest);
  const MeshNode **node = NULL;
  NodeGroup *group = node_group(r);
  int count = 0;
  *mine = found && rest;
  *id = BROKEN;
  if (!*mine || found->id == BROKEN) return 0;
  const Mesh *m = mesh_of_file(r, found->id);
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
      TRY(ReportError(r, word->at, "no element before this line uses node %ld of mesh '%s', of the group '%s'",
                      node[i]->number, m->name, rest));
      return 0;
    }
  if (count == 0) TRY(ReportError(r, word->at, "the group '%s' of mesh '%s' has no nodes", rest, m->name));
  else if (count == 1) *id = node[0]->id;
  else if (group->allowed && !group->target) {
    *id = node[0]->id;
    group->target = id, group->count = count;
    TRY(TakeGroup(r, m, g, node, count, group));
  } else if (group->allowed)
    TRY(ReportError(r, word->at, "only one of the nodes can be a group, and another is one already"));
  else
    TRY(ReportError(r, word->at, "the group '%s' of mesh '%s' has %d nodes; one node is expected here", rest, m->name,
                    count));
  return 0;
}

// ---- meshes of readings before ----

typedef struct KeptMesh KeptMesh;
struct KeptMesh {
  KeptMesh *next;
  const char *path;
  Mesh mesh; // in the store of the file
};
static const KeptKind kept_meshes = {sizeof(KeptMesh *), NULL}; // the last one

// A mesh as its file has it: a copy of what was kept, if there is such.
static Error RecallMesh(Reader *r, const char *path, Mesh *m, bool *found) {
  const char *name = m->name;
  KeptMesh **last, *k = NULL;
  if (r->kept) {
    TRY(FindKept(r->kept, &kept_meshes, &last));
    k = *last;
  }
  while (k && strcmp(k->path, path)) k = k->next;
  *found = k;
  if (!k) return 0;
  *m = k->mesh;
  m->name = name, m->store = &r->store;
  TRY(StoreCopy(&r->store, (size_t)m->nodes * sizeof *m->node, k->mesh.node, &m->node)); // the reader writes to them
  return 0;
}

static Error KeepMesh(Reader *r, const char *path, const Mesh *m) {
  KeptMesh **last, *k;
  if (!r->kept) return 0;
  TRY(FindKept(r->kept, &kept_meshes, &last));
  Store *s = &r->kept->store;
  TRY(StoreAllocate(s, sizeof *k, &k));
  TRY(StoreText(s, path, strlen(path), &k->path));
  k->mesh = *m, k->mesh.store = NULL;
  TRY(StoreCopy(s, (size_t)m->nodes * sizeof *m->node, m->node, &k->mesh.node));
  TRY(StoreCopy(s, (size_t)m->cells * sizeof *m->cell, m->cell, &k->mesh.cell));
  TRY(StoreCopy(s, (size_t)m->cell_nodes * sizeof *m->cell_node, m->cell_node, &k->mesh.cell_node));
  TRY(StoreCopy(s, (size_t)m->sets * sizeof *m->set, m->set, &k->mesh.set));
  TRY(StoreCopy(s, (size_t)m->members * sizeof *m->member, m->member, &k->mesh.member));
  TRY(StoreCopy(s, (size_t)m->groups * sizeof *m->group, m->group, &k->mesh.group));
  TRY(StoreCopy(s, (size_t)m->materials * sizeof *m->material, m->material, &k->mesh.material));
  for (int i = 0; i < m->groups; i++)
    TRY(StoreText(s, m->group[i].name, strlen(m->group[i].name), &k->mesh.group[i].name));
  for (int i = 0; i < m->materials; i++) { // `more` is a word of the importer
    const char *name = m->material[i].name;
    TRY(StoreText(s, name, strlen(name), &k->mesh.material[i].name));
  }
  k->next = *last, *last = k;
  return 0;
}

// ---- the file ----

Error ImportMesh(Reader *r, const Tree *file, const char *path, const char *text, size_t length, Mesh *m, bool *good) {
  ImportMistake mistake = {0};
  char known[500];
  TRY(RecallMesh(r, path, m, good));
  if (*good) return 0;
  m->store = &r->store;
  m->importer = importer_find(meshes_of(r)->formats, path, text, length);
  *good = m->importer;
  if (!m->importer) {
    TRY(ReportError(r, file->at, "the format of the mesh '%s' is not supported; supported are %s", path,
                    importers_text(meshes_of(r)->formats, known, sizeof known)));
    return 0;
  }
  TRY(m->importer->read(text, length, m, &mistake));
  TRY(MeshFinish(m));
  *good = !mistake.text[0];
  if (!*good) TRY(ReportError(r, file->at, "line %d of '%s': %s", mistake.line, path, mistake.text));
  else TRY(KeepMesh(r, path, m));
  return 0;
}

static Error FixGroup(Reader *r, Mesh *m, const Tree *word) {
  char name[200];
  bool good;
  if (word->broken) return 0;
  TRY(CountScanned(r, word, mesh_scan_cost(m), &good));
  if (!good) return 0;
  const MeshGroup *g = word->kind == TREE_WORD ? mesh_group(m, word->text, -1) : NULL;
  if (word->kind != TREE_WORD)
    TRY(ReportError(r, word->at, "the name of a %s is expected here, not %s", m->importer->group,
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
  TRY(ScopeName(r, key->text, &m->name));
  TRY(FormsRead(r, "mesh", key->at, entry, 1, &form, good));
  if (!*good) return 0;
  const Tree *file = tree_find(entry, "file");
  if (text.unit) TRY(FindFactor(r, &length, tree_find(entry, "unit"), &factor, &unit));
  TRY(ReadSource(r, file, &path, &all, &size));
  *good = unit && all;
  if (all) {
    bool right;
    TRY(ImportMesh(r, file, path, all, size, m, &right));
    *good = *good && right;
  }
  m->unit = factor;
  for (int i = 0; *good && i < m->nodes; i++)
    m->node[i].at = vec3_add(vec3_of(text.at), scope_direction(r->scope, vec3_scale(factor, m->node[i].at)));
  if (*good) TRY(ReadMeshMatrices(r, entry, factor, m, good));
  const Tree *fixed = text.fixed;
  if (!*good || !fixed) return 0;
  int before = r->diagnostics->errors;
  if (fixed->kind != TREE_LIST) TRY(FixGroup(r, m, fixed));
  else
    for (int i = 0; i < fixed->count; i++) TRY(FixGroup(r, m, fixed->entry[i]));
  *good = r->diagnostics->errors == before;
  return 0;
}

static Error ReadMeshes(Reader *r, const Tree *map, SourceLocation at) {
  char name[200];
  (void)at;
  if (map->kind != TREE_MAP) {
    TRY(ReportError(r, map->at, "'meshes' must be a map of name to mesh, not %s", tree_name(map, name, sizeof name)));
    return 0;
  }
  Meshes *all = meshes_of(r);
  int first = all->count;
  TRY(StoreGrow(&r->store, sizeof *all->mesh, first, first + map->count, &all->room, &all->mesh));
  all->count += map->count;
  for (int i = 0; i < map->count; i++) {
    const char *full;
    bool fresh, good;
    TRY(CheckPartName(r, &part_meshes, map->key[i]->text, map->key[i]->at, &fresh));
    TRY(ReadMesh(r, map->key[i], map->entry[i], &all->mesh[first + i], &good));
    TRY(ScopeName(r, map->key[i]->text, &full));
    if (fresh) TRY(NamesAdd(part_names(r, &part_meshes), full, good ? first + i : BROKEN, map->key[i]->at));
  }
  return 0;
}

ONE_KIND(mesh_kind_of, kind_mesh)

const Part part_meshes = {.key = "meshes",
                          .one = "mesh",
                          .form = PART_NAMED,
                          .kind = mesh_kind_of,
                          .scoped = true,
                          .size = sizeof(Meshes),
                          .read = ReadMeshes};
