// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/kinds.h"

#include <string.h>

bool kind_find(const Part *part, const char *name, Kind *out) {
  for (int i = 0; part->kind(i, out); i++)
    if (!strcmp(out->name, name)) return true;
  return false;
}

const Field *kind_brief(const Part *part, const Kind *kind) {
  const Field *brief = NULL;
  for (int i = 0; i < kind->fields->count; i++) {
    const Field *f = &kind->fields->field[i];
    if (!f->required) continue;
    if (brief) return NULL;
    brief = f;
  }
  return part->value_allowed ? brief : NULL;
}
