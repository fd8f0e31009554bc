// SPDX-License-Identifier: Apache-2.0
// Statistics of a channel without its history: rainflow counting, damage-equivalent loads, moments, quantiles.
#include "check.h"
#include "statistics/fatigue.h"
#include "statistics/random.h"
#include "statistics/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- rainflow ----

enum { MOST_COUNTED = 400000 };
typedef struct {
  int count;
  double range[MOST_COUNTED], mean[MOST_COUNTED], cycles[MOST_COUNTED];
} Counted;

static void take_cycle(void *self, double range, double mean, double cycles) {
  Counted *c = self;
  if (c->count == MOST_COUNTED) abort();
  c->range[c->count] = range, c->mean[c->count] = mean, c->cycles[c->count++] = cycles;
}

static double cycles_of(const Counted *c, double range, double tolerance) {
  double n = 0;
  for (int i = 0; i < c->count; i++)
    if (fabs(c->range[i] - range) <= tolerance) n += c->cycles[i];
  return n;
}

static double all_cycles(const Counted *c) {
  double n = 0;
  for (int i = 0; i < c->count; i++) n += c->cycles[i];
  return n;
}

static void count_rainflow(int count, const double *value, bool repeats, Counted *out) {
  Rainflow r = {.repeats = repeats};
  out->count = 0;
  rainflow_start(&r);
  for (int i = 0; i < count; i++) CHECK(!RainflowAdd(&r, value[i], take_cycle, out));
  rainflow_finish(&r, take_cycle, out);
  rainflow_free(&r);
}

static Counted counted, other;

// ASTM E1049-85, figure 6.
TEST(rainflow_counts_the_example_of_the_standard) {
  static const double value[] = {-2, 1, -3, 5, -1, 3, -4, 4, -2};
  static const double known[][2] = {{3, 0.5}, {4, 1.5}, {6, 0.5}, {8, 1}, {9, 0.5}};
  count_rainflow(9, value, false, &counted);
  for (int i = 0; i < 5; i++) CHECK_NEAR(cycles_of(&counted, known[i][0], 0), known[i][1], 0);
  CHECK_NEAR(all_cycles(&counted), 4, 0);
}

// The example of the Python package rainflow 3.
TEST(rainflow_counts_a_sum_of_sines) {
  static const double known[][2] = {{.0425896515, .5}, {.1097343945, 1},  {.1129462808, .5}, {.2057106991, 1},
                                    {.2146799094, 1},  {.4388985980, 1},  {.4830574805, .5}, {.5286423867, .5},
                                    {.7809330293, .5}, {1.4343610172, .5}};
  double value[201];
  for (int i = 0; i <= 200; i++) {
    double t = 4 * i / 200.;
    value[i] = 0.2 + 0.5 * sin(t) + 0.2 * cos(10 * t) + 0.2 * sin(4 * t);
  }
  count_rainflow(201, value, false, &counted);
  for (int i = 0; i < 10; i++) CHECK_NEAR(cycles_of(&counted, known[i][0], 0.5e-10), known[i][1], 0);
  CHECK_NEAR(all_cycles(&counted), 7, 0);
}

// The rules of the standard, one after the other, on an array of turning points.
static void count_by_the_rules(int count, const double *value, Counted *out) {
  double *p = malloc((size_t)count * sizeof *p);
  int n = 0;
  out->count = 0;
  for (int i = 0; i < count; i++) {
    if (i && i < count - 1 && (value[i] - value[i - 1]) * (value[i + 1] - value[i]) > 0) continue;
    p[n++] = value[i];
    while (n >= 3) {
      double x = fabs(p[n - 1] - p[n - 2]), y = fabs(p[n - 2] - p[n - 3]);
      if (x < y) break;
      take_cycle(out, y, 0.5 * (p[n - 2] + p[n - 3]), n == 3 ? 0.5 : 1);
      if (n == 3) p[0] = p[1], p[1] = p[2], n = 2;
      else p[n - 3] = p[n - 1], n -= 2;
    }
  }
  for (int i = 1; i < n; i++) take_cycle(out, fabs(p[i] - p[i - 1]), 0.5 * (p[i] + p[i - 1]), 0.5);
  free(p);
}

