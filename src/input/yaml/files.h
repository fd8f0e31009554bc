// SPDX-License-Identifier: Apache-2.0
// Files that a model file names.
#ifndef LIMBER_INPUT_YAML_FILES_H
#define LIMBER_INPUT_YAML_FILES_H

#include "input/yaml/source.h"
#include "input/yaml/tree.h"

typedef struct Reader Reader;

// The name of a file that another names, without `.` and `..` as far as they can be taken out.
Error JoinNames(Store *s, const char *by, const char *name, const char **out);
// Lists a text among the sources of the model, under its name from the folder of the model file; `file`: that of the
// diagnostics.
Error AddSource(Reader *r, const char *name, const char *path, SourceText *text, bool kept, int *source, int *file);
// A file that the file of `word` names: its number among the sources, -1 after a mistake; the name for messages;
// whether it has been read now.
Error FindSource(Reader *r, const Tree *word, const char **path, int *source, bool *fresh);
// The same of a name that stands in a source, with why there is none in place of a message.
typedef struct {
  const char *path; // for messages
  int source, file; // among the sources, -1: there is none; among the files of the diagnostics
  bool fresh;
  int error; // why it cannot be read, as source.h has it; 0: another reason
  char why[2000];
} FoundSource;
Error TrySource(Reader *r, int by, const char *name, FoundSource *out);
int source_of(const Reader *r, int file); // the source that is a file of the diagnostics
// The same as FindSource, with its text; NULL after a mistake.
Error ReadSource(Reader *r, const Tree *word, const char **path, const char **text, size_t *length);

// Of a binary file, which results hold as digits: its bytes.
Error UnpackSource(Store *s, const char **text, size_t *length);

// Counts what is looked at of tables and meshes, each time anew; not `good` where that gets too much.
Error CountScanned(Reader *r, const Tree *word, long long count, bool *good);
// Counts the bytes of a file, with which grows what a model may make.
void count_bytes(Reader *r, size_t length);
// Whether a text has the version of the format, `limber: 1`. Messages quote no other.
bool text_is_model(const char *text, size_t length);

// The model file, the files that it includes, and the changes of the command line.

typedef struct Reader Reader;

// The parts of the model file, those of the files that it includes merged into it, read now or from before (kept.h).
Error ReadSources(Reader *r, Tree **out);
// Carries out the changes of the command line.
Error ApplyChanges(Reader *r, Tree **root);
Error CheckVersion(Reader *r, const Tree *limber, int version);

#endif
