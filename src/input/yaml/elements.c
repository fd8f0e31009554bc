// SPDX-License-Identifier: Apache-2.0
// The part `elements`: what has mass or stiffness.
#include "model/model.h"
#include "input/yaml/components.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "mechanics/element.h"

CATALOGUE_KINDS(element_kind, element_kinds)

static Error ReadElements(Reader *r, const Tree *list, SourceLocation at) {
  (void)at;
  return ReadComponents(r, &part_elements, list, &r->elements);
}

const Part part_elements = {.key = "elements",
                            .one = "element",
                            .form = PART_LIST,
                            .kind = element_kind,
                            .add = ModelAddElement,
                            .named = true,
                            .read = ReadElements};
