// SPDX-License-Identifier: Apache-2.0
// The model of small motions about an operating point (assembly/matrices.h),
//   M q'' + (C + G) q' + K q + B^T lambda = F u,   B q = 0,
// in minimal coordinates p (minimal.h): x' = A x + B u,  y = C x + D u with the states x = (p, p'). Coordinates without
// mass are no states where they have no damping either: they follow from the others at once; where they have some, they
// are states without a rate, after p'.
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
  bool has_eigenvalues;         // there are not too many states
  double *eigen[3];             // of A: real and imaginary parts, bounds of the errors of the real parts
  int first_order;              // states without a rate
  int followers;                // coordinates that follow at once
  double difference;            // how far K differs from differences of forces, relative
  double output_error;          // largest relative disagreement of two differences of an output ...
  int rough_output;             // ... and which that is; -1: none
  int compared;                 // lowest modes (analyses/modes) that eigenvalues of A were compared with ...
  double mode_difference;       // ... and how far they differ, relative
  bool omitted_rate;            // velocities of what follows at once lack the part of the rates of inputs
} LinearModel;

// What is to be linearised: inputs by name (0: all), outputs as questions with their names, how many of the lowest
// modes stand for p (0: all of p).
typedef struct {
  int names;
  const char *const *name;
  StateQuestion ask;
  const LinearName *output;
  int modes;
} LinearRequest;

// The system is at its operating point; spin: its rotation. `wrong`: "", or why there is no such model, with what to
// do.
PetscErrorCode LinearModelCreate(System *s, const Spin *spin, const LinearRequest *request, LinearModel **out,
                                 Refusal *wrong);
PetscErrorCode LinearModelDestroy(LinearModel **m);

#endif
