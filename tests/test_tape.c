// SPDX-License-Identifier: Apache-2.0
// Formulae with derivatives: values are those of formulae without, derivatives those of differences.
#include "check.h"

#include "base/limits.h"
#include "model/formula.h"

#include <math.h>

static double at[3] = {0.3, -0.4, 1.2}, radius = 0.7;
static const char *const names[] = {"first", "second", "third"};
static const LimberParameter parameter[] = {{"R", 0.7}};

static const double *find(void *owner, const char *text) {
  (void)owner;
  for (int i = 0; i < 3; i++)
    if (!strcmp(text, names[i])) return &at[i];
  return !strcmp(text, "R") ? &radius : NULL;
}

static TapeStep step[LIMIT_FORMULA];
static Tape tape = {.step = step};
static FormulaMistake mistake;

static bool read_smooth(const char *text) {
  return tape_read_smooth(&(LimberFormula){text, parameter, 1}, 3, names, &tape, &mistake);
}

static const char *const smooth[] = {"second - 0.1*sin(2*first)",
                                     "-first^2",
                                     "2^-third",
                                     "2^third^2",
                                     "-2^2*third",
                                     "third^first",
                                     "(1 + first)^third",
                                     "first*second/third - R",
                                     "R*-second",
                                     "first - -second + +third",
                                     "1e-3*third + .5E1",
                                     "tan(first)*asin(first)*acos(second)",
                                     "atan(first) + sinh(second) - cosh(third)",
                                     "tanh(third)*asinh(second)",
                                     "acosh(third) - atanh(first)",
                                     "log2(third) + log10(third)*log(third) - ln(third)",
                                     "exp(second*first)/sqrt(third)",
                                     "atan2(first, second)*pi",
                                     "((first)) * (second - (third*(first - 2)))",
                                     "first^0",
                                     "second^3 - second^2",
                                     "2*sin(first)^2",
                                     "sum(first, second, R)*avg(third, 2)",
                                     "1/(2 + first)/(3 + second)*third"};
enum { SMOOTH = sizeof smooth / sizeof smooth[0] };

TEST(values_are_those_of_the_other_formulae) {
  for (int i = 0; i < SMOOTH; i++) {
    Jet j;
    Formula *f = NULL;
    if (!CHECK(read_smooth(smooth[i]))) {
      CHECK_NOTE("%s: %s", smooth[i], mistake.text);
      continue;
    }
    CHECK_INT(FormulaCreate(smooth[i], find, NULL, &f, &mistake), 0);
    if (!CHECK(f != NULL)) continue;
    tape_evaluate(&tape, at, &j);
    if (!CHECK_NEAR(j.value, formula_value(f), 0)) CHECK_NOTE("%s", smooth[i]);
    formula_destroy(&f);
  }
}

// Central differences of the value and of the gradient: with a step of 1e-4 their error is 1e-8 of a third derivative.
TEST(derivatives_are_those_of_differences) {
  const double h = 1e-4;
  double worst = 0;
  for (int i = 0; i < SMOOTH; i++) {
    Jet j, up, down;
    if (!CHECK(read_smooth(smooth[i]))) continue;
    tape_evaluate(&tape, at, &j);
    for (int k = 0; k < 3; k++) {
      double x[3] = {at[0], at[1], at[2]}, y[3] = {at[0], at[1], at[2]};
      x[k] += h, y[k] -= h;
      tape_evaluate(&tape, x, &up);
      tape_evaluate(&tape, y, &down);
      worst = fmax(worst, fabs((up.value - down.value) / (2 * h) - j.d[k]));
      for (int l = 0; l < 3; l++) worst = fmax(worst, fabs((up.d[l] - down.d[l]) / (2 * h) - j.dd[l][k]));
    }
  }
  CHECK_NOTE("%.1e", worst);
  CHECK_LE(worst, 2e-5);
}

TEST(powers_of_zero_have_derivatives) {
  Jet j;
  CHECK(read_smooth("first^2 + second^1 + third^3"));
  tape_evaluate(&tape, (double[]){0, 0, 0}, &j);
  CHECK_NEAR(j.value, 0, 0);
  CHECK_NEAR(j.d[0], 0, 0);
  CHECK_NEAR(j.d[1], 1, 0);
  CHECK_NEAR(j.dd[0][0], 2, 0);
  CHECK_NEAR(j.dd[2][2], 0, 0);
}

// 2^(x^2): the exponent has no slope at 0, but a curvature.
TEST(exponents_at_rest_have_second_derivatives) {
  Jet j;
  CHECK(read_smooth("2^(first*second)"));
  tape_evaluate(&tape, (double[]){0, 0, 0}, &j);
  CHECK_NEAR(j.value, 1, 0);
  CHECK_NEAR(j.d[0], 0, 0);
  CHECK_NEAR(j.dd[0][1], log(2), 1e-15);
  CHECK_NEAR(j.dd[1][0], log(2), 1e-15);
}

TEST(what_has_no_derivative_is_refused_with_its_place) {
  static const struct {
    const char *text, *error;
    int at;
  } cases[] = {{"second + abs(first)", "'abs' has no derivative everywhere: write a smooth formula", 9},
               {"max(first, 2)", "'max' has no derivative everywhere: write a smooth formula", 0},
               {"first > 2 ? 1 : 2", "'>' has no derivative everywhere: write a smooth formula", 6},
               {"first ? 1 : 2", "'?' has no derivative everywhere: write a smooth formula", 6},
               {"x - first", "nothing is called 'x'", 0},
               {"foo(first)", "nothing is called 'foo'", 0},
               {"first second", "'second' is not allowed here", 6}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    CHECK(!read_smooth(cases[i].text));
    CHECK_STR(mistake.text, cases[i].error);
    CHECK_INT((int)mistake.at, cases[i].at);
  }
}

CHECK_MAIN