TEST(rainflow_counts_a_long_random_signal_as_the_rules_do) {
  enum { COUNT = 100000 };
  static double value[COUNT];
  for (int i = 0; i < COUNT; i++)
    value[i] = 0.9 * (i ? value[i - 1] : 0) + random_unit(random_bits(3, (uint64_t)i, 1)) - 0.5;
  count_rainflow(COUNT, value, false, &counted);
  count_by_the_rules(COUNT, value, &other);
  CHECK_INT(counted.count, other.count);
  for (int i = 0; i < counted.count && i < other.count; i++)
    if (counted.range[i] != other.range[i] || counted.mean[i] != other.mean[i] ||
        counted.cycles[i] != other.cycles[i]) {
      CHECK_INT(i, -1);
      break;
    }
}

// A period that begins anywhere has the same cycles, all of them whole.
TEST(a_residue_that_repeats_is_closed_to_whole_cycles) {
  enum { COUNT = 500 };
  double value[COUNT], turned[COUNT], sum[2] = {0};
  for (int i = 0; i < COUNT; i++) value[i] = random_unit(random_bits(4, (uint64_t)i, 1));
  count_rainflow(COUNT, value, true, &counted);
  for (int shift = 1; shift < COUNT; shift += 7) {
    for (int i = 0; i < COUNT; i++) turned[i] = value[(i + shift) % COUNT];
    count_rainflow(COUNT, turned, true, &other);
    CHECK_NEAR(all_cycles(&other), all_cycles(&counted), 0);
    sum[0] = sum[1] = 0;
    for (int i = 0; i < counted.count; i++) sum[0] += counted.cycles[i] * pow(counted.range[i], 5);
    for (int i = 0; i < other.count; i++) sum[1] += other.cycles[i] * pow(other.range[i], 5);
    CHECK_REL(sum[1], sum[0], 1e-13);
  }
  for (int i = 0; i < counted.count; i++) CHECK_NEAR(counted.cycles[i], 1, 0);
}

// A decaying oscillation keeps all of its turning points, up to the bound.
TEST(the_memory_of_rainflow_is_bounded) {
  Rainflow r = {0};
  double sum = 0;
  int reversals = 3 * RAINFLOW_POINTS;
  counted.count = 0;
  rainflow_start(&r);
  for (int i = 0; i < reversals; i++)
    CHECK(!RainflowAdd(&r, (i % 2 ? 1 : -1) * (2. - (double)i / reversals), take_cycle, &counted));
  CHECK_LE(r.points, RAINFLOW_POINTS);
  CHECK_LE(r.room, 4 * RAINFLOW_POINTS);
  rainflow_finish(&r, take_cycle, &counted);
  CHECK_NEAR(all_cycles(&counted), 0.5 * (reversals - 1), 0); // every range is half a cycle, within the bound or not
  for (int i = 0; i < counted.count; i++) sum += counted.cycles[i] * counted.range[i];
  CHECK_REL(sum, 0.5 * 3 * (reversals - 1), 1e-5);
  rainflow_free(&r);
}

TEST(a_constant_has_no_cycles) {
  static const double value[] = {3, 3, 3, 3};
  count_rainflow(4, value, false, &counted);
  CHECK_INT(counted.count, 0);
  count_rainflow(4, value, true, &counted);
  CHECK_INT(counted.count, 0);
  count_rainflow(1, value, true, &counted);
  CHECK_INT(counted.count, 0);
}

// ---- damage ----

TEST(equal_cycles_are_their_own_equivalent_load) {
  DamageSum d = {.exponent = 10};
  for (int i = 0; i < 7; i++)
    damage_add(&d, 3e30, 1); // 3e30 to the power 10 is near the largest number, 7 times it above
  CHECK_REL(damage_equivalent(&d, 7), 3e30, 1e-15);
}

