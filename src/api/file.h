// SPDX-License-Identifier: Apache-2.0
// A model file as programs hold it.
#ifndef LIMBER_API_FILE_H
#define LIMBER_API_FILE_H

#include "files/output_file.h"
#include "input/input.h"
#include "results/write/history.h"

#include <petscsys.h>

struct LimberFileData {
  Input *in;         // NULL: the file cannot be read
  char *diagnostics; // of open_memstream
};

struct LimberRecordData {
  History *history;
  char name[400], units[400];
};

const Input *file_input(LimberFile f); // NULL: the file has errors
// The ranks of the file's model; of a file that has none: all.
MPI_Comm file_communicator(LimberFile f);

// An error if a file of that kind, made of that input, must not be written there. Results are claimed. Collective.
PetscErrorCode OutputCheck(MPI_Comm comm, const char *path, FileKind kind, const Input *in);

#endif
