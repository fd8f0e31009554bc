// SPDX-License-Identifier: Apache-2.0
// Quantities of a history and their derivatives, row by row: no history is kept. Means are those of the straight lines
// between rows, extremes those of the rows.
#include "gradient/gradient.h"

#include <math.h>

static const double same_extreme = 1e-9; // of the range of a history

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

// Of rows with the same value the first one counts, unless the other is larger by round-off.
static void take_extreme(HistoryValue *v, double time, double value, int count, const double *rate,
                         HistoryDerivative *d) {
  double beyond = v->q->of == OF_MAX ? value - v->found : v->found - value;
  v->low = fmin(v->low, value), v->high = fmax(v->high, value);
  bool same = fabs(beyond) <= same_extreme * (v->high - v->low);
  if (beyond <= 0 && !same) return;
  if (same) v->also = beyond > 0 ? v->first : time;
  else v->also = NAN;
  for (int i = 0; i < count; i++) {
    d[i].apart = same ? fmax(d[i].apart, fabs(rate[i] - d[i].found)) : 0;
    if (beyond > 0) d[i].found = rate[i];
  }
  if (beyond > 0) v->found = value, v->first = time;
}

void history_add(HistoryValue *v, double time, double value, int count, const double *rate, HistoryDerivative *d) {
  const GradientQuantity *q = v->q;
  double step = v->rows ? time - v->time : 0, last = v->value;
  if (is_sum(q->of)) {
    v->sum += 0.5 * step * (term(q, last) + term(q, value)), v->found += step;
    for (int i = 0; i < count; i++) d[i].sum += 0.5 * step * (slope(q, last) * d[i].last + slope(q, value) * rate[i]);
  } else if (q->of == OF_TIME) {
    double near = 1e-9 * fmax(step, time);
    if (!v->taken && time >= q->number - near) {
      double part = step > 0 && time > q->number ? (time - q->number) / step : 0;
      v->found = value + part * (last - value), v->taken = true;
      for (int i = 0; i < count; i++) d[i].found = rate[i] + part * (d[i].last - rate[i]);
    }
  } else if (q->of == OF_END || !v->taken) {
    v->found = v->low = v->high = value, v->taken = true, v->first = time, v->also = NAN;
    for (int i = 0; i < count; i++) d[i].found = rate[i];
  } else take_extreme(v, time, value, count, rate, d);
  for (int i = 0; i < count; i++) d[i].last = rate[i];
  v->time = time, v->value = value, v->rows++;
}

double history_value(const HistoryValue *v) {
  if (!is_sum(v->q->of)) return v->taken ? v->found : NAN;
  double mean = v->found > 0 ? v->sum / v->found : v->value;
  return v->q->of == OF_MEAN ? mean : v->q->of == OF_RMS ? sqrt(mean) : pow(mean, 1 / v->q->number);
}

double history_derivative(const HistoryValue *v, const HistoryDerivative *d) {
  if (!is_sum(v->q->of)) return d->found;
  double mean = v->sum / v->found, rate = d->sum / v->found;
  if (v->q->of == OF_MEAN) return rate;
  if (mean == 0) return rate == 0 ? 0 : NAN;
  double power = v->q->of == OF_RMS ? 2 : v->q->number;
  return history_value(v) * rate / (power * mean);
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
