// SPDX-License-Identifier: Apache-2.0
// Quantities of a history and their derivatives, row by row: no history is kept. Means are those of the straight lines
// between rows, extremes those of the rows.
#include "gradient/gradient.h"

#include <math.h>

static const double same_extreme = 1e-9; // of the range of a history
static const double fading = 0.97;       // what is left in a row of the largest disagreement before

void history_begin(const GradientQuantity *q, HistoryValue *v) { *v = (HistoryValue){.q = q}; }

// What is summed over time: f(value), and its derivative.
static double term(const GradientQuantity *q, double value) {
  if (q->of == OF_MEAN) return value;
  return q->of == OF_RMS ? value * value : pow(fabs(value), q->number);
}

static double slope(const GradientQuantity *q, double value) {
  if (q->of == OF_MEAN) return 1;
  if (q->of == OF_RMS) return 2 * value;
  return value == 0 ? 0 : q->number * pow(fabs(value), q->number - 1) * (value > 0 ? 1 : -1);
}

static bool is_sum(GradientOf of) { return of == OF_MEAN || of == OF_RMS || of == OF_NORM; }

static HistoryRate mix(double a, HistoryRate p, double b, HistoryRate q) {
  return (HistoryRate){a * p.value + b * q.value, a * p.apart + b * q.apart, fabs(a) * p.doubt + fabs(b) * q.doubt};
}

// The disagreement of a vibration passes through zero: what counts is its size in the rows before.
static void take_row(HistoryDerivative *d, const HistoryRate *found) { d->found = *found, d->found.apart = d->most; }

// Of rows with the same value the first one counts, unless the other is larger by round-off.
static void take_extreme(HistoryValue *v, double time, double value, int count, const HistoryRate *rate,
                         HistoryDerivative *d) {
  double beyond = v->q->of == OF_MAX ? value - v->found : v->found - value;
  v->low = fmin(v->low, value), v->high = fmax(v->high, value);
  bool same = fabs(beyond) <= same_extreme * (v->high - v->low);
  if (beyond <= 0 && !same) return;
  if (same) v->also = beyond > 0 ? v->first : time;
  else v->also = NAN;
  for (int i = 0; i < count; i++) {
    d[i].tie = same ? fmax(d[i].tie, fabs(rate[i].value - d[i].found.value)) : 0;
    if (beyond > 0) take_row(&d[i], &rate[i]);
  }
  if (beyond > 0) v->found = value, v->first = time;
}

static void add_to_sum(HistoryDerivative *d, double last, double now, const HistoryRate *rate) {
  HistoryRate row = mix(last, d->last, now, *rate);
  d->sum = mix(1, d->sum, 1, row);
  d->most = fmax(d->most, fabs(d->sum.apart));
}

void history_add(HistoryValue *v, double time, double value, int count, const HistoryRate *rate, HistoryDerivative *d) {
  const GradientQuantity *q = v->q;
  double step = v->rows ? time - v->time : 0, last = v->value;
  for (int i = 0; i < count && !is_sum(q->of); i++) d[i].most = fmax(fading * d[i].most, fabs(rate[i].apart));
  if (is_sum(q->of)) {
    v->sum += 0.5 * step * (term(q, last) + term(q, value)), v->found += step;
    for (int i = 0; i < count; i++)
      add_to_sum(&d[i], 0.5 * step * slope(q, last), 0.5 * step * slope(q, value), &rate[i]);
  } else if (q->of == OF_TIME) {
    double near = 1e-9 * fmax(step, time);
    if (!v->taken && time >= q->number - near) {
      double part = step > 0 && time > q->number ? (time - q->number) / step : 0;
      v->found = value + part * (last - value), v->taken = true;
      for (int i = 0; i < count; i++) {
        HistoryRate row = mix(1 - part, rate[i], part, d[i].last);
        take_row(&d[i], &row);
      }
    }
  } else if (q->of == OF_END || !v->taken) {
    v->found = v->low = v->high = value, v->taken = true, v->first = time, v->also = NAN;
    for (int i = 0; i < count; i++) take_row(&d[i], &rate[i]);
  } else take_extreme(v, time, value, count, rate, d);
  for (int i = 0; i < count; i++) d[i].last = rate[i];
  v->time = time, v->value = value, v->rows++;
}

double history_value(const HistoryValue *v) {
  if (!is_sum(v->q->of)) return v->taken ? v->found : NAN;
  double mean = v->found > 0 ? v->sum / v->found : v->value;
  return v->q->of == OF_MEAN ? mean : v->q->of == OF_RMS ? sqrt(mean) : pow(mean, 1 / v->q->number);
}

HistoryRate history_derivative(const HistoryValue *v, const HistoryDerivative *d) {
  if (!is_sum(v->q->of)) return d->found;
  HistoryRate sum = {d->sum.value, d->most, d->sum.doubt}, none = {0};
  double mean = v->sum / v->found, power = v->q->of == OF_RMS ? 2 : v->q->number;
  if (v->q->of == OF_MEAN) return mix(1 / v->found, sum, 0, none);
  if (mean == 0) return (HistoryRate){sum.value == 0 ? 0 : NAN, 0, 0};
  return mix(history_value(v) / (power * mean * v->found), sum, 0, none);
}

void history_slopes(const HistoryValue *v, int64_t rows, const double *time, const double *value, size_t stride,
                    double *out) {
  HistoryValue w;
  int64_t found = -1;
  history_begin(v->q, &w);
  for (int64_t n = 0; n < rows; n++) {
    double last = w.found, at = value[(size_t)n * stride], step = n ? time[n] - time[n - 1] : 0;
    bool taken = w.taken;
    out[n] = 0;
    history_add(&w, time[n], at, 0, NULL, NULL);
    if (is_sum(v->q->of)) {
      out[n] += 0.5 * step * slope(v->q, at);
      if (n) out[n - 1] += 0.5 * step * slope(v->q, value[(size_t)(n - 1) * stride]);
    } else if (v->q->of == OF_TIME && w.taken && !taken) {
      double part = step > 0 && time[n] > v->q->number ? (time[n] - v->q->number) / step : 0;
      out[n] += 1 - part;
      if (n) out[n - 1] += part;
    } else if (v->q->of != OF_TIME && (!taken || w.found != last || v->q->of == OF_END)) found = n;
  }
  if (found >= 0) out[found] = 1;
  if (!is_sum(v->q->of)) return;
  double mean = v->sum / v->found, power = v->q->of == OF_RMS ? 2 : v->q->number, f = 1 / v->found;
  if (v->q->of != OF_MEAN) f = mean > 0 ? f * history_value(v) / (power * mean) : 0;
  for (int64_t n = 0; n < rows; n++) out[n] *= f;
}
