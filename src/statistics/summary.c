// SPDX-License-Identifier: Apache-2.0
#include "statistics/summary.h"

#include "statistics/fatigue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double value, weight;
} Sample;

// The weight of all samples up to `value` is between the sum of `weight` up to here and `doubt` more.
typedef struct {
  double value, weight, doubt;
} Entry;

struct Quantiles {
  Sample sample[QUANTILES_EXACT]; // that are not in the entries yet
  int samples;
  bool sorted;
  Entry *entry, *merged; // from the smallest value to the largest; room for the next
  int entries;
  double weight; // of the entries
  double error;
};

enum { ROOM = QUANTILES_ENTRIES + QUANTILES_EXACT };

Error QuantilesCreate(Quantiles **q) {
  TRY(MemoryNew(sizeof **q, q));
  quantiles_start(*q);
  return 0;
}

Error QuantilesDestroy(Quantiles **q) {
  if (!*q) return 0;
  memory_free(&(*q)->entry);
  memory_free(&(*q)->merged);
  memory_free(q);
  return 0;
}

void quantiles_start(Quantiles *q) {
  q->samples = q->entries = 0;
  q->sorted = true, q->weight = 0, q->error = QUANTILES_ERROR;
}

double quantiles_error(const Quantiles *q) { return q->entries ? q->error : 0; }

static int compare_samples(const void *a, const void *b) {
  const Sample *x = a, *y = b;
  if (x->value != y->value) return x->value < y->value ? -1 : 1;
  return (x->weight > y->weight) - (x->weight < y->weight);
}

static void sort_samples(Quantiles *q) {
  if (!q->sorted) qsort(q->sample, (size_t)q->samples, sizeof q->sample[0], compare_samples);
  q->sorted = true;
}

// Samples and entries in one order. What of the next entry's samples lies before a new sample is not known.
static int merge_samples(Quantiles *q) {
  int n = 0, i = 0, k = 0;
  while (i < q->entries || k < q->samples) {
    if (k == q->samples || (i < q->entries && q->entry[i].value <= q->sample[k].value)) {
      q->merged[n++] = q->entry[i++];
      continue;
    }
    bool inside = i > 0 && i < q->entries;
    double doubt = inside ? q->entry[i].weight + q->entry[i].doubt : 0;
    q->merged[n++] = (Entry){q->sample[k].value, q->sample[k].weight, doubt};
    q->weight += q->sample[k++].weight;
  }
  q->samples = 0;
  return n;
}

// Gives the samples of an entry to the next where that keeps to the bound. The smallest value and the largest stay.
static int compress_entries(const Quantiles *q, Entry *e, int count) {
  double most = q->error * q->weight;
  int n = count ? 1 : 0;
  for (int i = 1; i < count; i++) {
    bool joins = n > 1 && e[n - 1].weight + e[i].weight + e[i].doubt <= most;
    if (joins) e[i].weight += e[n - 1].weight;
    e[joins ? n - 1 : n++] = e[i];
  }
  return n;
}

static void flush_samples(Quantiles *q) {
  sort_samples(q);
  int n = compress_entries(q, q->merged, merge_samples(q));
  while (n > QUANTILES_ENTRIES) {
    q->error *= 2;
    n = compress_entries(q, q->merged, n);
  }
  Entry *full = q->merged;
  q->merged = q->entry, q->entry = full, q->entries = n;
}

Error QuantilesAdd(Quantiles *q, double value, double weight) {
  if (!(weight > 0)) return 0;
  if (q->samples && q->sample[q->samples - 1].value == value) {
    q->sample[q->samples - 1].weight += weight;
    return 0;
  }
  if (q->samples == QUANTILES_EXACT) {
    if (!q->entry) TRY(MemoryNew(ROOM * sizeof *q->entry, &q->entry));
    if (!q->merged) TRY(MemoryNew(ROOM * sizeof *q->merged, &q->merged));
    flush_samples(q);
  }
  q->sorted = q->samples == 0 || (q->sorted && q->sample[q->samples - 1].value < value);
  q->sample[q->samples++] = (Sample){value, weight};
  return 0;
}

// Between two values whose shares of the weight are at a and b.
static double interpolate_value(double a, double value_a, double b, double value_b, double at) {
  if (at <= a || !(b > a)) return value_a;
  return at >= b ? value_b : value_a + (at - a) / (b - a) * (value_b - value_a);
}

static double exact_value(const Quantiles *q, double probability) {
  double all = 0, before = 0, from = 0;
  for (int i = 0; i < q->samples; i++) all += q->sample[i].weight;
  for (int i = 0; i < q->samples; i++) {
    double middle = before + 0.5 * q->sample[i].weight, at = probability * all;
    if (at <= middle)
      return i ? interpolate_value(from, q->sample[i - 1].value, middle, q->sample[i].value, at) : q->sample[0].value;
    from = middle, before += q->sample[i].weight;
  }
  return q->sample[q->samples - 1].value;
}

double quantiles_value(Quantiles *q, double probability) {
  if (!q->samples && !q->entries) return NAN;
  sort_samples(q);
  if (!q->entries) return exact_value(q, probability);
  if (q->samples) flush_samples(q);
  double at = probability * q->weight, sum = 0, from = 0;
  for (int i = 0; i < q->entries; i++) {
    const Entry *e = &q->entry[i];
    sum += e->weight;
    double middle = fmax(from, sum + 0.5 * e->doubt);
    if (at <= middle) return i ? interpolate_value(from, e[-1].value, middle, e->value, at) : e->value;
    from = middle;
  }
  return q->entry[q->entries - 1].value;
}

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
