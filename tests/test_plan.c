// SPDX-License-Identifier: Apache-2.0
// Plans of studies: what varies, how many runs there are, their values and weights, and what is wrong with a plan.
#include "check.h"
#include "study/plan/plan.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- reading ----

typedef struct {
  Plan *plan;
  Diagnostics d;
} Case;

static const char *table_text; // of the file cases.csv

static Error read_table_file(const char *path, const SourceRule *rule, SourceText *out) {
  (void)rule;
  *out = (SourceText){.error = ENOENT};
  if (strcmp(path, "cases.csv") || !table_text) return 0;
  TRY(MemoryNew(strlen(table_text) + 1, &out->text));
  strcpy(out->text, table_text);
  *out = (SourceText){out->text, strlen(table_text), 0};
  return 0;
}

static Case read_plan(const char *text) {
  Case c = {0};
  CHECK(!PlanRead("plan.yaml", text, strlen(text), read_table_file, &c.d, &c.plan));
  return c;
}

// The fields of `study`, each on a line of its own.
static Case read_study(const char *fields) {
  char text[8000];
  snprintf(text, sizeof text, "limber: 1\nstudy:\n  model: a.yaml\n%s", fields);
  return read_plan(text);
}

static void free_case(Case *c) {
  CHECK(!PlanDestroy(&c->plan));
  CHECK(!DiagnosticsDestroy(&c->d));
}

// "line:column: text" of the first mistake.
static const char *first_mistake(const Case *c) {
  static char text[3000];
  int line = 1, column = 1;
  text[0] = 0;
  if (!c->d.count) return text;
  const Diagnostic *d = &c->d.diagnostic[0];
  for (size_t i = 0; i < d->at.begin; i++) {
    bool end = c->d.file[d->at.file].text[i] == '\n';
    line += end, column = end ? 1 : column + 1;
  }
  snprintf(text, sizeof text, "%d:%d: %s", line, column, d->text);
  return text;
}

static void check_mistake(const char *fields, const char *message) {
  Case c = read_study(fields);
  CHECK_STR(first_mistake(&c), message);
  CHECK(c.d.errors > 0);
  free_case(&c);
}

static double value_of(const Plan *p, uint64_t run, int variable) {
  double value[40];
  plan_values(p, run, value);
  return value[variable];
}

// ---- designs ----

TEST(a_product_has_every_value_with_every_other_the_last_fastest) {
  Case c = read_study("  vary:\n    let.wind: {from: 4 m/s, to: 9 m/s, step: 2 m/s}\n"
                      "    run.scheme: [preserving, decaying]\n");
  double v[2];
  char text[100];
  CHECK_STR(first_mistake(&c), "");
  CHECK_INT((int)c.plan->runs, 6);
  plan_values(c.plan, 3, v);
  CHECK_NEAR(v[0], 6, 0);
  CHECK_NEAR(v[1], 1, 0);
  plan_change(c.plan, 0, v[0], text, sizeof text);
  CHECK_STR(text, "let.wind=6 m/s");
  plan_change(c.plan, 1, v[1], text, sizeof text);
  CHECK_STR(text, "run.scheme=decaying");
  free_case(&c);
}

TEST(a_zip_has_the_first_of_each_then_the_second) {
  Case c = read_study("  vary: {let.a: [1, 2, 3], let.b: [10 mm, 20 mm, 3 cm]}\n  design: zip\n  repeat: 2\n");
  CHECK_STR(first_mistake(&c), "");
  CHECK_INT((int)c.plan->runs, 6);
  CHECK_NEAR(value_of(c.plan, 4, 0), 3, 0);
  CHECK_NEAR(value_of(c.plan, 5, 1), 30, 1e-14); // mm
  free_case(&c);
}

