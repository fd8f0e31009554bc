// SPDX-License-Identifier: Apache-2.0
// The first step of a run whose model file gives none (docs/error_bars.md).
#ifndef LIMBER_INPUT_FIRST_STEP_H
#define LIMBER_INPUT_FIRST_STEP_H

#include "input/data.h"

// Sets the step and the number of steps of a model without mistakes: 20 steps in the shortest period that a drive, a
// load (input/excitation.h), gravity or the motion at the start gives, at least 200 in the run, at most a million.
Error InputFindFirstStep(Input *in);

#endif
