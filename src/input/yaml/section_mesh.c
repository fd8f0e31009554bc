// SPDX-License-Identifier: Apache-2.0
// Sections that are solved on a mesh. The mesh of a section from a file: surfaces in the plane of x and y, which are
// e2 and e3 (or of y and z where all x are the same). Groups of the file are given materials:
//   mesh: {file: spar.msh, unit: mm, materials: {caps: carbon, webs: {material: glass, angle: 45 deg, plane: 90 deg}}}
#include "input/yaml/section_mesh.h"

#include "input/importers/mesh.h"
#include "input/yaml/files.h"
#include "input/yaml/form.h"
#include "input/yaml/kept.h"
#include "input/yaml/material.h"
#include "input/yaml/meshes.h"
#include "input/yaml/number.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "model/visuals.h"

#include <math.h>
#include <string.h>

Error AddMaterial(Reader *r, const Tree *word, double fibre, MaterialList *list, int *index, bool *good) {
  Orthotropic ply;
  PlaneMaterial *material;
  const char **names;
  TRY(FindPly(r, word, &ply, good));
  if (!*good) return 0;
  for (*index = 0; *index < list->count; ++*index)
    if (!strcmp(list->name[*index], word->text) && list->material[*index].fibre == fibre) return 0;
  if (!(list->count & (list->count - 1))) { // the room is a power of two
    int room = list->count ? 2 * list->count : 1;
    TRY(StoreAllocate(&r->store, (size_t)room * sizeof *material, &material));
    TRY(StoreAllocate(&r->store, (size_t)room * sizeof *names, &names));
    if (list->count) memcpy(material, list->material, (size_t)list->count * sizeof *material);
    if (list->count) memcpy(names, list->name, (size_t)list->count * sizeof *names);
    list->material = material, list->name = names;
  }
  *good = plane_ply(&ply, fibre, &list->material[list->count]);
  list->name[list->count++] = word->text;
  return 0;
}

// ---- sections of readings before ----

enum { MOST_KEPT_NODES = 200000 }; // of the meshes of all sections

typedef struct KeptSection KeptSection;
struct KeptSection {
  KeptSection *next;
  Store store; // of the solution and the mesh
  PlaneMesh mesh;
  const char *const *name; // of its materials
  double work;
  LimberSection section;
  SectionSolution *solution;
  int nodes; // of this one and those that were kept before
};

static Error DestroyKeptSections(void *data) {
  KeptSection **last = data;
  while (*last) {
    KeptSection *next = (*last)->next;
    TRY(StoreDestroy(&(*last)->store));
    memory_free(last);
    *last = next;
  }
  return 0;
}
static const KeptKind kept_sections = {sizeof(KeptSection *), DestroyKeptSections}; // the last one

static bool is_same_cell(const PlaneCell *a, const PlaneCell *b) {
  return a->nodes == b->nodes && a->material == b->material && !memcmp(&a->plane, &b->plane, sizeof a->plane) &&
         !memcmp(a->node, b->node, (size_t)a->nodes * sizeof *a->node);
}

// Numbers are compared bit by bit.
static bool is_same_mesh(const KeptSection *k, const PlaneMesh *m, const char *const *name) {
  const PlaneMesh *o = &k->mesh;
  if (o->nodes != m->nodes || o->cells != m->cells || o->materials != m->materials) return false;
  if (memcmp(o->at, m->at, (size_t)m->nodes * sizeof *m->at) ||
      memcmp(o->material, m->material, (size_t)m->materials * sizeof *m->material))
    return false;
  for (int i = 0; i < m->cells; i++)
    if (!is_same_cell(&o->cell[i], &m->cell[i])) return false;
  for (int i = 0; i < m->materials; i++)
    if (strcmp(k->name[i], name[i])) return false;
  return true;
}

static Error KeepSection(Reader *r, const PlaneMesh *m, const char *const *name, KeptSection **last, KeptSection **out,
                         const char **wrong) {
  KeptSection *k;
  double before = r->model->section_work, work = before;
  TRY(MemoryNew(sizeof *k, &k));
  k->mesh = *m;
  TRY(StoreSolve(&k->store, &work, m, name, &k->section, &k->solution, wrong));
  k->work = work - before;
  if (*wrong) {
    r->model->section_work = work;
    TRY(StoreDestroy(&k->store));
    memory_free(&k);
    *out = NULL;
    return 0;
  }
  k->name = k->solution->name;
  TRY(StoreCopy(&k->store, (size_t)m->nodes * sizeof *m->at, m->at, &k->mesh.at));
  TRY(StoreCopy(&k->store, (size_t)m->cells * sizeof *m->cell, m->cell, &k->mesh.cell));
  TRY(StoreCopy(&k->store, (size_t)m->materials * sizeof *m->material, m->material, &k->mesh.material));
  k->nodes = m->nodes + (*last ? (*last)->nodes : 0);
  k->next = *last, *last = k;
  *out = k;
  return 0;
}

