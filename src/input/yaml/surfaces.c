// SPDX-License-Identifier: Apache-2.0
// The part `surfaces`: shapes that can touch each other.
#include "input/yaml/components.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "model/model.h"

CATALOGUE_KINDS(surface_kind, surface_kinds)

static Error ReadSurfaces(Reader *r, const Tree *list, SourceLocation at) {
  (void)at;
  return ReadComponents(r, &part_surfaces, list);
}

const Part part_surfaces = {.key = "surfaces",
                            .one = "surface",
                            .form = PART_LIST,
                            .kind = surface_kind,
                            .add = ModelAddSurface,
                            .named = true,
                            .each_node = true,
                            .scoped = true,
                            .read = ReadSurfaces};
