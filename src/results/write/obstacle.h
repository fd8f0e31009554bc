// SPDX-License-Identifier: Apache-2.0
// What stands in the way of new results.
#ifndef LIMBER_RESULTS_WRITE_OBSTACLE_H
#define LIMBER_RESULTS_WRITE_OBSTACLE_H

#include "files/recognise.h"
#include "input/input.h"

#include <petscsys.h>

// Why a file must not be written there, or "". The files of the model are never overwritten, others that Limber did not
// write only if output_allow_overwrite allows it. Results (FILE_RESULTS) are looked at with the files beside them, and claimed
// (files/claim.h). Collective.
Error FileObstacle(MPI_Comm comm, const char *path, FileKind kind, const Input *in, char *wrong, size_t size);

// Claims results that a run left and that will be written again; why that cannot be, or "". Collective.
Error ResultsClaim(MPI_Comm comm, const char *path, char *wrong, size_t size);

#endif
