// SPDX-License-Identifier: Apache-2.0
#include "statistics/summary.h"

#include "statistics/fatigue.h"
#include "statistics/quantile.h"
#include "statistics/rainflow.h"

#include <math.h>
#include <stdio.h>

typedef struct {
  DamageSum sum[SUMMARY_LIST];
  int count;
  double ultimate; // 0: ranges as they are
} Damage;

struct Summary {
  SummaryOptions o;
  long long samples;
  bool broken; // a sample was not finite
  bool new_max, new_min;
  double min, max, min_time, max_time;
  double start, time, value; // of the first sample, of the last
  double mean, square;       // over the time so far; time times the variance
  long long up[SUMMARY_LIST];
  Quantiles *quantiles;
  Rainflow rainflow;
  Damage damage;
};

Error SummaryCreate(const SummaryOptions *o, Summary **out) {
  Summary *s = NULL;
  TRY(MemoryNew(sizeof *s, &s));
  s->o = *o;
  if (o->quantiles) TRY(QuantilesCreate(&s->quantiles));
  s->rainflow.repeats = o->repeats;
  summary_start(s);
  *out = s;
  return 0;
}

Error SummaryDestroy(Summary **s) {
  if (!*s) return 0;
  TRY(QuantilesDestroy(&(*s)->quantiles));
  rainflow_free(&(*s)->rainflow);
  memory_free(s);
  return 0;
}

void summary_start(Summary *s) {
  s->samples = 0;
  s->broken = s->new_max = s->new_min = false;
  s->mean = s->square = 0;
  if (s->quantiles) quantiles_start(s->quantiles);
  rainflow_start(&s->rainflow);
  s->damage = (Damage){.count = s->o.exponents, .ultimate = s->o.ultimate};
  for (int i = 0; i < SUMMARY_LIST; i++) {
    s->up[i] = 0;
    s->damage.sum[i].exponent = s->o.exponent[i];
  }
}

static void count_cycles(void *self, double range, double mean, double cycles) {
  Damage *d = self;
  if (d->ultimate > 0) range = goodman_range(range, mean, d->ultimate);
  for (int i = 0; i < d->count; i++) damage_add(&d->sum[i], range, cycles);
}

// Mean and variance of a line of length h, added to those of the time before it: eq-statistics-moments (18.1).
static void add_interval(Summary *s, double h, double value) {
  double before = s->time - s->start, all = before + h;
  if (!(h > 0)) return;
  double middle = s->value + 0.5 * (value - s->value), way = value - s->value, off = middle - s->mean;
  s->mean += h / all * off;
  s->square += before * h / all * off * off + h * way * way / 12;
}

Error SummaryAdd(Summary *s, double time, double value) {
  s->new_max = s->new_min = false;
  if (time < s->o.from) return 0;
  s->broken = s->broken || !isfinite(value);
  if (s->broken) return 0;
  bool first = !s->samples++;
  if (first) s->start = s->time = time, s->mean = s->value = value;
  double h = fmax(0, time - s->time);
  s->new_max = first || value > s->max, s->new_min = first || value < s->min;
  if (s->new_max) s->max = value, s->max_time = time;
  if (s->new_min) s->min = value, s->min_time = time;
  if (!first) add_interval(s, h, value);
  for (int i = 0; i < s->o.levels && !first; i++) s->up[i] += s->value < s->o.level[i] && value >= s->o.level[i];
  if (s->quantiles) { // a sample stands for half of the times to its neighbours
    if (!first) TRY(QuantilesAdd(s->quantiles, s->value, 0.5 * h));
    if (!first) TRY(QuantilesAdd(s->quantiles, value, 0.5 * h));
  }
  if (s->o.exponents) TRY(RainflowAdd(&s->rainflow, value, count_cycles, &s->damage));
  s->time = time, s->value = value;
  return 0;
}

bool summary_is_new_max(const Summary *s) { return s->new_max; }
bool summary_is_new_min(const Summary *s) { return s->new_min; }

// ---- the numbers ----

int summary_width(const SummaryOptions *o) {
  return 4 * o->extremes + o->mean + o->deviation + o->quantiles + o->levels + o->exponents;
}

void summary_column(const SummaryOptions *o, int i, char *name, size_t size, SummaryUnit *unit) {
  static const char *const extremes[] = {"min", "min time", "max", "max time"};
  *unit = SUMMARY_UNIT_CHANNEL;
  if (o->extremes && i < 4) {
    snprintf(name, size, "%s", extremes[i]);
    if (i % 2) *unit = SUMMARY_UNIT_TIME;
    return;
  }
  i -= 4 * o->extremes;
  if (o->mean && i-- == 0) snprintf(name, size, "mean");
  else if (o->deviation && i-- == 0) snprintf(name, size, "deviation");
  else if (i < o->quantiles) snprintf(name, size, "p%.10g", 100 * o->quantile[i]);
  else if (i < o->quantiles + o->levels) {
    snprintf(name, size, "up %.10g", o->level[i - o->quantiles]);
    *unit = SUMMARY_UNIT_NONE;
  } else snprintf(name, size, "del %.10g", o->exponent[i - o->quantiles - o->levels]);
}

static void write_equivalent_loads(Summary *s, double *out) {
  Damage all = s->damage;
  double cycles = (s->o.frequency > 0 ? s->o.frequency : 1) * (s->time - s->start);
  rainflow_finish(&s->rainflow, count_cycles, &all);
  for (int i = 0; i < s->o.exponents; i++) out[i] = damage_equivalent(&all.sum[i], cycles);
}

void summary_values(Summary *s, double *out) {
  const SummaryOptions *o = &s->o;
  double time = s->time - s->start;
  int n = 0;
  if (s->broken || !s->samples) {
    for (; n < summary_width(o); n++) out[n] = NAN;
    return;
  }
  if (o->extremes) out[n++] = s->min, out[n++] = s->min_time, out[n++] = s->max, out[n++] = s->max_time;
  if (o->mean) out[n++] = s->mean;
  if (o->deviation) out[n++] = time > 0 ? sqrt(s->square / time) : 0;
  for (int i = 0; i < o->quantiles; i++) out[n++] = time > 0 ? quantiles_value(s->quantiles, o->quantile[i]) : s->value;
  for (int i = 0; i < o->levels; i++) out[n++] = (double)s->up[i];
  if (o->exponents) write_equivalent_loads(s, out + n);
}
