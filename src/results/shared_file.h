// SPDX-License-Identifier: Apache-2.0
// A file that one rank reads for all.
#ifndef LIMBER_RESULTS_SHARED_FILE_H
#define LIMBER_RESULTS_SHARED_FILE_H

#include "input/yaml/source.h"

#include <petscsys.h>

// The first rank reads for all: a SourceReader; collective over the ranks that were set last.
Error ReadOnAllRanks(const char *path, const SourceRule *rule, SourceText *out);
// Sets the ranks that the reader serves, until they are set to MPI_COMM_NULL: all.
void shared_file_set_ranks(MPI_Comm comm);

#endif
