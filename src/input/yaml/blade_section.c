// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/blade_section.h"

#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "mechanics/symmetric.h"

#include <string.h>

static const Field fields[] = {
#define BLADE_FORMAT(name, NAME, help) {#name, FIELD_TEXT, 1, offsetof(BladeFile, name), "", false, 0, help, NULL},
#include "input/blades/formats.def"
#undef BLADE_FORMAT
    BLADE_FILE_FIELDS(BladeFile, )};
static const FieldTable table = FIELDS(fields, BladeFile);
const FieldMore blade_section_fields = {&table, NULL};

Error ReadBladeSection(Reader *r, const Tree *map, const BladeFile *file, int *count, const LimberSection **out,
                       bool *good) {
  const Tree *word;
  Blade b;
  *count = 0;
  for (int i = 0; i < map->count; i++) {
    const char *key = map->key[i]->text;
    if (!strcmp(key, "from_file") || !strcmp(key, "at")) continue;
    *good = false;
    TRY(ReportError(r, map->entry[i]->at, "'%s' follows from the file of 'from_file': give one or the other", key));
  }
  if (!*good) return 0;
  TRY(ReadBladeFile(r, tree_find(map, "from_file"), file, &b, &word, good));
  if (!*good) return 0;
  TRY(CheckBladeSections(r, &b, word, good));
  TRY(WarnAboutBladeFile(r, &b, word));
  *count = b.sections, *out = b.section;
  return 0;
}
