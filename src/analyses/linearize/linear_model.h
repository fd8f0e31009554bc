// SPDX-License-Identifier: Apache-2.0
// The linear model of small motions about an operating point (assembly/matrices.h),
//   M q'' + (C + G) q' + K q + B^T lambda = F u,   B q = 0,
// in minimal coordinates p (minimal.h): x' = A x + B u,  y = C x + D u with the states x = (p, p'). Coordinates that
// have damping but no mass are states without a rate, after p'. Those with neither are not states: they follow from the
// others at once.
#ifndef LIMBER_ANALYSES_LINEARIZE_LINEAR_MODEL_H
#define LIMBER_ANALYSES_LINEARIZE_LINEAR_MODEL_H

#include "analyses/linearize/inputs.h"
#include "analyses/linearize/moved_state.h"
#include "model/refusal.h"

enum { LINEAR_MOST_STATES = 3000, LINEAR_MOST_EIGENVALUES = 1200 };

typedef struct {
  char name[200], unit[24];
} LinearName;

typedef struct {
  int states, inputs, outputs;
  double *a, *b, *c, *d; // by rows
  LinearName *state, *input, *output;
  double *at_input, *at_output; // at the operating point
  bool has_eigenvalues;         // false: there are too many states
  double *eigen[3];             // of A: real and imaginary parts, bounds of the errors of the real parts
  int first_order;              // states without a rate
  int followers;                // coordinates that are not states
  double difference;            // relative difference between K and finite differences of forces
  double output_error;          // largest relative disagreement of two finite differences of an output ...
  int rough_output;             // ... and that output; -1: none
  int compared;                 // number of lowest modes (analyses/modes) compared with eigenvalues of A ...
  double mode_difference;       // ... and their largest relative difference
  bool omitted_rate;            // velocities of followers lack the contribution of the inputs' rates
} LinearModel;

// What to linearise: inputs by name (0: all), outputs with their names, and how many of the lowest modes replace p
// (0: p is used).
typedef struct {
  int names;
  const char *const *name;
  StateQuestion ask;
  const LinearName *output;
  int modes;
} LinearRequest;

// The system is at its operating point; spin: its rotation. `wrong`: "", or why there is no such model and what to do.
PetscErrorCode LinearModelCreate(System *s, const Spin *spin, const LinearRequest *request, LinearModel **out,
                                 Refusal *wrong);
PetscErrorCode LinearModelDestroy(LinearModel **m);

#endif
