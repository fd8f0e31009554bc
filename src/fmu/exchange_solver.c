// SPDX-License-Identifier: Apache-2.0
// The solver of model exchange: the explicit method of Dormand and Prince (1980), its continuous extension of order 4
// (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.6), and the location of events in it.
#include "fmu/exchange.h"

#include <math.h>
#include <string.h>

enum { STAGES = 7, MOST_STEPS = 100000, MOST_HALVINGS = 60 };

Trial exchange_judge(Fmu *f, const char *function, int status) {
  FmuExchange *x = f->exchange;
  if (status != fmi2Discard) return fmu_is_good(f, function, status) ? TRIAL_GOOD : TRIAL_FAILED;
  snprintf(x->why, sizeof x->why, "%s returned \"discard\": %.200s", function,
           f->log[0] ? f->log : "it gives no reason");
  return TRIAL_TOO_LONG;
}

static Trial check_finite(Fmu *f, const char *what, const double *value, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(value[i])) {
      snprintf(f->exchange->why, sizeof f->exchange->why,
               "%s %zu of %zu is no finite number, although all calls returned OK", what, i + 1, n);
      return TRIAL_TOO_LONG;
    }
  return TRIAL_GOOD;
}

static bool set_varying_inputs(Fmu *f, double time) {
  FmuExchange *x = f->exchange;
  double part = x->span > 0 ? fmin(1, fmax(0, (time - x->from) / x->span)) : 1;
  bool good = true;
  for (int i = 0; i < f->use->inputs && good; i++) {
    const FmuChannel *c = &f->use->input[i];
    if (c->variable->sampled || x->goal[i] == x->last[i]) continue;
    double value = part < 1 ? x->last[i] + part * (x->goal[i] - x->last[i]) : x->goal[i];
    good = fmu_set_number(f, c, (value - c->offset) / c->factor);
  }
  return good;
}

Trial exchange_place(Fmu *f, double time, const double *x) {
  size_t n = f->exchange->states;
  f->time = time;
  Trial t = is_second(f) ? TRIAL(f, two, fmi2SetTime, time) : TRIAL(f, three, fmi3SetTime, time);
  if (t == TRIAL_GOOD && n)
    t = is_second(f) ? TRIAL(f, two, fmi2SetContinuousStates, x, n) : TRIAL(f, three, fmi3SetContinuousStates, x, n);
  if (t == TRIAL_GOOD && !set_varying_inputs(f, time)) t = TRIAL_FAILED;
  return t;
}

Trial exchange_indicators(Fmu *f, double *z) {
  size_t n = f->exchange->indicators;
  if (!n) return TRIAL_GOOD;
  Trial t = is_second(f) ? TRIAL(f, two, fmi2GetEventIndicators, z, n) : TRIAL(f, three, fmi3GetEventIndicators, z, n);
  return t == TRIAL_GOOD ? check_finite(f, "its event indicator", z, n) : t;
}

static Trial find_derivatives(Fmu *f, double time, const double *x, double *k) {
  size_t n = f->exchange->states;
  Trial t = exchange_place(f, time, x);
  if (t != TRIAL_GOOD || !n) return t;
  t = is_second(f) ? TRIAL(f, two, fmi2GetDerivatives, k, n) : TRIAL(f, three, fmi3GetContinuousStateDerivatives, k, n);
  return t == TRIAL_GOOD ? check_finite(f, "the derivative of its state", k, n) : t;
}

// ---- a step ----

static const double place[STAGES] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
static const double weight[STAGES][STAGES - 1] = {
    {0},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};
// of order 5 less those of order 4
static const double difference[STAGES] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                          -17253. / 339200, 22. / 525, -1. / 40};
static const double bend[STAGES] = {-12715105075. / 11282082432,  0,
                                    87487479700. / 32700410799,   -10690763975. / 1880347072,
                                    701980252875. / 199316789632, -1453857185. / 822651844,
                                    69997945. / 29380423};

