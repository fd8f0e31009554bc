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
Error AddSource(Reader *r, const char *name, const char *path, SourceText *text, int *source, int *file);
// A file that the file of `word` names: its text, and the name for messages. NULL after a mistake.
Error ReadSource(Reader *r, const Tree *word, const char **path, const char **text, size_t *length);

#endif
