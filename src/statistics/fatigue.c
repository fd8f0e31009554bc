// SPDX-License-Identifier: Apache-2.0
#include "statistics/fatigue.h"

#include <math.h>
#include <string.h>

void rainflow_start(Rainflow *r) { r->first = r->points = 0, r->begun = r->pending = false; }

static void count_range(double a, double b, double cycles, RainflowCount count, void *self) {
  count(self, fabs(b - a), 0.5 * (a + b), cycles);
}

// Counts what the last point closes; returns how many points remain. X is the last range, Y the one before, Z the one
// before that. Where values repeat, Y is counted only between larger ranges; else one that begins the sequence is half
// a cycle.
static int close_ranges(double *p, int n, bool repeats, RainflowCount count, void *self) {
  while (n >= (repeats ? 4 : 3)) {
    double x = fabs(p[n - 1] - p[n - 2]), y = fabs(p[n - 2] - p[n - 3]);
    if (x < y) break;
    if (n == 3) {
      count_range(p[0], p[1], 0.5, count, self);
      p[0] = p[1], p[1] = p[2], n = 2;
      continue;
    }
    if (repeats && fabs(p[n - 3] - p[n - 4]) < y) break;
    count_range(p[n - 3], p[n - 2], 1, count, self);
    p[n - 3] = p[n - 1], n -= 2;
  }
  return n;
}

// Room for one more point: twice as much, or the points move to where those were that were removed first.
static Error MakeRoom(Rainflow *r) {
  if (r->first + r->points < r->room) return 0;
  if (r->first >= r->points && r->first) {
    memmove(r->point, r->point + r->first, (size_t)r->points * sizeof *r->point);
    r->first = 0;
    return 0;
  }
  int room = r->room ? 2 * r->room : 64;
  TRY(MemoryResize((size_t)room * sizeof *r->point, &r->point));
  TRY(MemoryResize(2 * ((size_t)room + 1) * sizeof *r->spare, &r->spare));
  r->room = room;
  return 0;
}

static Error PushPoint(Rainflow *r, double value, RainflowCount count, void *self) {
  TRY(MakeRoom(r));
  double *p = r->point + r->first;
  p[r->points++] = value;
  r->points = close_ranges(p, r->points, r->repeats, count, self);
  if (r->points < RAINFLOW_POINTS) return 0;
  count_range(p[0], p[1], 0.5, count, self);
  r->first++, r->points--;
  return 0;
}

// Whether `value` continues the way from a to b.
static bool continues_way(double a, double b, double value) { return b > a ? value >= b : value <= b; }

Error RainflowAdd(Rainflow *r, double value, RainflowCount count, void *self) {
  if (!r->begun) {
    r->begun = true;
    TRY(PushPoint(r, value, count, self));
    return 0;
  }
  double from = r->point[r->first + r->points - 1]; // the last turning point
  if (!r->pending) r->pending = value != from;
  else if (!continues_way(from, r->last, value)) TRY(PushPoint(r, r->last, count, self));
  r->last = value;
  return 0;
}

static int append_point(double *p, int n, double value, bool repeats, RainflowCount count, void *self) {
  if (n >= 2 && continues_way(p[n - 2], p[n - 1], value)) n--; // the last was none after all
  if (n && p[n - 1] == value) return n;
  p[n++] = value;
  return close_ranges(p, n, repeats, count, self);
}

void rainflow_finish(Rainflow *r, RainflowCount count, void *self) {
  double *p = r->spare;
  int n = r->points;
  if (!r->begun) return;
  memcpy(p, r->point + r->first, (size_t)n * sizeof *p);
  if (r->pending) n = append_point(p, n, r->last, r->repeats, count, self);
  if (!r->repeats) {
    for (int i = 1; i < n; i++) count_range(p[i - 1], p[i], 0.5, count, self);
    return;
  }
  // The sequence once more after itself closes all that can be closed; what is left then is the sequence again. The
  // copy is taken from behind the part that changes.
  double *copy = r->spare + r->room + 1;
  memmove(copy, p, (size_t)n * sizeof *p);
  for (int i = 0, left = n, all = n; i < all; i++) left = append_point(p, left, copy[i], true, count, self);
}

void rainflow_free(Rainflow *r) {
  memory_free(&r->point);
  memory_free(&r->spare);
}

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
