// SPDX-License-Identifier: Apache-2.0
// The part `elements`: what has mass or stiffness.
#include "model/model.h"
#include "input/yaml/blade_beam.h"
#include "input/yaml/components.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "mechanics/element.h"

#include <string.h>

CATALOGUE_KINDS(catalogue_kind, element_kinds)

static bool element_kind(int i, Kind *out) {
  if (!catalogue_kind(i, out)) return false;
  if (!strcmp(out->name, "beam")) out->fields = blade_beam_fields(out->fields);
  return true;
}

// What acts on nodes of other elements is read after them.
static bool is_around(const Tree *entry) {
  bool around = false;
  if (entry->kind != TREE_MAP || entry->count < 1) return false;
  for (int i = 0; element_kinds[i]; i++)
    around = around || (element_kinds[i]->around && !strcmp(element_kinds[i]->name, entry->key[0]->text));
  return around;
}

static Error CompleteElement(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *fields,
                             Form *form, bool *good) {
  if (!strcmp(kind->name, "beam")) TRY(CompleteBladeBeam(r, name, at, fields, form, good));
  return 0;
}

static Error ReadElements(Reader *r, const Tree *list, SourceLocation at) {
  (void)at;
  return ReadComponents(r, &part_elements, list, &r->elements);
}

const Part part_elements = {.key = "elements",
                            .one = "element",
                            .form = PART_LIST,
                            .kind = element_kind,
                            .add = ModelAddElement,
                            .complete = CompleteElement,
                            .named = true,
                            .later = is_around,
                            .read = ReadElements};