TEST(an_equivalent_load_does_the_damage_of_all_cycles) {
  DamageSum d = {.exponent = 4};
  static const double range[] = {1, 5, 2, 9, 3};
  double sum = 0;
  for (int i = 0; i < 5; i++) damage_add(&d, range[i], 0.5 * (i + 1)), sum += 0.5 * (i + 1) * pow(range[i], 4);
  CHECK_REL(damage_equivalent(&d, 12), pow(sum / 12, 0.25), 1e-15);
}

TEST(goodman_makes_ranges_about_a_mean_larger) {
  CHECK_REL(goodman_range(2, 5, 10), 4, 1e-15);
  CHECK_REL(goodman_range(2, -5, 10), 4, 1e-15);
  CHECK(isinf(goodman_range(2, 10, 10)));
}

TEST(a_lifetime_load_weighs_the_runs) {
  LifetimeLoad l = {.damage = {.exponent = 4}};
  CHECK(isnan(lifetime_equivalent(&l)));
  lifetime_add(&l, 10, 0.25), lifetime_add(&l, 20, 0.5);
  CHECK_REL(lifetime_equivalent(&l), pow((0.25 * 1e4 + 0.5 * 16e4) / 0.75, 0.25), 1e-15);
}

// ---- a channel ----

static int column_of(const SummaryOptions *o, const char *wanted) {
  char name[40];
  SummaryUnit unit;
  for (int i = 0; i < summary_width(o); i++) {
    summary_column(o, i, name, sizeof name, &unit);
    if (!strcmp(name, wanted)) return i;
  }
  return -1;
}

static const SummaryOptions everything = {.extremes = true,
                                          .mean = true,
                                          .deviation = true,
                                          .quantiles = 2,
                                          .quantile = {0.5, 0.99},
                                          .levels = 1,
                                          .level = {0.5},
                                          .exponents = 2,
                                          .exponent = {4, 10}};

static void summarize(const SummaryOptions *o, int count, const double *time, const double *value, double *out) {
  Summary *s = NULL;
  CHECK(!SummaryCreate(o, &s));
  for (int i = 0; i < count; i++) CHECK(!SummaryAdd(s, time[i], value[i]));
  summary_values(s, out);
  CHECK(!SummaryDestroy(&s));
}

TEST(a_sine_has_its_known_numbers) {
  enum { COUNT = 20001 };
  static double t[COUNT], y[COUNT];
  double out[20], pi = acos(-1);
  const SummaryOptions *o = &everything;
  for (int i = 0; i < COUNT; i++) t[i] = 10. * i / (COUNT - 1), y[i] = 3 + 2 * sin(2 * pi * t[i]);
  summarize(o, COUNT, t, y, out);
  CHECK_INT(summary_width(o), 11);
  CHECK_NEAR(out[column_of(o, "min")], 1, 1e-7);
  CHECK_NEAR(out[column_of(o, "min time")], 0.75, 1e-9);
  CHECK_NEAR(out[column_of(o, "max")], 5, 1e-7);
  CHECK_NEAR(out[column_of(o, "max time")], 0.25, 1e-9);
  CHECK_NEAR(out[column_of(o, "mean")], 3, 1e-12);
  CHECK_REL(out[column_of(o, "deviation")], sqrt(2), 1e-6); // of the polygon, which is inside of the sine
  CHECK_NEAR(out[column_of(o, "p50")], 3, 2 * pi * QUANTILES_ERROR);
  CHECK_NEAR(out[column_of(o, "p99")], 3 + 2 * cos(0.01 * pi), 0.2 * QUANTILES_ERROR);
  CHECK_NEAR(out[column_of(o, "up 0.5")], 0, 0);
  // 19 ranges of 4 between the extremes and two of 2 at the ends, all of them half cycles, for ten cycles in 10 s
  CHECK_REL(out[column_of(o, "del 4")], pow((9.5 * 256 + 16) / 10, 0.25), 1e-6);
}

