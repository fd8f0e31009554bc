// SPDX-License-Identifier: Apache-2.0
// Modes against exact frequencies: cantilever, free and tensioned beams, rotating beams, a spinning shaft, pendulums.
#include "check_petsc.h"

#include "analyses/modes/modes.h"
#include "base/rotation.h"
#include "model/refusal.h"
#include "solvers/redundancy.h"

#include <math.h>

typedef struct {
  LimberModel model;
  StepRule rule;
  System *s;
  LimberNodeId first, last;
  LimberElementId beam;
} Case;

static void open_system(Case *c) {
  RedundancyReport report;
  CHECK_STR(limber_model_diagnostics(c->model), "");
  c->rule = (StepRule){.order = 0};
  scheme_without_inertia(&c->rule);
  CHECK_OK(SystemCreate(c->model, &c->rule, &c->s));
  CHECK_OK(RedundancyFindRows(&c->s->motion, &c->s->redundancy, &report));
}

static void close_case(Case *c) {
  CHECK_OK(SystemDestroy(&c->s));
  CHECK_OK(LimberModelDestroy(&c->model));
}

static Modes *find(Case *c, const Spin *spin, int count, LimberDamped damped) {
  LimberModesOptions o;
  Modes *m = NULL;
  Refusal wrong;
  o = limber_modes_options_default();
  o.count = count, o.damped = damped;
  CHECK_OK(ModesFind(c->s, spin, &o, &m, &wrong));
  CHECK_STR(wrong.text, "");
  CHECK(m && m->count == count);
  for (int i = 0; m && i < m->count; i++) CHECK_LE(m->mode[i].residual, 1e-5);
  return m;
}

// A beam along x with EI = mass = length = 1, next to rigid in shear and without rotary inertia.
static Case unit_beam(int elements, double radius, double axial, double damping) {
  Case c;
  LimberSectionId section;
  double stiff = axial;
  LimberSection q = {.mass = 1};
  const double stiffness[6] = {stiff, stiff, stiff, 1, 1, 1},
               inertia[3] = {2 * radius * radius, radius * radius, radius * radius};
  for (int i = 0; i < 6; i++) q.stiffness[i][i] = stiffness[i];
  for (int i = 0; i < 3; i++) q.inertia[i][i] = inertia[i];
  CHECK_OK(LimberModelCreate(&c.model));
  CHECK_OK(LimberModelAddFrame(c.model, "root", (double[]){0, 0, 0}, NULL, &c.first));
  CHECK_OK(LimberModelAddFrame(c.model, "tip", (double[]){1, 0, 0}, NULL, &c.last));
  CHECK_OK(LimberModelAddSection(c.model, "s", 1, &q, &section));
  CHECK_OK(LimberModelAddBeam(c.model, "beam",
                              &(LimberBeam){.from = c.first,
                                            .to = c.last,
                                            .section = section,
                                            .elements = elements,
                                            .order = 3,
                                            .up = {0, 0, 1},
                                            .damping = damping},
                              &c.beam));
  return c;
}

static void clamp(Case *c) { CHECK_OK(LimberModelAddClamp(c->model, "clamp", &(LimberClamp){.node = c->first}, NULL)); }

static double omega(const Mode *m) { return hypot(m->re, m->im); }

TEST(a_cantilever_has_pairs_of_its_exact_frequencies) {
  const double exact[] = {3.5160152685, 22.0344915647, 61.6972144135};
  for (int elements = 8; elements <= 60; elements += 52) { // by dense matrices, and by Lanczos
    Case c = unit_beam(elements, 1e-4, 1e7, 0);            // of which shear takes 1e-6
    clamp(&c);
    open_system(&c);
    Modes *m = find(&c, NULL, 6, LIMBER_DAMPED_AUTO);
    CHECK_INT(m->rigid, 0);
    for (int i = 0; i < 6; i++) {
      CHECK_NOTE("%d elements: omega %.10g, exact %.10g, residual %.1e", elements, omega(&m->mode[i]), exact[i / 2],
                 m->mode[i].residual);
      CHECK_REL(omega(&m->mode[i]), exact[i / 2], 5e-6);
    }
    CHECK_OK(ModesDestroy(&m));
    close_case(&c);
  }
}