// ModelSolve, or what it found for the same mesh and materials.
static Error SolveOrRecall(Reader *r, const PlaneMesh *mesh, const char *const *name, LimberSection *out,
                           SectionSolution **solution, const char **wrong) {
  KeptSection **last = NULL;
  if (r->kept) TRY(FindKept(r->kept, &kept_sections, &last));
  KeptSection *k = last ? *last : NULL;
  int kept = k ? k->nodes : 0;
  *wrong = NULL, *solution = NULL;
  while (k && !is_same_mesh(k, mesh, name)) k = k->next;
  if (!k && (!r->kept || kept + mesh->nodes > MOST_KEPT_NODES))
    return ModelSolve(r->model, mesh, name, out, solution, wrong);
  if (!k) TRY(KeepSection(r, mesh, name, last, &k, wrong));
  if (!k) return 0;
  if (k->work > LIMIT_SECTION_WORK - r->model->section_work) // it is refused, as it would be now
    return ModelSolve(r->model, mesh, name, out, solution, wrong);
  r->model->section_work += k->work;
  *out = k->section, *solution = k->solution;
  return 0;
}

// ---- sections on a mesh ----

static Error SolveSection(Reader *r, SourceLocation at, PlaneMesh *mesh, const MaterialList *list,
                          const double offset[2], LimberSection *out, StationDetails *details, bool *good) {
  const char *wrong;
  SectionSolution *solution;
  double place = out->at;
  mesh->materials = list->count, mesh->material = list->material;
  for (int i = 0; i < mesh->nodes; i++)
    for (int k = 0; k < 2; k++) ((double(*)[2])mesh->at)[i][k] -= offset[k];
  TRY(SolveOrRecall(r, mesh, list->name, out, &solution, &wrong));
  out->at = place, details->solution = solution;
  if (!wrong) return 0;
  *good = false;
  TRY(ReportError(r, at, "%s", wrong));
  return 0;
}

Error MakeAndSolveSection(Reader *r, SourceLocation at, MeshMaker make, MeshComplaint complain, const void *self,
                          const MaterialList *list, const double offset[2], LimberSection *out, StationDetails *details,
                          bool *good) {
  Store store = {0};
  PlaneBuilder b = {.memory = {allocate_of_store, &store}};
  PlaneMesh mesh;
  const char *wrong;
  do wrong = make(self, &b);
  while (!wrong && plane_again(&b));
  if (!wrong) wrong = plane_finish(&b, &mesh);
  if (wrong) {
    *good = false;
    if (complain) TRY(complain(r, self, wrong));
    else TRY(ReportError(r, at, "%s", wrong));
  } else TRY(SolveSection(r, at, &mesh, list, offset, out, details, good));
  if (*good && !details->outline.lines) plane_outline(&mesh, b.memory, &details->outline);
  TRY(StoreDestroy(&store));
  return 0;
}

// ---- meshes of files ----

static const Field mesh_fields[] = {
    {"file", FIELD_TEXT, 1, offsetof(SectionMeshText, file), "", true, 0,
     "in a format that `limber describe mesh` lists; its x is along e2, its y along e3", NULL},
    {"unit", FIELD_TEXT, 1, offsetof(SectionMeshText, unit), "", false, 0, "unit of its coordinates; default: m", NULL},
    {"materials", FIELD_ANY, 1, offsetof(SectionMeshText, materials), "", true, 0,
     "one material for all cells, or a map of the file's groups to materials or to {material, angle, plane}", NULL},
};
const FieldTable section_mesh_table = FIELDS(mesh_fields, SectionMeshText);

typedef struct {
  const char *material;
  double angle;
  const void *plane;
} GroupText;

static const Field group_fields[] = {
    {"material", FIELD_TEXT, 1, offsetof(GroupText, material), "", true, 0, "one of the file's materials", NULL},
    {"angle", FIELD_REAL, 1, offsetof(GroupText, angle), "rad", false, 0,
     "angle of the fibres from the beam's axis, in the plane of the ply", NULL},
    {"plane", FIELD_ANY, 1, offsetof(GroupText, plane), "rad", false, 0,
     "plane of the ply: its angle from e2, or `edges`, along the first edge of each cell", NULL},
};
static const FieldTable group_table = FIELDS(group_fields, GroupText);

