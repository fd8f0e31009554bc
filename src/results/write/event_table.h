// SPDX-License-Identifier: Apache-2.0
// What happened in a run, a row each: /events/name, /events/time, /events/loss. Rows are written in the step in which they happen, so
// that a file is the same however often it is brought up to date.
#ifndef LIMBER_RESULTS_WRITE_EVENT_TABLE_H
#define LIMBER_RESULTS_WRITE_EVENT_TABLE_H

#include "analyses/stepping/stepper.h"
#include "results/write/hdf5_file.h"

typedef struct EventTable EventTable;

// Collective, as all here. `*out` is NULL where the model has no events.
PetscErrorCode EventTableCreate(File *f, const Stepper *p, EventTable **out);
PetscErrorCode EventTableOpen(EventTable *t);
// Adds what happened since the last call, and says whether something did.
PetscErrorCode EventTableWrite(EventTable *t, bool *any);
PetscErrorCode EventTableClose(EventTable *t);
PetscErrorCode EventTableDestroy(EventTable **t);

#endif