TEST(ranges_and_counts_have_their_values) {
  Case c = read_study("  vary:\n    let.a: {from: 0, to: 5 m, count: 3}\n    let.b: {count: 2}\n"
                      "    let.c: {from: 0.1, to: 0.3, step: 0.1}\n    let.d: {from: 3, to: 1, step: -1}\n"
                      "    let.e: {values: [7]}\n");
  static const int counts[] = {3, 2, 3, 3, 1};
  CHECK_STR(first_mistake(&c), "");
  for (int i = 0; i < 5; i++) CHECK_INT(c.plan->variable[i].count, counts[i]);
  CHECK_NEAR(c.plan->variable[0].value[1], 2.5, 0);
  CHECK_STR(c.plan->variable[0].unit, "m");
  CHECK_NEAR(c.plan->variable[1].value[1], 1, 0);
  CHECK_NEAR(c.plan->variable[3].value[2], 1, 0);
  CHECK_INT((int)c.plan->runs, 54);
  free_case(&c);
}

TEST(a_table_is_one_axis_of_a_product) {
  table_text = "# load cases\nlet.wind [m/s], let.yaw [deg], run.scheme\n8, -10, decaying\n12, 0, preserving\n";
  Case c = read_study("  table: cases.csv\n  vary: {let.seed: {count: 3}}\n");
  double v[4];
  char text[100];
  CHECK_STR(first_mistake(&c), "");
  CHECK_INT((int)c.plan->runs, 6);
  CHECK_INT(c.plan->axes, 2);
  plan_values(c.plan, 4, v);
  CHECK_NEAR(v[0], 12, 0);
  CHECK_NEAR(v[1], 0, 0);
  CHECK_NEAR(v[3], 1, 0);
  plan_change(c.plan, 2, v[2], text, sizeof text);
  CHECK_STR(text, "run.scheme=preserving");
  plan_change(c.plan, 1, value_of(c.plan, 0, 1), text, sizeof text);
  CHECK_STR(text, "let.yaw=-10 deg");
  free_case(&c);
}

TEST(a_column_of_a_file_is_a_list_of_values) {
  table_text = "E,rho\n70,2700\n210,7800\n";
  Case c = read_study("  vary: {let.E: {values: {file: cases.csv, column: E, unit: GPa}}}\n");
  char text[100];
  CHECK_STR(first_mistake(&c), "");
  CHECK_INT((int)c.plan->runs, 2);
  plan_change(c.plan, 0, value_of(c.plan, 1, 0), text, sizeof text);
  CHECK_STR(text, "let.E=210 GPa");
  free_case(&c);
}

TEST(lists_in_brackets_are_values) {
  Case c = read_study("  vary: {loads.gravity#1.acceleration: [[0, 0, -9.81], [0, -9.81, 0]]}\n");
  char text[100];
  CHECK_STR(first_mistake(&c), "");
  plan_change(c.plan, 0, value_of(c.plan, 1, 0), text, sizeof text);
  CHECK_STR(text, "loads.gravity#1.acceleration=[0, -9.81, 0]");
  free_case(&c);
}

TEST(words_in_quotes_keep_them) {
  Case c = read_study("  vary: {title: ['a: b', \"c # d\", e]}\n");
  char text[100];
  plan_change(c.plan, 0, 0, text, sizeof text);
  CHECK_STR(text, "title='a: b'");
  plan_change(c.plan, 0, 1, text, sizeof text);
  CHECK_STR(text, "title=\"c # d\"");
  free_case(&c);
}

TEST(a_change_reads_as_the_same_number) {
  Case c = read_study("  vary: {let.E: {normal: [70 GPa, 2 GPa]}}\n  design: random\n  runs: 1000\n");
  for (uint64_t i = 0; i < 1000; i++) {
    char text[100];
    double value = value_of(c.plan, i, 0);
    plan_change(c.plan, 0, value, text, sizeof text);
    if (strtod(text + strlen("let.E="), NULL) != value || strcmp(text + strlen(text) - 4, " GPa")) CHECK_STR(text, "");
  }
  CHECK_INT((int)c.plan->runs, 1000);
  free_case(&c);
}

// ---- draws ----

static const char two_variables[] =
    "  vary: {let.E: {normal: [70 GPa, 2 GPa]}, let.b: {uniform: [0, 1]}}\n  runs: 1000\n";

static Case read_design(const char *design, int seed) {
  char text[500];
  snprintf(text, sizeof text, "%s  design: %s\n  seed: %d\n", two_variables, design, seed);
  return read_study(text);
}

