// SPDX-License-Identifier: Apache-2.0
// Sections from shapes and from meshes.
#include "base/limits.h"
#include "limber/limber.h"
#include "mechanics/shape.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

const char *limber_section(const char *shape, const void *params, const LimberMaterial *material, const double *offset,
                           const double *shear, LimberSection *out) {
  for (int i = 0; shape_kinds[i]; i++)
    if (!strcmp(shape_kinds[i]->name, shape))
      return section_of_shape(shape_kinds[i], params, material, offset, shear, out).text;
  return "there is no such shape";
}

Error StoreSolve(Store *s, double *work, const PlaneMesh *mesh, const char *const *name, LimberSection *out,
                 SectionSolution **solution, const char **wrong) {
  Store scratch = {0};
  CrossSection c;
  const char **own;
  TRY(StoreAllocate(s, sizeof **solution, solution));
  TRY(StoreAllocate(s, (size_t)mesh->materials * sizeof *own, &own));
  for (int i = 0; i < mesh->materials; i++) TRY(StoreText(s, name[i], strlen(name[i]), &own[i]));
  *wrong = cross_section_solve(mesh, LIMIT_SECTION_WORK - *work, (Allocator){allocate_of_store, &scratch}, &c, out);
  *work += c.work;
  if (!*wrong) *wrong = section_solution(mesh, &c, (Allocator){allocate_of_store, s}, *solution);
  (*solution)->name = own;
  TRY(StoreDestroy(&scratch));
  return 0;
}

Error ModelSolve(LimberModel m, const PlaneMesh *mesh, const char *const *name, LimberSection *out,
                 SectionSolution **solution, const char **wrong) {
  return StoreSolve(&m->store, &m->section_work, mesh, name, out, solution, wrong);
}

// ---- from a program ----

// Copies the cells and checks that their nodes and materials exist. Returns NULL, or what is wrong.
static const char *take_cells(const LimberSectionMesh *from, PlaneCell *cell) {
  const int *node = from->node;
  for (int i = 0; i < from->cells; i++) {
    int count = from->count[i], material = from->material ? from->material[i] : 0;
    if (count != 3 && count != 4 && count != 6 && count != 8 && count != 9) return "cells have 3, 4, 6, 8 or 9 nodes";
    if (material < 0 || material >= from->materials) return "a cell has a material that is not there";
    cell[i] = (PlaneCell){.nodes = count, .material = material, .plane = from->plane ? from->plane[i] : 0};
    for (int a = 0; a < count; a++, node++) {
      if (*node < 0 || *node >= from->nodes) return "a cell has a node that is not there";
      cell[i].node[a] = *node;
    }
  }
  return NULL;
}

static const char *take_materials(const LimberSectionMesh *from, PlaneMaterial *out) {
  for (int i = 0; i < from->materials; i++) {
    const LimberPly *p = &from->ply[i];
    Orthotropic o = {.density = p->density};
    memcpy(o.E, p->E, sizeof o.E);
    memcpy(o.G, p->G, sizeof o.G);
    memcpy(o.nu, p->nu, sizeof o.nu);
    if (!plane_ply(&o, p->angle, &out[i])) return "the constants of one of its plies are impossible";
  }
  return NULL;
}

static Error SolveMesh(LimberModel m, const LimberSectionMesh *from, Store *s, LimberSection *out,
                       SectionSolution **solution, const char **wrong) {
  PlaneMesh mesh = {.nodes = from->nodes, .cells = from->cells, .materials = from->materials};
  PlaneCell *cell;
  PlaneMaterial *material;
  const char **name;
  TRY(StoreAllocate(s, (size_t)from->cells * sizeof *cell, &cell));
  TRY(StoreAllocate(s, (size_t)from->materials * sizeof *material, &material));
  TRY(StoreAllocate(s, (size_t)from->materials * sizeof *name, &name));
  for (int i = 0; i < from->materials; i++) {
    char text[40];
    snprintf(text, sizeof text, "ply %d", i);
    TRY(StoreText(s, text, strlen(text), &name[i]));
  }
  mesh.at = (const double(*)[2])from->at, mesh.cell = cell, mesh.material = material;
  *wrong = take_cells(from, cell);
  if (!*wrong) *wrong = take_materials(from, material);
  if (!*wrong) TRY(ModelSolve(m, &mesh, name, out, solution, wrong));
  return 0;
}

static Error AddMesh(LimberModel m, const char *name, const LimberSectionMesh *from, LimberSectionId *id) {
  Store scratch = {0};
  LimberSection section = {0};
  SectionSolution *solution = NULL;
  const char *wrong = "it has no nodes, cells or materials";
  LimberSectionId own;
  ENSURE(m && name && from, ERROR_ARGUMENT, "a model, a name and a mesh are needed, not NULL");
  if (from->nodes > 0 && from->cells > 0 && from->materials > 0 && from->at && from->count && from->node && from->ply)
    TRY(SolveMesh(m, from, &scratch, &section, &solution, &wrong));
  TRY(StoreDestroy(&scratch));
  if (wrong) return ModelReportError(m, NULL, "section '%s': %s", name, wrong);
  TRY(LimberModelAddSection(m, name, 1, &section, &own));
  TRY(ModelSolution(m, own.index, 0, solution));
  if (id) *id = own;
  return 0;
}

int LimberModelAddSectionMesh(LimberModel m, const char *name, const LimberSectionMesh *from, LimberSectionId *id) {
  if (id) *id = LIMBER_NO_SECTION;
  return MODEL_CALL(m, AddMesh(m, name, from, id));
}
