// SPDX-License-Identifier: Apache-2.0
// Modes of a model: its equilibrium, modes about it, what they are.
#ifndef LIMBER_ANALYSES_MODES_ANALYSIS_H
#define LIMBER_ANALYSES_MODES_ANALYSIS_H

#include "analyses/modes/shapes.h"
#include "analyses/statics/operating_point.h"

struct LimberModesData {
  OperatingPoint point;
  Modes *modes;
  ModeShapes shapes;
  char remarks[2048];
};

// `wrong`: "" or why there are none; then *out holds nothing.
PetscErrorCode ModalAnalysis(Model model, const LimberModesOptions *o, struct LimberModesData *out, char *wrong,
                             size_t size);
PetscErrorCode ModalAnalysisDestroy(struct LimberModesData *a);

#endif
