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

typedef struct ControlTexts ControlTexts;
typedef struct EventTexts EventTexts;
typedef struct FieldValue FieldValue;
typedef struct Importer Importer;
typedef struct InputFile InputFile;
typedef struct MaterialOfFile MaterialOfFile;
typedef struct Mesh Mesh;
typedef struct Parameter Parameter;
typedef struct Scope Scope;
typedef struct Reader Reader;

// Reads a value of one type of field into its place in the structure. The reader has a list of these, by type, so that forms
// know nothing of what their fields are about.
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

typedef struct {    // a group of a mesh that stands for a node of a joint or load, which is then made once for each
  bool allowed;     // several nodes may stand here
  LimberId *target; // of the node in its structure; NULL: there is no group
  const LimberId *node;
  const double *weight; // of each node in a force on all
  int count;
} NodeGroup;

typedef struct {       // functions are read when another names them first
  const Tree **entry;  // of each name in `functions`
  const Scope **scope; // of each
  char *state;
  int room;
  int chain[LIMIT_FUNCTION_DEPTH], depth; // from the first name under way to the last, each needs the next
  int nested;                             // functions under way, named or not
} FunctionWalk;

struct Reader {
  Input *in;
  InputFile *kept;                  // of readings before (kept.h), or NULL
  SourceReader read;                // of included files, or NULL
  const FieldReader *field_reader;  // by type of field
  const Importer *const *importers; // of meshes; ends with NULL
  int changes;                      // file of the diagnostics that holds the changes; 0: there are none
  bool incomplete;                  // a file could not be read, which has been noted
  TreeCount count;                  // of all texts
  size_t bytes;                     // of all files
  int includes;                     // entries of `include`
  long long scanned, values;        // what was looked at of tables and meshes; numbers of tables
  Diagnostics *diagnostics;
  LimberModel model;
  Store store;
  Units *units;
  FunctionWalk walk;
  Names let;
#define PART(name, required, help) Names name; // of the things that the part names
#include "input/yaml/parts.def"
#undef PART
  Parameter *parameter; // by the ids of `let`
  const Scope *scope;   // in which the file is read (scope.h); NULL: the model itself
  Scope **scopes;       // of all instances, each after those around it
  const Scope **inside; // the same, each after those within it
  int scope_count, scope_room;
  const Tree **timed; // formulae of the time
  const Scope **timed_scope;
  int timeds, timed_room;
  ControlTexts *control_texts; // of blocks, or NULL
  EventTexts *event_texts;     // of events that watch probes, or NULL
  MaterialOfFile *material;    // by the ids of `materials`
  int material_count, material_room, mesh_count, mesh_room, probe_room;
  const Tree **probe_formula; // by the index of the probe; NULL: it has none
  const Scope **probe_scope;
  long recorded; // numbers of all probes in a row
  Names shapes;  // by the paths of their files
  const void **shape;
  int shape_room, look_triangles;
  NodeGroup node_group;
  Mesh *mesh;  // by the ids of `meshes`
  int *moving; // nodes with an initial velocity of their own, in the order of the file ...
  double (*initial)[2][3];
  unsigned char *moves; // ... 1: velocity, 2: angular
  int movings, moving_room;
  bool bodies; // where a node is wanted, a body of points will do
};

#endif
