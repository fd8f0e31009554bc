// SPDX-License-Identifier: Apache-2.0
// All that a model file may hold, as field tables: read by the reader, by `limber describe` and the reference pages.
#ifndef LIMBER_INPUT_YAML_KINDS_H
#define LIMBER_INPUT_YAML_KINDS_H

#include "base/field.h"
#include "limber/limber.h"

typedef struct {
  const char *name, *help;
  const FieldTable *fields;
} Kind;

typedef int (*KindAdd)(LimberModel model, const char *kind, const char *name, const void *params, LimberId *id);

typedef enum {
  PART_NAMED, // a map of names to entries
  PART_LIST,
  PART_ONE, // the entry itself
} PartForm;

// A part of the file: `elements`, `run`.
typedef struct {
  const char *key, *one;
  PartForm form;
  bool (*kind)(int i, Kind *out); // the i-th kind that it may hold
  KindAdd add;                    // NULL where it holds one kind, which need not be named
  bool named;                     // each entry has a `name` among its fields
  const char *brief;              // the field that an entry may consist of, in place of a map: [x, y, z] for a node
  bool list_allowed;              // an entry may be a list of such
} Part;

extern const Part parts[]; // ends with a NULL key
extern const Kind kind_file, kind_component, kind_column, kind_node, kind_material, kind_mesh, kind_section,
    kind_motion, kind_probe, kind_run;

const Part *part_find(const char *key);
bool kind_find(const Part *part, const char *name, Kind *out);
// The one field that a kind of function needs, whose value may stand in the place of its map: {sum: [a, b]}. Or NULL.
const Field *kind_brief(const Part *part, const Kind *kind);

#endif
