// SPDX-License-Identifier: Apache-2.0
// Control blocks: what every line of blocks.def promises, and each kind against a closed form.
#include "check.h"
#include "mechanics/block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const BlockKind *kind;
  BlockUse use;
  double *state, *work, last[BLOCK_INPUTS], out[BLOCK_OUTPUTS];
} Running;

static void begin(Running *r, const BlockKind *k, const BlockUse *use) {
  *r = (Running){.kind = k, .use = *use};
  r->state = calloc((size_t)block_states(k, use) + 1, sizeof *r->state);
  r->work = calloc((size_t)block_work(k, use) + 1, sizeof *r->work);
  r->use.work = r->work;
  if (k->start) k->start(&r->use, r->state);
}

static void end(Running *r) { free(r->state), free(r->work); }

static void step(Running *r, double time, double dt, const double *in) {
  BlockStep s = {time, dt, in, r->last, false};
  r->kind->step(&r->use, &s, r->state, r->out);
  memcpy(r->last, in, (size_t)r->use.inputs * sizeof *in);
}

static const BlockKind *kind_of(const char *name) {
  for (int i = 0; block_kinds[i]; i++)
    if (!strcmp(block_kinds[i]->name, name)) return block_kinds[i];
  abort();
}

static void fill(double *u, int n, double t) {
  for (int i = 0; i < n; i++) u[i] = sin(3 * t + i) + 0.3 * cos(7 * t);
}

// ---- the contract ----

TEST(every_block_is_whole) {
  for (int i = 0; block_kinds[i]; i++) {
    const BlockKind *k = block_kinds[i];
    CHECK(k->example && k->step && k->help);
    CHECK(field_find(&k->fields, "period"));
    if (k->check) CHECK_STR(k->check(k->example).text, NULL);
    for (int f = 0; k->input[f]; f++) CHECK(field_find(&k->fields, k->input[f])->type == FIELD_ANY);
    for (int f = 0; k->matrix[f]; f++) CHECK(field_find(&k->fields, k->matrix[f])->type == FIELD_ANY);
    CHECK(block_outputs(k, k->example) >= 1 && block_outputs(k, k->example) <= BLOCK_OUTPUTS);
    CHECK(k->example->inputs >= 1 && k->example->inputs <= BLOCK_INPUTS);
  }
}

// A copy of the state goes on to the same bits: it is all that a block remembers.
TEST(every_block_goes_on_from_its_state) {
  for (int i = 0; block_kinds[i]; i++) {
    const BlockKind *k = block_kinds[i];
    Running a, b;
    double u[BLOCK_INPUTS];
    begin(&a, k, k->example), begin(&b, k, k->example);
    for (int n = 0; n < 20; n++) fill(u, a.use.inputs, 0.05 * n), step(&a, 0.05 * n, n ? 0.05 : 0, u);
    memcpy(b.state, a.state, (size_t)block_states(k, &a.use) * sizeof *a.state);
    memcpy(b.last, a.last, sizeof a.last);
    for (int n = 20; n < 40; n++) {
      fill(u, a.use.inputs, 0.05 * n);
      step(&a, 0.05 * n, 0.05, u), step(&b, 0.05 * n, 0.05, u);
      CHECK(!memcmp(a.out, b.out, sizeof a.out));
    }
    end(&a), end(&b);
  }
}

// A block without direct feed-through does not look at the input of the same instant when it is held; one that has it does.
TEST(every_block_tells_its_feed_through) {
  for (int i = 0; block_kinds[i]; i++) {
    const BlockKind *k = block_kinds[i];
    Running r;
    double u[BLOCK_INPUTS];
    if (block_direct(k, k->example)) continue;
    begin(&r, k, k->example);
    fill(u, r.use.inputs, 0), step(&r, 0, 0, u);
    BlockStep held = {0.1, 0.1, NULL, r.last, true};
    k->step(&r.use, &held, r.state, r.out);
    for (int o = 0; o < block_outputs(k, &r.use); o++) CHECK(isfinite(r.out[o]));
    end(&r);
  }
  CHECK(!block_direct(kind_of("delay"), kind_of("delay")->example));
  CHECK(!block_direct(kind_of("transfer_function"), kind_of("transfer_function")->example));
  CHECK(block_direct(kind_of("state_space"), kind_of("state_space")->example));
  CHECK(block_direct(kind_of("pid"), kind_of("pid")->example));
}

