// SPDX-License-Identifier: Apache-2.0
// Starting values of the steps that a composed one is made of. These go over the same time several times: what those before had there
// tells more than the last of them.
#ifndef LIMBER_ANALYSES_DYNAMIC_PREDICT_H
#define LIMBER_ANALYSES_DYNAMIC_PREDICT_H

#include "analyses/stepping/parts.h"

// Unknowns of a step of length h from the state, from those of the parts of this composed step and the last two of the one
// before. false: there are none.
PetscErrorCode PredictPart(Stepper *p, double h, bool *any);

#endif
