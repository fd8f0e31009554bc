// SPDX-License-Identifier: Apache-2.0
// Functions of time: what every line of functions.def promises, and each kind by itself.
#include "base/functions/function.h"
#include "check.h"
#include "contract.h"
#include "input/input.h"

#include <errno.h>
#include <string.h>

// For kinds that are made of others.
static Signal other(const FunctionHost *h, int function, double t) {
  const FunctionKind *k = function ? &function_sine : &function_smooth_step;
  return k->at(k->example, h, t);
}
static double formula(const FunctionHost *h, int i, double t) {
  (void)h;
  return i ? NAN : 2 * sin(5 * t) * t;
}
static const FunctionHost host = {other, formula, true};

// The rate is that of the value, to the right of corners: against differences of the fourth order, over a tenth of the
// distance in which no example has a corner.
TEST(every_function_knows_its_rate) {
  for (int i = 0; function_kinds[i]; i++) {
    const FunctionKind *k = function_kinds[i];
    double worst = 0, scale = 0;
    CHECK(k->example && k->at);
    if (k->check) CHECK_STR(k->check(k->example).text, NULL);
    for (int n = 0; n < 60; n++) {
      const double t = 0.05 * n, h = 1e-3; // corners are multiples of 0.05
      double f[5];
      for (int j = 0; j < 5; j++) f[j] = k->at(k->example, &host, t + h * (j + 1)).value;
      Signal s = k->at(k->example, &host, t + 3 * h);
      worst = fmax(worst, fabs(s.rate - (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h)));
      scale = fmax(scale, fmax(fabs(s.rate), fabs(s.value)));
    }
    CHECK_NOTE("%s: %.1e", k->name, worst / scale);
    CHECK_LE(worst, 2e-8 * scale); // of the chirp 5e-9, of h^4 w^4/30
  }
}

TEST(at_a_corner_the_rate_is_that_to_the_right) {
  const LimberTriangle triangle = {8, 1, 2, 4};
  const double corner[][2] = {{0.5, 0}, {1, 8}, {2, -4}, {4, 0}};
  for (int i = 0; i < 4; i++) CHECK_NEAR(function_triangle.at(&triangle, NULL, corner[i][0]).rate, corner[i][1], 0);
  const LimberRamp ramp = {1, 3, 0, 4};
  const double end[][2] = {{-1, 0}, {0, 0.5}, {4, 0}};
  for (int i = 0; i < 3; i++) CHECK_NEAR(function_ramp.at(&ramp, NULL, end[i][0]).rate, end[i][1], 0);
  const double time[] = {0, 1, 3}, value[] = {5, 6, 2};
  const LimberTable table = {3, time, value};
  const double entry[][2] = {{-1, 0}, {0, 1}, {1, -2}, {3, 0}};
  for (int i = 0; i < 4; i++) CHECK_NEAR(function_table.at(&table, NULL, entry[i][0]).rate, entry[i][1], 0);
}

// ---- in a model file ----

static const char *const files[][2] = {
    {"dir/gust.csv", "# measured\n\ntime,\"wind speed\", angle\n0,1,30\n500 , 2.5, 60\n1e3,-4,90\n"},
    {"dir/plain.txt", "0 1\n  0.5\t2.5\n1   -4\n"},
};
static int reads;

static Error Serve(const char *path, const SourceRule *rule, SourceText *out) {
  (void)rule;
  *out = (SourceText){.error = ENOENT};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    if (!strcmp(path, files[i][0])) {
      reads++;
      out->error = 0, out->length = strlen(files[i][1]);
      TRY(MemoryNew(out->length + 1, &out->text));
      strcpy(out->text, files[i][1]);
    }
  return 0;
}

static Input *read_functions(const char *functions) {
  char text[2000];
  Input *in = NULL;
  InputOptions o = {.read = Serve};
  snprintf(text, sizeof text,
           "limber: 1\nlet: {A: 3, w: 120 rpm}\nnodes: {a: [0, 0, 0]}\nelements: [mass: {node: a, mass: A}]\n"
           "loads: [force: {node: a, direction: [w/w, 0, 0], amplitude: f}]\nrun: {step: 1, end: 1}\nfunctions:\n%s",
           functions);
  CHECK_INT(InputRead("dir/main.yaml", text, strlen(text), &o, &in), 0);
  CHECK_INT(in->diagnostics.errors, 0);
  for (int i = 0; in->diagnostics.errors && i < in->diagnostics.count; i++)
    CHECK_NOTE("%s", in->diagnostics.diagnostic[i].text);
  return in;
}

static Signal f_at(const Input *in, double t) {
  int f = model_load(in->model, 0)->load.amplitude;
  return (Signal){model_amplitude(in->model, f, t), model_amplitude_rate(in->model, f, t)};
}