// The standard proposes an absolute tolerance of a hundredth of the relative one times the nominal value.
static double scale_of(const FmuExchange *x, size_t i, double a, double b) {
  return x->tolerance * (fmax(fabs(a), fabs(b)) + 0.01 * x->nominal[i]);
}

// From here by h to x1; the last stage is the derivative there. `error`: over what is allowed.
static Trial try_step(Fmu *f, double h, double *error) {
  FmuExchange *x = f->exchange;
  double time = x->clock.time;
  *error = 0;
  for (int s = 1; s < STAGES; s++) {
    double *to = s == STAGES - 1 ? x->x1 : x->stage;
    for (size_t i = 0; i < x->states; i++) {
      double sum = 0;
      for (int r = 0; r < s; r++) sum += weight[s][r] * x->k[r][i];
      to[i] = x->x[i] + h * sum;
    }
    Trial t = x->states || s == STAGES - 1 ? find_derivatives(f, time + place[s] * h, to, x->k[s]) : TRIAL_GOOD;
    if (t != TRIAL_GOOD) return t;
  }
  for (size_t i = 0; i < x->states; i++) {
    double sum = 0;
    for (int s = 0; s < STAGES; s++) sum += difference[s] * x->k[s][i];
    *error = fmax(*error, fabs(h * sum) / scale_of(x, i, x->x[i], x->x1[i]));
  }
  return TRIAL_GOOD;
}

static double first_step(const FmuExchange *x, double most) {
  double size = 0, rate = 0;
  for (size_t i = 0; i < x->states; i++) {
    double scale = scale_of(x, i, x->x[i], x->x[i]);
    size = fmax(size, fabs(x->x[i]) / scale), rate = fmax(rate, fabs(x->k[0][i]) / scale);
  }
  return rate > 0 ? fmin(most, fmax(0.01 * size / rate, pow(0.01, 0.2) / rate)) : most;
}

// ---- events within a step ----

static bool is_above(double z) { return z > 0; }

static bool any_changed(const FmuExchange *x, const double *z) {
  for (size_t i = 0; i < x->indicators; i++)
    if (is_above(z[i]) != is_above(x->z[i])) return true;
  return false;
}

// The states at a part p of the step of length h.
static void find_between(const FmuExchange *x, double h, double p, double *out) {
  double q = 1 - p;
  for (size_t i = 0; i < x->states; i++) {
    double change = x->x1[i] - x->x[i], lean = h * x->k[0][i] - change, sum = 0;
    for (int s = 0; s < STAGES; s++) sum += bend[s] * x->k[s][i];
    out[i] = x->x[i] + p * (change + q * (lean + p * (change - h * x->k[6][i] - lean + q * h * sum)));
  }
}

// The part at which the line through two values of the first indicator to change is 0.
static double guess_root(const FmuExchange *x, double low, const double *at_low, double high, const double *at_high) {
  double first = high;
  for (size_t i = 0; i < x->indicators; i++) {
    double a = at_low[i], b = at_high[i];
    if (is_above(a) == is_above(b)) continue;
    first = fmin(first, low + (high - low) * a / (a - b));
  }
  return first;
}

// Up to just behind the first change of an indicator, which is at the end of this step of length h at the latest.
static Trial find_crossing(Fmu *f, double h, double *low_z, double *high_z, double *part) {
  FmuExchange *x = f->exchange;
  double low = 0, high = 1, fine = fmax(1e-12, 8 * 2.2e-16 * fabs(x->clock.time) / h);
  memcpy(low_z, x->z, x->indicators * sizeof *low_z), memcpy(high_z, x->z1, x->indicators * sizeof *high_z);
  for (int k = 0; k < MOST_HALVINGS && high - low > fine; k++) {
    double width = high - low, p = guess_root(x, low, low_z, high, high_z);
    // by turns just behind and just before the root of the line, then a half
    if (k % 3 == 0) p += fmin(0.5 * fine + 1e-3 * width * (k > 0), 0.4 * width);
    if (k % 3 == 1) p -= fmin(0.5 * fine + 1e-3 * width, 0.4 * width);
    if (k % 3 == 2 || !(p > low && p < high)) p = low + 0.5 * width;
    find_between(x, h, p, x->stage);
    Trial t = exchange_place(f, x->clock.time + p * h, x->stage);
    if (t == TRIAL_GOOD) t = exchange_indicators(f, x->z1);
    if (t != TRIAL_GOOD) return t;
    bool changed = any_changed(x, x->z1);
    if (changed) high = p;
    else low = p;
    memcpy(changed ? high_z : low_z, x->z1, x->indicators * sizeof *low_z);
  }
  *part = high;
  return TRIAL_GOOD;
}

