// SPDX-License-Identifier: Apache-2.0
// Inside the reader: what all its files share while a model file is read.
#ifndef LIMBER_INPUT_YAML_READER_H
#define LIMBER_INPUT_YAML_READER_H

#include "input/input.h"
#include "input/yaml/names.h"
#include "input/yaml/tree.h"
#include "input/yaml/units.h"
#include "model/formula.h"

enum { BROKEN = -2 }; // id of a thing that was given wrongly: whoever names it is not to blame

typedef struct { // a name of `let`
  const char *name;
  const Tree *key, *tree;
  double value, trial; // what formulae read is `trial`
  Dimension dimension; // all powers are 0 for a plain number
  bool definite;       // the dimension is known
  const char *unit;    // as written; NULL: none
  bool good, used;
} Parameter;

typedef struct Mesh Mesh;

typedef struct {    // a group of a mesh that stands for a node of a joint or load, which is then made once for each
  bool allowed;     // several nodes may stand here
  LimberId *target; // of the node in its structure; NULL: there is no group
  const LimberId *node;
  const double *weight; // of each node in a force on all
  int count;
} NodeGroup;

enum { FUNCTIONS_DEEP = 100 };

typedef struct {      // functions are read when another names them first
  const Tree **entry; // of each name in `functions`
  char *state;
  int chain[FUNCTIONS_DEEP], depth; // from the first name under way to the last, each needs the next
  int nested;                       // functions under way, named or not
} FunctionWalk;

typedef struct {
  Input *in;
  SourceReader read; // of included files, or NULL
  int changes;       // file of the diagnostics that holds the changes; 0: there are none
  bool incomplete;   // a file could not be read, which has been noted
  Diagnostics *diagnostics;
  LimberModel model;
  Store store;
  Units *units;
  FunctionWalk walk;
  Names nodes, functions, materials, meshes, sections, elements, joints, loads, probes, let;
  Parameter *parameter; // by the ids of `let`
  Formula *calculator;
  const Tree **timed; // formulae of the time
  int timeds, timed_room;
  LimberMaterial *material; // by the ids of `materials`
  NodeGroup node_group;
  Mesh *mesh;  // by the ids of `meshes`
  int *moving; // nodes with an initial velocity of their own, in the order of the file ...
  double (*motion)[2][3];
  unsigned char *moves; // ... 1: velocity, 2: angular
  int movings, moving_room;
  unsigned old_names; // that were warned about
  bool bodies;        // where a node is wanted, a body of points will do
} Reader;

Error ReportError(Reader *r, SourceLocation at, const char *format, ...) PRINTF_LIKE(3, 4);

// ---- the file and those that it includes: include.c, change.c ----

// The parts of the model file, those of the files that it includes merged into it.
Error ReadSources(Reader *r, Tree **out);
// A file that the file of `at` names by `word`: its text, and the name for messages. NULL after a mistake.
Error ReadSource(Reader *r, const Tree *word, const char **path, const char **text, size_t *length);
Error CheckVersion(Reader *r, const Tree *limber, int version);
// Carries out the changes of the command line.
Error ApplyChanges(Reader *r, Tree **root);

// ---- field tables: form.c ----

// One table and the structure that it fills. A map may fill several.
typedef struct {
  const FieldTable *fields;
  void *out;
  uint64_t given;  // bit i: field i was written ...
  uint64_t bad;    // ... wrongly
  uint64_t missed; // bit i: field i was misspelt
} Form;

// Fills the forms' structures from a map. `what` names it in messages, `at` is where a missing field is noted.
// `good` is false after a mistake.
Error FormsRead(Reader *r, const char *what, SourceLocation at, const Tree *map, int count, Form *forms, bool *good);
bool form_given(const Form *f, const char *field); // written
bool form_good(const Form *f, const char *field);  // written, and rightly

// "; did you mean 'x'?" or "" for a word that should be one of some words.
const char *did_you_mean(Reader *r, const Names *names, const char *word, char *text, size_t size);

