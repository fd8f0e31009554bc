// SPDX-License-Identifier: Apache-2.0
// Fits through the public interface, on any number of ranks: a mass on a spring from its frequency and its displacement.
#include "check_petsc.h"

#include "limber/limber.h"

#include <math.h>
#include <string.h>

static const char spring[] = "limber: 1\n"
                             "let: {m: 3 kg, k: 120 N/m, f: 8 N}\n"
                             "nodes: {wall: [0, 0, 0], mass: {at: [1, 0, 0], kind: point}}\n"
                             "elements:\n"
                             "  - mass: {name: mass, node: mass, mass: m}\n"
                             "  - spring: {name: spring, nodes: [wall, mass], stiffness: k}\n"
                             "joints:\n"
                             "  - clamp: {node: wall}\n"
                             "  - point_on_line: {name: line, nodes: [ground, mass], axis: [1, 0, 0]}\n"
                             "loads: [force: {node: mass, direction: [1, 0, 0], amplitude: {constant: {value: f}}}]\n"
                             "probes: [{name: mass, node: mass}]\n"
                             "fit:\n"
                             "  parameters: [{name: m}, {name: k, from: 1 N/m}]\n"
                             "  data:\n"
                             "    - {of: frequency(1), value: 0.7957747154594768 Hz, noise: 0.01 Hz}\n"
                             "    - {of: static(mass.displacement.x), value: 80 mm, noise: 1 mm}\n";

static LimberFile read_spring(void) {
  LimberReadOptions read = limber_read_options_default();
  LimberFile file = NULL;
  read.text = spring;
  CHECK_OK(LimberFileRead("spring", &read, &file));
  return file;
}

TEST(a_fit_of_a_mass_on_a_spring_has_the_errors_of_its_equations) {
  LimberFile file = read_spring();
  LimberFit fit = NULL;
  CHECK_OK(LimberFitCreate(file, &fit));
  CHECK(fit != NULL);
  if (!fit) return;
  // x = f/k = 0.08 m and w^2 = k/m = 25 1/s^2: k = 100, m = 4. dk/k = dx/x, and dm/m = dk/k - 2 df/f
  double k = 0.001 / 0.08, m = hypot(k, 2 * 0.01 / 0.7957747154594768);
  CHECK(limber_fit_parameters(fit) == 2 && !strcmp(limber_fit_name(fit, 1), "let.k"));
  CHECK_NOTE("m %.3g, k %.3g", fabs(limber_fit_value(fit, 0) / 4 - 1), fabs(limber_fit_value(fit, 1) / 100 - 1));
  CHECK_LE(fabs(limber_fit_value(fit, 0) / 4 - 1), 1e-8);
  CHECK_LE(fabs(limber_fit_value(fit, 1) / 100 - 1), 1e-8);
  CHECK_LE(fabs(limber_fit_error(fit, 0) / (4 * m) - 1), 1e-6);
  CHECK_LE(fabs(limber_fit_error(fit, 1) / (100 * k) - 1), 1e-6);
  CHECK(isnan(limber_fit_half_step_change(fit, 0))); // frequencies have no step
  CHECK_LE(fabs(limber_fit_correlation(fit, 0, 1) - k / m), 1e-6);
  CHECK(limber_fit_points(fit) == 2 && limber_fit_freedom(fit) == 0 && limber_fit_unknown(fit) == 0);
  CHECK_LE(fabs(limber_fit_fitted(fit, 1) - limber_fit_measured(fit, 1)), 1e-9);
  CHECK_LE(limber_fit_chi_square(fit), 1e-12);
  CHECK(strstr(limber_fit_unit(fit, 0), "kg") && !*limber_fit_remarks(fit));
  CHECK_OK(LimberFitDestroy(&fit));
  CHECK_OK(LimberFileDestroy(&file));
}

CHECK_MAIN_PETSC
