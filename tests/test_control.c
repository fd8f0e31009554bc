// SPDX-License-Identifier: Apache-2.0
// Steps whose length is chosen: the ladder alone, and the swing of examples/swing through event X.
#include "check_petsc.h"

#include "../examples/swing/swing.h"
#include "analyses/stepping/stepper.h"

#include <string.h>

// ---- the ladder ----

typedef struct {
  int steps, changes; // changes of the rung after the first hundred steps
  double t, spent, worst, shortest, longest;
} Walk;

// Steps that lose `rate` h^order, with round-off `noise`, until t = 1.
static Walk walk(const LimberControl *limits, double rate, double order, double noise) {
  Control c;
  Walk w = {.shortest = 1};
  double end;
  control_begin(&c, limits, 1e-3, 3);
  while (w.t < 1 && w.steps < 100000) {
    double h = control_length(&c, w.t, &end), lost = rate * pow(h, order) * (1 + noise * (w.steps % 3 - 1));
    int rung = c.rung;
    bool first = true;
    while (lost > control_allows(&c, w.t, h) && control_reject(&c, w.t, h, lost)) {
      first = false;
      h = control_length(&c, w.t, &end), lost = rate * pow(h, order);
    }
    control_accept(&c, w.t, h, lost, 3, first);
    w.t = end, w.spent += lost, w.steps++, w.changes += w.steps > 100 && c.rung != rung;
    w.worst = fmax(w.worst, w.spent / (limits->loss * w.t));
    if (w.t < 0.99) w.shortest = fmin(w.shortest, h); // the last ones meet the end
    w.longest = fmax(w.longest, h);
  }
  return w;
}

TEST(steps_settle_on_one_rung_whatever_the_order_of_the_loss) {
  const LimberControl limits = {.on = 1, .loss = 1, .smallest = 1e-7, .largest = 0.1, .end = 1};
  for (int order = 2; order <= 4; order++) {
    double rate = pow(0.5e-3, 1 - order); // 0.5 ms lose what is tolerated
    Walk w = walk(&limits, rate, order, 0), v = walk(&limits, rate, order, 1e-9);
    CHECK_NOTE("order %d: %d steps, spent %.2f, %d changes", order, w.steps, w.spent, w.changes);
    CHECK_LE(w.worst, 1);
    CHECK_LE(0.5, w.spent);  // and most of what is tolerated is used: 0.66, 0.66, 0.72 measured
    CHECK_LE(w.changes, 20); // 16, 7, 5 measured: while savings grow
    CHECK_INT(v.steps, w.steps);
    CHECK(w.t == 1);
  }
}

TEST(steps_stay_between_the_smallest_and_the_largest) {
  const LimberControl limits = {.on = 1, .loss = 1, .smallest = 0.7e-3, .largest = 3e-3, .end = 1};
  Walk idle = walk(&limits, 1e-9, 3, 0), hard = walk(&limits, 0.9e-3 / pow(0.7e-3, 3), 3, 0);
  CHECK_NEAR(idle.longest, 3e-3, 1e-15);
  CHECK_NEAR(hard.shortest, 0.7e-3, 1e-15);
}

TEST(limits_that_exclude_the_first_step_are_refused) {
  CHECK(!control_error(&(LimberControl){.on = 1}, 1e-3));
  CHECK(control_error(&(LimberControl){.on = 1, .smallest = 2e-3}, 1e-3) != NULL);
  CHECK(control_error(&(LimberControl){.on = 1, .largest = 0.5e-3}, 1e-3) != NULL);
  CHECK(control_error(&(LimberControl){.on = 1, .loss = -1}, 1e-3) != NULL);
}

// ---- the swing ----

static const double tolerated = 3.7e-3;

static SwingCase controlled(const char *scheme, double end) {
  SwingCase c = swing_case(scheme, 0.5, 2000, 4);
  c.control = (LimberControl){.on = 1, .loss = tolerated, .largest = 2e-3, .end = end};
  return c;
}

TEST(a_controlled_run_never_loses_more_than_is_tolerated) {
  const char *const schemes[] = {"decaying", "decaying_a", "decaying_c", "generalized_alpha"};
  for (int k = 0; k < 4; k += CHECK_EVERY(3)) {
    SwingCase c = controlled(schemes[k], 1);
    Swing w;
    LimberOutcome o = {0};
    LimberLedger l;
    double spent = 0, before = 0, worst = 0, peak = 0, force[6];
    int steps = 0, rejected = 0;
    CHECK_OK(SwingCreate(&c, &w));
    while (o.time < 1 && o.reason == LIMBER_CONVERGED) {
      CHECK_OK(LimberRunStep(w.run, &o));
      CHECK_OK(LimberRunGetLedger(w.run, &l));
      LimberSectionForces section_state;
      CHECK_OK(LimberRunGetForces(w.run, w.beam, w.gauss, &section_state));
      memcpy(force, section_state.force, sizeof force);
      spent += fabs(l.dissipated - before), before = l.dissipated;
      worst = fmax(worst, spent / (tolerated * o.time)), peak = fmax(peak, force[0]);
      steps++, rejected += o.rejected;
    }
    CHECK_NOTE("%s: %d steps, %d tries rejected, lost %.3f of what is tolerated, peak %.2f N", schemes[k], steps,
               rejected, spent / tolerated, peak);
    CHECK(o.time == 1);
    CHECK_INT(o.reason, LIMBER_CONVERGED);
    CHECK_LE(worst, 1);
    CHECK_LE(steps, 1500); // 1206, 1074, 1096, 1282 measured
    CHECK_LE(k == 0 ? 110 : 112,
             peak); // 111.2, 116.1, 113.1, 118.7 measured; 113.4, 113.4, 112.3 of the last three with 2000 equal steps
    CHECK_OK(SwingDestroy(&w));
  }
}

