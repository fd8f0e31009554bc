// SPDX-License-Identifier: Apache-2.0
// Statistics of one channel of a run, and quantiles of weighted samples.
#ifndef LIMBER_STATISTICS_SUMMARY_H
#define LIMBER_STATISTICS_SUMMARY_H

#include "model/error.h"

#include <stdbool.h>

// Quantiles of weighted samples in bounded memory, the same for the same samples in the same order. Up to
// QUANTILES_EXACT samples they are exact. Beyond that the samples are summarised after Greenwald and Khanna,
// "Space-efficient online computation of quantile summaries" (SIGMOD 2001), whole buffers at once: each entry stands
// for the samples between it and the one before. Their weight and what is unknown of their order is bounded, so that
// the share of the weight below a quantile is wrong by at most quantiles_error(): QUANTILES_ERROR, unless the samples
// come in an order that needs more entries than there is room for, which doubles it.

enum { QUANTILES_EXACT = 4096, QUANTILES_ENTRIES = 8192 };
#define QUANTILES_ERROR 1e-3

typedef struct Quantiles Quantiles;

Error QuantilesCreate(Quantiles **q);
Error QuantilesDestroy(Quantiles **q);
void quantiles_start(Quantiles *q);
Error QuantilesAdd(Quantiles *q, double value, double weight);
double quantiles_value(Quantiles *q, double probability); // 0 .. 1; linear between the middles of the samples' weights
double quantiles_error(const Quantiles *q);               // of the probability, at most; 0: the quantiles are exact

// Statistics of one channel of a run, gathered sample by sample without its history: bounded memory, the same bits for
// the same samples.

// Quantiles, levels and exponents of one channel at most; all its numbers.
enum { SUMMARY_LIST = 8, SUMMARY_MOST = 6 + 3 * SUMMARY_LIST };

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
  bool repeats;                  // the run is a period that repeats: rainflow closes the rest to full cycles
  double from;                   // s: samples before are left out
} SummaryOptions;

typedef struct Summary Summary;

Error SummaryCreate(const SummaryOptions *o, Summary **s);
Error SummaryDestroy(Summary **s);
void summary_start(Summary *s); // of a new run
// Between two samples the channel is a straight line. Times rise. A value that is not finite makes all numbers of the
// run NaN.
Error SummaryAdd(Summary *s, double time, double value);

// The numbers of a row: how many, their names ("max", "max time", "p99", "del 4"), whether the unit is that of the
// channel, seconds or none, and their values so far.
typedef enum { SUMMARY_UNIT_CHANNEL, SUMMARY_UNIT_TIME, SUMMARY_UNIT_NONE } SummaryUnit;
int summary_width(const SummaryOptions *o);
void summary_column(const SummaryOptions *o, int i, char *name, size_t size, SummaryUnit *unit);
void summary_values(Summary *s, double *out);

// Whether the last sample is the largest or the smallest so far: concurrent values are then copied.
bool summary_is_new_max(const Summary *s);
bool summary_is_new_min(const Summary *s);

#endif
