// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/kept_mesh.h"

#include "input/yaml/reader.h"

#include <string.h>

// ---- meshes ----

struct KeptMesh {
  KeptMesh *next;
  const char *path;
  Mesh mesh; // in the store of the file
};

static Error CopyList(Store *s, size_t bytes, const void *from, void *out) {
  void *copy;
  TRY(StoreAllocate(s, bytes, &copy));
  if (bytes) memcpy(copy, from, bytes);
  memcpy(out, &copy, sizeof copy);
  return 0;
}

Error RecallMesh(Reader *r, const char *path, Mesh *m, bool *found) {
  const char *name = m->name;
  const KeptMesh *k = r->kept ? r->kept->mesh : NULL;
  while (k && strcmp(k->path, path)) k = k->next;
  *found = k;
  if (!k) return 0;
  *m = k->mesh;
  m->name = name, m->store = &r->store;
  TRY(CopyList(&r->store, (size_t)m->nodes * sizeof *m->node, k->mesh.node, &m->node)); // the reader writes to them
  return 0;
}

Error KeepMesh(Reader *r, const char *path, const Mesh *m) {
  KeptMesh *k;
  if (!r->kept) return 0;
  Store *s = &r->kept->store;
  TRY(StoreAllocate(s, sizeof *k, &k));
  TRY(StoreText(s, path, strlen(path), &k->path));
  k->mesh = *m, k->mesh.store = NULL;
  TRY(CopyList(s, (size_t)m->nodes * sizeof *m->node, m->node, &k->mesh.node));
  TRY(CopyList(s, (size_t)m->cells * sizeof *m->cell, m->cell, &k->mesh.cell));
  TRY(CopyList(s, (size_t)m->cell_nodes * sizeof *m->cell_node, m->cell_node, &k->mesh.cell_node));
  TRY(CopyList(s, (size_t)m->sets * sizeof *m->set, m->set, &k->mesh.set));
  TRY(CopyList(s, (size_t)m->members * sizeof *m->member, m->member, &k->mesh.member));
  TRY(CopyList(s, (size_t)m->groups * sizeof *m->group, m->group, &k->mesh.group));
  for (int i = 0; i < m->groups; i++)
    TRY(StoreText(s, m->group[i].name, strlen(m->group[i].name), &k->mesh.group[i].name));
  k->next = r->kept->mesh, r->kept->mesh = k;
  return 0;
}

// ---- sections ----

enum { MOST_KEPT_NODES = 200000 }; // of the meshes of all sections

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

static Error KeepSection(Reader *r, const PlaneMesh *m, const char *const *name, KeptSection **out,
                         const char **wrong) {
  InputFile *f = r->kept;
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
  TRY(CopyList(&k->store, (size_t)m->nodes * sizeof *m->at, m->at, &k->mesh.at));
  TRY(CopyList(&k->store, (size_t)m->cells * sizeof *m->cell, m->cell, &k->mesh.cell));
  TRY(CopyList(&k->store, (size_t)m->materials * sizeof *m->material, m->material, &k->mesh.material));
  k->nodes = m->nodes + (f->section ? f->section->nodes : 0);
  k->next = f->section, f->section = k;
  *out = k;
  return 0;
}

Error SolveOrRecall(Reader *r, const PlaneMesh *mesh, const char *const *name, LimberSection *out,
                    SectionSolution **solution, const char **wrong) {
  KeptSection *k = r->kept ? r->kept->section : NULL;
  int kept = k ? k->nodes : 0;
  *wrong = NULL, *solution = NULL;
  while (k && !is_same_mesh(k, mesh, name)) k = k->next;
  if (!k && (!r->kept || kept + mesh->nodes > MOST_KEPT_NODES))
    return ModelSolve(r->model, mesh, name, out, solution, wrong);
  if (!k) TRY(KeepSection(r, mesh, name, &k, wrong));
  if (!k) return 0;
  if (k->work > LIMIT_SECTION_WORK - r->model->section_work) // it is refused, as it would be now
    return ModelSolve(r->model, mesh, name, out, solution, wrong);
  r->model->section_work += k->work;
  *out = k->section, *solution = k->solution;
  return 0;
}

Error KeptMeshesDestroy(InputFile *f) {
  while (f->section) {
    KeptSection *next = f->section->next;
    TRY(StoreDestroy(&f->section->store));
    memory_free(&f->section);
    f->section = next;
  }
  return 0;
}
