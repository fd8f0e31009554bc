// SPDX-License-Identifier: Apache-2.0
// Inside the reader: the state that its files share while a model file is read.
#ifndef LIMBER_INPUT_YAML_READER_H
#define LIMBER_INPUT_YAML_READER_H

#include "base/limits.h"
#include "input/data.h"
#include "input/yaml/names.h"
#include "input/yaml/source.h"
#include "input/yaml/tree.h"
#include "input/yaml/units.h"

typedef struct FieldValue FieldValue;
typedef struct InputFile InputFile;
typedef struct Parameter Parameter;
typedef struct Scope Scope;
typedef struct PartState PartState;
typedef struct Reader Reader;

// Reads a value of one type of field into its place in the structure. The reader has a list of these, by type, so that
// forms know nothing of what their fields are about.
typedef Error (*FieldReader)(Reader *r, FieldValue *v, void *out);

// Where a text of the file is read: in the model itself, or in an instance of a part (scope.h).
struct Scope {
  const Scope *parent; // NULL: the model
  const char *name;    // of the instance, with those of the instances that it is in
  const char *prefix;  // of its names: the name and a '.'
  const char *part;
  const Tree *tree;        // of the part
  const Tree *key, *entry; // of the instance
  bool posed;              // a pose is given, here or outside
  Vec3 at;                 // the pose: x = at + turn X
  Mat3 turn;
  int depth;
};

struct Parameter {    // a name of `let`, or of the parameters of an instance
  const char *name;   // as formulae write it
  const Scope *scope; // in which its value is read
  bool word;          // it is no number, but stands for the name of something
  const Tree *key, *tree;
  double value;
  Dimension dimension; // all powers are 0 for a plain number
  bool definite;       // the dimension is known
  const char *unit;    // as written; NULL: none
  bool good, used;
};

struct Reader {
  Input *in;
  InputFile *kept;                 // of readings before (kept.h), or NULL
  SourceReader read;               // of included files, or NULL
  const FieldReader *field_reader; // by type of field
  PartState *part;                 // names and data of each part (part.h)
  int changes;                     // file of the diagnostics that holds the changes; 0: there are none
  bool incomplete;                 // a file could not be read, which has been noted
  TreeCount count;                 // of all texts
  size_t bytes;                    // of all files
  int includes;                    // entries of `include`
  long long scanned, values;       // what was looked at of tables and meshes; numbers of tables
  Diagnostics *diagnostics;
  LimberModel model;
  Store store;
  Units *units;
  Names let;
  Parameter *parameter; // by the ids of `let`
  const Scope *scope;   // in which the file is read (scope.h); NULL: the model itself
  Scope **scopes;       // of all instances, each after those around it
  const Scope **inside; // the same, each after those within it
  int scope_count, scope_room;
};

#endif
