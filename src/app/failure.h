// SPDX-License-Identifier: Apache-2.0
// What is said of a run that failed: what happened and where, what grew in the last steps, what to do, and the line of
// the model file that holds the thing to blame.
#ifndef LIMBER_APP_FAILURE_H
#define LIMBER_APP_FAILURE_H

#include "console/console.h"

enum { TRAIL = 8 };

typedef struct { // the last steps, a ring
  struct TrailEntry {
    double time, step, energy[4]; // kinetic, strain, potential; work of the loads so far
    int iterations;
  } moment[TRAIL];
  int64_t count;
} Trail;

void trail_add(Trail *t, double time, const LimberOutcome *o, const LimberLedger *l);

typedef struct {
  const Input *in;
  const LimberOutcome *outcome;
  const LimberLedger *ledger;
  const Trail *trail;
  double lost;          // sum of |loss| so far
  const char *path;     // of the results
  const char *singular; // line of the remarks on joints in a singular position at the start, NULL: none are
} Failure;

void explain_failure(const char *command, const Failure *f);
// Results could not be written, which has been said: what to do.
void explain_disk(const char *command, const char *path);
// What keeps a run from starting, as the model or the stepper said it.
void explain_start(const char *command, const Input *in, const char *notes);

#endif