TEST(values_follow_from_the_seed_the_run_and_the_name_alone) {
  static const char *const designs[] = {"random", "latin", "sobol"};
  for (int k = 0; k < 3; k++) {
    Case a = read_design(designs[k], 1), b = read_design(designs[k], 1), other = read_design(designs[k], 2);
    int differ = 0, same = 0;
    for (uint64_t i = 1000; i-- > 0;) { // in another order
      differ +=
          value_of(a.plan, i, 0) != value_of(b.plan, 999 - i, 0) && value_of(a.plan, i, 0) != value_of(b.plan, i, 0);
      same += value_of(a.plan, i, 0) == value_of(other.plan, i, 0);
    }
    CHECK_INT(differ, 0);
    CHECK_LE(same, 1);
    free_case(&a), free_case(&b), free_case(&other);
  }
  // another variable, which stands before it, changes nothing
  Case a = read_design("random", 1);
  Case b = read_study("  vary: {let.b: {uniform: [0, 1]}, let.E: {normal: [70 GPa, 2 GPa]}}\n  design: random\n"
                      "  runs: 10\n  seed: 1\n");
  for (uint64_t i = 0; i < 10; i++) CHECK_NEAR(value_of(a.plan, i, 0), value_of(b.plan, i, 1), 0);
  free_case(&a), free_case(&b);
}

// Random means have the deviation s/sqrt(n); those of the other designs are far better.
TEST(drawn_values_have_the_mean_and_deviation_of_their_distribution) {
  static const char *const designs[] = {"random", "latin", "sobol"};
  static const double bound[] = {4 / 31.6, 0.004, 0.02}; // of the mean; measured: 0.7/31.6, 0.0002, 0.002
  for (int k = 0; k < 3; k++) {
    Case c = read_design(designs[k], 5);
    double mean = 0, square = 0;
    CHECK_STR(first_mistake(&c), "");
    for (uint64_t i = 0; i < 1000; i++) {
      double z = (value_of(c.plan, i, 0) - 70) / 2;
      mean += z / 1000, square += z * z / 1000;
    }
    CHECK_NOTE("%s: mean off by %.1e deviations, deviation by %.1e", designs[k], mean, sqrt(square) - 1);
    CHECK_LT(fabs(mean), bound[k]);
    CHECK_LT(fabs(sqrt(square) - 1), k ? 0.02 : 4 / 31.6);
    free_case(&c);
  }
}

TEST(a_latin_hypercube_has_one_run_in_every_interval) {
  Case c = read_design("latin", 3);
  unsigned char seen[1000] = {0};
  int wrong = 0;
  for (uint64_t i = 0; i < 1000; i++) wrong += seen[(int)(1000 * value_of(c.plan, i, 1))]++;
  CHECK_INT(wrong, 0);
  free_case(&c);
}

TEST(a_trillion_runs_cost_no_more_than_a_thousand) {
  Case c = read_study("  vary: {let.a: {uniform: [0, 1]}, let.b: [1, 2, 3]}\n  design: latin\n  runs: 1e12\n");
  CHECK_STR(first_mistake(&c), "");
  for (uint64_t i = 0; i < 1000; i++) {
    double v[2];
    plan_values(c.plan, 999999999000u + i, v);
    if (!(v[0] > 0 && v[0] < 1 && v[1] >= 1 && v[1] <= 3)) CHECK_INT((int)i, -1);
  }
  free_case(&c);
}

TEST(listed_values_are_drawn_equally_often) {
  Case c = read_study("  vary: {run.scheme: [a, b, c, d]}\n  design: latin\n  runs: 1000\n");
  int seen[4] = {0};
  for (uint64_t i = 0; i < 1000; i++) seen[(int)value_of(c.plan, i, 0)]++;
  for (int k = 0; k < 4; k++) CHECK_INT(seen[k], 250);
  free_case(&c);
}

