// SPDX-License-Identifier: Apache-2.0
// Reads a file on one rank for all.
#ifndef LIMBER_RESULTS_SHARED_FILE_H
#define LIMBER_RESULTS_SHARED_FILE_H

#include "input/yaml/source.h"

#include <petscsys.h>

// A SourceReader in which rank 0 reads for all; collective over the ranks set last.
Error ReadOnAllRanks(const char *path, const SourceRule *rule, SourceText *out);
// Sets the ranks that the reader serves; MPI_COMM_NULL: all.
void shared_file_set_ranks(MPI_Comm comm);

#endif