TEST(a_free_beam_has_six_rigid_motions) {
  const double exact[] = {22.3732854481, 61.6728228680};
  for (int elements = 8; elements <= 60; elements += 52) {
    Case c = unit_beam(elements, 1e-3, 1e6, 0);
    open_system(&c);
    Modes *m = find(&c, NULL, 4, LIMBER_DAMPED_AUTO);
    CHECK_INT(m->rigid, 6);
    for (int i = 0; i < 4; i++) {
      CHECK_NOTE("omega %.10g, exact %.10g", omega(&m->mode[i]), exact[i / 2]);
      CHECK_REL(omega(&m->mode[i]), exact[i / 2], 2e-4);
    }
    CHECK_OK(ModesDestroy(&m));
    close_case(&c);
  }
}

// Kelvin & Voigt: lambda^2 + damping omega^2 lambda + omega^2 = 0.
TEST(damping_of_a_beam_grows_with_frequency) {
  const double damping = 1e-3;
  for (int elements = 8; elements <= 60; elements += 52) {
    Case c = unit_beam(elements, 1e-3, 1e6, damping);
    clamp(&c);
    open_system(&c);
    Modes *plain = find(&c, NULL, 6, LIMBER_DAMPED_NO), *m = find(&c, NULL, 6, LIMBER_DAMPED_AUTO);
    CHECK(m->quadratic && !plain->quadratic);
    for (int i = 0; i < 6; i++) {
      double w = omega(&plain->mode[i]), ratio = 0.5 * damping * w;
      double rough = m->mode[i].residual + plain->mode[i].residual; // what round-off has left of both
      CHECK_NOTE("%d elements: |lambda| %.10g, undamped %.10g, round-off %.1e; ratio %.8g, exact %.8g; residual %.1e",
                 elements, omega(&m->mode[i]), w, rough, m->mode[i].damping, ratio, m->mode[i].residual);
      CHECK_REL(omega(&m->mode[i]), w, 10 * rough);
      CHECK_LE(rough, 1e-6);
      CHECK_REL(m->mode[i].damping, ratio, 1e-6);
      CHECK(m->mode[i].left[0] != NULL);
    }
    CHECK_OK(ModesDestroy(&m));
    CHECK_OK(ModesDestroy(&plain));
    close_case(&c);
  }
}

// y_i^H ((lambda_i + lambda_j) M + D) x_j = 0 for i != j, 1 for i = j
TEST(left_and_right_vectors_are_orthogonal) {
  for (int elements = 6; elements <= 60; elements += 54) {
    Case c = unit_beam(elements, 1e-2, 1e4, 1e-3);
    clamp(&c);
    CHECK_OK(LimberModelAddFollowerForce(
        c.model, NULL, &(LimberFollower){.node = c.last, .direction = {-3, 0, 0}, .amplitude = LIMBER_NO_FUNCTION},
        NULL));
    open_system(&c);
    const Spin spin = {.axis = {0, 0.6, 0.8}, .rate = 2};
    Modes *m = find(&c, &spin, 6, LIMBER_DAMPED_AUTO);
    CHECK(!m->pencil.symmetric);
    double worst = 0;
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) {
        const Mode *a = &m->mode[i], *b = &m->mode[j];
        double q[2], d[2], sum[2] = {a->re + b->re, a->im + b->im};
        CHECK_OK(ModesComplexProduct(m->pencil.m, a->left, b->right, q));
        CHECK_OK(ModesComplexProduct(m->pencil.d, a->left, b->right, d));
        double re = sum[0] * q[0] - sum[1] * q[1] + d[0], im = sum[0] * q[1] + sum[1] * q[0] + d[1];
        worst = fmax(worst, hypot(re - (i == j), im));
      }
    CHECK_NOTE("%d elements: off by at most %.1e", elements, worst);
    CHECK_LE(worst, 1e-6);
    CHECK_OK(ModesDestroy(&m));
    close_case(&c);
  }
}

CHECK_MAIN_PETSC
