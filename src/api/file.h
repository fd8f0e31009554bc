// SPDX-License-Identifier: Apache-2.0
// A model file as programs hold it.
#ifndef LIMBER_API_FILE_H
#define LIMBER_API_FILE_H

#include "input/input.h"

struct LimberFileData {
  Input *in;         // NULL: the file cannot be read
  char *diagnostics; // of open_memstream
};

const Input *file_input(LimberFile f); // NULL: the file has errors

#endif
