// SPDX-License-Identifier: Apache-2.0
// Formulae of model files: what they are worth, and what is said of mistakes in them.
#include "check.h"

#include "model/formula.h"

static double R = 0.5, n = 4;

static const double *name(void *owner, const char *text) {
  (void)owner;
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
               {"(R == 0.5) && (tip.n != 3)", 1}};
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
               {"R = 3", "a formula assigns nothing; two values are compared by ==", 2},
               {"2 +", "the formula ends too early", 2},
               {"2,5", "a decimal point is written '.'", 1},
               {"R R", "'R' cannot stand here", 2},
               {"sin()", "too little is given to 'sin'", 4},
               {"\"a\"", "this sign has no meaning in a formula", 0},
               {"system(1)", "nothing is called 'system'", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Formula *f = NULL;
    FormulaMistake m;
    CHECK_INT(FormulaCreate(cases[i].text, name, NULL, &f, &m), 0);
    CHECK(f == NULL);
    CHECK(!strcmp(m.text, cases[i].wrong));
    CHECK_INT((int)m.at, cases[i].at);
    CHECK_NOTE("%s: %s, at %d", cases[i].text, m.text, (int)m.at);
  }
}

CHECK_MAIN
