// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/section_material.h"

#include "input/yaml/lookup.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "mechanics/shape.h"

Orthotropic ply_of_isotropic(const LimberMaterial *m) {
  double G = m->G > 0 ? m->G : m->E / (2 * (1 + m->nu)), nu = m->E / (2 * G) - 1;
  return (Orthotropic){.E = {m->E, m->E, m->E}, .G = {G, G, G}, .nu = {nu, nu, nu}, .density = m->density};
}

Error FindIsotropic(Reader *r, const Tree *word, LimberMaterial *out, bool *good) {
  LimberId id;
  TRY(FindName(r, "material", &r->materials, word, &id));
  *good = id != BROKEN && !r->material[id].is_ply;
  if (*good) *out = r->material[id].isotropic;
  else if (id != BROKEN)
    TRY(ReportError(r, word->at,
                    "material '%s' is a ply of fibres, which only sections with `mesh`, `layup` or `solve` take: give "
                    "one number for E, and nu or G",
                    word->text));
  return 0;
}

Error FindPly(Reader *r, const Tree *word, Orthotropic *out, bool *good) {
  LimberId id;
  PlaneMaterial turned;
  TRY(FindName(r, "material", &r->materials, word, &id));
  *good = id != BROKEN;
  if (!*good) return 0;
  *out = r->material[id].ply;
  if (!r->material[id].is_ply && material_is_neo_hookean(&r->material[id].isotropic)) {
    *good = false;
    TRY(ReportError(r, word->at, "material '%s' has the law neo_hookean: sections are linear", word->text));
  } else if (!plane_ply(out, 0, &turned)) {
    *good = false;
    TRY(ReportError(r, word->at,
                    "the mesh of a section needs a Poisson's ratio between -1 and 0.5, and material '%s' has %g",
                    word->text, out->nu[0]));
  }
  return 0;
}
