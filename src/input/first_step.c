// SPDX-License-Identifier: Apache-2.0
// The first step is only the coarsest of a family: runs with shorter steps follow until the error is small enough. It
// must be short enough not to miss an excitation altogether. Elastic vibrations are left to the family.
#include "input/first_step.h"

#include "input/excitation.h"
#include "input/lint/lint.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.283185307179586;
enum { STEPS_A_PERIOD = 20, LEAST_STEPS = 200, MOST_STEPS = 1000000 };

static double period_of(double rate) { return rate > 0 ? two_pi / rate : INFINITY; }

static bool is_angle(const ModelJoint *j, int coord) { return !strcmp(j->kind->coord_units[coord], "rad"); }

// Of gravity, and of the rotation that a load prescribes.
static double load_period(Model m, const Load *l, double extent, double end) {
  enum { RATES = 1000 };
  double period = INFINITY, rate = 0;
  if (l->target == LOAD_FIELD && extent > 0) period = period_of(sqrt(vec3_norm(l->acceleration) / extent));
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

Error InputFindFirstStep(Input *in) {
  const LimberModel m = in->model;
  Excitation e;
  double extent = nodes_extent(m, 1), period = start_period(m, extent), sample = control_period(&in->network);
  TRY(FindExcitation(in, &e));
  period = fmin(period, e.period);
  for (int i = 0; i < m->loads.count; i++)
    period = fmin(period, load_period(m, &model_load(m, i)->load, extent, in->end));
  double wanted = fmax(STEPS_A_PERIOD * in->end / period, LEAST_STEPS);
  double steps = ceil(fmin(wanted, MOST_STEPS) * (1 - 1e-9));
  in->options.step = in->end / steps, in->wanted_step = wanted > MOST_STEPS ? in->end / wanted : 0;
  if (isfinite(sample) && in->end / sample <= MOST_STEPS) {
    in->options.step = sample / ceil(sample / in->options.step * (1 - 1e-9)); // samples are at ends of steps
    steps = ceil(in->end / in->options.step * (1 - 1e-9)), in->end = steps * in->options.step;
  }
  in->steps = (int64_t)steps;
  return 0;
}
