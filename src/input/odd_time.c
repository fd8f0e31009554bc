// SPDX-License-Identifier: Apache-2.0
// Steps that are too long: amplitudes that change between them, beams that bend faster than they follow.
#include "input/odd.h"

enum { FINER = 8, FINEST = 1000, MOST_VALUES = 100000 }; // values between two steps, and of all functions: some ms

typedef struct {
  double largest, coarse, fine; // the last two: way up and down as seen at the steps, and `finer` times as often
} Course;

static Course course_of(Model m, LimberId amplitude, double h, int64_t steps, int finer) {
  Course c = {fabs(model_amplitude(m, amplitude, 0)), 0, 0};
  double before = model_amplitude(m, amplitude, 0), start = before;
  for (int64_t k = 0; k < steps; k++) {
    for (int i = 1; i <= finer; i++) {
      double f = model_amplitude(m, amplitude, ((double)k + (double)i / finer) * h);
      c.fine += fabs(f - before), c.largest = fmax(c.largest, fabs(f));
      before = f;
    }
    c.coarse += fabs(before - start), start = before;
  }
  return c;
}

static Error NoteAmplitudes(Reader *r, const Places *at) {
  const LimberModel m = r->model;
  double h = r->in->options.step;
  int64_t varying = 0; // functions that are asked for at each time
  for (int i = 0; i < m->loads.count; i++) {
    LimberId f = model_load(m, i)->load.amplitude;
    if (!model_amplitude_constant(m, f)) varying += model_function(m, f)->size;
  }
  if (!varying) return 0;
  int64_t most = MOST_VALUES / FINER / varying, steps = r->in->steps < most ? r->in->steps : most;
  int finer = steps > 0 ? (int)fmin(FINEST, (double)MOST_VALUES / (double)(steps * varying)) : 0;
  for (int i = 0; i < m->loads.count && steps > 0; i++) {
    const ModelLoad *l = model_load(m, i);
    if (model_amplitude_constant(m, l->load.amplitude)) continue;
    Course c = course_of(m, l->load.amplitude, h, steps, finer);
    if (c.fine > 2 * c.coarse && c.fine > 1e-6 * c.largest)
      TRY(Odd(r, at->load[i], "steps of %g s are too long for the amplitude of '%s', which changes between them", h,
              l->name));
  }
  return 0;
}

// The first period of bending of all beams in one line, clamped at one end, of the softest section: 2 pi L^2/(3.516
// sqrt(EI/m)), longer than any that they have without bodies on them. 0: there are no beams; `first`: an item that is one.
static double slowest_period(Model m, int *first) {
  double length = 0, speed = INFINITY; // sqrt(EI/m)
  *first = -1;
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *q = model_element(m, e);
    const LimberId *id = model_element_nodes(m, q);
    ElementPoint p;
    Inertia i;
    double l = 0, mass = 0;
    if (!q->kind->axes || !q->kind->station) continue;
    element_point(q->kind, q->data, 0, &p);
    for (int k = 0; k < q->nnode; k++) {
      q->kind->inertia(q->data, k, &i);
      mass += i.m;
      if (k) l += vec3_norm(vec3_sub(model_node(m, id[k])->x[0], model_node(m, id[k - 1])->x[0]));
    }
    if (p.law || p.rows.nrow != 6 || !(mass > 0)) continue;
    length += l, speed = fmin(speed, sqrt(fmin(p.stiffness[28], p.stiffness[35]) * l / mass));
    if (*first < 0) *first = q->item;
  }
  return *first < 0 ? 0 : 2 * 3.141592653589793 * length * length / (3.516 * speed);
}

static Error NoteBending(Reader *r, const Places *at) {
  int item;
  double h = r->in->options.step, period = slowest_period(r->model, &item);
  if (item >= 0 && h > 5 * period)
    TRY(Odd(
        r, at->item[item],
        "steps of %g s are long against the bending of beams, whose slowest period is about %.2g s: decaying schemes "
        "damp it out, preserving ones carry it on as noise",
        h, period));
  return 0;
}

Error NoteOddTimes(Reader *r, const Places *at) {
  if (r->in->options.control.on) return 0;
  TRY(NoteAmplitudes(r, at));
  TRY(NoteBending(r, at));
  return 0;
}
