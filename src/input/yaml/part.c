// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/part.h"

#include "input/yaml/reader.h"

#include <string.h>

// ---- while a file is read ----

struct PartState {
  const Part *part; // NULL: after the last one
  Names names;
  void *data;
};

Error BeginParts(Reader *r, const Part *const *parts) {
  int count = 0;
  while (parts[count]) count++;
  TRY(StoreAllocate(&r->store, (size_t)(count + 1) * sizeof *r->part, &r->part));
  for (int i = 0; i < count; i++) {
    r->part[i].part = parts[i];
    TRY(StoreAllocate(&r->store, parts[i]->size, &r->part[i].data));
    if (parts[i]->begin) parts[i]->begin(r);
  }
  return 0;
}

Error EndParts(Reader *r) {
  for (PartState *s = r->part; s->part; s++) {
    if (s->part->destroy) TRY(s->part->destroy(s->data));
    TRY(NamesDestroy(&s->names));
  }
  return 0;
}

static PartState *state_of(const Reader *r, const Part *part) {
  PartState *s = r->part;
  while (s->part != part) s++;
  return s;
}

Names *part_names(const Reader *r, const Part *part) { return &state_of(r, part)->names; }
void *part_data(const Reader *r, const Part *part) { return state_of(r, part)->data; }

// ---- kinds ----

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
