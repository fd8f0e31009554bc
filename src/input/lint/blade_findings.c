// SPDX-License-Identifier: Apache-2.0
#include "input/lint/blade_findings.h"

#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <math.h>
#include <string.h>

bool part_is_blade(const char *part) { return !part || !strncmp(part, "blade", 5); }

static Error FillTwist(Store *s, const Blade *b, SectionSeries *out) {
  double *place, *twist, length = 0;
  TRY(StoreAllocate(s, (size_t)b->points * sizeof *place, &place));
  TRY(StoreAllocate(s, (size_t)b->points * sizeof *twist, &twist));
  for (int i = 0; i < b->points; i++) {
    const double *x = b->point[i].at, *y = b->point[i ? i - 1 : 0].at;
    length += sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
    place[i] = length, twist[i] = b->point[i].twist;
  }
  for (int i = 0; i < b->points && length > 0; i++) place[i] /= length;
  out->place = place, out->twist = twist, out->points = b->points;
  return 0;
}

Error SeriesOfBlade(Store *s, const Blade *b, const char *part, SectionSeries *out) {
  *out = (SectionSeries){.section = b->section,
                         .count = b->sections,
                         .axes = section_axes_of(b->format->name),
                         .asymmetry = b->asymmetry,
                         .mass_defect = b->mass_defect,
                         .chord = b->chord};
  out->blade = part_is_blade(part) && out->axes->sense[0] && series_is_blade(out);
  if (!b->sections_only) TRY(FillTwist(s, b, out));
  return 0;
}

// Of asymmetry the reader of the file warns.
static Error ReportFindings(Reader *r, SourceLocation at, const Blade *b, const char *part, const char *name,
                            Store *store) {
  SectionSeries s;
  TRY(SeriesOfBlade(store, b, part, &s));
  s.asymmetry = NULL;
  TRY(ReportSeries(r, at, name, &s, store));
  return 0;
}

Error WarnAboutBlade(Reader *r, SourceLocation at, const Blade *b, const char *part, int section) {
  Store store = {0};
  Error error = ReportFindings(r, at, b, part, model_section(r->model, section)->name, &store);
  model_section_set_of_file(r->model, section);
  TRY(StoreDestroy(&store));
  return error;
}
