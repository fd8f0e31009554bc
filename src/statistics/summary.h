// SPDX-License-Identifier: Apache-2.0
// Statistics of one channel of a run, gathered sample by sample without its history: bounded memory, the same bits for the
// same samples.
#ifndef LIMBER_STATISTICS_SUMMARY_H
#define LIMBER_STATISTICS_SUMMARY_H

#include "model/error.h"

#include <stdbool.h>

enum { SUMMARY_LIST = 8 }; // quantiles, levels and exponents of one channel at most

typedef struct {
  bool extremes; // min, its time, max, its time
  bool mean;     // over time
  bool deviation;
  int quantiles, levels, exponents;
  double quantile[SUMMARY_LIST]; // 0 .. 1
  double level[SUMMARY_LIST];    // up-crossings are counted
  double exponent[SUMMARY_LIST]; // of damage-equivalent loads
  double frequency;              // Hz of the equivalent cycles; 0: 1
  double ultimate;               // Goodman's correction of the mean; 0: none
  bool repeats;                  // the run is a period that repeats: rainflow closes what is left by itself
  double from;                   // s: samples before are left out
} SummaryOptions;

typedef struct Summary Summary;

Error SummaryCreate(const SummaryOptions *o, Summary **s);
Error SummaryDestroy(Summary **s);
void summary_start(Summary *s); // of a new run
// Between two samples the channel is a straight line. Times rise. A value that is not finite makes all numbers of the run NaN.
Error SummaryAdd(Summary *s, double time, double value);

// The numbers of a row: how many, their names ("max", "max time", "p99", "del 4"), whether the unit is that of the channel,
// seconds or none, and their values so far.
typedef enum { SUMMARY_UNIT_CHANNEL, SUMMARY_UNIT_TIME, SUMMARY_UNIT_NONE } SummaryUnit;
int summary_width(const SummaryOptions *o);
void summary_column(const SummaryOptions *o, int i, char *name, size_t size, SummaryUnit *unit);
void summary_values(Summary *s, double *out);

// Whether the last sample is the largest or the smallest so far: whoever keeps companions copies them then.
bool summary_is_new_max(const Summary *s);
bool summary_is_new_min(const Summary *s);

#endif
