// SPDX-License-Identifier: Apache-2.0
// Signals that end a run in order: Ctrl-C, kill, a terminal that is closed.
#ifndef LIMBER_APP_SIGNALS_H
#define LIMBER_APP_SIGNALS_H

#include <petscsys.h>
#include <stdbool.h>

// From now on the first signal only makes stop_requested true; a second one ends the process at once.
void catch_signals(void);
bool stop_requested(void);
// While there are last words, a signal that stop_requested has not led to an end of within half a second, as inside a factorisation, ends
// the process with these words and EXIT_FAILED. Give them where nothing is being written; NULL: not now.
void set_last_words(const char *words);
PetscErrorCode StopRequestedAnywhere(MPI_Comm comm, bool *stop); // on any rank: all must do the same. Collective.
// After MPI and PETSc have started: their own handlers, and a pipe that nobody reads, end no command.
void restore_signals(void);

#endif
