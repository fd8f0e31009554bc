// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/kept_mesh.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/section_material.h"
#include "input/yaml/section_mesh.h"
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
