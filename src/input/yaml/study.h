// SPDX-License-Identifier: Apache-2.0
// The part `study` as it is written: many runs of a model (docs/studies.md). Its tables serve `limber describe`, the schema
// and the reference page; study/plan makes a plan of it.
#ifndef LIMBER_INPUT_YAML_STUDY_H
#define LIMBER_INPUT_YAML_STUDY_H

#include "input/yaml/part.h"

// ---- a distribution: one of these is written ----

typedef struct {
#define DISTRIBUTION(constant, name, parameters, units, help) const Tree *name;
#include "statistics/distribution.def"
#undef DISTRIBUTION
  const Tree *cumulative, *within;
} DistributionText;

extern const FieldTable distribution_table;

// ---- an entry of `vary` ----

typedef struct {
  DistributionText distribution; // comes first
  const Tree *values;
  const Tree *from, *to, *step;
  int count;
} VariableText;

extern const FieldTable variable_table;

// ---- an entry of `summary` ----

typedef struct {
  const char *channel;
  const Tree *statistics, *quantiles, *up_crossings, *exponents, *ultimate;
  const char *residue;
  double frequency, from, factor;
} SummaryText;

extern const FieldTable summary_table;

// ---- the rest ----

typedef struct {
  DistributionText distribution; // comes first
  const char *of;
} WeightsText;

extern const FieldTable weights_table;

typedef struct {
  const char *histories, *of;
} KeepText;

typedef struct {
  double time, steps;
} LimitsText;

typedef struct {
  const Tree *of, *wrt;
  const char *method;
} GradientsText;

typedef struct {
  const char *of, *table, *design, *on_failure;
  const Tree *vary;
  double runs, seed;
  int repeat;
  bool error_bars;
  KeepText keep;
  GradientsText gradients;
  const SummaryText *summary;
  int summaries;
  WeightsText weights;
  LimitsText limits;
} StudyText;

extern const FieldTable study_table;

const char *study_design(int i);    // words of `design`; NULL after the last
const char *study_statistic(int i); // of `statistics`

#endif
