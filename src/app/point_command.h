// SPDX-License-Identifier: Apache-2.0
// What the command of an analysis about an operating point does with a model (input/analyses/point_analysis.h). Each
// analysis has a line in point_analyses.def and four functions. Everything else is the same for all: reading the model,
// messages if a part or an operating point is missing, and writing the results.
#ifndef LIMBER_APP_POINT_COMMAND_H
#define LIMBER_APP_POINT_COMMAND_H

#include "app/command.h"
#include "input/analyses/point_analysis.h"
#include "model/refusal.h"

typedef struct {
  Input *in;
  const ResultsRequest *request;
  const Arguments *arguments; // of the command line; NULL in `limber verify`
  bool talks;                 // this process prints what is found
  bool draws;                 // ... and progress, on a line that is drawn anew
  void *found;
  ExitCode code; // EXIT_GOOD at first
} PointCall;

typedef struct {
  // Sets `found`; or says why there is nothing, in `wrong` or by itself with an exit code.
  PetscErrorCode (*find)(PointCall *c, Refusal *wrong);
  void (*print)(const PointCall *c);           // to stdout. NULL: nothing
  PetscErrorCode (*write)(const PointCall *c); // the results file. NULL: `find` has written it
  PetscErrorCode (*destroy)(void *found);
} PointCommand;

#define POINT_ANALYSIS(name, help) extern const PointCommand command_of_##name;
#include "input/analyses/point_analyses.def"
#undef POINT_ANALYSIS

// `arguments` may be NULL. Collective.
PetscErrorCode MakePointResults(const PointAnalysis *a, const ResultsRequest *r, const Arguments *arguments,
                                ExitCode *code);

#endif
