// SPDX-License-Identifier: Apache-2.0
#ifndef LIMBER_ANALYSES_STEPPING_SAMPLE_AFTER_H
#define LIMBER_ANALYSES_STEPPING_SAMPLE_AFTER_H

#include "analyses/stepping/observable.h"

// What may be asked of the state that follows from that of a run in a short time h; the run stays as it is. `good`: such a state was
// found. Collective.
PetscErrorCode StepperSampleAfter(Stepper *p, double h, int count, const Observable *observable, StateSample *sample,
                                  bool *good);

#endif
