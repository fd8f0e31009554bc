// SPDX-License-Identifier: Apache-2.0
// The results of a coupled run: all columns of its participants, and the ledger of the whole.
#ifndef LIMBER_RESULTS_WRITE_JOINED_H
#define LIMBER_RESULTS_WRITE_JOINED_H

#include "input/input.h"
#include "model/refusal.h"
#include "model/steps.h"

#include <petscsys.h>

typedef struct {
  int rows;
  bool bonded;
  double time, stored, lines; // at the end
  double work, lost, port_loss, exchanged;
  double fmus, created; // work that went to FMUs by bonds; energy that their exchange created
  double worst;         // largest error of the energy balance in a row
} JoinedSummary;

// Joins results of participants, which have the same rows as far as all go. Column x.y of participant p is p.x.y; the
// columns ledger.* are sums, and of ledger.constraint the largest. `bonded`: one of them has bonds to FMUs. `wrong`: "",
// or which of them cannot be read.
PetscErrorCode JoinedResultsWrite(const char *path, const Input *system, int count, const char *const *name,
                                  const char *const *file, bool bonded, RunStatus status, JoinedSummary *summary,
                                  Refusal *wrong);

#endif
