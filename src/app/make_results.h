// SPDX-License-Identifier: Apache-2.0
// Commands that make a results file of a model file, as `limber verify` runs them.
#ifndef LIMBER_APP_MAKE_RESULTS_H
#define LIMBER_APP_MAKE_RESULTS_H

#include "app/simulate.h"

typedef struct {
  const char *command; // in whose name errors are told
  const char *model;   // file
  InputOptions input;  // with changes of the model
  const char *path;    // of the results
  Talk talk;
  bool frames;      // states for `limber view` are written too
  bool takes_steps; // those of `run`
  bool monitor;     // prints each correction of Newton's method
} ResultsRequest;

// What a command line asks for; it stays in its place, to which the request points. `ending` is that of the results file where
// none is named. There is room for a few more changes than can be given.
enum { MOST_MORE_CHANGES = 3 };
typedef struct {
  ResultsRequest request;
  char path[4096];
  const char *change[MAX_GIVEN + MOST_MORE_CHANGES];
} CommandRequest;
void command_request(const Arguments *a, const char *command, const char *ending, CommandRequest *out);
// Reads the model, and asks whether the results can be written. What is wrong is told. Collective.
PetscErrorCode RequestLoad(const ResultsRequest *r, Input **in, ExitCode *code);

// Lines of a summary, each behind the same word.
void print_lines(const char *head, const char *lines);

// Of `limber run`. Collective.
PetscErrorCode MakeRunResults(const ResultsRequest *r, ExitCode *code);

#endif
