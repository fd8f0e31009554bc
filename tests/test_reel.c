// SPDX-License-Identifier: Apache-2.0
// Reeved cables with winches and friction: the contracts of elements, over all ways in which their coordinates stand, and closed forms.
#include "check.h"

#include "contract.h"
#include "mechanics/reel.h"

extern const ElementKind element_reeved_cable;

// Long enough that random motions of the points reel none of it in as a whole, and make parts of it taut.
static const LimberReevedCable cables[] = {
    {.over = {{2}, {LIMBER_NONE}, {LIMBER_NONE}, {LIMBER_NONE}}, .length = 6, .winch = LIMBER_WINCH_FROM},
    {.over = {{2}, {LIMBER_NONE}, {LIMBER_NONE}, {LIMBER_NONE}}, .length = 6, .damping = 0.1, .winch = LIMBER_WINCH_TO},
    {.over = {{2}, {LIMBER_NONE}, {LIMBER_NONE}, {LIMBER_NONE}}, .length = 13, .friction = {0.3}},
    {.over = {{2}, {4}, {LIMBER_NONE}, {LIMBER_NONE}},
     .length = 20,
     .friction = {0.3, 0.1},
     .winch = LIMBER_WINCH_FROM},
    {.over = {{2}, {4}, {5}, {LIMBER_NONE}},
     .length = 30,
     .damping = 0.05,
     .friction = {0, 0.2},
     .winch = LIMBER_WINCH_TO},
    {.over = {{2}, {4}, {5}, {6}}, .length = 8, .mass = 0.4, .winch = LIMBER_WINCH_FROM},
    {.over = {{2}, {4}, {5}, {LIMBER_NONE}}, .length = 30, .friction = {0.3, 0.2, 0.1}},
};
enum { CABLES = sizeof cables / sizeof cables[0] };

static void over_cables(double (*error)(const Mock *), double tolerance) {
  static Mock m;
  double worst = 0;
  for (int i = 0; i < CABLES; i++) {
    LimberReevedCable p = cables[i];
    p.from = (LimberNodeId){1}, p.to = (LimberNodeId){3}, p.stiffness = 13, p.friction_rate = 0.5;
    random_restart(17 + (unsigned)i);
    mock_begin(&m, "reeved_cable", i % 2 ? "PFPFPP" : "PPPFFP");
    CHECK_STR(mock_build(&m, &element_reeved_cable, &p), NULL);
    difference_size = 4e-4;
    double e = error(&m);
    difference_size = 4e-3;
    if (!CHECK_LE(e, tolerance)) CHECK_NOTE("cable %d", i);
    worst = worse(worst, e);
    mock_end(&m);
  }
  CHECK_NOTE("%.1e", worst);
}

TEST(tables_keep_their_bounds) { over_cables(element_table_error, 0); }
TEST(forces_work_the_exact_change_of_rows) { over_cables(element_identity_error, 50 * EPS); }
TEST(work_is_change_of_energy_plus_losses_in_every_scheme) { over_cables(element_theorem_error, 100 * EPS); }
TEST(force_is_the_gradient_of_the_energy) { over_cables(element_gradient_error, 1e-9); }
TEST(tangent_is_the_derivative_of_the_force) { over_cables(element_tangent_error, 1e-9); }
TEST(inertia_is_never_negative) { over_cables(element_inertia_error, 10 * EPS); }

// EA (l - L)^2/(2 L) of l = 10 and L = 8: the force of the winch is -dV/dL.
TEST(energy_and_forces_are_those_of_the_natural_length) {
  const double ea = 50, start = 9, e[2] = {(10 - start) / start, (start - 8) / start};
  const Law law = {.stiffness = ea, .side = LIMBER_SIDE_ABOVE};
  double force[2], tension = ea * 2 / 8;
  reel_force(&law, 2, e, force);
  CHECK_REL(start * reel_energy(&law, 2, e), ea * 4 / 16, 1e-14);
  CHECK_REL(force[0], tension, 1e-14);
  CHECK_REL(force[1], tension + tension * tension / (2 * ea), 1e-14);
}

CHECK_MAIN
