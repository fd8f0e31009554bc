// SPDX-License-Identifier: Apache-2.0
#include "study/bars.h"

#include "post/converge/converge.h"
#include "schemes/scheme.h"

#include <math.h>
#include <string.h>

static const double most_times = 4096, most_values = 1e6; // at which histories are compared; of all channels

typedef struct {
  double time[3], value[3]; // the last samples, the latest last
  int next;                 // time at which a value is kept
  double *at[BAR_RUNS];     // the values at these times
  double low[BAR_RUNS], high[BAR_RUNS];
  double beyond[BAR_RUNS][2]; // how far the smallest and the largest value may be beyond the samples
  bool counts;                // for the relative error
} Trace;

struct StudyBars {
  const Plan *plan;
  Trace *trace; // of each channel
  int place, times, room;
  double apart; // s between these times
  double order, end, step[BAR_RUNS];
};

// Lengths and angles count, if there are any.
static void choose_counting(StudyBars *b, const StudyLayout *l) {
  bool any = false;
  for (int c = 0, at = l->parameters; c < b->plan->channels; c++) {
    const SummaryOptions *o = &b->plan->channel[c].summary;
    for (int i = 0; i < summary_width(o); i++, at++) {
      char name[60];
      SummaryUnit unit;
      summary_column(o, i, name, sizeof name, &unit);
      bool motion = !strcmp(l->unit[at], "m") || !strcmp(l->unit[at], "rad");
      if (unit == SUMMARY_UNIT_CHANNEL && motion) b->trace[c].counts = any = true;
    }
  }
  for (int c = 0; c < b->plan->channels && !any; c++) b->trace[c].counts = true;
}

Error StudyBarsCreate(const Plan *p, const StudyLayout *l, StudyBars **out) {
  StudyBars *b = NULL;
  TRY(MemoryNew(sizeof *b, &b));
  TRY(MemoryNew((size_t)(p->channels + 1) * sizeof *b->trace, &b->trace));
  b->plan = p;
  choose_counting(b, l);
  *out = b;
  return 0;
}

Error StudyBarsDestroy(StudyBars **b) {
  if (!*b) return 0;
  for (int c = 0; c < (*b)->plan->channels; c++)
    for (int i = 0; i < BAR_RUNS; i++) memory_free(&(*b)->trace[c].at[i]);
  memory_free(&(*b)->trace);
  memory_free(b);
  return 0;
}

// ---- samples ----

double study_bars_longest(double step, double end) {
  double steps = floor(end / step / 4 * (1 + 1e-9));
  return steps >= 1 ? end / steps : 0;
}

// Times that all runs have: those of the longest step, or fewer.
Error StudyBarsBegin(StudyBars *b, const LimberOptions *o, double longest, double end) {
  double most = fmax(2, fmin(most_times, most_values / (b->plan->channels + 1)));
  b->order = scheme_order(o), b->end = end, b->times = 0;
  if (!(longest > 0)) return 0;
  double steps = rint(end / longest), stride = fmax(1, ceil(steps / (most - 1)));
  b->apart = stride * longest, b->times = (int)floor(steps / stride) + 1;
  if (b->times <= b->room) return 0;
  for (int c = 0; c < b->plan->channels; c++)
    for (int i = 0; i < BAR_RUNS; i++) TRY(MemoryResize((size_t)b->times * sizeof(double), &b->trace[c].at[i]));
  b->room = b->times;
  return 0;
}

void study_bars_start(StudyBars *b, int place, double step) {
  b->place = place, b->step[place] = step;
  for (int c = 0; c < b->plan->channels; c++) {
    Trace *k = &b->trace[c];
    for (int i = 0; i < 3; i++) k->time[i] = k->value[i] = NAN;
    for (int i = 0; i < b->times; i++) k->at[place][i] = NAN;
    k->next = 0, k->low[place] = INFINITY, k->high[place] = -INFINITY;
    k->beyond[place][0] = k->beyond[place][1] = 0;
  }
}

