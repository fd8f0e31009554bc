// SPDX-License-Identifier: Apache-2.0
// Meshes: their nodes become points of the model when an element takes cells that have them.
//   bracket: {file: bracket.msh, unit: mm, fixed: root}
// Wherever cells are wanted, `bracket.body` is the group of that name; wherever a node is wanted, `bracket.17` is the node with
// that number in the file and `bracket.tip` that of a group of one point. In a joint or a load a group of several stands for
// one joint or load at each.
#include "input/importers/importer.h"
#include "input/yaml/files.h"
#include "input/yaml/form.h"
#include "input/yaml/kept_mesh.h"
#include "input/yaml/lookup.h"
#include "input/yaml/mesh_nodes.h"
#include "input/yaml/number.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

typedef struct {
  const char *file, *unit;
  double at[3];
  const void *fixed;
} MeshText;

static const Field mesh_fields[] = {
    {"file", FIELD_TEXT, 1, offsetof(MeshText, file), "", true, 0,
     "in a format that `limber describe mesh` lists, from the folder of the file that names it", NULL},
    {"unit", FIELD_TEXT, 1, offsetof(MeshText, unit), "", false, 0, "of its coordinates; default: m", NULL},
    {"at", FIELD_REALS, 3, offsetof(MeshText, at), "m", false, 0, "where its origin stands", &field_position},
    {"fixed", FIELD_ANY, 1, offsetof(MeshText, fixed), "", false, 0,
     "groups whose nodes are fixed to the ground: a name or a list", NULL},
};
static const FieldTable mesh_table = FIELDS(mesh_fields, MeshText);
static const Kind kind_mesh = {"mesh", "Cells from a file, for solids and membranes.", &mesh_table};

// ---- the file ----

Error ImportMesh(Reader *r, const Tree *file, const char *path, const char *text, size_t length, Mesh *m, bool *good) {
  ImportMistake mistake = {0};
  char known[500];
  TRY(RecallMesh(r, path, m, good));
  if (*good) return 0;
  m->store = &r->store;
  m->importer = importer_find(r->importers, path, text, length);
  *good = m->importer;
  if (!m->importer) {
    TRY(ReportError(r, file->at, "'%s' is no mesh of a format that is known; there are %s", path,
                    importers_text(r->importers, known, sizeof known)));
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
    TRY(ReportError(r, word->at, "the name of a %s is wanted here, not %s", m->importer->group,
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
  for (int i = 0; *good && i < m->nodes; i++)
    m->node[i].at = vec3_add(vec3_of(text.at), scope_direction(r->scope, vec3_scale(factor, m->node[i].at)));
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
    TRY(ReportError(r, map->at, "'meshes' must be a map, one name to a mesh, not %s",
                    tree_name(map, name, sizeof name)));
    return 0;
  }
  int first = r->mesh_count;
  TRY(StoreGrow(&r->store, sizeof *r->mesh, first, first + map->count, &r->mesh_room, &r->mesh));
  r->mesh_count += map->count;
  for (int i = 0; i < map->count; i++) {
    const char *full;
    bool fresh, good;
    TRY(CheckName(r, "mesh", &r->meshes, map->key[i]->text, map->key[i]->at, &fresh));
    TRY(ReadMesh(r, map->key[i], map->entry[i], &r->mesh[first + i], &good));
    TRY(ScopeName(r, map->key[i]->text, &full));
    if (fresh) TRY(NamesAdd(&r->meshes, full, good ? first + i : BROKEN, map->key[i]->at));
  }
  return 0;
}

ONE_KIND(mesh_kind_of, kind_mesh)

const Part part_meshes = {
    .key = "meshes", .one = "mesh", .form = PART_NAMED, .kind = mesh_kind_of, .scoped = true, .read = ReadMeshes};
