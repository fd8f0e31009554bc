// SPDX-License-Identifier: Apache-2.0
// Formulae of model files: what they are worth, and what is said of mistakes in them.
#include "check.h"

#include "base/limits.h"
#include "model/formula.h"

#include <math.h>

static double R = 0.5, n = 4;
static int asked;

static const double *name(void *owner, const char *text) {
  (void)owner;
  asked++;
  return !strcmp(text, "R") ? &R : !strcmp(text, "tip.n") ? &n : NULL;
}

TEST(formulae_have_the_values_of_arithmetic) {
  static const struct {
    const char *text;
    double value;
  } cases[] = {{"1/3", 1.0 / 3},
               {"2*R", 1},
               {"-R^2", -0.25},
               {"2^3^2", 512},
               {"sin(pi/2)*R", 0.5},
               {"sqrt(tip.n) + 1e-3", 2.001},
               {"min(R, 2, 3) + max(1,2)", 2.5},
               {"R > 0.4 ? 7 : 8", 7},
               {"(R == 0.5) && (tip.n != 3)", 1},
               {"R == 0.5 && tip.n != 3 || 0", 1},
               {"0.5 && 0.25", 1},
               {"1 || 0 && 0", 1},
               {"1 < 2 < 0.5", 0},
               {"1 + 2 < 4 - 2", 0},
               {"2 - 3 - 4", -5},
               {"16 / 4 / 2 * 3", 6},
               {"2^-1^2", 0.5},
               {"-2^2*3", -12},
               {"2*-R", -1},
               {"2 - -R", 2.5},
               {"(-2)^2", 4},
               {"0 ? 1 : 0 ? 2 : 3", 3},
               {"0 ? 1 ? 2 : 3 : 4", 4},
               {"1 ? 1 ? 2 : 3 : 4", 2},
               {"(0 ? 2 : 3)*4", 12},
               {"2*(1 ? 2 : 3)", 4},
               {"-(1 ? 2 : 3) + 2*3", 4},
               {"max(0 ? 1 : 2, 1 > 2) + 1", 3},
               {"sum(1, 2, 3)*avg(1, 2, 6)", 18},
               {"min(4)", 4},
               {"atan2(1, -1)/pi", 0.75},
               {"rint(2.5) + rint(-2.5) + rint(0.4)", 1},
               {"sign(-3) + sign(0) + sign(R)", 0},
               {"abs(-R)", 0.5},
               {"asinh(-1e9) + asinh(1e9)", 0},
               {"log(_e) + ln(1) + log2(8) + log10(1000)", 7},
               {"1.5e1 + .5 + 2. + 1E-1", 17.6},
               {"sin (0)", 0},
               {" ( 1 ) ", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Formula *f = NULL;
    FormulaMistake m;
    CHECK_INT(FormulaCreate(cases[i].text, name, NULL, &f, &m), 0);
    if (!CHECK(f != NULL)) {
      CHECK_NOTE("%s: %s", cases[i].text, m.text);
      continue;
    }
    CHECK_NEAR(formula_value(f), cases[i].value, 1e-15);
    formula_destroy(&f);
  }
}

TEST(a_formula_follows_its_names) {
  Formula *f = NULL;
  FormulaMistake m;
  CHECK_INT(FormulaCreate("R*tip.n", name, NULL, &f, &m), 0);
  R = 2, n = 8;
  CHECK_NEAR(formula_value(f), 16, 0);
  R = 0.5, n = 4;
  formula_destroy(&f);
}

TEST(mistakes_in_formulae_are_told_with_their_place) {
  static const struct {
    const char *text, *wrong;
    int at;
  } cases[] = {{"2*r", "nothing is called 'r'", 2},
               {"2*(R", "a ')' is missing", 3},
               {"R = 3", "a formula cannot assign; compare two values with ==", 2},
               {"2 +", "the formula ends too early", 2},
               {"2,5", "a decimal point is written '.'", 1},
               {"R R", "'R' is not allowed here", 2},
               {"sin()", "too few arguments for 'sin'", 4},
               {"min()", "too few arguments for 'min'", 4},
               {"atan2(1)", "too few arguments for 'atan2'", 7},
               {"atan2(1, 2, 3)", "too many arguments for 'atan2'", 13},
               {"min(1,)", "')' is not allowed here", 6},
               {"(1, 2)", "',' is not allowed here", 2},
               {"2 == == 3", "'==' is not allowed here", 5},
               {"2 & 3", "'&' is not allowed here", 2},
               {"2)", "this ')' closes nothing", 1},
               {"2(3)", "'(' is not allowed here", 1},
               {"1 ? 2", "a ':' is missing after '?'", 4},
               {"1 : 2", "':' is not allowed here", 2},
               {"2x", "'x' is not allowed here", 1},
               {"1 + 1.2.3", "'1.2.3' is not a number", 4},
               {"1e999", "'1e999' is not a number", 0},
               {"0x10", "'x10' is not allowed here", 1},
               {"sin + 1", "nothing is called 'sin'", 0},
               {"(r", "nothing is called 'r'", 1},
               {"", "the formula ends too early", 0},
               {"\"a\"", "this sign has no meaning in a formula", 0},
               {"system(1)", "nothing is called 'system'", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Formula *f = NULL;
    FormulaMistake m;
    CHECK_INT(FormulaCreate(cases[i].text, name, NULL, &f, &m), 0);
    CHECK(f == NULL);
    CHECK_STR(m.text, cases[i].wrong);
    CHECK_INT((int)m.at, cases[i].at);
    CHECK_NOTE("%s: %s, at %d", cases[i].text, m.text, (int)m.at);
  }
}

static char long_text[LIMIT_FORMULA + 100];

// `left` n times, "1", `right` n times
static const char *repeat(const char *left, int count, const char *right) {
  char *p = long_text;
  for (int i = 0; i < count; i++) p += sprintf(p, "%s", left);
  p += sprintf(p, "1");
  for (int i = 0; i < count; i++) p += sprintf(p, "%s", right);
  return long_text;
}

static double value_of(const char *text, FormulaMistake *m) {
  Formula *f = NULL;
  CHECK_INT(FormulaCreate(text, name, NULL, &f, m), 0);
  double value = f ? formula_value(f) : NAN;
  formula_destroy(&f);
  return value;
}

TEST(a_name_is_asked_for_once) {
  FormulaMistake m;
  asked = 0;
  CHECK_NEAR(value_of("R + tip.n*R - R^2 + tip.n", &m), 6.25, 0);
  CHECK_INT(asked, 2);
}

TEST(depth_is_bounded_and_length_is_not_depth) {
  static const char *const deep[][2] = {{"(", ")"},   {"sin(", ")"}, {"1^", ""},
                                        {"1?", ":0"}, {"0?0:", ""},  {"1+(", ")"}};
  FormulaMistake m;
  for (int i = 0; i < 6; i++) {
    CHECK(isfinite(value_of(repeat(deep[i][0], LIMIT_FORMULA_DEPTH - 2, deep[i][1]), &m)));
    CHECK(isnan(value_of(repeat(deep[i][0], LIMIT_FORMULA_DEPTH + 1, deep[i][1]), &m)));
    CHECK_STR(m.text, "the formula is nested too deeply");
  }
  CHECK_NEAR(value_of(repeat("1+", LIMIT_FORMULA / 2 - 1, ""), &m), LIMIT_FORMULA / 2, 0);
  CHECK_NEAR(value_of(repeat("-", LIMIT_FORMULA - 1, ""), &m), LIMIT_FORMULA % 2 ? 1 : -1, 0);
  repeat("1,", LIMIT_FORMULA / 2 - 10, "");
  memcpy(long_text, "sum(", 4);
  strcat(long_text, ")");
  CHECK_NEAR(value_of(long_text, &m), LIMIT_FORMULA / 2 - 11, 0);
  CHECK(isnan(value_of(repeat("1+", LIMIT_FORMULA / 2, ""), &m)));
  CHECK_STR(m.text, "a formula has at most 2000 characters");
}

CHECK_MAIN
