// SPDX-License-Identifier: Apache-2.0
// The first step is only the coarsest of a family: runs with shorter steps follow until the error is small enough. It
// must be short enough not to miss an excitation altogether. Elastic vibrations are left to the family.
#include "input/first_step.h"

#include "input/lint/lint.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.283185307179586;
enum { TIMES = 4096, PART_TIMES = 512, PARTS = 8, LEVELS = 3, SHORTER = 16 }; // samples; parts of 1/16, 1/256, 1/4096
enum { STEPS_A_PERIOD = 20, LEAST_STEPS = 200, MOST_STEPS = 1000000 };

static double period_of(double rate) { return rate > 0 ? two_pi / rate : INFINITY; }

// An extreme of a sampled function: the first and the last sample with this value.
typedef struct {
  double value;
  int first, last;
} Extreme;

static void extreme_extend(Extreme *e, double y, int i, int sign) {
  if (sign * (y - e->value) > 0) *e = (Extreme){y, i, i};
  else if (y == e->value) e->last = i;
}

// A part of the run, and its samples.
typedef struct {
  double begin, length;
  int samples;
  bool whole; // the run itself
} Window;

// Twice the time from one extreme to the next; four times if the first is the value at the start, which need not be one.
// Jumps, over in two samples, are left out: no step resolves a jump.
static double swing_period(const Extreme *from, const Extreme *to, const Window *w) {
  int samples = to->first - from->last;
  if (samples <= 2 || (!from->first && !w->whole)) return INFINITY; // in a part it may have begun before
  return (from->first ? 2.0 : 4.0) * samples * w->length / w->samples;
}

static void window_values(Model m, int amplitude, const Window *w, double *y, double *low, double *high) {
  for (int i = 0; i <= w->samples; i++) {
    y[i] = model_amplitude(m, amplitude, w->begin + w->length * i / w->samples);
    *low = fmin(*low, y[i]), *high = fmax(*high, y[i]);
  }
}

// The shortest period of samples that go up and down by more than `least`.
static double window_period(const Window *w, const double *y, double least) {
  double period = INFINITY;
  Extreme from = {0, 0, 0},
          at[2] = {{y[0], 0, 0}, {y[0], 0, 0}}; // the smallest and the largest value since the last turn
  int sign = 0;                                 // 1: it rises, -1: it falls; 0: it has not moved yet
  for (int i = 1; i <= w->samples; i++) {
    extreme_extend(&at[0], y[i], i, -1), extreme_extend(&at[1], y[i], i, 1);
    for (int up = 0; up < 2; up++) {
      int now = up ? 1 : -1;
      if (sign == now || now * (y[i] - at[!up].value) <= least) continue;
      if (sign) period = fmin(period, swing_period(&from, &at[!up], w));
      from = at[!up], at[up] = (Extreme){y[i], i, i}, sign = now;
    }
  }
  const Extreme *last = &at[sign > 0]; // reached, or still on the way
  if (sign && w->whole && (last->last > last->first || period == INFINITY))
    period = fmin(period, swing_period(&from, last, w));
  return period;
}

// The shortest period of a function that goes up and down by more than 5 % of its range: in the run, and in shorter and
// shorter parts of it, which show what is too fast for the samples of the run.
static double amplitude_period(Model m, int amplitude, double end) {
  double y[TIMES + 1], low = INFINITY, high = -INFINITY;
  Window w = {0, end, TIMES, true};
  window_values(m, amplitude, &w, y, &low, &high);
  if (!(high - low > 1e-9 * fmax(fabs(low), fabs(high)))) return INFINITY;
  double period = window_period(&w, y, 0.05 * (high - low));
  w.samples = PART_TIMES, w.whole = false;
  for (int level = 0; level < LEVELS; level++) {
    w.length /= SHORTER;
    for (int k = 0; k < PARTS; k++) {
      w.begin = (end - w.length) * k / (PARTS - 1);
      window_values(m, amplitude, &w, y, &low, &high);
      period = fmin(period, window_period(&w, y, 0.05 * (high - low)));
    }
  }
  return period;
}

static bool is_angle(const ModelJoint *j, int coord) { return !strcmp(j->kind->coord_units[coord], "rad"); }

// `before`: the amplitude of the load before this one.
static double load_period(Model m, const Load *l, int before, double extent, double end) {
  enum { RATES = 1000 };
  double period = INFINITY, rate = 0;
  if (l->target == LOAD_FIELD && extent > 0) period = period_of(sqrt(vec3_norm(l->acceleration) / extent));
  if (!l->wave && l->amplitude != before && !model_amplitude_constant(m, l->amplitude))
    period = fmin(period, amplitude_period(m, l->amplitude, end));
  if (!load_prescribes(l) || !is_angle(model_joint(m, l->id), l->coord)) return period;
  for (int i = 0; i <= RATES; i++) rate = fmax(rate, fabs(model_drive_rate(m, l, end * i / RATES)));
  return fmin(period, period_of(rate));
}

// The fastest rotation at the start, and the fastest way across the model.
static double start_period(Model m, double extent) {
  double rate = 0;
  for (int i = 1; i < m->nodes.count; i++) {
    Vec3 v, w;
    model_velocity(m, i, &v, &w);
    rate = fmax(rate, vec3_norm(w));
    if (extent > 0) rate = fmax(rate, vec3_norm(v) / extent);
  }
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    for (int c = 0; c < q->joint.ncoord; c++)
      if (q->joint.law[c].initial_rate && is_angle(q, c)) rate = fmax(rate, fabs(*q->joint.law[c].initial_rate));
  }
  return period_of(rate);
}

// The shortest period of sampled control blocks. Samples come at the ends of steps.
static double control_period(const Network *n) {
  double period = INFINITY;
  for (int b = 0; b < n->blocks; b++)
    if (n->block[b].period > 0) period = fmin(period, n->block[b].period);
  return period;
}

void input_find_first_step(Input *in) {
  const LimberModel m = in->model;
  double extent = nodes_extent(m, 1), period = start_period(m, extent), sample = control_period(&in->network);
  for (int i = 0, before = -1; i < m->loads.count; before = model_load(m, i++)->load.amplitude)
    period = fmin(period, load_period(m, &model_load(m, i)->load, before, extent, in->end));
  double steps = ceil(fmin(fmax(STEPS_A_PERIOD * in->end / period, LEAST_STEPS), MOST_STEPS) * (1 - 1e-9));
  in->options.step = in->end / steps;
  if (isfinite(sample) && in->end / sample <= MOST_STEPS) {
    in->options.step = sample / ceil(sample / in->options.step * (1 - 1e-9)); // samples are at ends of steps
    steps = ceil(in->end / in->options.step * (1 - 1e-9)), in->end = steps * in->options.step;
  }
  in->steps = (int64_t)steps;
}
