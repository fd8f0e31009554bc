// SPDX-License-Identifier: Apache-2.0
#include "base/limits.h"
#include "limber/limber.h"
#include "mechanics/shape.h"
#include "model/model.h"

#include <string.h>

const char *limber_section(const char *shape, const void *params, const LimberMaterial *material, const double *offset,
                           const double *shear, LimberSection *out) {
  for (int i = 0; shape_kinds[i]; i++)
    if (!strcmp(shape_kinds[i]->name, shape))
      return section_of_shape(shape_kinds[i], params, material, offset, shear, out);
  return "there is no such shape";
}

static void *allocate_of_model(void *self, size_t size) {
  void *out = NULL;
  return ModelAllocate(self, size, &out) ? NULL : out;
}

Error ModelSolve(LimberModel m, const PlaneMesh *mesh, const char *const *name, LimberSection *out,
                 SectionSolution **solution, const char **wrong) {
  Store scratch = {0};
  CrossSection c;
  const char **own;
  TRY(ModelAllocate(m, sizeof **solution, solution));
  TRY(ModelAllocate(m, (size_t)mesh->materials * sizeof *own, &own));
  for (int i = 0; i < mesh->materials; i++) TRY(ModelCopyString(m, name[i], &own[i]));
  *wrong = cross_section_solve(mesh, LIMIT_SECTION_WORK - m->section_work, (Allocator){allocate_of_store, &scratch}, &c,
                               out);
  m->section_work += c.work;
  if (!*wrong) *wrong = section_solution(mesh, &c, (Allocator){allocate_of_model, m}, *solution);
  (*solution)->name = own;
  TRY(StoreDestroy(&scratch));
  return 0;
}
