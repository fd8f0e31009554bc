// SPDX-License-Identifier: Apache-2.0
#include "input/lint/lint.h"

#include "input/yaml/parts.h"
#include "input/yaml/reader.h"

#include <math.h>

#define CHECK(name)      {WarnAbout##name, false},
#define STEP_CHECK(name) {WarnAbout##name, true},
static const struct {
  LintCheck warn;
  bool steps;
} checks[] = {
#include "input/lint/checks.def"
};
#undef STEP_CHECK
#undef CHECK

double nodes_extent(Model m, int first) {
  Vec3 low = vec3_zero(), high = low;
  for (int i = first; i < m->nodes.count; i++) {
    Vec3 x = model_node(m, i)->x[0];
    if (i == first) low = high = x;
    low = vec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
    high = vec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
  }
  return vec3_norm(vec3_sub(high, low));
}

static Error FindModelLocations(const Names *names, int count, SourceLocation **out) {
  TRY(MemoryNew((size_t)(count + 1) * sizeof **out, out));
  for (int i = 0; i < names->count; i++)
    if (names->name[i].id >= 0 && names->name[i].id < count) (*out)[names->name[i].id] = names->name[i].at;
  return 0;
}

Error ReportWarnings(Reader *r) {
  const LimberModel m = r->model;
  ModelLocations at = {0};
  TRY(FindModelLocations(part_names(r, &part_elements), m->components.count, &at.component));
  TRY(FindModelLocations(part_names(r, &part_joints), m->joints.count, &at.joint));
  TRY(FindModelLocations(part_names(r, &part_loads), m->loads.count, &at.load));
  TRY(FindModelLocations(part_names(r, &part_sections), m->sections.count, &at.section));
  bool steps = r->in->end > 0 && !r->in->without_steps && !(r->in->accuracy > 0); // such a run shortens them
  for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
    if (steps || !checks[i].steps) TRY(checks[i].warn(r, &at));
  SourceLocation *locations[] = {at.component, at.joint, at.load, at.section};
  for (size_t i = 0; i < sizeof locations / sizeof locations[0]; i++) memory_free(&locations[i]);
  return 0;
}
