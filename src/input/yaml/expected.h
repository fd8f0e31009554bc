// SPDX-License-Identifier: Apache-2.0
// What an example is expected to give (expected.yaml, docs/verify.md): which runs to make, what to measure in their
// results, reference values with their source, and how far off is good enough.
#ifndef LIMBER_INPUT_YAML_EXPECTED_H
#define LIMBER_INPUT_YAML_EXPECTED_H

#include "input/yaml/part.h"
#include "input/diagnostic.h"
#include "model/store.h"

typedef struct {
  const char *name, *model; // the file, relative to the folder of expected.yaml
  int command;              // 0: run; else 1 and the index of an analysis in point_analyses.def
  const char **change;      // of the model file: "run.step=1 ms"
  int changes;
} ExpectedRun;

typedef enum {
  MEASURE_AT,         // the value at a time
  MEASURE_PEAK,       // the largest, or smallest, or farthest from zero
  MEASURE_SPECTRUM,   // the highest peak of the amplitude spectrum within a band
  MEASURE_DIFFERENCE, // a norm of the difference to another run
  MEASURE_ORDER,      // the order of convergence over some steps
  MEASURE_PERIOD,     // the mean period, from passage to passage of zero
} MeasureKind;

typedef enum { PEAK_LARGEST, PEAK_SMALLEST, PEAK_FARTHEST } Peak;
typedef enum { NORM_LARGEST, NORM_ROOT_MEAN_SQUARE } Norm;
typedef enum {
  GIVE_ITSELF, // the height of a peak, the order of steps
  GIVE_PLACE,  // of a peak: its time or frequency
  GIVE_LIMIT,  // of steps: where the values go as the step goes to zero
} Give;

typedef struct {
  const char *name, *source;
  const char *column, *unit; // the column may be a formula of columns; the unit is that of a formula, or NULL
  int run, other;            // index of the run, and of the one that it is compared with
  MeasureKind measure;
  Peak peak;
  Norm norm;
  Give give;
  const char *over;    // the column of which `at`, `from`, `to` and the place of a peak are values; NULL: the time
  double at, from, to; // s; `to` is infinite if it is not given
  double since;        // s; of `at`: the change since then; -1: the value itself
  int periods;
  double band[2];     // Hz
  const double *step; // s, falling
  int steps;
  double reference, relative, absolute; // tolerances; 0: not given
  SourceLocation where;                 // in the file
} Quantity;

typedef struct {
  const char *title;
  double seconds; // that all runs take together
  ExpectedRun *run;
  int runs;
  Quantity *quantity;
  int quantities;
  Diagnostics diagnostics;
  Store store, keep; // what the tree and the tables hold
  char *text;
} Expected;

// `file` is the name that diagnostics carry. With mistakes nothing but the diagnostics counts.
Error ExpectedRead(const char *file, const char *text, size_t length, Expected **out);
Error ExpectedDestroy(Expected **e);

#endif
