// SPDX-License-Identifier: Apache-2.0
// Commands under MPI: how they start and end.
#ifndef LIMBER_APP_START_H
#define LIMBER_APP_START_H

#include "console/console.h"
#include "files/recognise.h"

// Does the work of a command between the start and the end of MPI and PETSc; the exit code.
int CommandStart(const Arguments *a, Error (*work)(const Arguments *a, ExitCode *code));

// The results file of a model: `given`, or in the present folder the model's name with another ending, swing.h5 of
// a/swing.yaml.
void results_path_of(const char *model, const char *given, const char *ending, char *path, size_t size);

// Whether results of a model can be written there; else it is said why. From then on no other process writes them. Collective.
Error CanWriteResults(const char *command, const char *path, const Input *in, bool *can);
// The same of another kind of file.
Error CanWriteFile(const char *command, const char *path, FileKind kind, const Input *in, bool *can);

#endif
