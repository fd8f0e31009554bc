// SPDX-License-Identifier: Apache-2.0
#include "statistics/quantile.h"

#include <math.h>
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
static double interpolate(double a, double value_a, double b, double value_b, double at) {
  if (at <= a || !(b > a)) return value_a;
  return at >= b ? value_b : value_a + (at - a) / (b - a) * (value_b - value_a);
}

static double exact_value(const Quantiles *q, double probability) {
  double all = 0, before = 0, from = 0;
  for (int i = 0; i < q->samples; i++) all += q->sample[i].weight;
  for (int i = 0; i < q->samples; i++) {
    double middle = before + 0.5 * q->sample[i].weight, at = probability * all;
    if (at <= middle)
      return i ? interpolate(from, q->sample[i - 1].value, middle, q->sample[i].value, at) : q->sample[0].value;
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
    if (at <= middle) return i ? interpolate(from, e[-1].value, middle, e->value, at) : e->value;
    from = middle;
  }
  return q->entry[q->entries - 1].value;
}
