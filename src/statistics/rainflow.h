// SPDX-License-Identifier: Apache-2.0
// Rainflow counting of ASTM E1049-85 (2017), section 5.4.4, value by value and without bins. Each value costs a bounded time
// on average: a turning point is pushed once and removed once. What is kept are the turning points whose ranges get smaller
// one after the other, for a later larger one may close them: few in a stationary signal, one for each reversal of an
// oscillation that decays. There are at most RAINFLOW_POINTS of them. Beyond that the first range, which can only ever be
// half a cycle, is counted as such, and the second begins the sequence.
#ifndef LIMBER_STATISTICS_RAINFLOW_H
#define LIMBER_STATISTICS_RAINFLOW_H

#include "model/error.h"

enum { RAINFLOW_POINTS = 65536 };

typedef void (*RainflowCount)(void *self, double range, double mean, double cycles); // cycles: 0.5 or 1

typedef struct {
  bool repeats; // the values are a period that repeats: what is left is closed by itself, in place of half cycles
  double *point, *spare; // turning points; room to finish without changing them
  int first, points, room;
  double last; // the latest value since the last turning point: will be one itself, unless the next goes further
  bool begun, pending;
} Rainflow;

void rainflow_start(Rainflow *r);
Error RainflowAdd(Rainflow *r, double value, RainflowCount count, void *self);
// Counts what is left. More values may follow later, as if this had not been done.
void rainflow_finish(Rainflow *r, RainflowCount count, void *self);
void rainflow_free(Rainflow *r);

#endif
