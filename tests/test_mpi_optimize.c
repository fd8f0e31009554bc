// SPDX-License-Identifier: Apache-2.0
// Optima through the public interface, on any number of ranks: the lightest two springs in a row with a given compliance.
#include "check_petsc.h"

#include "limber/limber.h"

#include <math.h>
#include <string.h>

static const char springs[] =
    "limber: 1\n"
    "let: {k1: 50 N/m, k2: 70 N/m, f: 8 N}\n"
    "nodes: {wall: [0, 0, 0], a: {at: [1, 0, 0], kind: point}, b: {at: [2, 0, 0], kind: point}}\n"
    "elements:\n"
    "  - mass: {name: a, node: a, mass: 1}\n"
    "  - mass: {name: b, node: b, mass: 1}\n"
    "  - spring: {name: one, nodes: [wall, a], stiffness: k1}\n"
    "  - spring: {name: two, nodes: [a, b], stiffness: k2}\n"
    "joints:\n"
    "  - clamp: {node: wall}\n"
    "  - point_on_line: {nodes: [ground, a], axis: [1, 0, 0]}\n"
    "  - point_on_line: {nodes: [ground, b], axis: [1, 0, 0]}\n"
    "loads: [force: {node: b, direction: [1, 0, 0], amplitude: {constant: {value: f}}}]\n"
    "probes: [{name: b, node: b, record: [displacement]}, {name: cost, formula: k1 + 4*k2, unit: N/m}]\n"
    "optimize:\n"
    "  minimize: static(cost)\n"
    "  parameters: [{name: k1, from: 1 N/m}, {name: k2, from: 1 N/m}]\n"
    "  constraints: [{of: static(b.displacement.x), to: 240 mm}]\n";

static LimberFile read_springs(void) {
  LimberReadOptions read = limber_read_options_default();
  LimberFile file = NULL;
  read.text = springs;
  CHECK_OK(LimberFileRead("springs", &read, &file));
  return file;
}

TEST(the_cheapest_two_springs_have_the_stiffness_and_the_multiplier_of_their_equations) {
  LimberFile file = read_springs();
  LimberOptimum o = NULL;
  CHECK_OK(LimberOptimumCreate(file, &o));
  CHECK(o != NULL);
  if (!o) return;
  // least k1 + 4 k2 where f/k1 + f/k2 = x: k1 = 2 k2 = 3 f/x, the cost is 9 f/x and changes by -9 f/x^2 with x
  double x = 0.24, f = 8;
  CHECK(limber_optimum_parameters(o) == 2 && !strcmp(limber_optimum_name(o, 1), "let.k2"));
  CHECK_NOTE("cost %.3g, k1 %.3g, multiplier %.3g", fabs(limber_optimum_objective(o) * x / (9 * f) - 1),
             fabs(limber_optimum_value(o, 0) * x / (3 * f) - 1),
             fabs(limber_optimum_multiplier(o, 0) * x * x / (9 * f) + 1));
  CHECK_LE(fabs(limber_optimum_objective(o) * x / (9 * f) - 1), 1e-8);
  CHECK_LE(fabs(limber_optimum_value(o, 0) * x / (3 * f) - 1), 1e-4);
  CHECK_LE(fabs(limber_optimum_value(o, 1) * x / (1.5 * f) - 1), 1e-4);
  CHECK_LE(fabs(limber_optimum_multiplier(o, 0) * x * x / (9 * f) + 1), 1e-4);
  CHECK(limber_optimum_bound_multiplier(o, 0) == 0 && limber_optimum_constraints(o) == 1);
  CHECK_LE(fabs(limber_optimum_constraint(o, 0) - x), 1e-8);
  CHECK(strstr(limber_optimum_unit(o, 0), "kg") && !*limber_optimum_remarks(o));
  CHECK_OK(LimberOptimumDestroy(&o));
  CHECK_OK(LimberFileDestroy(&file));
}

CHECK_MAIN_PETSC
