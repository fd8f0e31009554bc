// SPDX-License-Identifier: Apache-2.0
// Probes as outputs of a linear model: their numbers at a state that is moved.
#ifndef LIMBER_RESULTS_WRITE_PROBE_OUTPUTS_H
#define LIMBER_RESULTS_WRITE_PROBE_OUTPUTS_H

#include "analyses/linearize/linear_model.h"
#include "results/write/probes.h"

typedef struct {
  Probes *probes;
  LimberRun run;
  int width, count;
  int *column; // of each output, in a row of all probes
  double *row;
  LinearName *name, *all;
  bool *no_output; // of all
} ProbeOutputs;

// All numbers of all probes; or those of the names given, each a probe, a quantity or a component: tip, tip.position,
// tip.position.x, tip.x. `wrong`: "", or which name is none.
PetscErrorCode ProbeOutputsCreate(const Input *in, LimberRun run, int names, const char *const *name, ProbeOutputs *out,
                                  char *wrong, size_t size);
PetscErrorCode ProbeOutputsDestroy(ProbeOutputs *o);
// `self` is a ProbeOutputs.
PetscErrorCode ProbeOutputsSample(void *self, double *row);

#endif
