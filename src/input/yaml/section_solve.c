// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/section_mesh.h"

#include "input/yaml/kept.h"
#include "input/yaml/material.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "model/plane_outline.h"

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

Error SolveSection(Reader *r, SourceLocation at, PlaneMesh *mesh, const MaterialList *list, const double offset[2],
                   LimberSection *out, StationDetails *details, bool *good) {
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
