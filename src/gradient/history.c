// SPDX-License-Identifier: Apache-2.0
// Quantities of a history and their derivatives, row by row: no history is kept. Means are those of the straight lines
// between rows, extremes those of the rows.
#include "gradient/gradient.h"

#include <math.h>

static const double same_extreme = 1e-9; // of the range of a history
static const double fading = 0.97;       // what is left in a row of the largest disagreement before

void history_begin(const GradientQuantity *q, HistoryValue *v) {
  *v = (HistoryValue){.q = q, .scale = q->of == OF_MEAN ? 1 : 0};
}

static double exponent(const GradientQuantity *q) { return q->of == OF_NORM ? q->number : q->of == OF_RMS ? 2 : 1; }

// What is summed over time: f(x) of x = value/scale, and its derivative by x.
static double term(const HistoryValue *v, double value) {
  double x = v->scale > 0 ? value / v->scale : 0;
  if (v->q->of == OF_MEAN) return x;
  return v->q->of == OF_RMS ? x * x : pow(fabs(x), v->q->number);
}

static double slope(const HistoryValue *v, double value) {
  double x = v->scale > 0 ? value / v->scale : 0, power = exponent(v->q);
  if (v->q->of == OF_MEAN) return 1;
  if (v->q->of == OF_RMS) return 2 * x;
  return x == 0 ? 0 : power * pow(fabs(x), power - 1) * (x > 0 ? 1 : -1);
}

// The derivative of a mean over a single row by it.
static double slope_of_one(const HistoryValue *v) { return v->q->of != OF_MEAN && v->value < 0 ? -1 : 1; }

// d(quantity)/dp of the sum of slope dz/dp over time.
static double factor(const HistoryValue *v) {
  double mean = v->sum / v->found, power = exponent(v->q);
  if (v->q->of == OF_MEAN) return 1 / v->found;
  return mean > 0 ? pow(mean, 1 / power) / (power * mean * v->found) : 0;
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

// Powers are those of values relative to the largest so far, or they would overflow or vanish.
static void grow_scale(HistoryValue *v, double value, int count, HistoryDerivative *d) {
  double size = fabs(value), power = exponent(v->q);
  if (v->q->of == OF_MEAN || size <= v->scale) return;
  double ratio = v->scale / size, less = pow(ratio, power - 1);
  v->scale = size, v->sum *= pow(ratio, power);
  for (int i = 0; i < count; i++) {
    d[i].sum = (HistoryRate){less * d[i].sum.value, less * d[i].sum.apart, less * d[i].sum.doubt};
    d[i].most *= less;
  }
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
    grow_scale(v, value, count, d);
    v->sum += 0.5 * step * (term(v, last) + term(v, value)), v->found += step;
    for (int i = 0; i < count; i++)
      add_to_sum(&d[i], 0.5 * step * slope(v, last), 0.5 * step * slope(v, value), &rate[i]);
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
  double mean = v->found > 0 ? v->sum / v->found : term(v, v->value);
  return v->q->of == OF_MEAN ? mean : v->scale * pow(mean, 1 / exponent(v->q));
}

HistoryRate history_derivative(const HistoryValue *v, const HistoryDerivative *d) {
  if (!is_sum(v->q->of)) return d->found;
  HistoryRate sum = {d->sum.value, d->most, d->sum.doubt}, none = {0};
  return v->found > 0 ? mix(factor(v), sum, 0, none) : mix(slope_of_one(v), d->last, 0, none);
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
      out[n] += 0.5 * step * slope(v, at);
      if (n) out[n - 1] += 0.5 * step * slope(v, value[(size_t)(n - 1) * stride]);
    } else if (v->q->of == OF_TIME && w.taken && !taken) {
      double part = step > 0 && time[n] > v->q->number ? (time[n] - v->q->number) / step : 0;
      out[n] += 1 - part;
      if (n) out[n - 1] += part;
    } else if (v->q->of != OF_TIME && (!taken || w.found != last || v->q->of == OF_END)) found = n;
  }
  if (found >= 0) out[found] = 1;
  if (!is_sum(v->q->of)) return;
  for (int64_t n = 0; n < rows; n++) out[n] = v->found > 0 ? out[n] * factor(v) : slope_of_one(v);
}
