// SPDX-License-Identifier: Apache-2.0
// The probes of a run: their values and extremes.
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

// Callbacks that create the tables of probes. `description` of a group: what is probed.
typedef struct {
  void *self;
  PetscErrorCode (*group)(void *self, const char *path, const char *description);
  PetscErrorCode (*column)(void *self, const char *group, const char *name, int width, const char *units,
                           const char *description, const char *const *names);
} ProbeTables;

// Creates the tables of all probes, in the order of the numbers in a row.
PetscErrorCode ProbesDeclare(Probes *p, const ProbeTables *tables);

// Updates the probes after a step: rotations beyond a full turn, extremes. Collective.
PetscErrorCode ProbesStep(Probes *p, LimberRun run);

// Writes the numbers of all probes at the present state to `*out` and advances it. Collective.
PetscErrorCode ProbesRow(Probes *p, LimberRun run, double **out);

// The same even if the time has not changed: for a state that is not a step of a run.
PetscErrorCode ProbesSample(Probes *p, LimberRun run, double *row);
int probes_width(const Probes *p); // numbers per row
// The same for an attempted step: does not update the probes.
PetscErrorCode ProbesPeek(Probes *p, LimberRun run, double *row);
bool probes_of_step(const Probes *p, int column); // whether it belongs to a step, not to a state
bool probes_is_formula(const Probes *p, int column);
// Whether the value of a column is found from that of another one or from a number of the ledger: of a formula what it
// reads, of others themselves.
bool probes_reads(const Probes *p, int column, int other);
bool probes_reads_ledger(const Probes *p, int column, size_t number);
bool probes_reads_function(const Probes *p, int column, int function); // of the model: a signal
// The formulas of a row whose other numbers are given, with ledger, time and signals of the last sample.
void probes_put_formulas(Probes *p, double *row);
// What `like` remembers of earlier states, but not where it began.
void probes_follow(Probes *p, const Probes *like);
// Names the columns of all probes: tip.position.x; a formula has only its own name. `no_output`: they belong to several
// states.
void probes_name_columns(const Input *in, LinearName *all, bool *no_output);
bool probes_searches(const Probes *p,
                     int column); // whether it is the largest value of many places, or reads such a one

// Saves and restores the state of the probes. False: it does not fit.
PetscErrorCode ProbesSave(const Probes *p, CheckpointContainer *container);
bool probes_restore(Probes *p, const CheckpointContainer *container);

// The extremes of one probe so far.
typedef struct {
  const char *probe;
  int rows;                 // columns of the probe with extremes
  const char *const *names; // of each row: position.x
  const char *units;        // of all rows, separated by commas
  double (*values)[4];      // min, its time, max, its time
} ProbeExtremes;

// The largest stresses so far of probes along a beam, one line each with time and location. `axis`: name of the row
// axis if it is not time, or NULL.
void probes_stresses(const Probes *p, const char *axis, char *text, size_t size);

const ProbeExtremes *probes_extremes(const Probes *p, int *count); // one entry per probe with extremes

// Probes as outputs of a linear model: their values at a displaced state.

typedef struct {
  Probes *probes;
  LimberRun run;
  int width, count;
  int *column; // column of each output in a row of all probes
  double *row;
  LinearName *name, *all;
  bool *no_output; // for each column
} ProbeOutputs;

// Selects all numbers of all probes, or those with the given names, each a probe, a quantity or a component: tip,
// tip.position, tip.position.x, tip.x. `wrong`: "", or the unknown name.
PetscErrorCode ProbeOutputsCreate(const Input *in, LimberRun run, int names, const char *const *name, ProbeOutputs *out,
                                  Refusal *wrong);
PetscErrorCode ProbeOutputsDestroy(ProbeOutputs *o);
// `self` is a ProbeOutputs.
PetscErrorCode ProbeOutputsSample(void *self, double *row);

#endif
