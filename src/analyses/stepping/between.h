// SPDX-License-Identifier: Apache-2.0
// What happens between two steps of a run and belongs to its state: a network of control blocks sets signals there. The
// stepper knows no more of it than these functions.
#ifndef LIMBER_ANALYSES_STEPPING_BETWEEN_H
#define LIMBER_ANALYSES_STEPPING_BETWEEN_H

#include "analyses/stepping/stepper.h"
#include "results/container/container.h"

typedef struct Between Between;
struct Between {
  // After a step that stands: sets out->reason and out->cause if the run cannot go on. Collective, as all here.
  PetscErrorCode (*step)(Between *b, Stepper *p, LimberOutcome *out);
  // Its state, to a container; and from the bytes of one that was ended. `good`: it fits.
  PetscErrorCode (*save)(const Between *b, CheckpointContainer *container);
  PetscErrorCode (*restore)(Between *b, const void *bytes, size_t size, bool *good);
  PetscErrorCode (*destroy)(Between **b);
};

#endif
