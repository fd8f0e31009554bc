// SPDX-License-Identifier: Apache-2.0
// Sections whose numbers seem to stand in another order, or belong to no mass.
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <math.h>

// The radii of gyration of stiffness and of mass about e2 and e3 are those of the same section.
static bool axes_are_swapped(const LimberSection *s) {
  double c2 = s->centre[1], c3 = s->centre[0];
  double j2 = s->inertia[1][1] - s->mass * c2 * c2, j3 = s->inertia[2][2] - s->mass * c3 * c3;
  double k2 = s->stiffness[4][4], k3 = s->stiffness[5][5];
  if (!(j2 > 0) || !(j3 > 0)) return false;
  return (k2 > 2 * k3 && j3 > 2 * j2) || (k3 > 2 * k2 && j2 > 2 * j3);
}

static Error WarnAboutSection(Reader *r, const ModelSection *section, SourceLocation at) {
  const LimberSection *s = section->station;
  const double(*c)[6] = s->stiffness, (*j)[3] = s->inertia, shear = fmax(c[1][1], c[2][2]);
  const char *name = section->name;
  if (!(s->mass > 0)) return 0; // a spring rather than a beam
  if (shear > 1.5 * c[0][0])
    TRY(ReportWarning(
        r, at,
        "section '%s' is stiffer in shear (%g N) than in tension (%g N): the order is axial, shear 2, shear 3, "
        "torsion, bending 2, bending 3",
        name, shear, c[0][0]));
  if (c[3][3] > 1.5 * (c[4][4] + c[5][5]))
    TRY(ReportWarning(
        r, at,
        "section '%s' is stiffer in torsion (%g N m2) than in bending about both axes together (%g N m2): the order "
        "is axial, shear 2, shear 3, torsion, bending 2, bending 3",
        name, c[3][3], c[4][4] + c[5][5]));
  if (j[1][1] + j[2][2] > 0 && j[0][0] > 1.001 * (j[1][1] + j[2][2]))
    TRY(ReportWarning(r, at,
                      "section '%s': no mass has the inertia %g about e1, which is more than %g + %g about e2 and e3",
                      name, j[0][0], j[1][1], j[2][2]));
  if (axes_are_swapped(s))
    TRY(ReportWarning(
        r, at,
        "section '%s' is stiff against bending about e%d, but its inertia is large about e%d: are two numbers "
        "swapped?",
        name, c[4][4] > c[5][5] ? 2 : 3, c[4][4] > c[5][5] ? 3 : 2));
  return 0;
}

Error WarnAboutSections(Reader *r, const ModelLocations *at) {
  for (int i = 0; i < r->model->sections.count; i++)
    TRY(WarnAboutSection(r, model_section(r->model, i), at->section[i]));
  return 0;
}