TEST(distributions_of_a_product_are_drawn_anew_for_every_run) {
  Case c =
      read_study("  vary: {let.a: [1, 2], let.E: {weibull: [10 m/s, 2], within: [4 m/s, 25 m/s]}}\n  repeat: 500\n");
  double low = INFINITY, high = -INFINITY;
  CHECK_STR(first_mistake(&c), "");
  CHECK_INT((int)c.plan->runs, 1000);
  for (uint64_t i = 0; i < 1000; i++) {
    CHECK_NEAR(value_of(c.plan, i, 0), i < 500 ? 1 : 2, 0);
    low = fmin(low, value_of(c.plan, i, 1)), high = fmax(high, value_of(c.plan, i, 1));
  }
  CHECK(low >= 4 && low < 4.5 && high <= 25 && high > 20);
  free_case(&c);
}

// ---- weights ----

static double sum_of_weights(const Plan *p) {
  double sum = 0;
  for (uint64_t i = 0; i < p->runs; i++) sum += plan_weight(p, i);
  return sum;
}

TEST(weights_add_up_to_one_and_follow_the_distribution) {
  Case c = read_study("  vary: {let.wind: {from: 4 m/s, to: 24 m/s, step: 2 m/s}, let.seed: {count: 6}}\n"
                      "  weights: {field: let.wind, weibull: [10 m/s, 2]}\n");
  CHECK_STR(first_mistake(&c), "");
  CHECK_NEAR(sum_of_weights(c.plan), 1, 1e-14);
  // of 7 .. 9 m/s, within 3 .. 25
  double part = (exp(-0.49) - exp(-0.81)) / (exp(-0.09) - exp(-6.25));
  for (uint64_t i = 12; i < 18; i++) CHECK_REL(plan_weight(c.plan, i), part / 6, 1e-13);
  free_case(&c);
  c = read_study("  vary: {let.wind: [8, 8, 4, 6]}\n  weights: {field: let.wind, uniform: [0, 20]}\n");
  CHECK_NEAR(sum_of_weights(c.plan), 1, 1e-15);
  CHECK_NEAR(plan_weight(c.plan, 0), 1. / 6, 1e-15); // a third for both
  CHECK_NEAR(plan_weight(c.plan, 2), 1. / 3, 1e-15);
  free_case(&c);
  c = read_study("  vary: {let.wind: {weibull: [10, 2]}}\n  design: random\n  runs: 50\n");
  CHECK_NEAR(sum_of_weights(c.plan), 1, 1e-14);
  free_case(&c);
}

// ---- the rest of a plan ----

TEST(a_summary_has_its_numbers) {
  Case c = read_study("  vary: {let.a: [1]}\n  summary:\n"
                      "    - {channel: root.moment.y, quantiles: [1 %, 0.99], exponents: [4, 10], ultimate: 3 MN m,\n"
                      "       frequency: 2 Hz, residue: repeat, from: 10 s, factor: 1.35}\n"
                      "    - {channel: tip.z, statistics: extremes, up_crossings: [20 cm, 1 m]}\n"
                      "  keep: {histories: worst 25, channel: tip.z}\n  limits: {time: 2 min, steps: 1e6}\n"
                      "  on_failure: stop\n");
  CHECK_STR(first_mistake(&c), "");
  const Plan *p = c.plan;
  const SummaryOptions *o = &p->channel[0].summary, *tip = &p->channel[1].summary;
  CHECK_INT(p->channels, 2);
  CHECK(o->extremes && o->mean && o->deviation && o->repeats);
  CHECK_NEAR(o->quantile[0], 0.01, 1e-17);
  CHECK_INT(o->exponents, 2);
  CHECK_NEAR(o->ultimate, 3e6, 0);
  CHECK_NEAR(o->frequency, 2, 0);
  CHECK_NEAR(o->from, 10, 0);
  CHECK_NEAR(p->channel[0].factor, 1.35, 0);
  CHECK(tip->extremes && !tip->mean && !tip->deviation);
  CHECK_NEAR(tip->level[0], 0.2, 1e-16);
  CHECK(p->keep == KEEP_WORST && p->worst == 25 && p->worst_channel == 1);
  CHECK_NEAR(p->time_limit, 120, 0);
  CHECK_INT(p->step_limit, 1000000);
  CHECK(p->stop_at_failure);
  free_case(&c);
}

