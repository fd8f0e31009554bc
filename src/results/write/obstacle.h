// SPDX-License-Identifier: Apache-2.0
// What stands in the way of new results.
#ifndef LIMBER_RESULTS_WRITE_OBSTACLE_H
#define LIMBER_RESULTS_WRITE_OBSTACLE_H

#include "model/error.h"

#include <petscsys.h>

// Why results cannot be written there, with the files beside them, or "". Collective.
Error ResultsObstacle(MPI_Comm comm, const char *path, char *wrong, size_t size);

#endif
