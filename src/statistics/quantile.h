// SPDX-License-Identifier: Apache-2.0
// Quantiles of weighted samples in bounded memory, the same for the same samples in the same order. Up to QUANTILES_EXACT
// samples they are exact. Beyond that the samples are summarised after Greenwald and Khanna, "Space-efficient online
// computation of quantile summaries" (SIGMOD 2001), whole buffers at once: each entry stands for the samples between it and
// the one before. Their weight and what is unknown of their order is bounded, so that the share of the weight below a quantile is
// wrong by at most quantiles_error(): QUANTILES_ERROR, unless the samples come in an order that needs more entries than there
// is room for, which doubles it.
#ifndef LIMBER_STATISTICS_QUANTILE_H
#define LIMBER_STATISTICS_QUANTILE_H

#include "model/error.h"

enum { QUANTILES_EXACT = 4096, QUANTILES_ENTRIES = 8192 };
#define QUANTILES_ERROR 1e-3

typedef struct Quantiles Quantiles;

Error QuantilesCreate(Quantiles **q);
Error QuantilesDestroy(Quantiles **q);
void quantiles_start(Quantiles *q);
Error QuantilesAdd(Quantiles *q, double value, double weight);
double quantiles_value(Quantiles *q, double probability); // 0 .. 1; linear between the middles of the samples' weights
double quantiles_error(const Quantiles *q);               // of the probability, at most; 0: the quantiles are exact

#endif