TEST(up_crossings_are_counted_from_below) {
  static const double t[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {0.5, 0, 1, 0.5, 0.2, 0.5, 0.5};
  double out[20];
  summarize(&everything, 7, t, y, out);
  CHECK_NEAR(out[column_of(&everything, "up 0.5")], 2, 0);
}

// The channel is a line between samples: more samples on it change nothing.
TEST(mean_and_deviation_do_not_depend_on_the_samples_of_a_polygon) {
  static const double corner_t[] = {0, 0.1, 3, 3.5, 10}, corner_y[] = {1, -4, 7, 7, 2};
  double t[5 * 50], y[5 * 50], out[20], fine[20];
  int n = 0;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 40 + i; k++) {
      double part = (double)k / (40 + i);
      t[n] = corner_t[i] + part * (corner_t[i + 1] - corner_t[i]);
      y[n++] = corner_y[i] + part * (corner_y[i + 1] - corner_y[i]);
    }
  t[n] = 10, y[n++] = 2;
  summarize(&everything, 5, corner_t, corner_y, out);
  summarize(&everything, n, t, y, fine);
  for (int i = 0; i < 6; i++) CHECK_NEAR(fine[i], out[i], 1e-14 * 10);
  for (int i = 9; i < 11; i++) CHECK_REL(fine[i], out[i], 1e-14);
}

TEST(a_small_deviation_about_a_large_mean_is_exact) {
  enum { COUNT = 1000001 };
  Summary *s = NULL;
  SummaryOptions o = {.mean = true, .deviation = true};
  double out[2];
  CHECK(!SummaryCreate(&o, &s));
  for (int i = 0; i < COUNT; i++) CHECK(!SummaryAdd(s, i, 1e9 + (i % 2 ? 1e-3 : -1e-3)));
  summary_values(s, out);
  CHECK_REL(out[0], 1e9, 1e-15);
  CHECK_REL(out[1], 1e-3 / sqrt(3), 1e-4); // 1e9 has steps of 1.2e-7
  CHECK(!SummaryDestroy(&s));
}

TEST(samples_before_the_start_are_left_out) {
  static const double t[] = {0, 1, 2, 3}, y[] = {1000, 1000, 1, 3};
  SummaryOptions o = {.extremes = true, .mean = true, .from = 2};
  double out[5];
  summarize(&o, 4, t, y, out);
  CHECK_NEAR(out[2], 3, 0);
  CHECK_NEAR(out[4], 2, 0);
}

TEST(what_is_not_finite_makes_all_numbers_nan) {
  static const double t[] = {0, 1, 2}, y[] = {1, NAN, 3};
  double out[20];
  summarize(&everything, 3, t, y, out);
  for (int i = 0; i < 11; i++) CHECK(isnan(out[i]));
  summarize(&everything, 0, t, y, out);
  for (int i = 0; i < 11; i++) CHECK(isnan(out[i]));
}

TEST(one_sample_has_numbers_too) {
  static const double t[] = {5}, y[] = {7};
  double out[20];
  summarize(&everything, 1, t, y, out);
  CHECK_NEAR(out[4], 7, 0);
  CHECK_NEAR(out[5], 0, 0);
  CHECK_NEAR(out[6], 7, 0);
  CHECK_NEAR(out[9], 0, 0);
}

TEST(a_new_run_begins_with_nothing) {
  Summary *s = NULL;
  double first[20], second[20];
  CHECK(!SummaryCreate(&everything, &s));
  for (int run = 0; run < 2; run++) {
    summary_start(s);
    for (int i = 0; i < 10000; i++) CHECK(!SummaryAdd(s, i, random_unit(random_bits(1, (uint64_t)i, 2))));
    summary_values(s, run ? second : first);
    summary_start(s);
    for (int i = 0; i < 5000; i++) CHECK(!SummaryAdd(s, i, 100 * i)); // something else between
  }
  CHECK(!memcmp(first, second, sizeof(double) * 11));
  CHECK(!SummaryDestroy(&s));
}

