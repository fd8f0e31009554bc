// SPDX-License-Identifier: Apache-2.0
// Transfer functions about an operating point from direct solutions at each frequency w,
//   (K - w^2 M + i w (C + G)) q = F u,
// with the rows of the joints in K (assembly/matrices.h) and prescribed coordinates in the right-hand side. Nothing is
// eliminated, so the matrices stay sparse. Outputs are derivatives along q and i w q.
#ifndef LIMBER_ANALYSES_RESPONSE_RESPONSE_H
#define LIMBER_ANALYSES_RESPONSE_RESPONSE_H

#include "analyses/linearize/linear_model.h"
#include "model/refusal.h"

typedef struct {
  int frequencies, inputs, outputs;
  double *frequency; // Hz
  LinearName *input, *output;
  double (*value)[2]; // real and imaginary part of output o over input i at frequency f: [(f inputs + i) outputs + o]
} Response;

typedef struct {
  double from, to; // Hz
  int points;
  LimberSpacing spacing;
  int names; // inputs; 0: all
  const char *const *name;
  StateQuestion ask;
  const LinearName *output;
  void (*progress)(int done, int all); // may be NULL
} ResponseRequest;

// The system is at its operating point. `wrong`: "", or why there is no response and what to do.
PetscErrorCode ResponseCreate(System *s, const Spin *spin, const ResponseRequest *request, Response **out,
                              Refusal *wrong);
PetscErrorCode ResponseDestroy(Response **response);

static inline const double *response_value(const Response *r, int frequency, int input, int output) {
  return r->value[((size_t)frequency * (size_t)r->inputs + (size_t)input) * (size_t)r->outputs + (size_t)output];
}

#endif
