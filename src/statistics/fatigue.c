// SPDX-License-Identifier: Apache-2.0
#include "statistics/fatigue.h"

#include <math.h>

void damage_add(DamageSum *d, double range, double cycles) {
  if (!(range > 0)) return;
  if (range > d->scale) {
    d->sum *= pow(d->scale / range, d->exponent);
    d->scale = range;
  }
  d->sum += isfinite(range) ? cycles * pow(range / d->scale, d->exponent) : cycles;
}

double damage_equivalent(const DamageSum *d, double cycles) {
  if (!(d->scale > 0) || !(cycles > 0)) return 0;
  return d->scale * pow(d->sum / cycles, 1 / d->exponent);
}

double goodman_range(double range, double mean, double ultimate) {
  double left = ultimate - fabs(mean);
  return left > 0 ? range * ultimate / left : INFINITY;
}

void lifetime_add(LifetimeLoad *l, double equivalent, double weight) {
  damage_add(&l->damage, equivalent, weight);
  l->weight += weight;
}

double lifetime_equivalent(const LifetimeLoad *l) {
  return l->weight > 0 ? damage_equivalent(&l->damage, l->weight) : NAN;
}