TEST(an_expression_has_the_value_of_its_formula_and_a_rate_by_differences) {
  const double w = 4 * 3.14159265358979323846;
  static const char *const texts[] = {
      "  f: A*t*sin(w*t)\n",
      "  f: {expression: A*t*sin(w*t)}\n",
      "  f: {expression: {value: A*t*sin(w*t)}}\n",
      "  f: {expression: {value: A*t*sin(w*t), rate: A*sin(w*t) + A*t*w*cos(w*t)}}\n",
  };
  for (int k = 0; k < 4; k++) {
    Input *in = read_functions(texts[k]);
    double worst = 0, rate = 0;
    for (int i = 0; i <= 200; i++) {
      double t = 0.05 * i;
      Signal s = f_at(in, t);
      worst = fmax(worst, fabs(s.value - 3 * t * sin(w * t)));
      rate = fmax(rate, fabs(s.rate - 3 * sin(w * t) - 3 * t * w * cos(w * t)));
    }
    CHECK_NOTE("value %.1e, rate %.1e", worst, rate);
    CHECK_LE(worst, 30 * 200 * EPS);                 // the phase is known to 125 EPS
    CHECK_LE(rate, k == 3 ? 400 * 200 * EPS : 2e-7); // measured 5.8e-8 of 377
    CHECK_INT(InputDestroy(&in), 0);
  }
}

TEST(rates_by_differences_reach_from_hours_to_tens_of_microseconds) {
  static const struct {
    const char *text;
    double t, rate;
  } c[] = {
      {"  f: sin(t/3600)\n", 7200, -0.41614683654714241 / 3600},
      {"  f: sin(60000*t)\n", 0, 60000},
      {"  f: exp(-t)\n", 2, -0.1353352832366127},
      {"  f: t^1.5\n", 0, 0},
      {"  f: 'abs(t - 1)'\n", 1.001, 1},
      {"  f: 't < 1 ? 5 : 5 + 3*(t - 1)'\n", 0.999, 0},
  };
  for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
    Input *in = read_functions(c[i].text);
    double rate = f_at(in, c[i].t).rate;
    CHECK_NOTE("%.3g: error %.1e", c[i].rate, rate - c[i].rate);
    CHECK_NEAR(rate, c[i].rate, i == 3 ? 2e-3 : 1e-7 * fmax(1, fabs(c[i].rate))); // t^1.5 from the right: sqrt(1e-6)
    CHECK_INT(InputDestroy(&in), 0);
  }
}

TEST(functions_are_made_of_others_in_any_order) {
  Input *in = read_functions("  f: {sum: [g, 2*A, {product: {of: [g, h, 0.5]}}]}\n"
                             "  g: {ramp: {end: 2}}\n  h: k\n  k: {sum: g}\n");
  for (int i = 0; i < 5; i++) {
    double t = 0.1 + 0.3 * i, g = t / 2;
    CHECK_NEAR(f_at(in, t).value, g + 6 + 0.5 * g * g, 20 * EPS);
    CHECK_NEAR(f_at(in, t).rate, 0.5 + 0.5 * g, 20 * EPS);
  }
  CHECK_INT(InputDestroy(&in), 0);
}

TEST(a_table_may_be_columns_of_a_file_which_is_read_once) {
  static const char *const texts[] = {
      "  f: {table: {time: {file: gust.csv, column: time, unit: ms}, value: {file: gust.csv, column: wind speed}}}\n",
      "  f: {table: {time: {file: ./gust.csv, column: 1, unit: ms}, value: {file: gust.csv, column: 2}}}\n",
      "  f: {table: {time: {file: plain.txt, column: 1}, value: {file: plain.txt, column: 2}}}\n",
      "  f: {table: {time: [0, 500 ms, 1], value: {file: plain.txt, column: 2}}}\n",
  };
  for (int k = 0; k < 4; k++) {
    reads = 0;
    Input *in = read_functions(texts[k]);
    CHECK_INT(reads, 1);
    CHECK_INT(in->sources, 2);
    CHECK_STR(in->source[1].name, k < 2 ? "gust.csv" : "plain.txt");
    CHECK_NEAR(f_at(in, 0.25).value, 1.75, 4 * EPS);
    CHECK_NEAR(f_at(in, 0.75).value, -0.75, 4 * EPS);
    CHECK_NEAR(f_at(in, 0.75).rate, -13, 20 * EPS);
    CHECK_INT(InputDestroy(&in), 0);
  }
  Input *in = read_functions("  f: {table: {time: [0, 1, 2], value: {file: gust.csv, column: angle, scale: A/3}}}\n");
  CHECK_NEAR(f_at(in, 1).value, 60, 0);
  CHECK_INT(InputDestroy(&in), 0);
}

CHECK_MAIN
