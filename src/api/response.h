// SPDX-License-Identifier: Apache-2.0
// Transfer functions of an input, as the public interface and the command `limber response` have them.
#ifndef LIMBER_API_RESPONSE_H
#define LIMBER_API_RESPONSE_H

#include "analyses/response/response.h"
#include "input/input.h"

struct LimberResponseData {
  const Input *in;
  MPI_Comm comm;
  Response *response; // NULL: `wrong` says why
  char wrong[1024], remarks[2048];
};

// options NULL: those of the input. `progress` may be NULL.
PetscErrorCode RespondInput(const Input *in, const LimberResponseOptions *options, void (*progress)(int done, int all),
                            LimberResponse *out);

#endif