static bool same_state(const Stepper *a, const Stepper *b) {
  const System *s = a->s, *r = b->s;
  size_t n = 4 * (size_t)s->motion.layout.nnode * sizeof(Vec3);
  return !memcmp(s->motion.state.x, r->motion.state.x, n) && !memcmp(s->motion.state.v, r->motion.state.v, n) &&
         (!s->motion.state.a || !memcmp(s->motion.state.a, r->motion.state.a, n)) &&
         (!s->motion.state.w || !memcmp(s->motion.state.w, r->motion.state.w, n)) &&
         !memcmp(&a->ledger, &b->ledger, sizeof a->ledger) && !memcmp(a->load_work, b->load_work, sizeof(double)) &&
         !memcmp(s->motion.state.multiplier, r->motion.state.multiplier,
                 (size_t)s->motion.layout.njoint * sizeof *s->motion.state.multiplier);
}

// A second run takes the steps that the first one chose, and nothing else.
TEST(a_rejected_step_leaves_the_same_bits_as_if_never_tried) {
  const char *const schemes[] = {"decaying", "decaying_a", "generalized_alpha"};
  for (int k = 0; k < 3; k += CHECK_EVERY(2)) {
    SwingCase c = controlled(schemes[k], 0.66), plain = swing_case(schemes[k], 0.5, 2000, 4);
    Swing w, v;
    LimberOutcome o = {0};
    int rejected = 0, differ = 0;
    CHECK_OK(SwingCreate(&c, &w));
    CHECK_OK(SwingCreate(&plain, &v));
    Stepper *p = v.run->stepper;
    while (o.time < 0.66 && o.reason == LIMBER_CONVERGED) {
      NewtonOutcome n;
      int iterations = 0;
      CHECK_OK(LimberRunStep(w.run, &o));
      CHECK_OK(p->kind->advance(p, o.step, &iterations, &n));
      CHECK_OK(StepperAccept(p, o.step));
      p->s->motion.state.time = o.time;
      rejected += o.rejected, differ += !same_state(w.run->stepper, p);
    }
    CHECK_NOTE("%s: %d tries rejected", schemes[k], rejected);
    CHECK_LE(3, rejected); // 4 and 12 measured
    CHECK_INT(differ, 0);
    CHECK_OK(SwingDestroy(&v));
    CHECK_OK(SwingDestroy(&w));
  }
}

TEST(steps_end_exactly_at_the_times_to_be_met) {
  SwingCase c = controlled("decaying_a", 0.1003);
  Swing w;
  LimberOutcome o = {0};
  int first = 1, second = 1, steps = 0;
  c.control.meet[0] = 3e-3, c.control.meet[1] = 0.7e-2;
  CHECK_OK(SwingCreate(&c, &w));
  for (; o.time < 0.1003 && steps < 1000; steps++) {
    CHECK_OK(LimberRunStep(w.run, &o));
    first += o.time == first * 3e-3, second += o.time == second * 0.7e-2;
    CHECK_LE(1e-5, o.step); // no crumbs
  }
  CHECK(o.time == 0.1003);
  CHECK_INT(first, 34);
  CHECK_LE(13, second); // of 14, each third time of the one may stand for one of the other but for round-off
  CHECK_OK(SwingDestroy(&w));
}

TEST(the_shortest_step_that_loses_too_much_ends_the_run_by_name) {
  SwingCase c = controlled("decaying_a", 1);
  Swing w;
  LimberOutcome o = {0};
  LimberLedger l;
  double before = 0;
  c.control.loss = 2e-4, c.control.smallest = 4e-4;
  CHECK_OK(SwingCreate(&c, &w));
  while (o.time < 1 && o.reason == LIMBER_CONVERGED) {
    before = o.time;
    CHECK_OK(LimberRunStep(w.run, &o));
  }
  CHECK_OK(LimberRunGetLedger(w.run, &l));
  CHECK_NOTE("t = %.4f s, %s", o.time, o.cause.name);
  CHECK_INT(o.reason, LIMBER_LOSS);
  CHECK_NEAR(o.time, 0.642, 3e-3);
  CHECK(o.time == before);
  CHECK_LE(l.dissipated, 2e-4 * o.time);
  CHECK(!strcmp(o.cause.name, "beam 'beam'"));
  CHECK_OK(SwingDestroy(&w));
}

TEST(newton_alone_shortens_steps_where_they_are_hard) {
  SwingCase c = swing_case("preserving", 0, 500, 4);
  Swing w;
  LimberOutcome o = {0};
  double calm = 0, event = 1;
  c.control = (LimberControl){.on = 1, .end = 0.7};
  CHECK_OK(SwingCreate(&c, &w));
  while (o.time < 0.7 && o.reason == LIMBER_CONVERGED) {
    CHECK_OK(LimberRunStep(w.run, &o));
    if (o.time < 0.6) calm = fmax(calm, o.step);
    else event = fmin(event, o.step);
  }
  CHECK_NOTE("%.2g s before, %.2g s at the event", calm, event);
  CHECK_INT(o.reason, LIMBER_CONVERGED);
  CHECK_LE(4 * event, calm);
  CHECK_OK(SwingDestroy(&w));
}

CHECK_MAIN_PETSC
