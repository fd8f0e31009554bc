// SPDX-License-Identifier: Apache-2.0
// Sections whose numbers seem to stand in another order, or belong to no mass: what `limber section` tells, in the same words.
#include "input/lint/lint.h"
#include "input/lint/series_findings.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

Error ReportSeries(Reader *r, SourceLocation at, const char *name, const SectionSeries *s, Store *store) {
  SeriesFinding *found;
  int count;
  char stations[200];
  TRY(FindInSeries(store, s, &found, &count));
  for (int f = 0; f < count; f++) {
    if (found[f].level != FINDING_WARNING) continue;
    finding_stations(&found[f], s->count, stations, sizeof stations);
    if (found[f].whole) stations[0] = 0;
    TRY(ReportWarning(r, at, "section '%s'%s%s%s%s", name, *stations ? ", " : "", stations, *stations ? "," : "",
                      found[f].text));
  }
  return 0;
}

static Error WarnAboutSection(Reader *r, SourceLocation at, const ModelSection *section, Store *store) {
  bool *shape;
  TRY(StoreAllocate(store, (size_t)section->count * sizeof *shape, &shape));
  for (int k = 0; k < section->count; k++) shape[k] = section->outline && section->outline[k];
  const SectionSeries s = {
      .section = section->station, .count = section->count, .axes = &section_axes_limber, .shape = shape};
  TRY(ReportSeries(r, at, section->name, &s, store));
  return 0;
}

Error WarnAboutSections(Reader *r, const ModelLocations *at) {
  for (int i = 0; i < r->model->sections.count; i++) {
    Store store = {0};
    if (model_section(r->model, i)->of_file) continue;
    Error error = WarnAboutSection(r, at->section[i], model_section(r->model, i), &store);
    TRY(StoreDestroy(&store));
    TRY(error);
  }
  return 0;
}
