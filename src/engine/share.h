// SPDX-License-Identifier: Apache-2.0
// Commands under MPI: how they start and end, and files that one process reads for all.
#ifndef LIMBER_ENGINE_SHARE_H
#define LIMBER_ENGINE_SHARE_H

#include "console/console.h"

// Does the work of a command between the start and the end of MPI and PETSc; the exit code.
int engine_start(const Arguments *a, Error (*work)(const Arguments *a, ExitCode *code));

Error SharedRead(const char *path, SourceText *out); // a SourceReader; collective

// Why the results cannot be written there, with what stands beside them, or "". Collective, as what follows.
Error ResultsObstacle(const char *path, char *wrong, size_t size);
// Whether they can; else it is said why.
Error CanWriteResults(const char *command, const char *path, bool *can);

#endif
