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

// A line about how far a run is: on a terminal one that is drawn anew, elsewhere one every tenth of the run.
typedef struct {
  Talk talk;
  bool terminal;
  double started, begun; // on the clock; part of the run that was done then
  int tenth;             // of the run, last printed
  double redraw;         // when the line on a terminal was last drawn
} RunProgress;
void run_progress_print(RunProgress *p, double part, double time);
void run_progress_clear(const RunProgress *p);

// How a participant of a coupled run meets the others; `stop`: it must not go on.
typedef struct Exchange Exchange;
struct Exchange {
  uint64_t system; // identity of what is coupled
  // `from`: NULL, or the checkpoint from which it continues
  PetscErrorCode (*start)(Exchange *self, const Input *in, LimberRun run, const CheckpointContainer *from, bool *stop);
  PetscErrorCode (*step)(Exchange *self, LimberRun run, bool last, bool *stop, bool *save);
  PetscErrorCode (*end)(Exchange *self); // of a run that was created
};

typedef struct {
  Talk talk;
  double checkpoint;               // s of the clock between two; 0: none are written
  const CheckpointContainer *from; // continues from there, in a file that was taken back to it; NULL: from the start
  bool changed;                    // with another model, or another part `run`
  bool model;                      // with another model
  bool monitor;                    // prints each correction of Newton's method
  Exchange *exchange;              // NULL: it runs alone, and handles signals itself
} SimulateOptions;

// A row of the table of Newton's method, with a head before the first; `rows` counts them.
void print_iteration(const LimberIteration *i, void *rows);

// Remarks, one a line.
void print_remarks(const char *remarks);

// Writes the results to `path`. What goes wrong is said in the name of `command`. Collective.
PetscErrorCode RunSimulation(const char *command, const Input *in, const char *path, const SimulateOptions *options,
                             ExitCode *code);

// Continues results from their checkpoint, to `end` (0: as before).
PetscErrorCode ResumeResults(const char *command, const char *results, double end, bool allow_library,
                             const SimulateOptions *options, ExitCode *code);

#endif
