// SPDX-License-Identifier: Apache-2.0
// All parts of a model file. A new part is a descriptor (part.h) with its data and functions in one file, and one line
// in parts.def.
#ifndef LIMBER_INPUT_YAML_PARTS_H
#define LIMBER_INPUT_YAML_PARTS_H

#include "input/yaml/part.h"
#include "model/model.h"

#define PART(name, required, help) extern const Part part_##name;
#include "input/yaml/parts.def"
#undef PART
extern const Part *const parts[]; // ends with NULL

extern const Kind kind_file;
extern const Kind kind_component; // what every element, joint and load has: components.c
extern const Kind kind_column;    // of a file: table.c

const Part *part_find(const char *key);

// What stands in a file: where nothing does, NULL or 0.
typedef struct {
  int limber, refine;
  const char *title;
  const Tree *include, *let;
#define PART(name, required, help) const Tree *part_##name;
#include "input/yaml/parts.def"
#undef PART
} FileText;

bool component_is_refined(const ModelComponent *c); // `refine` gives it more elements
const Tree *file_part(const FileText *text, const Part *part);

#endif
