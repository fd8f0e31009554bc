// SPDX-License-Identifier: Apache-2.0
// Texts of files. Who reads them is the caller's choice: under MPI one process reads and all get the same.
#ifndef LIMBER_INPUT_YAML_SOURCE_H
#define LIMBER_INPUT_YAML_SOURCE_H

#include "model/error.h"

typedef struct {
  char *text; // with a zero after it, for memory_free; NULL where the file cannot be read
  size_t length;
  int error; // errno
} SourceText;

typedef Error (*SourceReader)(const char *path, SourceText *out);

Error SourceRead(const char *path, SourceText *out); // from the disk; "-" is stdin

#endif
