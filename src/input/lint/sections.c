// SPDX-License-Identifier: Apache-2.0
// Sections whose numbers seem to stand in another order, or belong to no mass.
#include "input/lint/lint.h"
#include "input/lint/section_findings.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

// Each kind of mistake is told once for a section, of the first station that has it. Of a shape only the material's numbers
// can be wrong.
Error WarnAboutSections(Reader *r, const ModelLocations *at) {
  char text[500];
  for (int i = 0; i < r->model->sections.count; i++) {
    const ModelSection *section = model_section(r->model, i);
    bool told[SECTION_FINDINGS] = {false};
    for (int k = 0; k < section->count; k++) {
      SectionFinding found[SECTION_FINDINGS];
      int count = section_findings(&section->station[k], found);
      for (int f = 0; f < count; f++) {
        bool is_shape = section->outline && section->outline[k];
        if (told[found[f]] || (is_shape && found[f] != SECTION_UNITS)) continue;
        told[found[f]] = true;
        TRY(ReportWarning(r, at->section[i], "section '%s'%s", section->name,
                          section_finding_text(&section->station[k], found[f], text, sizeof text)));
      }
    }
  }
  return 0;
}
