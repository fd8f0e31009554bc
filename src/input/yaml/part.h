// SPDX-License-Identifier: Apache-2.0
// A part of a model file: what it may contain, as field tables, which `limber describe` and the reference pages also
// show; the functions that read it; and its names and data while a file is read. A part asks another for these by the
// descriptor of that part.
#ifndef LIMBER_INPUT_YAML_PART_H
#define LIMBER_INPUT_YAML_PART_H

#include "base/field.h"
#include "input/yaml/names.h"
#include "input/yaml/tree.h"
#include "limber/limber.h"

typedef struct Form Form;
typedef struct Part Part;
typedef struct Reader Reader;

typedef struct {
  const char *name, *help;
  const FieldTable *fields;
} Kind;

typedef int (*KindAdd)(LimberModel model, const char *kind, const char *name, const void *params, int *id);

typedef enum {
  PART_NAMED, // a map of names to entries
  PART_LIST,
  PART_ONE, // the entry itself
} PartForm;

// A part of the file: `elements`, `run`.
struct Part {
  const char *key, *one;
  PartForm form;
  bool (*kind)(int i, Kind *out); // the i-th kind that it may hold
  KindAdd add;                    // NULL where it holds one kind, which need not be named
  bool named;                     // each entry has a `name` among its fields
  const char *brief;              // the field that an entry may consist of, in place of a map: [x, y, z] for a node
  bool list_allowed;              // an entry may be a list of such
  bool value_allowed;             // where a kind needs one field, its value may stand in the place of its map
  bool each_node;                 // an entry at a group of nodes is made once for each of them ...
  const char *shared;             // ... and this field, if it has it, is divided between them
  // Completes an entry that was read, `form`: its table and structure. Its name is that which it gets.
  Error (*complete)(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *fields, Form *form,
                    bool *good);
  bool (*later)(const Tree *entry); // it names others of the list: read after all that do not
  bool always;                      // is read without being there: `tree` is NULL
  bool scoped;                      // parts that are used again may have it (instances.h)
  size_t size;                      // bytes of its own data while a file is read, zero at first
  void (*begin)(Reader *r);         // sets what is true where it is not written; or NULL
  // Reads it; `at`: of its key. NULL: a list of entries of the catalogue (components.c).
  Error (*read)(Reader *r, const Tree *tree, SourceLocation at);
  Error (*check)(Reader *r);    // once all parts are read; or NULL
  Error (*finish)(Reader *r);   // of a file without mistakes, at the end; or NULL
  Error (*destroy)(void *data); // what its data hold beside the store of the reader; or NULL
};

// ---- while a file is read ----

// Gives each part of a list, which ends with NULL, its names and data; takes them away.
Error BeginParts(Reader *r, const Part *const *parts);
Error EndParts(Reader *r);
Names *part_names(const Reader *r, const Part *part); // of the things that the part names
void *part_data(const Reader *r, const Part *part);

// ---- kinds ----

bool kind_find(const Part *part, const char *name, Kind *out);
// The one field that a kind needs, whose value may stand in the place of its map: {sum: [a, b]}. Or NULL.
const Field *kind_brief(const Part *part, const Kind *kind);

// Of a part that holds one kind.
#define ONE_KIND(function, one) \
  static bool function(int i, Kind *out) { \
    if (i > 0) return false; \
    *out = one; \
    return true; \
  }
// Of a part that holds a catalogue.
#define CATALOGUE_KINDS(function, kinds) \
  static bool function(int i, Kind *out) { \
    if (!kinds[i]) return false; \
    *out = (Kind){kinds[i]->name, kinds[i]->help, &kinds[i]->fields}; \
    return true; \
  }

// Entries of a catalogue: an entry names its kind, and the kind's field table says the rest.

// Adds a list of entries to the model, and their names to those of the part.
Error ReadComponents(Reader *r, const Part *part, const Tree *list);
// Reads a part by its function, or as such a list.
Error ReadPart(Reader *r, const Part *part, const Tree *tree, SourceLocation at);
// Adds one entry that has its name already, or none (NULL): a function.
Error ReadUnlisted(Reader *r, const Part *part, const Tree *entry, const char *name, int *id);

#endif