TEST(the_first_evaluation_moves_no_state) {
  for (int i = 0; block_kinds[i]; i++) {
    const BlockKind *k = block_kinds[i];
    Running r;
    double u[BLOCK_INPUTS], first[BLOCK_OUTPUTS];
    begin(&r, k, k->example);
    fill(u, r.use.inputs, 0.4), step(&r, 0, 0, u);
    memcpy(first, r.out, sizeof first);
    step(&r, 0, 0, u);
    CHECK(!memcmp(first, r.out, sizeof first));
    end(&r);
  }
}

// ---- linear systems ----

// (s + 3) / (s^2 + 2 s + 5), the example: its step response is 3/5 - e^-t (3/5 cos 2t - 1/5 sin 2t).
TEST(a_step_response_is_the_closed_form_at_any_step) {
  const BlockKind *k = kind_of("transfer_function");
  const double steps[] = {1e-3, 0.05, 0.7};
  for (int i = 0; i < 3; i++) {
    Running r;
    double one = 1, worst = 0;
    begin(&r, k, k->example);
    for (int n = 0; n * steps[i] < 6; n++) {
      double t = n * steps[i];
      step(&r, t, n ? steps[i] : 0, &one);
      worst = fmax(worst, fabs(r.out[0] - (0.6 - exp(-t) * (0.6 * cos(2 * t) - 0.2 * sin(2 * t)))));
    }
    CHECK_NOTE("steps of %g s: %.1e", steps[i], worst);
    CHECK_LE(worst, 1e-13); // round-off of 6000 steps: 1e-14
    end(&r);
  }
}

// To a ramp u = t: (3 t + 1) / 5 - 6/25 + decaying terms; exact, for the input is a straight line between samples.
TEST(a_ramp_is_followed_exactly) {
  const BlockKind *k = kind_of("transfer_function");
  Running r;
  double t = 0;
  begin(&r, k, k->example);
  for (int n = 0; n <= 100; n++) t = 0.5 * n, step(&r, t, n ? 0.5 : 0, &t);
  CHECK_NEAR(r.out[0], (3 * t + 1) / 5 - 6.0 / 25, 1e-12);
  end(&r);
}

TEST(state_space_and_transfer_function_agree) {
  static const double a[] = {-2, -5, 1, 0}, b[] = {1, 0}, c[] = {1, 3};
  static const BlockMatrix ma = {2, 2, a}, mb = {2, 1, b}, mc = {1, 2, c};
  const struct {
    BlockCommon common;
    const void *inputs;
    const BlockMatrix *a, *b, *c, *d, *start;
  } params = {{0}, NULL, &ma, &mb, &mc, NULL, NULL};
  const BlockUse use = {.params = &params, .inputs = 1, .given = {1}};
  Running s, f;
  double worst = 0;
  begin(&s, kind_of("state_space"), &use),
      begin(&f, kind_of("transfer_function"), kind_of("transfer_function")->example);
  for (int n = 0; n < 500; n++) {
    double u;
    fill(&u, 1, 0.02 * n);
    step(&s, 0.02 * n, n ? 0.02 : 0, &u), step(&f, 0.02 * n, n ? 0.02 : 0, &u);
    worst = fmax(worst, fabs(s.out[0] - f.out[0]));
  }
  CHECK_LE(worst, 1e-13);
  end(&s), end(&f);
}

// The notch of the example, 1.5 Hz: a sine of its frequency does not pass, once it has settled.
TEST(a_notch_stops_its_frequency) {
  const BlockKind *k = kind_of("filter");
  Running r;
  double late = 0;
  begin(&r, k, k->example);
  for (int n = 0; n <= 20000; n++) {
    double t = 1e-3 * n, u = sin(2 * M_PI * 1.5 * t);
    step(&r, t, n ? 1e-3 : 0, &u);
    if (t > 10) late = fmax(late, fabs(r.out[0]));
  }
  CHECK_LE(late, 1e-5); // 7e-6, of the straight lines between samples: (w h)^2 / 12
  end(&r);
}

