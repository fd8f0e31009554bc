// SPDX-License-Identifier: Apache-2.0
// Probes of a run: their numbers, and the extremes of these.
#ifndef LIMBER_RESULTS_WRITE_PROBES_H
#define LIMBER_RESULTS_WRITE_PROBES_H

#include "analyses/linearize/linear_model.h"
#include "input/input.h"
#include "model/refusal.h"
#include "results/container/container.h"

#include <petscsys.h>

typedef struct Probes Probes;

PetscErrorCode ProbesCreate(const Input *in, Probes **out);
PetscErrorCode ProbesDestroy(Probes **probes);

// What a probe needs of the file. `description` of a group says what is probed.
typedef struct {
  void *self;
  PetscErrorCode (*group)(void *self, const char *path, const char *description);
  PetscErrorCode (*column)(void *self, const char *group, const char *name, int width, const char *units,
                           const char *description, const char *const *names);
} ProbeTables;

// Makes the tables of all probes; the numbers of a row stand in this order.
PetscErrorCode ProbesDeclare(Probes *p, const ProbeTables *tables);

// Follows a step: rotations that continue past a full turn, extremes. Collective.
PetscErrorCode ProbesStep(Probes *p, LimberRun run);

// The numbers of all probes at the present state: `*out` moves past them. Collective.
PetscErrorCode ProbesRow(Probes *p, LimberRun run, double **out);

// The same whether the time has moved on or not: of a state that is no step of a run.
PetscErrorCode ProbesSample(Probes *p, LimberRun run, double *row);
int probes_width(const Probes *p); // numbers of a row
// The same of an attempted step: nothing is remembered.
PetscErrorCode ProbesPeek(Probes *p, LimberRun run, double *row);
bool probes_of_step(const Probes *p, int column); // whether it is of a step, not of a state

// What probes remember, to a container and back. False: it does not fit.
PetscErrorCode ProbesSave(const Probes *p, CheckpointContainer *container);
bool probes_restore(Probes *p, const CheckpointContainer *container);

// The extremes of one probe so far.
typedef struct {
  const char *probe;
  int rows;                 // columns of the probe whose extremes are wanted
  const char *const *names; // of each: position.x
  const char *units;        // of all, separated by commas
  double (*values)[4];      // min, its time, max, its time
} ProbeExtremes;

// The largest stresses so far of the probes that look for them along a beam, each with time and place in a line of its
// own. `axis`: what rows follow in the place of time, or NULL.
void probes_stresses(const Probes *p, const char *axis, char *text, size_t size);

const ProbeExtremes *probes_extremes(const Probes *p, int *count); // of the probes that have some

// Probes as outputs of a linear model: their numbers at a state that is moved.

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
                                  Refusal *wrong);
PetscErrorCode ProbeOutputsDestroy(ProbeOutputs *o);
// `self` is a ProbeOutputs.
PetscErrorCode ProbeOutputsSample(void *self, double *row);

#endif