TEST(new_extremes_are_told) {
  static const double y[] = {1, 2, 2, 0, 1};
  static const bool max[] = {1, 1, 0, 0, 0}, min[] = {1, 0, 0, 1, 0};
  Summary *s = NULL;
  CHECK(!SummaryCreate(&everything, &s));
  for (int i = 0; i < 5; i++) {
    CHECK(!SummaryAdd(s, i, y[i]));
    CHECK(summary_is_new_max(s) == max[i] && summary_is_new_min(s) == min[i]);
  }
  CHECK(!SummaryDestroy(&s));
}

// ---- quantiles ----

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static const double probabilities[] = {0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999};
enum { PROBABILITIES = sizeof probabilities / sizeof probabilities[0], SAMPLES = 1000000 };
static double sample[SAMPLES], sorted[SAMPLES];

// How far the shares of the samples below the quantiles are from the probabilities, at most.
static double quantile_error(double *bound) {
  Quantiles *q = NULL;
  double worst = 0;
  CHECK(!QuantilesCreate(&q));
  for (int i = 0; i < SAMPLES; i++) CHECK(!QuantilesAdd(q, sample[i], 1));
  memcpy(sorted, sample, sizeof sorted);
  qsort(sorted, SAMPLES, sizeof *sorted, compare);
  for (int k = 0; k < PROBABILITIES; k++) {
    double value = quantiles_value(q, probabilities[k]);
    int below = 0, upto = 0;
    while (below < SAMPLES && sorted[below] < value) below++;
    for (upto = below; upto < SAMPLES && sorted[upto] <= value;) upto++;
    double low = (double)below / SAMPLES, high = (double)upto / SAMPLES;
    worst = fmax(worst, fmax(low - probabilities[k], probabilities[k] - high));
  }
  *bound = quantiles_error(q);
  CHECK(!QuantilesDestroy(&q));
  return worst;
}

TEST(quantiles_keep_to_their_error_bound_in_any_order_of_samples) {
  static const char *const orders[] = {"rising", "falling", "random", "sine", "growing", "outwards", "two levels"};
  for (int order = 0; order < 7; order++) {
    double bound, error;
    for (int i = 0; i < SAMPLES; i++) {
      double u = random_unit(random_bits(8, (uint64_t)i, 1)), t = (double)i / SAMPLES;
      const double value[] = {t, -t, u, sin(1000 * t), t * sin(3000 * t), i % 2 ? t : -t, u < 0.3 ? 1 : 2};
      sample[i] = value[order];
    }
    error = quantile_error(&bound);
    CHECK_NOTE("%s: error %.1e, bound %.1e", orders[order], error, bound);
    CHECK_LE(error, bound);
    CHECK_NEAR(bound, QUANTILES_ERROR, 0);
  }
}

TEST(quantiles_of_few_samples_are_exact) {
  Quantiles *q = NULL;
  CHECK(!QuantilesCreate(&q));
  for (int i = 0; i < 999; i++) CHECK(!QuantilesAdd(q, (i * 7) % 999, 1)); // 0 .. 998, each once
  CHECK_NEAR(quantiles_error(q), 0, 0);
  CHECK_NEAR(quantiles_value(q, 0.5), 499, 1e-12);
  CHECK_NEAR(quantiles_value(q, 0.1), 99.4, 1e-10); // linear between the middles of the samples
  CHECK_NEAR(quantiles_value(q, 0), 0, 0);
  CHECK_NEAR(quantiles_value(q, 1), 998, 0);
  CHECK(!QuantilesDestroy(&q));
}

TEST(weights_of_samples_count) {
  Quantiles *q = NULL;
  CHECK(!QuantilesCreate(&q));
  CHECK(!QuantilesAdd(q, 1, 9) && !QuantilesAdd(q, 2, 1));
  CHECK_NEAR(quantiles_value(q, 0.45), 1, 0);
  CHECK_NEAR(quantiles_value(q, 0.7), 1.5, 1e-14); // half way from the middle of the first to that of the second
  CHECK_NEAR(quantiles_value(q, 0.95), 2, 0);
  CHECK(!QuantilesDestroy(&q));
}

CHECK_MAIN