// Values at the times since the last sample: straight between two samples.
static void keep_values(const StudyBars *b, Trace *k, double time, double value) {
  double close = 1e-6 * b->step[b->place];
  for (; k->next < b->times && k->next * b->apart <= time + close; k->next++) {
    double at = k->next * b->apart, part = (at - k->time[2]) / (time - k->time[2]);
    k->at[b->place][k->next] = at >= time - close ? value : (1 - part) * k->value[2] + part * value;
  }
}

void study_bars_add(StudyBars *b, int channel, double time, double value) {
  Trace *k = &b->trace[channel];
  double *low = &k->low[b->place], *high = &k->high[b->place], *beyond = k->beyond[b->place];
  keep_values(b, k, time, value);
  for (int i = 0; i < 2; i++) k->time[i] = k->time[i + 1], k->value[i] = k->value[i + 1];
  k->time[2] = time, k->value[2] = value;
  if (k->value[1] == *low || value < *low) beyond[0] = value < *low ? 0 : converge_beyond(k->time, k->value);
  if (k->value[1] == *high || value > *high) beyond[1] = value > *high ? 0 : converge_beyond(k->time, k->value);
  *low = fmin(*low, value), *high = fmax(*high, value);
}

// ---- bars ----

// Largest difference between two runs.
static double difference(const StudyBars *b, const Trace *k, int one, int other) {
  double most = 0;
  for (int i = 0; i < b->times; i++) most = fmax(most, fabs(k->at[other][i] - k->at[one][i])); // fmax ignores NaN
  return most;
}

static double bar_of(const StudyBars *b, const Trace *k, int finest, const char *name, SummaryUnit unit,
                     const ConvergeBar *history, double scale, const double q[BAR_RUNS]) {
  double orders[] = {b->order, 2}; // integrals over straight lines between steps have order 2
  double d[] = {fabs(q[1] - q[0]), fabs(q[2] - q[1]), NAN};
  bool monotone = (q[2] - q[1]) * (q[1] - q[0]) >= 0;
  if (!isfinite(d[0]) || !isfinite(d[1])) return NAN;
  if (unit == SUMMARY_UNIT_NONE) return d[0] + d[1] > 0 ? NAN : 0; // crossings, a whole number
  if (unit == SUMMARY_UNIT_TIME) {
    double error = converge_bar(d, monotone, orders, 1, false, b->end).error;
    return b->step[finest] + (isfinite(error) ? error : isfinite(history->error) ? 3 * fmax(d[0], d[1]) : NAN);
  }
  double error = converge_value_bar(d, monotone, orders, 2, false, scale, history).error;
  bool cycles = !strncmp(name, "del ", 4); // of ranges between extremes
  if (cycles || !strcmp(name, "min")) error += k->beyond[finest][0];
  if (cycles || !strcmp(name, "max")) error += k->beyond[finest][1];
  return error;
}

static void add_relative(double error, double scale, double *worst) {
  double relative = scale > 0 ? error / scale : 0;
  *worst = fmax(*worst, isnan(relative) ? INFINITY : relative);
}

double study_bars_find(const StudyBars *b, const int place[BAR_RUNS], const double *const q[BAR_RUNS], double *error) {
  int at = 0, finest = place[0];
  double worst = 0;
  for (int c = 0; c < b->plan->channels; c++) {
    const Trace *k = &b->trace[c];
    const SummaryOptions *o = &b->plan->channel[c].summary;
    double range = k->high[finest] - k->low[finest], size = fmax(fabs(k->low[finest]), fabs(k->high[finest])),
           scale = range > 1e-9 * size ? range : size;
    double d[] = {difference(b, k, place[0], place[1]), difference(b, k, place[1], place[2]), NAN};
    ConvergeBar history = converge_bar(d, true, &b->order, 1, false, scale);
    if (k->counts) add_relative(history.error, scale, &worst);
    for (int i = 0; i < summary_width(o); i++, at++) {
      char name[60];
      SummaryUnit unit;
      summary_column(o, i, name, sizeof name, &unit);
      error[at] = bar_of(b, k, finest, name, unit, &history, scale, (double[]){q[0][at], q[1][at], q[2][at]});
      if (k->counts && unit == SUMMARY_UNIT_CHANNEL) add_relative(error[at], scale, &worst);
    }
  }
  return worst;
}
