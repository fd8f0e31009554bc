// SPDX-License-Identifier: Apache-2.0
// What happens between two steps of a run and belongs to its state, such as a control network that sets signals. The
// stepper knows only these functions.
#ifndef LIMBER_ANALYSES_STEPPING_BETWEEN_H
#define LIMBER_ANALYSES_STEPPING_BETWEEN_H

#include "analyses/stepping/stepper.h"
#include "results/container/container.h"

typedef struct Between Between;
struct Between {
  // After an accepted step: sets out->reason and out->cause if the run cannot continue. Collective, like all functions
  // here.
  PetscErrorCode (*step)(Between *b, Stepper *p, LimberOutcome *out);
  // Saves its state to a container; restores it from the bytes of a finished one. `good`: it fits.
  PetscErrorCode (*save)(const Between *b, CheckpointContainer *container);
  PetscErrorCode (*restore)(Between *b, const void *bytes, size_t size, bool *good);
  PetscErrorCode (*destroy)(Between **b);
};

#endif