static const char model[] = "limber: 1\nlet: {m: 1 kg, L: 1 m, spare: 3}\n"
                            "nodes:\n  pivot: {at: [0, 0, 0], kind: fixed}\n  P: {at: [L, 0, 0], kind: point}\n"
                            "elements:\n  - mass: {name: bob, node: P, mass: m}\n"
                            "joints:\n  - distance: {name: rod, nodes: [pivot, P]}\n"
                            "loads:\n  - gravity: {acceleration: [0, 0, -9.81]}\n"
                            "probes:\n  - {name: P, node: P}\n  - {name: height, formula: P.z + L, unit: m}\n"
                            "run: {step: 1 ms, end: 1 s}\n";

TEST(a_plan_may_stand_in_the_model_file) {
  char text[2000];
  snprintf(text, sizeof text, "%sstudy:\n  vary: {let.L: [1 m, 2 m]}\n", model);
  Case c = read_plan(text);
  Input *in;
  CHECK_STR(first_mistake(&c), "");
  CHECK_STR(c.plan->model, "plan.yaml");
  CHECK_INT((int)c.plan->runs, 2);
  CHECK(!InputRead("plan.yaml", text, strlen(text), NULL, &in));
  CHECK_INT(in->diagnostics.errors, 0);
  CHECK(!InputDestroy(&in));
  free_case(&c);
}

TEST(a_plan_alone_is_no_model) {
  static const char text[] = "limber: 1\nstudy:\n  model: a.yaml\n  vary: {let.L: [1]}\n";
  Input *in;
  CHECK(!InputRead("plan.yaml", text, strlen(text), NULL, &in));
  CHECK_INT(in->diagnostics.errors, 1);
  CHECK_STR(in->diagnostics.diagnostic[0].text,
            "this is a study file for 'a.yaml': check it with `limber study --check`");
  CHECK(!InputDestroy(&in));
}

// ---- beside the model ----

// The plan, compared with the model as its first run changes it.
static Case check_with_model(const char *fields) {
  Case c = read_study(fields);
  const char *change[40];
  char text[40][100];
  double value[40];
  Input *in;
  CHECK_STR(first_mistake(&c), "");
  plan_values(c.plan, 0, value);
  for (int i = 0; i < c.plan->variables; i++) {
    plan_change(c.plan, i, value[i], text[i], sizeof text[i]);
    change[i] = text[i];
  }
  InputOptions o = {.change = change, .changes = c.plan->variables};
  CHECK(!InputRead("a.yaml", model, strlen(model), &o, &in));
  CHECK(!PlanCheckModel(c.plan, in, &c.d));
  CHECK(!InputDestroy(&in));
  return c;
}

static void check_model_mistake(const char *fields, const char *message) {
  Case c = check_with_model(fields);
  CHECK_STR(first_mistake(&c), message);
  free_case(&c);
}

TEST(what_the_model_does_not_have_is_told_in_the_plan) {
  check_model_mistake("  vary: {let.l: [1 m]}\n", "4:10: 'a.yaml' has no parameter 'l'; did you mean 'L'?");
  check_model_mistake("  vary: {let.m: [1 kg], let.wind: [1]}\n",
                      "4:25: 'a.yaml' has no parameter 'wind'; it has m, L, spare");
  check_model_mistake("  vary: {run.stepp: [1 ms]}\n",
                      "4:10: 'run.stepp' in 'a.yaml': run has no field 'stepp'; did you mean 'step'?");
  check_model_mistake("  vary: {run.scheme: [preservin]}\n",
                      "4:10: 'run.scheme' in 'a.yaml': there is no scheme 'preservin'; did you mean 'preserving'?");
  check_model_mistake("  vary: {run.step: [1 kg]}\n",
                      "4:10: 'run.step' in 'a.yaml': '1 kg' has the dimension kg, but 'step' is in s");
  check_model_mistake("  vary: {let.L: [1 m]}\n  keep: {histories: worst 3, channel: P.zz}\n",
                      "5:39: 'a.yaml' has no column 'P.zz'; did you mean 'P.z'?");
  check_model_mistake("  vary: {let.L: [1 m]}\n  summary: [{channel: P.zz}]\n",
                      "5:23: 'a.yaml' has no column 'P.zz'; did you mean 'P.z'?");
  check_model_mistake("  vary: {let.L: [1 m]}\n  summary: [{channel: P.z, up_crossings: [1 s]}]\n",
                      "5:23: 'up_crossings' of 'P.z' is in s, but the column is in m");
  check_model_mistake("  vary: {let.L: [1 m]}\n  summary: [{channel: height, exponents: [4], ultimate: 1 N}]\n",
                      "5:23: 'ultimate' of 'height' is in N, but the column is in m");
  check_model_mistake("  vary: {let.L: [1 m]}\n  summary: [{channel: P.z, up_crossings: [1 cm]}, {channel: "
                      "ledger.kinetic}, {channel: height}]\n",
                      "");
}

