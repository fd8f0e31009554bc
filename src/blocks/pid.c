// SPDX-License-Identifier: Apache-2.0
// u = kp e + I + D + feed-forward, limited. With e in a straight line over dt:
//   I1 = I0 + ki dt (e0 + e1) / 2,
//   D1 = a D0 + kd (1 - a) (e1 - e0) / dt,  a = exp(-dt / filter): kd s / (1 + filter s), exactly;
// or D = kd rate where the rate of e is measured. Against windup at a limit: the integral stops where it would drive u
// further out (clamping), or is led back, I' = ki e + (limited u - u) / tracking (back-calculation) [K. J. Astrom, T.
// Hagglund, Advanced PID Control (2006), sect. 3.5].
#include "mechanics/block.h"

#include <math.h>
#include <string.h>

typedef struct {
  BlockCommon common;
  const void *input, *rate, *feed_forward;
  double kp, ki, kd, filter, tracking, start;
  const double *smallest, *largest; // NULL: none
  const char *anti_windup;
} Pid;

enum { INTEGRAL, DERIVATIVE, STATES };

static const char *word(int i) {
  static const char *const words[] = {"clamping", "back_calculation", "none", NULL};
  return words[i];
}
static const FieldMore anti_windup = {NULL, word};

static double smallest_output(const Pid *p) { return block_number(p->smallest, -HUGE_VAL); }
static double largest_output(const Pid *p) { return block_number(p->largest, HUGE_VAL); }

static Reason check(const BlockUse *b) {
  const Pid *p = b->params;
  if (!(smallest_output(p) < largest_output(p)))
    return reason(REASON_VALUE, "smallest", "`smallest` must be below `largest`");
  if (p->filter < 0) return reason(REASON_VALUE, "filter", "`filter` is a time and must not be negative");
  if (p->tracking < 0) return reason(REASON_VALUE, "tracking", "`tracking` is a time and must not be negative");
  if (p->kp == 0 && p->ki == 0 && p->kd == 0)
    return reason(REASON_VALUE, "kp", "one of `kp`, `ki` and `kd` must not be 0");
  return no_reason();
}

static int states(const BlockUse *b) {
  (void)b;
  return STATES;
}

static void start(const BlockUse *b, double *state) {
  const Pid *p = b->params;
  state[INTEGRAL] = p->start, state[DERIVATIVE] = 0;
}

static double limited_output(const Pid *p, double u) { return fmin(fmax(u, smallest_output(p)), largest_output(p)); }

static void step(const BlockUse *b, const BlockStep *s, double *state, double *out) {
  const Pid *p = b->params;
  bool back = p->anti_windup && !strcmp(p->anti_windup, "back_calculation");
  bool clamp = !p->anti_windup || !strcmp(p->anti_windup, "clamping");
  double e = s->in[0], grown = 0, forward = b->given[2] ? s->in[1 + b->given[1]] : 0;
  if (s->dt > 0) {
    double a = p->filter > 0 ? exp(-s->dt / p->filter) : 0;
    grown = p->ki * s->dt * 0.5 * (s->last[0] + e);
    state[DERIVATIVE] = a * state[DERIVATIVE] + p->kd * (1 - a) * (e - s->last[0]) / s->dt;
  }
  if (b->given[1]) state[DERIVATIVE] = p->kd * s->in[1];
  double rest = p->kp * e + state[DERIVATIVE] + forward, u = rest + state[INTEGRAL] + grown;
  bool further = (u > largest_output(p) && grown > 0) || (u < smallest_output(p) && grown < 0);
  if (!(clamp && further)) state[INTEGRAL] += grown;
  u = rest + state[INTEGRAL];
  if (back && s->dt > 0) {
    double time = p->tracking > 0 ? p->tracking : p->ki != 0 ? fabs(p->kp / p->ki) : 0;
    state[INTEGRAL] += (time > 0 ? 1 - exp(-s->dt / time) : 1) * (limited_output(p, u) - u);
  }
  out[0] = limited_output(p, u);
}

static const Field fields[] = {
    {"input", FIELD_ANY, 1, offsetof(Pid, input), "", true, 0, "the error: reference - sensor", NULL},
    {"rate", FIELD_ANY, 1, offsetof(Pid, rate), "", false, 0,
     "rate of the error, if sensors measure it; default: finite differences", NULL},
    {"feed_forward", FIELD_ANY, 1, offsetof(Pid, feed_forward), "", false, 0,
     "signal that is added before the output is limited", NULL},
    {"kp", FIELD_REAL, 1, offsetof(Pid, kp), UNIT_ANY, false, 0, "output over error", NULL},
    {"ki", FIELD_REAL, 1, offsetof(Pid, ki), UNIT_ANY, false, 0, "output over integral of the error", NULL},
    {"kd", FIELD_REAL, 1, offsetof(Pid, kd), UNIT_ANY, false, 0, "output over rate of the error", NULL},
    {"filter", FIELD_REAL, 1, offsetof(Pid, filter), "s", false, 0, "time constant of the filter of the derivative",
     NULL},
    {"smallest", FIELD_OPTIONAL_REALS, 1, offsetof(Pid, smallest), UNIT_ANY, false, 0,
     "limit of the output; default: none", NULL},
    {"largest", FIELD_OPTIONAL_REALS, 1, offsetof(Pid, largest), UNIT_ANY, false, 0,
     "limit of the output; default: none", NULL},
    {"anti_windup", FIELD_TEXT, 1, offsetof(Pid, anti_windup), "", false, 0,
     "what the integral does at a limit; default: clamping", &anti_windup},
    {"tracking", FIELD_REAL, 1, offsetof(Pid, tracking), "s", false, 0,
     "time constant of back-calculation; default: kp / ki", NULL},
    {"start", FIELD_REAL, 1, offsetof(Pid, start), UNIT_ANY, false, 0, "integral at the start", NULL},
    BLOCK_PERIOD(Pid),
};

static const double low = -2, high = 2;
static const Pid params = {{0}, NULL, NULL, NULL, 3, 2, 0.5, 0.01, 0, 0.1, &low, &high, NULL};
static const BlockUse example = {.params = &params, .inputs = 1, .given = {1}};

const BlockKind block_pid = {
    .name = "pid",
    .help = "A PID controller with limits, anti-windup and feed-forward.",
    .fields = FIELDS(fields, Pid),
    .input = {"input", "rate", "feed_forward"},
    .check = check,
    .states = states,
    .start = start,
    .step = step,
    .example = &example,
};
