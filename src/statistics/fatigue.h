// SPDX-License-Identifier: Apache-2.0
// Fatigue of a channel: rainflow counting of its cycles, and damage-equivalent loads.
#ifndef LIMBER_STATISTICS_FATIGUE_H
#define LIMBER_STATISTICS_FATIGUE_H

#include "model/error.h"

// Rainflow counting of ASTM E1049-85 (2017), section 5.4.4, value by value and without bins. Each value costs a bounded
// time on average: a turning point is pushed once and removed once. What is kept are the turning points whose ranges
// get smaller one after the other, for a later larger one may close them: few in a stationary signal, one for each
// reversal of an oscillation that decays. There are at most RAINFLOW_POINTS of them. Beyond that the first range, which
// can only ever be half a cycle, is counted as such, and the second begins the sequence.

enum { RAINFLOW_POINTS = 65536 };

typedef void (*RainflowCount)(void *self, double range, double mean, double cycles); // cycles: 0.5 or 1

typedef struct {
  bool repeats; // the values are a period that repeats: the rest is closed to full cycles, in place of half cycles
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

// Damage-equivalent loads: the range of a cycle that, repeated at one frequency, does the damage of the counted cycles,
// where damage grows with the power m of the range: S = (sum n_i S_i^m / N)^(1/m), N = frequency times duration,
// eq-statistics-load (18.2).

// sum of n_i S_i^m as scale^m sum, so that no power overflows
typedef struct {
  double exponent, scale, sum;
} DamageSum;

void damage_add(DamageSum *d, double range, double cycles);
double damage_equivalent(const DamageSum *d, double cycles); // the range of so many equal cycles

// Goodman: the range about the mean 0 that does the damage of `range` about `mean`; infinite at the ultimate load.
double goodman_range(double range, double mean, double ultimate);

// The equivalent load of a lifetime of which run i takes the part weight_i: (sum w_i S_i^m / sum w_i)^(1/m). Runs that
// failed are left out.
typedef struct {
  DamageSum damage;
  double weight;
} LifetimeLoad;

void lifetime_add(LifetimeLoad *l, double equivalent, double weight);
double lifetime_equivalent(const LifetimeLoad *l); // NaN without runs

#endif
