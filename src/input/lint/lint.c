// SPDX-License-Identifier: Apache-2.0
#include "input/lint/lint.h"

#include "input/yaml/reader.h"

#define CHECK(name) WarnAbout##name,
static const LintCheck checks[] = {
#include "input/lint/checks.def"
};
#undef CHECK

static Error FindModelLocations(const Names *names, int count, SourceLocation **out) {
  TRY(MemoryNew((size_t)(count + 1) * sizeof **out, out));
  for (int i = 0; i < names->count; i++)
    if (names->name[i].id >= 0 && names->name[i].id < count) (*out)[names->name[i].id] = names->name[i].at;
  return 0;
}

Error ReportWarnings(Reader *r) {
  const LimberModel m = r->model;
  ModelLocations at = {0};
  TRY(FindModelLocations(&r->elements, m->components.count, &at.component));
  TRY(FindModelLocations(&r->joints, m->joints.count, &at.joint));
  TRY(FindModelLocations(&r->loads, m->loads.count, &at.load));
  TRY(FindModelLocations(&r->sections, m->sections.count, &at.section));
  for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) TRY(checks[i](r, &at));
  SourceLocation *locations[] = {at.component, at.joint, at.load, at.section};
  for (size_t i = 0; i < sizeof locations / sizeof locations[0]; i++) memory_free(&locations[i]);
  return 0;
}