// ---- the PID ----

typedef struct {
  BlockCommon common;
  const void *input, *rate, *feed_forward;
  double kp, ki, kd, filter, tracking, start;
  const double *smallest, *largest;
  const char *anti_windup;
} Pid;

static double integral_after(const char *anti_windup, double *out) {
  const double low = -1, high = 1;
  const Pid p = {{0}, NULL, NULL, NULL, 1, 10, 0, 0, 0, 0, &low, &high, anti_windup};
  const BlockUse use = {.params = &p, .inputs = 1, .given = {1}};
  Running r;
  double e = 2;
  begin(&r, kind_of("pid"), &use);
  for (int n = 0; n <= 100; n++) step(&r, 0.01 * n, n ? 0.01 : 0, &e);
  double integral = r.state[0];
  *out = r.out[0];
  end(&r);
  return integral;
}

TEST(the_integral_stops_at_a_limit) {
  double out;
  CHECK_NEAR(integral_after("none", &out), 20, 1e-12); // winds up: 10 * 2 * 1 s
  CHECK_NEAR(out, 1, 0);
  CHECK_NEAR(integral_after("clamping", &out), 0, 0); // the output is at its limit from the start
  CHECK_NEAR(out, 1, 0);
  double back = integral_after("back_calculation", &out); // rests at u = limit + ki e tracking, tracking = kp / ki
  CHECK_NOTE("integral by back-calculation %.4f", back);
  CHECK_LE(fabs(back), 1.2);
  CHECK_NEAR(out, 1, 0);
}

// kd s / (1 + T s) to a ramp of slope 1: kd (1 - exp(-t / T)).
TEST(the_filter_of_the_derivative_is_exact_for_ramps) {
  const Pid p = {{0}, NULL, NULL, NULL, 0, 0, 0.5, 0.1, 0, 0, NULL, NULL, NULL};
  const BlockUse use = {.params = &p, .inputs = 1, .given = {1}};
  Running r;
  begin(&r, kind_of("pid"), &use);
  for (int n = 0; n <= 10; n++) {
    double t = 0.03 * n;
    step(&r, t, n ? 0.03 : 0, &t);
    CHECK_NEAR(r.out[0], 0.5 * (1 - exp(-t / 0.1)), 1e-14);
  }
  end(&r);
}

// ---- the others ----

TEST(a_table_is_straight_between_its_entries) {
  const double at[][2] = {{-2, 3}, {-1, 3}, {-0.5, 2}, {0, 1}, {1, 3}, {2, 5}, {7, 5}};
  Running r;
  begin(&r, kind_of("lookup"), kind_of("lookup")->example);
  for (int i = 0; i < 7; i++) step(&r, 0, 0, &at[i][0]), CHECK_NEAR(r.out[0], at[i][1], 1e-15);
  end(&r);
}

TEST(a_delay_is_of_whole_samples) {
  Running r;
  begin(&r, kind_of("delay"), kind_of("delay")->example); // 3 samples, 0.5 before
  for (int n = 0; n < 10; n++) {
    double u = n;
    step(&r, n, n ? 1 : 0, &u);
    CHECK_NEAR(r.out[0], n < 3 ? 0.5 : n - 3, 0);
  }
  end(&r);
}

TEST(a_rate_is_limited_both_ways) {
  const double u[] = {0, 10, 10, -10, -10}, y[] = {0, 0.2, 0.4, 0.1, -0.2}; // 2 up, 3 down, steps of 0.1 s
  Running r;
  begin(&r, kind_of("rate_limit"), kind_of("rate_limit")->example);
  for (int n = 0; n < 5; n++) step(&r, 0.1 * n, n ? 0.1 : 0, &u[n]), CHECK_NEAR(r.out[0], y[n], 1e-15);
  end(&r);
}

CHECK_MAIN