typedef struct {
  const MeshGroup *group; // NULL: all
  const Tree *word;       // that names it
  int material;
  double plane;
  bool edges;
} Assignment;

typedef struct {
  const Tree *map, *file;
  Mesh mesh;
  double factor;
  int axis[2]; // of the file's coordinates, along e2 and e3
  MaterialList list;
  Assignment *assigned;
  int assignments;
} SectionFile;

// ---- materials of groups ----

static Error ReadAssignment(Reader *r, SectionFile *s, const Tree *value, Assignment *a, bool *good) {
  GroupText text = {0};
  Form form = {&group_table, &text, 0, 0, 0};
  const Tree *word = value;
  if (value->kind != TREE_WORD) {
    TRY(FormsRead(r, "a group of the mesh", value->at, value, 1, &form, good));
    if (!*good) return 0;
    word = tree_find(value, "material");
  }
  const Tree *plane = text.plane;
  a->edges = plane && plane->kind == TREE_WORD && !strcmp(plane->text, "edges");
  if (plane && !a->edges) TRY(ReadNumber(r, "plane", plane, "rad", &a->plane, good));
  if (*good) TRY(AddMaterial(r, word, text.angle, &s->list, &a->material, good));
  return 0;
}

static Error ReadAssignments(Reader *r, SectionFile *s, const Tree *t, bool *good) {
  bool one = t->kind == TREE_WORD, right;
  char name[200];
  if (t->kind == TREE_LIST) {
    *good = false;
    TRY(ReportError(r, t->at, "'materials' is one material, or a map of the mesh's groups to materials, not %s",
                    tree_name(t, name, sizeof name)));
    return 0;
  }
  s->assignments = one ? 1 : t->count;
  TRY(StoreAllocate(&r->store, (size_t)(s->assignments + 1) * sizeof *s->assigned, &s->assigned));
  for (int i = 0; i < s->assignments; i++) {
    Assignment *a = &s->assigned[i];
    right = true;
    a->word = one ? t : t->key[i];
    if (!one) a->group = mesh_group(&s->mesh, t->key[i]->text, 2);
    if (!one && !a->group) {
      right = false;
      TRY(ReportGroup(r, &s->mesh, t->key[i], t->key[i]->text, 2));
    }
    TRY(ReadAssignment(r, s, one ? t : t->entry[i], a, &right));
    *good = *good && right;
  }
  return 0;
}

// ---- cells ----

static double coordinate(const SectionFile *s, int node, int axis) {
  Vec3 at = s->mesh.node[node].at;
  return s->factor * (axis == 0 ? at.x : axis == 1 ? at.y : at.z);
}

// The plane in which all nodes of the cells lie.
static Error FindPlane(Reader *r, SectionFile *s, bool *good) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, size = 0;
  for (int i = 0; i < s->mesh.cells; i++)
    for (int a = 0; s->mesh.cell[i].dimension == 2 && a < s->mesh.cell[i].count; a++)
      for (int k = 0; k < 3; k++) {
        double x = coordinate(s, s->mesh.cell_node[s->mesh.cell[i].first + a], k);
        low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
      }
  for (int k = 0; k < 3; k++) size = fmax(size, high[k] - low[k]);
  if (high[2] - low[2] <= 1e-9 * size) s->axis[0] = 0, s->axis[1] = 1;
  else if (high[0] - low[0] <= 1e-9 * size) s->axis[0] = 1, s->axis[1] = 2;
  else {
    *good = false;
    TRY(ReportError(r, s->file->at,
                    size >= 0 ? "the surfaces of a section's mesh lie in the plane of x and y, or of y and z; those of "
                                "this file do not"
                              : "the file has no surface cells: a section is a mesh of surfaces"));
  }
  return 0;
}

static double area_of(const double (*at)[2], const PlaneCell *c) {
  double twice = 0;
  int corners = c->nodes == 3 || c->nodes == 6 ? 3 : 4;
  for (int i = 0; i < corners; i++) {
    const double *a = at[c->node[i]], *b = at[c->node[(i + 1) % corners]];
    twice += a[0] * b[1] - b[0] * a[1];
  }
  return 0.5 * twice;
}

static void swap(int *a, int *b) {
  int c = *a;
  *a = *b, *b = c;
}

// The other way round, from the same first corner.
static void turn_over(PlaneCell *c) {
  bool triangle = c->nodes == 3 || c->nodes == 6;
  swap(&c->node[1], &c->node[triangle ? 2 : 3]);
  if (c->nodes == 6) swap(&c->node[3], &c->node[5]);
  if (c->nodes >= 8) swap(&c->node[4], &c->node[7]), swap(&c->node[5], &c->node[6]);
}

