// SPDX-License-Identifier: Apache-2.0
// Formulae with derivatives: values are those of muParser, derivatives those of differences.
#include "check.h"

#include "model/formula.h"
#include "model/tape_read.h"

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
                                     "1/(2 + first)/(3 + second)*third"};
enum { SMOOTH = sizeof smooth / sizeof smooth[0] };

TEST(values_are_those_of_the_other_formulae) {
  for (int i = 0; i < SMOOTH; i++) {
    Tape t;
    Jet j;
    char error[200];
    Formula *f = NULL;
    FormulaMistake m;
    if (!CHECK(tape_read(&(LimberFormula){smooth[i], parameter, 1}, 3, names, &t, error, sizeof error))) {
      CHECK_NOTE("%s: %s", smooth[i], error);
      continue;
    }
    CHECK_INT(FormulaCreate(smooth[i], find, NULL, &f, &m), 0);
    if (!CHECK(f != NULL)) continue;
    tape_evaluate(&t, at, &j);
    if (!CHECK_NEAR(j.value, formula_value(f), 1e-15 * (1 + fabs(j.value)))) CHECK_NOTE("%s", smooth[i]);
    formula_destroy(&f);
  }
}

// Central differences of the value and of the gradient: with a step of 1e-4 their error is 1e-8 of a third derivative.
TEST(derivatives_are_those_of_differences) {
  const double h = 1e-4;
  double worst = 0;
  for (int i = 0; i < SMOOTH; i++) {
    Tape t;
    Jet j, up, down;
    char error[200];
    if (!CHECK(tape_read(&(LimberFormula){smooth[i], parameter, 1}, 3, names, &t, error, sizeof error))) continue;
    tape_evaluate(&t, at, &j);
    for (int k = 0; k < 3; k++) {
      double x[3] = {at[0], at[1], at[2]}, y[3] = {at[0], at[1], at[2]};
      x[k] += h, y[k] -= h;
      tape_evaluate(&t, x, &up);
      tape_evaluate(&t, y, &down);
      worst = fmax(worst, fabs((up.value - down.value) / (2 * h) - j.d[k]));
      for (int l = 0; l < 3; l++) worst = fmax(worst, fabs((up.d[l] - down.d[l]) / (2 * h) - j.dd[l][k]));
    }
  }
  CHECK_NOTE("%.1e", worst);
  CHECK_LE(worst, 2e-5);
}

TEST(powers_of_zero_have_derivatives) {
  Tape t;
  Jet j;
  char error[200];
  CHECK(tape_read(&(LimberFormula){"first^2 + second^1 + third^3", NULL, 0}, 3, names, &t, error, sizeof error));
  tape_evaluate(&t, (double[]){0, 0, 0}, &j);
  CHECK_NEAR(j.value, 0, 0);
  CHECK_NEAR(j.d[0], 0, 0);
  CHECK_NEAR(j.d[1], 1, 0);
  CHECK_NEAR(j.dd[0][0], 2, 0);
  CHECK_NEAR(j.dd[2][2], 0, 0);
}

// 2^(x^2): the exponent has no slope at 0, but a curvature.
TEST(exponents_at_rest_have_second_derivatives) {
  Tape t;
  Jet j;
  char error[200];
  CHECK(tape_read(&(LimberFormula){"2^(first*second)", NULL, 0}, 3, names, &t, error, sizeof error));
  tape_evaluate(&t, (double[]){0, 0, 0}, &j);
  CHECK_NEAR(j.value, 1, 0);
  CHECK_NEAR(j.d[0], 0, 0);
  CHECK_NEAR(j.dd[0][1], log(2), 1e-15);
  CHECK_NEAR(j.dd[1][0], log(2), 1e-15);
}

TEST(mistakes_and_formulae_without_end_are_told) {
  static const struct {
    const char *text, *error;
  } cases[] = {{"first +", "the formula ends too early"},
               {"(first", "a ')' is missing"},
               {"first second", "'s' cannot stand here"},
               {"x - first", "nothing is called 'x'"},
               {"abs(first)", "'abs' has no derivative everywhere: write a smooth formula"},
               {"first > 2 ? 1 : 2", "'>' cannot stand here"},
               {"atan2(first)", "'atan2' needs two values"},
               {"1.2.3", "'1.2.3' is no number"},
               {"first + \u00e9", "'\u00e9' cannot stand here"},
               {"first \u2212 second", "'\u2212' cannot stand here"},
               {"", "the formula ends too early"}};
  Tape t;
  char error[200], text[2000] = "";
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    CHECK(!tape_read(&(LimberFormula){cases[i].text, NULL, 0}, 3, names, &t, error, sizeof error));
    CHECK_STR(error, cases[i].error);
  }
  for (int i = 0; i < 500; i++) strcat(text, "(");
  CHECK(!tape_read(&(LimberFormula){text, NULL, 0}, 3, names, &t, error, sizeof error));
  CHECK_STR(error, "its parentheses are nested too deep");
  for (int i = 0; i < 500; i++) text[i] = i % 2 ? '+' : '1';
  text[499] = 0;
  CHECK(!tape_read(&(LimberFormula){text, NULL, 0}, 3, names, &t, error, sizeof error));
  CHECK_STR(error, "it has too many operations");
  for (int i = 0; i < 499; i++) text[i] = i % 2 ? '^' : '1'; // from the right: all values wait
  CHECK(!tape_read(&(LimberFormula){text, NULL, 0}, 3, names, &t, error, sizeof error));
}

CHECK_MAIN
