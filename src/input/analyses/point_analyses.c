// SPDX-License-Identifier: Apache-2.0
// The list of analyses about an operating point, and their parts of the model file.
#include "input/analyses/point_analysis.h"

#include "base/cookie.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"

#include <string.h>

#define POINT_ANALYSIS(name, help) &analysis_of_##name,
const PointAnalysis *const point_analyses[] = {
#include "input/analyses/point_analyses.def"
    NULL};
#undef POINT_ANALYSIS

int point_analysis_find(const char *name) {
  for (int i = 0; point_analyses[i]; i++)
    if (!strcmp(point_analyses[i]->command.name, name)) return i;
  return -1;
}

typedef union { // large enough for the structure of each part
  max_align_t aligned;
  char bytes[512];
} PartText;

void point_analysis_defaults(const PointAnalysis *a, void *options, size_t size) {
  PartText text;
  field_defaults(&a->fields, &text);
  memcpy(text.bytes + a->offset, &(int){OPTIONS_COOKIE}, sizeof(int));
  memcpy(options, text.bytes + a->offset, size);
}

bool input_has_part(const Input *in, const PointAnalysis *a) { return *((const bool *)((const char *)in + a->given)); }

static void begin_part(Reader *r, const PointAnalysis *a) {
  if (a->size) point_analysis_defaults(a, (char *)r->in + a->place, a->size);
}

// Texts and lists live as long as the model.
static Error KeepValues(Reader *r, const Form *form) {
  size_t length = (size_t) * (const int *)form->out; // of lists, if there are some
  for (int i = 0; i < form->fields->count; i++) {
    const Field *f = &form->fields->field[i];
    void *at = (char *)form->out + f->offset;
    if (f->type == FIELD_TEXT) TRY(ModelCopyString(r->model, *(const char **)at, at));
    if (f->type != FIELD_LIST || !length) continue;
    double *copy, **list = at;
    TRY(ModelAllocate(r->model, length * sizeof *copy, &copy));
    memcpy(copy, *list, length * sizeof *copy);
    *list = copy;
  }
  return 0;
}

static Error ReadAnalysisPart(Reader *r, const PointAnalysis *a, const Tree *map, SourceLocation at) {
  PartText text;
  Form form = {&a->fields, &text, 0, 0, 0};
  bool good;
  ENSURE(a->fields.size <= sizeof text, ERROR_PROGRAM, "the part %s is too large", a->command.name);
  TRY(FormsRead(r, a->command.name, at, map, 1, &form, &good));
  TRY(KeepValues(r, &form));
  if (a->size) memcpy(text.bytes + a->offset, &(int){OPTIONS_COOKIE}, sizeof(int));
  if (a->complete) TRY(a->complete(r, map, &form, good));
  memcpy((char *)r->in + a->place, text.bytes + a->offset, a->size);
  *(bool *)((char *)r->in + a->given) = true;
  return 0;
}

static bool kind_of_part(const PointAnalysis *a, int i, Kind *out) {
  *out = (Kind){a->command.name, a->command.summary, &a->fields};
  return i == 0;
}

#define POINT_ANALYSIS(name, help) \
  static bool name##_kind(int i, Kind *out) { return kind_of_part(&analysis_of_##name, i, out); } \
  static void name##_begin(Reader *r) { begin_part(r, &analysis_of_##name); } \
  static Error name##_read(Reader *r, const Tree *map, SourceLocation at) { \
    return ReadAnalysisPart(r, &analysis_of_##name, map, at); \
  } \
  const Part part_##name = { \
      .key = #name, .one = #name, .form = PART_ONE, .kind = name##_kind, .begin = name##_begin, .read = name##_read};
#include "input/analyses/point_analyses.def"
#undef POINT_ANALYSIS