static Trial stop_at_crossing(Fmu *f, double h, bool *crossed) {
  FmuExchange *x = f->exchange;
  double *scratch = NULL, part = 1;
  Trial t = exchange_indicators(f, x->z1);
  *crossed = t == TRIAL_GOOD && any_changed(x, x->z1);
  if (!*crossed) return t;
  if (MemoryNew(2 * x->indicators * sizeof *scratch, &scratch)) return fmu_fail(f, "no memory"), TRIAL_FAILED;
  t = find_crossing(f, h, scratch, scratch + x->indicators, &part);
  memory_free(&scratch);
  if (t != TRIAL_GOOD) return t;
  if (part < 1) find_between(x, h, part, x->stage), memcpy(x->x1, x->stage, x->states * sizeof *x->x1);
  x->clock.time += part * h;
  return exchange_place(f, x->clock.time, x->x1);
}

// ---- steps ----

static bool is_too_short(const Fmu *f, double h) {
  return h < 1e-14 * fmax(fabs(f->exchange->clock.time), f->exchange->span);
}

static bool give_up(Fmu *f) {
  const FmuExchange *x = f->exchange;
  f->time = x->clock.time;
  return x->why[0] ? fmu_fail(f, "at t = %.8g s %s", x->clock.time, x->why)
                   : fmu_fail(f, "its states change too fast at t = %.8g s: no step of the solver is short enough",
                              x->clock.time);
}

bool exchange_advance(Fmu *f, double limit, bool *crossed) {
  FmuExchange *x = f->exchange;
  double most = limit - x->clock.time, error;
  *crossed = false, x->why[0] = 0;
  if (++x->steps > MOST_STEPS)
    return fmu_fail(f,
                    "it needs more than %d steps of the solver between t = %.8g s and %.8g s: its states change too "
                    "fast for an explicit method, or `tolerance` is too small",
                    MOST_STEPS, x->from, x->from + x->span);
  if (!x->fresh) {
    Trial t = find_derivatives(f, x->clock.time, x->x, x->k[0]);
    if (t != TRIAL_GOOD) return t == TRIAL_TOO_LONG ? give_up(f) : false;
    x->fresh = true;
  }
  if (!(x->clock.step > 0)) x->clock.step = x->states ? first_step(x, most) : most;
  double h = x->states ? x->clock.step : most;
  for (;; x->steps++) {
    bool whole = h >= most * (1 - 1e-9);
    if (whole) h = most;
    if (is_too_short(f, h) && !whole) return give_up(f);
    Trial t = try_step(f, h, &error);
    if (t == TRIAL_FAILED) return false;
    bool good = t == TRIAL_GOOD && error <= 1;
    if (good) {
      double start = x->clock.time;
      t = stop_at_crossing(f, h, crossed);
      if (t == TRIAL_FAILED) return false;
      good = t == TRIAL_GOOD;
      if (good && !*crossed) x->clock.time = whole ? limit : start + h;
      if (!good) x->clock.time = start;
    }
    double factor = t == TRIAL_TOO_LONG ? 0.25 : error > 0 ? fmin(5, fmax(0.2, 0.9 * pow(error, -0.2))) : 5;
    if (good) {
      double next = h * factor;
      x->clock.step = whole ? fmax(next, x->clock.step) : next; // it was cut
      memcpy(x->x, x->x1, x->states * sizeof *x->x);
      memcpy(x->k[0], x->k[6], x->states * sizeof *x->x);
      x->fresh = !*crossed;
      return true;
    }
    h *= fmin(factor, 0.9), x->clock.step = h;
  }
}
