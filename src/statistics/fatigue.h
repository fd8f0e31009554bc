// SPDX-License-Identifier: Apache-2.0
// Damage-equivalent loads: the range of a cycle that, repeated at one frequency, does the damage of the counted cycles, where
// damage grows with the power m of the range: S = (sum n_i S_i^m / N)^(1/m), N = frequency times duration, eq-statistics-load (18.2).
#ifndef LIMBER_STATISTICS_FATIGUE_H
#define LIMBER_STATISTICS_FATIGUE_H

// sum of n_i S_i^m as scale^m sum, so that no power overflows
typedef struct {
  double exponent, scale, sum;
} DamageSum;

void damage_add(DamageSum *d, double range, double cycles);
double damage_equivalent(const DamageSum *d, double cycles); // the range of so many equal cycles

// Goodman: the range about the mean 0 that does the damage of `range` about `mean`; infinite at the ultimate load.
double goodman_range(double range, double mean, double ultimate);

// The equivalent load of a lifetime of which run i takes the part weight_i: (sum w_i S_i^m / sum w_i)^(1/m). Runs that failed
// are left out.
typedef struct {
  DamageSum damage;
  double weight;
} LifetimeLoad;

void lifetime_add(LifetimeLoad *l, double equivalent, double weight);
double lifetime_equivalent(const LifetimeLoad *l); // NaN without runs

#endif
