// SPDX-License-Identifier: Apache-2.0
// Inside the reader of plans: the state that its files share.
#ifndef LIMBER_STUDY_PLAN_READER_H
#define LIMBER_STUDY_PLAN_READER_H

#include "input/yaml/form.h"
#include "input/yaml/reader.h"
#include "input/yaml/study.h"
#include "study/plan/plan.h"

typedef struct {
  Reader reader;
  Plan *plan;
  const Tree *map; // of the part `study`
  StudyText text;
  Form form;
  double values; // that are listed
} PlanReader;

// A number as it is written, in its own unit.
typedef struct {
  double value;
  const char *unit; // ""
  bool is_number;   // else it is a word
} PlanNumber;

// ---- numbers.c ----
// `good` is false after a mistake, which has been noted.
Error ReadPlanNumber(PlanReader *x, const Tree *word, PlanNumber *out, bool *good);
// Finds the unit of some words: that of the first that has one; "".
Error FindUnit(PlanReader *x, int count, Tree *const *word, const char **unit);
// A number in a unit. Zero needs none.
Error ReadInUnit(PlanReader *x, const char *field, const Tree *word, const char *unit, double *out, bool *good);
// A number in SI units, with its unit as written.
Error ReadInSi(PlanReader *x, const char *field, const Tree *word, double *out, const char **unit, bool *good);
// A whole number, `least` to `most`.
Error ReadWhole(PlanReader *x, const char *field, double value, double least, double most, uint64_t *out);

// The distribution that a map has; not `found` if it has none. `unit`: the unit of the number; NULL: it is found and
// set.
Error ReadDistribution(PlanReader *x, const DistributionText *t, const char **unit, Distribution *out, bool *found,
                       bool *good);

// ---- variables.c, runs.c ----
Error ReadVariables(PlanReader *x);
Error ReadTable(PlanReader *x);
Error CountRuns(PlanReader *x);
Error ReadWeights(PlanReader *x);

#endif
