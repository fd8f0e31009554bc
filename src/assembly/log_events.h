// SPDX-License-Identifier: Apache-2.0
// What a run spends its time on, as lines of PETSc's -log_view, beside PETSc's own (PCSetUp factors, KSPSolve solves).
#ifndef LIMBER_ASSEMBLY_LOG_EVENTS_H
#define LIMBER_ASSEMBLY_LOG_EVENTS_H

#include <petscsys.h>

typedef enum {
  LOG_PARTITION, // who owns what
  LOG_EVALUATE,  // residuals
  LOG_ASSEMBLE,  // residuals with tangents
  LOG_SOLVE,     // linear systems: factors, solutions, checks
  LOG_OUTPUT,    // results and checkpoints
  LOG_CONTACTS,  // lists of pairs that may touch
  LOG_EVENTS
} LogEvent;

PetscErrorCode LogEventBegin(LogEvent event);
PetscErrorCode LogEventEnd(LogEvent event);

#endif