TEST(the_name_of_a_probe_stands_for_all_of_its_columns) {
  Case c = check_with_model("  vary: {let.L: [1 m]}\n  summary: [{channel: P, exponents: [4]}, {channel: height}]\n"
                            "  keep: {histories: worst 3, channel: height}\n");
  CHECK_STR(first_mistake(&c), "");
  CHECK_LT(3, c.plan->channels);
  CHECK_STR(c.plan->channel[0].column, "P.position.x");
  CHECK_INT(c.plan->channel[0].summary.exponents, 1);
  CHECK_STR(c.plan->channel[c.plan->channels - 1].column, "height");
  CHECK_INT(c.plan->worst_channel, c.plan->channels - 1);
  free_case(&c);
  c = check_with_model("  vary: {let.L: [1 m]}\n  keep: {histories: worst 3, channel: P.z}\n");
  CHECK_STR(c.plan->channel[c.plan->worst_channel].column, "P.position.z");
  CHECK_LT(3, c.plan->channels);
  CHECK(c.plan->channel[0].summary.extremes && c.plan->channel[0].summary.deviation);
  free_case(&c);
}

// ---- mistakes ----

TEST(every_mistake_is_told_at_its_place) {
  check_mistake("  varry: {}\n  vary: {let.a: [1]}\n", "4:3: study has no field 'varry'; did you mean 'vary'?");
  check_mistake("", "3:3: a study needs something that varies: 'vary' or 'table'");
  check_mistake("  vary: {let.a: [1]}\n  design: latn\n  runs: 5\n",
                "5:11: there is no design 'latn'; did you mean 'latin'?");
  check_mistake("  vary: {let.a: [1, 2 foo]}\n", "4:21: '2 foo': there is no unit 'foo'");
  check_mistake("  vary: {let.a: [1 m, 2 s]}\n", "4:23: '2 s' is not a number in m, like others of 'let.a'");
  check_mistake("  vary: {let.a: [1 m, 2]}\n", "4:23: '2' has no unit, but others of 'let.a' are in m");
  check_mistake("  vary: {let.a: []}\n", "4:17: 'let.a' needs values: a list, such as [1, 2, 3]");
  check_mistake("  vary: {let.a: 5}\n", "4:17: 'let.a' needs values: a list, such as [1, 2, 3]");
  check_mistake("  vary: {let.a: {normal: [1, -2]}}\n", "4:26: 'normal' needs a positive deviation");
  check_mistake("  vary: {let.a: {normal: [nan, 2]}}\n", "4:27: 'normal' must be a number, not 'nan'");
  check_mistake("  vary: {let.a: {norml: [1, 2]}}\n", "4:18: let.a has no field 'norml'; did you mean 'normal'?");
  check_mistake("  vary: {let.a: {normal: [1]}}\n", "4:26: 'normal' must be [mean, deviation], not a list of 1");
  check_mistake("  vary: {let.a: {normal: [1, 1], uniform: [0, 1]}}\n",
                "4:26: there is a distribution before this one: give one of them");
  check_mistake("  vary: {let.a: {normal: [1, 1], values: [2]}}\n",
                "4:10: 'let.a' needs one of: values, from with to, count, or a distribution such as normal");
  check_mistake("  vary: {let.a: {weibull: [1 m, 1 m]}}\n", "4:33: 'weibull' must be a pure number, not '1 m'");
  check_mistake("  vary: {let.a: {from: 1, to: 2}}\n", "4:17: a range has 'from', 'to' and one of 'step' and 'count'");
  check_mistake("  vary: {let.a: {from: 1, to: 2, step: -1}}\n", "4:40: 'step' must lead from 'from' to 'to'");
  check_mistake("  vary: {let.a: {from: 0, to: 1, step: 1e-300}}\n", "4:40: a range has at most 1000000 values");
  check_mistake("  vary: {let.a: {count: 0}}\n", "4:25: 'count' must be from 1 to 1000000");
  check_mistake("  vary: {let..a: [1]}\n", "4:10: 'let..a' is not a path of a field, such as let.E or run.step");
  check_mistake("  vary: {include: [a.yaml]}\n", "4:10: 'include' cannot vary");
  check_mistake("  vary: {let.a: [1], let.a: [2]}\n", "4:22: 'let.a' varies twice");
  check_mistake("  vary: {let.a: [1]}\n  design: random\n", "5:11: the design random needs 'runs', the number of runs");
  check_mistake("  vary: {let.a: [1]}\n  design: random\n  runs: 1.5\n",
                "6:9: 'runs' must be a whole number from 1 to 1000000000000");
  check_mistake("  vary: {let.a: [1]}\n  design: random\n  runs: 2e12\n",
                "6:9: 'runs' must be a whole number from 1 to 1000000000000");
  check_mistake("  vary: {let.a: [1]}\n  seed: -1\n", "5:9: 'seed' must be a whole number from 0 to 9007199254740992");
  check_mistake("  vary: {let.a: [1]}\n  runs: 7\n",
                "5:9: the number of runs follows from the values; 'runs' is for the designs random, latin and sobol, "
                "'repeat' runs each combination several times");
  check_mistake("  vary: {let.a: [1, 2], let.b: [1, 2, 3]}\n  design: zip\n",
                "4:25: 'let.b' has 3 values, but 'let.a' has 2: a zip needs as many of each");
  check_mistake("  vary: {let.a: [1]}\n  keep: {histories: worst many}\n",
                "5:21: 'worst' needs a number, 1 to 100000: worst 10");
  check_mistake("  vary: {let.a: [1]}\n  keep: {histories: failures}\n",
                "5:21: there is no 'histories: failures'; did you mean 'failed'?");
  check_mistake("  vary: {let.a: [1]}\n  summary: [{channel: a, quantiles: [1.5]}]\n",
                "5:38: 'quantiles' must be above 0 and below 1");
  check_mistake("  vary: {let.a: [1]}\n  summary: [{channel: a, statistics: [maen]}]\n",
                "5:39: there is no statistic 'maen'; did you mean 'mean'?");
  check_mistake("  vary: {let.a: [1]}\n  summary: [{channel: a}, {channel: a}]\n",
                "5:37: 'a' is listed twice: one entry contains all of its statistics");
  check_mistake("  vary: {let.a: [1]}\n  summary: [{channel: a, ultimate: 3}]\n",
                "5:36: 'ultimate' needs 'exponents': it corrects damage-equivalent loads");
  check_mistake("  vary: {let.a: [1]}\n  summary: [{channel: abc}]\n  keep: {histories: worst 3, channel: abd}\n",
                "6:39: 'summary' has no channel 'abd'; did you mean 'abc'?");
  check_mistake("  vary: {let.a: [1]}\n  weights: {field: let.b, weibull: [1, 2]}\n",
                "5:20: 'let.b' does not vary; did you mean 'let.a'?");
  check_mistake("  vary: {let.a: [1]}\n  weights: {field: let.a}\n",
                "5:12: 'weights' needs a distribution, such as weibull: [10 m/s, 2]");
  check_mistake(
      "  vary: {let.a: {normal: [1, 1]}}\n  weights: {field: let.a, weibull: [1, 2]}\n  design: random\n  runs: 2\n",
      "5:20: the values of 'let.a' are drawn, so that every run weighs the same: weights need listed numbers in "
      "a product or zip");
  check_mistake("  vary: {let.a: [1]}\n  limits: {time: -1}\n", "5:18: 'time' must be positive");
  check_mistake("  vary: {let.a: [1]}\n  on_failure: ignore\n",
                "5:15: there is no on_failure 'ignore'; there are continue, stop");
  check_mistake("  vary: {let.a: [1]}\nnodes: {}\n",
                "5:1: 'nodes' belongs to the model file 'a.yaml', which 'model' names");
}