// ---- numbers: number.c, let.c ----

// What a number, a number with a unit or a formula is worth, in SI base units.
typedef struct {
  double value;
  Dimension dimension;
  bool definite;
  const char *unit; // as it was written with the number, or with the parameter that stands alone; NULL: none
} NumberValue;

// The number that a word of the field `field` stands for, in the unit `si` ("" for a pure number).
Error ReadNumber(Reader *r, const char *field, const Tree *word, const char *si, double *out, bool *good);
Error ReadNumberValue(Reader *r, const char *field, const Tree *word, const char *si, NumberValue *out, bool *good);
// A formula of the time t and the parameters.
Error ReadTimeFormula(Reader *r, const Tree *word, LimberFormula *out, bool *good);
// Reports those that have no value at some time of the run.
Error CheckTimeFormulae(Reader *r);
bool names_time(const Reader *r, const char *text); // `t` stands in it and is no parameter
Error ReadLet(Reader *r, const Tree *map);
int next_parameter(const Reader *r, const char **text); // that a text names, and what follows it; -1: no more
Error WarnAboutUnusedParameters(Reader *r);
bool is_formula(const Reader *r, const char *text); // more than one word, or the name of a parameter

// ---- names: resolve.c ----

// Reports a name that cannot be one, or is taken; `good` tells.
Error CheckName(Reader *r, const char *what, const Names *names, const char *text, SourceLocation at, bool *good);
// The id of what a word names; BROKEN after a mistake, which has been noted.
Error FindName(Reader *r, const char *what, const Names *names, const Tree *word, LimberId *id);
// A list of functions or elements, or one of them; how many goes behind the pointer to them in `out`.
Error FindList(Reader *r, const Field *field, const Tree *tree, void *out, bool *good);
Error FindNode(Reader *r, const Tree *word, LimberId *id);

// ---- meshes: mesh.c ----

// Cells of a mesh, or written out.
Error ReadCells(Reader *r, const Field *field, const Tree *tree, LimberCells *out, bool *good);
Error ReadBulk(Reader *r, const Field *field, const Tree *tree, LimberBulk *out, bool *good); // bulk.c
// MESH.NUMBER, MESH.GROUP; `mine` tells whether the word begins with the name of a mesh.
Error FindNodeOfMesh(Reader *r, const Tree *word, LimberId *id, bool *mine);

// ---- parts of the file ----

Error ReadNodes(Reader *r, const Tree *map);
Error ReadMaterials(Reader *r, const Tree *map);
Error ReadMeshes(Reader *r, const Tree *map);
Error ReadSections(Reader *r, const Tree *map);
Error ReadFunctions(Reader *r, const Tree *map);
Error ReadElements(Reader *r, const Tree *list);
Error ReadJoints(Reader *r, const Tree *list);
Error ReadLoads(Reader *r, const Tree *list);
Error ReadMotion(Reader *r, const Tree *map, SourceLocation at);
Error ReadProbes(Reader *r, const Tree *list);
Error ReadRun(Reader *r, const Tree *map, SourceLocation at);

// The name of a function, a number, a formula, or the function itself: function.c, components.c
Error FindFunction(Reader *r, const Tree *tree, LimberId *id);
Error ReadFunction(Reader *r, const char *name, const Tree *entry, LimberId *id);

// The column of a file, in the unit `si` of the field: column.c
Error ReadColumn(Reader *r, const Field *field, const Tree *map, double **value, int *count, bool *good);

// What a number in the unit is in the unit of the field.
Error FindFactor(Reader *r, const Field *field, const Tree *unit, double *factor, bool *good);

// Moves what the model has noted since `before` (length of its diagnostics) to a place in the file: the value of the first
// key of `map` that the diagnostic names, or `at`.
Error TakeModelDiagnostics(Reader *r, size_t before, const Tree *map, SourceLocation at);

#endif
