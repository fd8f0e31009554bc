// SPDX-License-Identifier: Apache-2.0
// The part `loads`: what drives a model.
#include "model/model.h"
#include "input/yaml/components.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "mechanics/load.h"

CATALOGUE_KINDS(load_kind, load_kinds)

static Error ReadLoads(Reader *r, const Tree *list, SourceLocation at) {
  (void)at;
  return ReadComponents(r, &part_loads, list);
}

const Part part_loads = {.key = "loads",
                         .one = "load",
                         .form = PART_LIST,
                         .kind = load_kind,
                         .add = ModelAddLoad,
                         .named = true,
                         .scoped = true,
                         .each_node = true,
                         .shared = "direction",
                         .read = ReadLoads};
