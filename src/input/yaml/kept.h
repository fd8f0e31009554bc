// SPDX-License-Identifier: Apache-2.0
// What stays the same when a model file is read again with other values: the texts of its files, their tree, units, and
// formulae of parameters.
#ifndef LIMBER_INPUT_YAML_KEPT_H
#define LIMBER_INPUT_YAML_KEPT_H

#include "input/yaml/names.h"
#include "input/yaml/source.h"
#include "input/yaml/tree.h"

typedef struct InputFile InputFile;
typedef struct Units Units;
typedef struct KeptFormula KeptFormula; // parameter_formula.c
typedef struct KeptMesh KeptMesh;       // kept_mesh.c
typedef struct KeptSection KeptSection; // kept_mesh.c
typedef struct Reader Reader;

typedef struct { // a file that the model names
  const char *path;
  SourceText text;
} KeptText;

typedef struct { // the tree of the model file and of those that it includes; `root` NULL: none is kept
  Tree *root;
  bool refused;    // there is something to say about it each time
  bool changed;    // it was read with changes, whose text is a file of the diagnostics
  TreeCount count; // what the reader counted up to here
  size_t bytes;
  int includes, sources;
  const char **name, **path; // of each source but the model file
} KeptTree;

struct InputFile {
  const char *file;
  char *text;
  size_t length;
  SourceReader read;
  bool allow_outside, allow_library;
  const char **change; // of all readings
  int changes;
  Store store; // memory that lives as long as it
  KeptText *file_text;
  int file_texts;
  KeptTree tree;
  Units *units;
  Names parameters; // names that may be parameters
  Names formulae;   // texts
  KeptFormula **formula;
  KeptMesh *mesh;
  KeptSection *section;
};

// The text of a file that was read before, or NULL; stores one, whose text is the InputFile's own from now on.
const SourceText *kept_text(const InputFile *f, const char *path);
Error KeepText(InputFile *f, const char *path, const SourceText *text);

// Of a reader: whether a name was found to be a possible parameter; notes that it is.
bool is_kept_parameter(const Reader *r, const char *name);
Error KeepParameter(Reader *r, const char *name);

#endif