TEST(mistakes_of_tables_name_the_line_and_the_column) {
  static const char *const wrong[][2] = {
      {"let.a, let.b\n1, 2\n3\n", "4:10: line 3 of 'cases.csv' has fewer than the 2 columns of the first line"},
      {"let.a, let.b\n1, 2\n3, 4, 5\n", "4:10: line 3 of 'cases.csv' has more than the 2 columns of the first line"},
      {"let.a, let.b\n1, 2\n3, x\n",
       "4:10: line 3 of 'cases.csv' has no number in column 2, 'let.b', but the lines before have"},
      {"let.a, let.b\n1, \n", "4:10: line 2 of 'cases.csv' has fewer than the 2 columns of the first line"},
      {"let.a, let.b\n, 2\n", "4:10: line 2 of 'cases.csv' has nothing in column 1, 'let.a'"},
      {"let.a [foo]\n1\n", "4:10: column 1 of 'cases.csv': there is no unit '[foo]'"},
      {"let.a [m]\nnan\n", "4:10: line 2 of 'cases.csv' has no number in column 1, 'let.a [m]'"},
      {"let.a [N m] let.b [m]\n1 x\n", "4:10: line 2 of 'cases.csv' has no number in column 2, 'let.b [m]'"},
      {"let.a, let.a\n1, 2\n", "4:10: 'let.a' varies twice"},
      {"let.a\n", "4:10: 'cases.csv' has no line after the first"},
      {"", "4:10: 'cases.csv' is empty"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    table_text = wrong[i][0];
    check_mistake("  table: cases.csv\n", wrong[i][1]);
  }
  table_text = NULL;
  check_mistake("  table: cases.csv\n", "4:10: cannot read 'cases.csv': No such file or directory");
}

// Texts that ask for much, and must cost little.
TEST(a_hostile_plan_is_refused_without_its_cost) {
  char text[8000] = "  vary:\n";
  for (int i = 0; i < 30; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "    let.a%d: {count: 1000}\n", i);
  check_mistake(text, "5:5: this makes more than 1000000000000 runs, the largest number in a study");
  strcpy(text, "  vary:\n");
  for (int i = 0; i < 30; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "    let.a%d: {from: 0, to: 1, count: 1000000}\n", i);
  Case c = read_study(text);
  CHECK(strstr(first_mistake(&c), "up to here more than 20000000 values are listed"));
  free_case(&c);
  strcpy(text, "  vary:\n    let.a: &a [1, 2, 3, 4, 5, 6, 7, 8]\n    let.b: &b [*a, *a, *a, *a, *a, *a, *a, *a]\n");
  for (char l = 'c'; l < 'm'; l++) {
    char line[200];
    snprintf(line, sizeof line, "    let.%c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n", l, l, l - 1, l - 1, l - 1,
             l - 1, l - 1, l - 1, l - 1, l - 1);
    strcat(text, line);
  }
  c = read_study(text);
  CHECK(c.d.errors > 0);
  free_case(&c);
  check_mistake("  vary: {let.a: [1]}\n  repeat: 2000000000\n  design: product\n  seed: 1e300\n",
                "7:9: '1e300' is too large: numbers are below 1e100");
}

TEST(a_plan_of_a_million_products_is_exact) {
  Case c = read_study("  vary: {let.a: {count: 1000000}, let.b: {count: 1000000}}\n");
  CHECK_STR(first_mistake(&c), "");
  CHECK(c.plan->runs == 1000000000000u);
  CHECK_NEAR(value_of(c.plan, 999999999999u, 0), 999999, 0);
  CHECK_NEAR(value_of(c.plan, 999999000000u, 1), 0, 0);
  free_case(&c);
}

CHECK_MAIN
