// SPDX-License-Identifier: Apache-2.0
// Gradients through the public interface, on any number of ranks: a mass on a spring against its equations.
#include "check_petsc.h"

#include "limber/limber.h"

#include <math.h>
#include <string.h>

static const char spring[] = "limber: 1\n"
                             "let: {m: 4 kg, k: 100 N/m, f: 8 N}\n"
                             "nodes: {wall: [0, 0, 0], mass: {at: [1, 0, 0], kind: point}}\n"
                             "elements:\n"
                             "  - mass: {name: mass, node: mass, mass: m}\n"
                             "  - spring: {name: spring, nodes: [wall, mass], stiffness: k}\n"
                             "joints:\n"
                             "  - clamp: {node: wall}\n"
                             "  - point_on_line: {name: line, nodes: [ground, mass], axis: [1, 0, 0]}\n"
                             "loads: [force: {node: mass, direction: [1, 0, 0], amplitude: {constant: {value: f}}}]\n"
                             "probes: [{name: mass, node: mass}]\n"
                             "run: {step: 1 ms, end: 50 ms}\n";

static LimberFile read_spring(void) {
  LimberReadOptions read = limber_read_options_default();
  LimberFile file = NULL;
  read.text = spring;
  CHECK_OK(LimberFileRead("spring", &read, &file));
  return file;
}

static const char *const of[] = {"static(mass.displacement.x)", "frequency(1)", "mass.x@end"};
static const char *const wrt[] = {"k", "let.m", "f"};

TEST(gradients_of_a_mass_on_a_spring_are_those_of_its_equations) {
  LimberFile file = read_spring();
  LimberGradientOptions o = limber_gradient_options_default();
  LimberGradient g = NULL;
  double m = 4, k = 100, f = 8, w = sqrt(k / m), t = 0.05, hertz = w / (2 * acos(-1));
  // x = f/k (1 - cos w t)
  double slope = f / k * sin(w * t) * t * w / 2;
  const double exact[3][3] = {{-f / (k * k), 0, 1 / k},
                              {hertz / (2 * k), -hertz / (2 * m), 0},
                              {-f / (k * k) * (1 - cos(w * t)) + slope / k, -slope / m, (1 - cos(w * t)) / k}};
  o.quantities = 3, o.quantity = of, o.parameters = 3, o.parameter = wrt, o.check = true;
  CHECK_OK(LimberGradientCreate(file, &o, &g));
  CHECK(g != NULL);
  for (int i = 0; g && i < 3; i++)
    for (int p = 0; p < 3; p++) {
      const double value[] = {k, m, f};
      LimberDerivative d = limber_gradient_derivative(g, i, p);
      double scale = limber_gradient_value(g, i) / value[p], part = i < 2 ? 1e-10 : 2e-3; // the step's error: 4e-4
      CHECK_NOTE("%s: %.3g of %.3g, error %.1e", of[i], fabs(d.value - exact[i][p]), scale, d.error);
      CHECK_LE(fabs(d.value - exact[i][p]), part * fabs(scale) + d.error);
      CHECK_LE(fabs(d.value - d.check), d.error + d.check_error + 1e-9 * fabs(scale));
    }
  if (g) {
    CHECK(!strcmp(limber_gradient_unit(g, 1), "Hz") && limber_gradient_parameter(g, 1) == m);
    CHECK(strstr(limber_gradient_parameter_unit(g, 1), "kg") && !*limber_gradient_remarks(g));
  }
  CHECK_OK(LimberGradientDestroy(&g));
  CHECK(g == NULL);
  CHECK_OK(LimberFileDestroy(&file));
}

TEST(what_has_no_gradient_is_a_diagnostic_of_the_model) {
  LimberFile file = read_spring();
  LimberGradientOptions o = limber_gradient_options_default();
  LimberGradient g = NULL;
  const char *const toe[] = {"toe.x@end"};
  o.quantities = 1, o.quantity = toe, o.parameters = 1, o.parameter = wrt;
  CHECK_OK(LimberGradientCreate(file, &o, &g));
  CHECK(g == NULL && strstr(limber_model_diagnostics(limber_file_model(file)), "no probe records 'toe.x'"));
  CHECK_OK(LimberFileDestroy(&file));
}

CHECK_MAIN_PETSC
