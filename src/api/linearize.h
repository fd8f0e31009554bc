// SPDX-License-Identifier: Apache-2.0
// A linear model of an input, as the public interface and the command `limber linearize` have it.
#ifndef LIMBER_API_LINEARIZE_H
#define LIMBER_API_LINEARIZE_H

#include "analyses/linearize/linear_model.h"
#include "results/write/linear_file.h"

struct LimberLinearModelData {
  const Input *in;
  MPI_Comm comm;
  LinearModel *model; // NULL: `wrong` says why
  LinearOperatingPoint at;
  char wrong[1024], remarks[3072];
};

// options NULL: those of the input.
PetscErrorCode LinearizeInput(const Input *in, const LimberLinearOptions *options, LimberLinearModel *out);

#endif