static Error AssignCell(Reader *r, SectionFile *s, const MeshCell *from, const Assignment **found, bool *good) {
  *found = NULL;
  for (int k = 0; k < s->assignments; k++) {
    if (!mesh_has(&s->mesh, from, s->assigned[k].group)) continue;
    if (*found) {
      *good = false;
      TRY(ReportError(r, s->assigned[k].word->at,
                      "cells of the group '%s' belong to the group '%s' too: a cell has one "
                      "material",
                      s->assigned[k].word->text, (*found)->word->text));
      return 0;
    }
    *found = &s->assigned[k];
  }
  return 0;
}

// Cells with a material, and the nodes that they have.
static Error TakeCells(Reader *r, SectionFile *s, PlaneMesh *out, bool *good) {
  PlaneCell *cell;
  int *number, without = 0;
  char type[80];
  double(*at)[2];
  memset(out, 0, sizeof *out);
  TRY(StoreAllocate(&r->store, (size_t)s->mesh.cells * sizeof *cell, &cell));
  TRY(StoreAllocate(&r->store, (size_t)s->mesh.nodes * sizeof *number, &number));
  TRY(StoreAllocate(&r->store, (size_t)s->mesh.nodes * sizeof *at, &at));
  for (int i = 0; i < s->mesh.cells && *good; i++) {
    const MeshCell *from = &s->mesh.cell[i];
    const Assignment *a;
    if (from->dimension != 2) continue;
    if (!from->plane) {
      *good = false;
      TRY(ReportError(r, s->file->at,
                      "the mesh of a section has triangles of 3 or 6 nodes and quadrilaterals of 4, 8 or 9; "
                      "type %s of this file is none of them",
                      mesh_type_name(&s->mesh, from, type, sizeof type)));
      break;
    }
    TRY(AssignCell(r, s, from, &a, good));
    if (!a) without++;
    if (!a || !*good) continue;
    PlaneCell *c = &cell[out->cells++];
    *c = (PlaneCell){.nodes = from->plane, .material = a->material, .plane = a->plane};
    for (int n = 0; n < from->plane; n++) {
      int node = s->mesh.cell_node[from->first + n];
      if (!number[node]) {
        for (int k = 0; k < 2; k++) at[out->nodes][k] = coordinate(s, node, s->axis[k]);
        number[node] = ++out->nodes;
      }
      c->node[n] = number[node] - 1;
    }
    if (a->edges) c->plane = atan2(at[c->node[1]][1] - at[c->node[0]][1], at[c->node[1]][0] - at[c->node[0]][0]);
    if (area_of((const double(*)[2])at, c) < 0) turn_over(c);
  }
  if (*good && without) {
    *good = false;
    TRY(ReportError(r, tree_find(s->map, "materials")->at,
                    "%d surface cell%s of the mesh belong%s to no group that has a material here", without,
                    without > 1 ? "s" : "", without > 1 ? "" : "s"));
  }
  out->at = (const double(*)[2])at, out->cell = cell;
  return 0;
}

// ---- the file ----

Error ReadSectionMesh(Reader *r, const Tree *map, const SectionMeshText *text, const double offset[2],
                      LimberSection *out, StationDetails *details, bool *good) {
  static const Field length = {.name = "unit", .unit = "m"};
  SectionFile s = {.map = map, .file = tree_find(map, "file"), .factor = 1};
  const char *path, *all;
  size_t size = 0;
  PlaneMesh mesh;
  s.mesh.name = text->file;
  if (text->unit) TRY(FindFactor(r, &length, tree_find(map, "unit"), &s.factor, good));
  TRY(ReadSource(r, s.file, &path, &all, &size));
  *good = *good && all;
  if (*good) TRY(ImportMesh(r, s.file, path, all, size, &s.mesh, good));
  if (*good) TRY(CountScanned(r, s.file, mesh_scan_cost(&s.mesh), good));
  if (*good) TRY(FindPlane(r, &s, good));
  if (*good) TRY(ReadAssignments(r, &s, text->materials, good));
  if (*good) TRY(TakeCells(r, &s, &mesh, good));
  if (*good) TRY(SolveSection(r, s.file->at, &mesh, &s.list, offset, out, details, good));
  Store scratch = {0};
  if (*good) plane_outline(&mesh, (Allocator){allocate_of_store, &scratch}, &details->outline);
  TRY(StoreDestroy(&scratch));
  return 0;
}
