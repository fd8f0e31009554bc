// SPDX-License-Identifier: Apache-2.0
// A plan of many runs of one model: what varies and how, what of each run is kept. The values of run i follow from the
// plan and from i alone, so that any process can do any run, at any time, again.
#ifndef LIMBER_STUDY_PLAN_PLAN_H
#define LIMBER_STUDY_PLAN_PLAN_H

#include "input/diagnostic.h"
#include "input/input.h"
#include "input/yaml/source.h"
#include "model/store.h"
#include "statistics/distribution.h"
#include "statistics/random.h"
#include "statistics/summary.h"

#include <stdint.h>

typedef enum { PLAN_PRODUCT, PLAN_ZIP, PLAN_RANDOM, PLAN_LATIN, PLAN_SOBOL } PlanDesign;

typedef struct {
  const char *path;          // the field of the model file that varies, as for --set: "let.wind"
  const char *unit;          // of its numbers: "Pa"; "": none
  int count;                 // of values that are listed; 0: `distribution` gives them
  const double *value;       // in `unit`; of words: 0, 1, ...
  const char *const *word;   // NULL, or the texts that stand for the values
  Distribution distribution; // in `unit`
  int axis;                  // variables of one axis change together: the columns of a table
  SourceLocation at;         // of its path
} PlanVariable;

// What changes independently of the rest: one variable, or all columns of a table.
typedef struct {
  int count;       // of values that are listed; 0: a distribution
  uint64_t stride; // of a product: runs from one value to the next, without repetitions
  uint64_t hash;   // of its name: its random numbers are its own
} PlanAxis;

typedef struct {
  const char *column; // of a probe of the model: "root.moment.y"; or "ledger.kinetic"
  SummaryOptions summary;
  double factor;                                        // partial safety factor of extreme tables; 1 by default
  const char *level_unit[SUMMARY_LIST], *ultimate_unit; // as written, ""; the numbers are in SI
  SourceLocation at;                                    // of its name
} PlanChannel;

typedef struct { // a quantity or a parameter as it is written
  const char *text;
  SourceLocation at;
} PlanName;

typedef struct { // derivatives that are found in each run
  int quantities, parameters;
  const PlanName *quantity, *parameter;
  bool adjoint;
} PlanGradients;

typedef enum { KEEP_NONE, KEEP_FAILED, KEEP_WORST, KEEP_ALL } PlanKeep;

typedef struct {
  Store store; // holds everything
  const char *file, *text;
  const char *model; // path of the model file, relative to the folder of the plan
  const char *title;
  uint64_t runs, seed;
  PlanDesign design;
  int repeat; // runs of each combination of a product or zip
  int variables, axes, channels;
  PlanVariable *variable;
  PlanAxis *axis;
  PlanChannel *channel;
  PlanGradients gradients;
  PlanKeep keep;
  int worst;          // runs kept: those with the largest |value| of ...
  int worst_channel;  // ... this channel
  double time_limit;  // s of wall time a run may take; 0: any
  int64_t step_limit; // steps a run may take; 0: any
  bool stop_at_failure;
  bool error_bars;     // each run is repeated with two longer steps
  bool accuracy;       // each run chooses its step
  int weight_variable; // variable whose probability weighs a run over the lifetime; -1: none
  Distribution weight;
  double *weight_of;              // of the runs with each value of that variable, all together
  uint64_t *runs_of;              // how many these are
  const Permutation *permutation; // of a Latin hypercube: of each axis
  const SobolDirections *sobol;   // of Sobol' points: of each axis
  const char *worst_of;           // as written; NULL: the first channel
  SourceLocation worst_at;
  Store values; // what was read
  Input *in;    // its texts
} Plan;

// `text` is the file; every mistake is noted at its place in `d`, which is empty before. With errors, the plan is not
// to be used. What `d` points at belongs to the plan.
Error PlanRead(const char *file, const char *text, size_t length, SourceReader read, Diagnostics *d, Plan **plan);
// Compares the plan with its model, which was read with the changes of a run as the last of InputOptions.change: fields
// that vary, channels and their units. The name of a probe becomes all of its columns; a plan without channels gets
// all.
Error PlanCheckModel(Plan *p, const Input *in, Diagnostics *d);
// Changes before those, which --set makes: `wrong` names the first that sets a parameter that nothing uses, "" if none does.
Error PlanCheckChanges(const Plan *p, const Input *in, char *wrong, size_t size);
// Reports that the model has no column of that name.
Error PlanReportColumn(const Plan *p, const char *column, SourceLocation at, const Input *in, Diagnostics *d);
Error PlanDestroy(Plan **plan);

// The values of run `run`, 0 .. runs - 1, one a variable, in its unit; of words: their number.
void plan_values(const Plan *p, uint64_t run, double *value);
// The same as a change of the model file, with all digits: "let.E=70100000000 Pa"
void plan_change(const Plan *p, int variable, double value, char *text, size_t size);
// Weight of a run in sums over the lifetime; they add up to 1 over all runs.
double plan_weight(const Plan *p, uint64_t run);

#endif
