// SPDX-License-Identifier: Apache-2.0
// A run from its start to its end, with progress and an account of it.
#ifndef LIMBER_APP_SIMULATE_H
#define LIMBER_APP_SIMULATE_H

#include "console/console.h"
#include "results/container/container.h"

#include <petscsys.h>

typedef enum {
  TALK_ALL,      // progress and a summary
  TALK_PROGRESS, // a line on a terminal, nothing elsewhere
  TALK_NONE,
} Talk;

typedef struct {
  Talk talk;
  double checkpoint;               // s of the clock between two; 0: none are written
  const CheckpointContainer *from; // continues from there, in a file that was taken back to it; NULL: from the start
  bool changed;                    // with another model, or another part `run`
  bool model;                      // with another model
  bool monitor;                    // prints each correction of Newton's method
} SimulateOptions;

// A row of the table of Newton's method, with a head before the first; `rows` counts them.
void print_iteration(const LimberIteration *i, void *rows);

// Remarks, one a line.
void print_remarks(const char *remarks);

// Writes the results to `path`. What goes wrong is said in the name of `command`. Collective.
PetscErrorCode RunSimulation(const char *command, const Input *in, const char *path, const SimulateOptions *options,
                             ExitCode *code);

#endif
