// SPDX-License-Identifier: Apache-2.0
// Steps that end where two surfaces begin to touch (`first_touch: ends_step` of a contact). The length of the step is found by the same
// rule as that of an event; the rest of the step follows. A part is at least SHORTEST_PART of a step, so that a step has a bounded number
// of parts however often bodies bounce in it; what touches earlier does so within its part.
#ifndef LIMBER_ANALYSES_STEPPING_FIRST_TOUCH_H
#define LIMBER_ANALYSES_STEPPING_FIRST_TOUCH_H

#include "analyses/stepping/events.h"

#define SHORTEST_PART 0.05

// Whether a contact of the model ends steps.
bool first_touch_ends_steps(const Stepper *p);
// Cuts a step of `length`, which the state has taken, where a pair that was apart begins to touch. `again` takes a step of another length
// in its place, as in EventsFind.
PetscErrorCode FirstTouchFind(Stepper *p, double *length, StepAgain again, void *context, bool *good);

#endif
