// SPDX-License-Identifier: Apache-2.0
// Texts of files. Who reads them is the caller's choice: under MPI one process reads and all get the same. What is read is a
// regular file of bounded size, never a device or a pipe, and where a model names it, a file below the model's folder.
#ifndef LIMBER_INPUT_YAML_SOURCE_H
#define LIMBER_INPUT_YAML_SOURCE_H

#include "model/error.h"

// Why a file is not read, beside what errno has.
enum { SOURCE_OUTSIDE = -1, SOURCE_NO_FILE = -2, SOURCE_TOO_LARGE = -3 };

typedef struct {
  char *text; // with a zero after it, for memory_free; NULL where the file cannot be read
  size_t length;
  int error; // errno, or one of the above
} SourceText;

typedef struct {
  const char *folder; // that the file must be below, after symbolic links are resolved; NULL: it may be anywhere
  size_t most;        // bytes; 0: any number
} SourceRule;

extern const SourceRule source_rule_model; // a file that the user names: anywhere, LIMIT_FILE_BYTES

typedef Error (*SourceReader)(const char *path, const SourceRule *rule, SourceText *out);

Error SourceRead(const char *path, const SourceRule *rule, SourceText *out); // from the disk; "-" is stdin

const char *source_error(int error); // what is wrong, in words

#endif
