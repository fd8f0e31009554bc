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
  bool frames; // states for `limber view` are written too
} ResultsRequest;

// Collective.
typedef PetscErrorCode (*MakeResults)(const ResultsRequest *r, ExitCode *code);

#define EXPECTED_COMMAND(name, function) PetscErrorCode function(const ResultsRequest *r, ExitCode *code);
#include "input/yaml/expected_commands.def"
#undef EXPECTED_COMMAND

#endif
