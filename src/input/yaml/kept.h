// SPDX-License-Identifier: Apache-2.0
// What stays the same when a model file is read again with other values: the texts of its files, their tree, units,
// and what files of the reader keep (formulae of parameters, meshes, sections).
#ifndef LIMBER_INPUT_YAML_KEPT_H
#define LIMBER_INPUT_YAML_KEPT_H

#include "input/yaml/source.h"
#include "input/yaml/tree.h"

typedef struct InputFile InputFile;
typedef struct Units Units;
typedef struct KeptData KeptData;
typedef struct KeptKind KeptKind;

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
  KeptData *data; // of the files of the reader
};

// What one file of the reader keeps from reading to reading: as many bytes, zero at first.
struct KeptKind {
  size_t size;
  Error (*destroy)(void *data); // what they hold beside the store of the InputFile; or NULL
};
Error FindKept(InputFile *f, const KeptKind *kind, void *out);

Error DestroyKept(InputFile *f); // all that it holds

// The text of a file that was read before, or NULL; stores one, whose text is the InputFile's own from now on.
const SourceText *kept_text(const InputFile *f, const char *path);
Error KeepText(InputFile *f, const char *path, const SourceText *text);

#endif
