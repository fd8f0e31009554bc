// SPDX-License-Identifier: Apache-2.0
// A linear model of an input, as the public interface and the command `limber linearize` have it.
#ifndef LIMBER_API_ANALYSES_H
#define LIMBER_API_ANALYSES_H

#include "analyses/linearize/linear_model.h"
#include "analyses/response/response.h"
#include "input/input.h"
#include "model/refusal.h"
#include "results/write/linear_file.h"

struct LimberLinearModelData {
  const Input *in;
  MPI_Comm comm;
  LinearModel *model; // NULL: `wrong` says why
  LinearOperatingPoint at;
  Refusal wrong;
  char remarks[3072];
};

// options NULL: those of the input.
PetscErrorCode LinearizeInput(const Input *in, const LimberLinearOptions *options, LimberLinearModel *out);

// Transfer functions of an input, as the public interface and the command `limber response` have them.

struct LimberResponseData {
  const Input *in;
  MPI_Comm comm;
  Response *response; // NULL: `wrong` says why
  Refusal wrong;
  char remarks[2048];
};

// options NULL: those of the input. `progress` may be NULL.
PetscErrorCode RespondInput(const Input *in, const LimberResponseOptions *options, void (*progress)(int done, int all),
                            LimberResponse *out);

#endif
