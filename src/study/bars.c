// SPDX-License-Identifier: Apache-2.0
#include "study/bars.h"

#include "input/excitation.h"
#include "post/converge/converge.h"
#include "schemes/scheme.h"

#include <math.h>
#include <string.h>

static const double usual_accuracy = 0.01; // of runs whose step is given: histories that differ by more part
static const double most_times = 4096, most_values = 1e6; // at which histories are compared; of all channels

typedef struct {
  double time[3], value[3]; // the last samples, the latest last
  int samples;              // so far
  int next;                 // time at which a value is kept
  double *at[BAR_RUNS];     // the values at these times
  double low[BAR_RUNS], high[BAR_RUNS];
  double beyond[BAR_RUNS][2]; // how far the smallest and the largest value may be beyond the samples
  double in_step[BAR_RUNS];   // largest change in a step
  bool counts;                // for the relative error
} Trace;

struct StudyBars {
  const Plan *plan;
  Trace *trace; // of each channel
  int place, times, room;
  double apart;                                               // s between these times
  double order, end, accuracy, hold, longest, step[BAR_RUNS]; // longest: a longer step misses a load
  bool jumps, impacts;                                        // of the motion
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
Error StudyBarsBegin(StudyBars *b, const Input *in, double longest) {
  double most = fmax(2, fmin(most_times, most_values / (b->plan->channels + 1))), end = in->end;
  Excitation e;
  TRY(FindExcitation(in, &e));
  b->order = scheme_order(&in->options), b->end = end, b->times = 0;
  b->accuracy = in->accuracy > 0 ? in->accuracy : usual_accuracy;
  b->longest = excitation_longest_step(&e) / 2, b->jumps = input_motion_jumps(in, &e);
  b->impacts = input_motion_impacts(in), b->hold = e.hold;
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
    k->next = k->samples = 0, k->low[place] = INFINITY, k->high[place] = -INFINITY;
    k->beyond[place][0] = k->beyond[place][1] = k->in_step[place] = 0;
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
  if (b->impacts) k->in_step[b->place] = fmax(k->in_step[b->place], 2 * fabs(value - k->value[1])); // fmax ignores NaN
  if (value < *low) *low = value, beyond[0] = 0;
  if (value > *high) *high = value, beyond[1] = 0;
  for (int i = k->samples == 2 ? 0 : 1; i < 3; i++) { // nothing comes before the first
    if (k->value[i] == *low) beyond[0] = fmax(beyond[0], converge_beyond(k->time, k->value, i));
    if (k->value[i] == *high) beyond[1] = fmax(beyond[1], converge_beyond(k->time, k->value, i));
  }
  k->samples++;
}

// ---- bars ----

// Largest difference between two runs.
static double difference(const StudyBars *b, const Trace *k, int one, int other) {
  double most = 0;
  for (int i = 0; i < b->times; i++) most = fmax(most, fabs(k->at[other][i] - k->at[one][i])); // fmax ignores NaN
  return most;
}

// The time of an impact, or of a load's jump, is known to a step, as in post/converge.
static double widen(const StudyBars *b, const Trace *k, int finest, double scale, double error) {
  double least = fmax(k->in_step[finest], isfinite(b->hold) ? b->step[finest] / b->hold * scale : 0);
  return error < least ? least : error;
}

static double bar_of(const StudyBars *b, const Trace *k, int finest, const char *name, SummaryUnit unit,
                     const ConvergeHistory *history, double scale, const double q[BAR_RUNS]) {
  const ConvergeOrders o = {{b->order, 2}, 2, false, b->jumps}; // integrals between steps have order 2
  const ConvergeOrders own = {{b->order}, 1, false, b->jumps};
  double d[] = {fabs(q[1] - q[0]), fabs(q[2] - q[1]), NAN};
  bool monotone = (q[2] - q[1]) * (q[1] - q[0]) >= 0;
  if (!isfinite(d[0]) || !isfinite(d[1])) return NAN;
  if (unit == SUMMARY_UNIT_NONE) return d[0] + d[1] > 0 ? NAN : 0; // crossings, a whole number
  if (unit == SUMMARY_UNIT_TIME) {
    double error = converge_bar(d, monotone, &own, b->end).error;
    return b->step[finest] + (isfinite(error) ? error : isfinite(history->bar.error) ? 3 * fmax(d[0], d[1]) : NAN);
  }
  double error = converge_value_bar(d, monotone, &o, scale, history).error;
  error = widen(b, k, finest, scale, error);
  bool cycles = !strncmp(name, "del ", 4); // of ranges between extremes
  if (cycles || !strcmp(name, "min")) error += k->beyond[finest][0];
  if (cycles || !strcmp(name, "max")) error += k->beyond[finest][1];
  return error;
}

static void add_relative(double error, double scale, double *worst) {
  double relative = error == 0 ? 0 : scale > 0 ? error / scale : INFINITY;
  *worst = fmax(*worst, isnan(relative) ? INFINITY : relative);
}

double study_bars_find(const StudyBars *b, const int place[BAR_RUNS], const double *const q[BAR_RUNS], double *error) {
  int at = 0, finest = place[0];
  double worst = b->longest > 0 && b->step[finest] > b->longest * (1 + 1e-9) ? INFINITY : 0;
  const ConvergeOrders own = {{b->order}, 1, false, b->jumps};
  for (int c = 0; c < b->plan->channels; c++) {
    const Trace *k = &b->trace[c];
    const SummaryOptions *o = &b->plan->channel[c].summary;
    double range = k->high[finest] - k->low[finest], size = fmax(fabs(k->low[finest]), fabs(k->high[finest])),
           scale = range > 1e-9 * size ? range : size;
    double d[] = {difference(b, k, place[0], place[1]), difference(b, k, place[1], place[2]), NAN};
    ConvergeHistory history = {converge_bar(d, true, &own, scale), d[0] > b->accuracy * scale};
    history.bar.error = widen(b, k, finest, scale, history.bar.error);
    if (k->counts) add_relative(history.bar.error, scale, &worst);
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
