// SPDX-License-Identifier: Apache-2.0
// The highest frequency against that of all modes; accuracies of schemes against their expansions.
#include "check_petsc.h"

#include "analyses/frequencies/frequencies.h"
#include "model/refusal.h"
#include "schemes/scheme.h"

static LimberSection section_of(double inertia) {
  LimberSection q = {.mass = 2, .centre = {0.01, -0.02}};
  const double stiffness[6] = {4e4, 2e4, 1e4, 30, 50, 80};
  for (int i = 0; i < 6; i++) q.stiffness[i][i] = stiffness[i];
  for (int i = 0; i < 3; i++) q.inertia[i][i] = inertia * (i ? 1 : 2);
  return q;
}

// A beam on a hinge with a spring of the stiffness given; at its tip a frame without mass that a weld holds, and from there a bar to
// a point on a second bar. `light`: a chain of two springs with a point without mass between them.
static LimberModel mechanism(double spring, bool light) {
  LimberModel m;
  LimberNodeId root, tip, held, far, middle;
  LimberSectionId section;
  LimberNodeId mass;
  LimberSection q = section_of(0.01);
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFrame(m, "root", (double[]){0, 0, 0}, NULL, &root));
  CHECK_OK(LimberModelAddFrame(m, "tip", (double[]){1, 0.2, 0}, NULL, &tip));
  CHECK_OK(LimberModelAddFrame(m, "held", (double[]){1, 0.2, 0}, NULL, &held));
  CHECK_OK(LimberModelAddPoint(m, "far", (double[]){1.5, 0.2, 0.1}, &far));
  CHECK_OK(LimberModelAddSection(m, "s", 1, &q, &section));
  CHECK_OK(LimberModelAddBeam(
      m, "beam", &(LimberBeam){.from = root, .to = tip, .section = section, .elements = 3, .order = 2, .up = {0, 0, 1}},
      NULL));
  CHECK_OK(LimberModelAddRevolute(
      m, "hinge", &(LimberRevolute){.nodes = {LIMBER_GROUND, root}, .axis = {0, 0, 1}, .law = {{.stiffness = spring}}},
      NULL));
  CHECK_OK(LimberModelAddWeld(m, "weld", &(LimberWeld){{tip, held}}, NULL));
  CHECK_OK(LimberModelAddBar(m, "bar", &(LimberBar){.nodes = {held, far}, .stiffness = 3e3, .mass = 0.3}, NULL));
  if (light) {
    CHECK_OK(LimberModelAddPoint(m, "middle", (double[]){2, 1, 0.1}, &middle));
    CHECK_OK(LimberModelAddPoint(m, "mass", (double[]){2.5, 1, 1}, &mass));
    CHECK_OK(LimberModelAddMass(m, "mass", &(LimberMass){mass, 0.1}, NULL));
    for (int i = 0; i < 3; i++) // three directions
      CHECK_OK(LimberModelAddBar(m, NULL,
                                 &(LimberBar){.nodes = {i == 0   ? far
                                                        : i == 1 ? held
                                                                 : root,
                                                        middle},
                                              .stiffness = 5e4},
                                 NULL));
    CHECK_OK(LimberModelAddBar(m, NULL, &(LimberBar){.nodes = {middle, mass}, .stiffness = 4e4}, NULL));
  }
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

TEST(the_highest_frequency_is_that_of_all_modes) {
  const double spring[] = {0, 20, 20};
  for (int i = 0; i < 3; i++) {
    LimberModel m = mechanism(spring[i], i == 2);
    LimberModesOptions all;
    StepRule rule = {0};
    const Spin still = {.rate = 0};
    Modes *modes;
    System *s;
    Refusal wrong;
    double hz = 0, highest = 0;
    bool found = false;
    scheme_without_inertia(&rule);
    CHECK_OK(SystemCreate(m, &rule, &s));
    all = limber_modes_options_default();
    all.count = 1000, all.damped = LIMBER_DAMPED_NO;
    CHECK_OK(ModesFind(s, &still, &all, &modes, &wrong));
    CHECK_STR(wrong.text, "");
    for (int k = 0; k < modes->count; k++) highest = fmax(highest, modes->mode[k].frequency);
    CHECK_OK(HighestFind(s, &still, &hz, &found));
    CHECK_NOTE("spring of %g N m: %.6g Hz, of %d modes the highest has %.6g Hz", spring[i], hz, modes->count, highest);
    CHECK(found);
    CHECK_REL(hz, highest, 1e-3);
    CHECK_OK(ModesDestroy(&modes));
    CHECK_OK(SystemDestroy(&s));
    CHECK_OK(LimberModelDestroy(&m));
  }
}

// Of coordinates the springs count too: a body on a hinge beside the mechanism, with sqrt(k/J).
TEST(the_highest_frequency_may_be_that_of_a_spring_in_a_joint) {
  const double k = 3e7, inertia[3] = {0.4, 0.5, 0.7}, offset = 0.3, mass = 2;
  LimberModel m = mechanism(20, false);
  LimberNodeId body;
  StepRule rule = {0};
  const Spin still = {.rate = 0};
  System *s;
  double hz = 0, w = sqrt(k / (inertia[1] + mass * offset * offset));
  bool found = false;
  CHECK_OK(LimberModelAddFrame(m, "body", (double[]){0, 5, 0}, NULL, &body));
  CHECK_OK(LimberModelAddRigidBody(
      m, "body",
      &(LimberRigidBody){
          .node = body, .mass = mass, .centre = {offset, 0, 0}, .inertia = {inertia[0], inertia[1], inertia[2]}},
      NULL));
  CHECK_OK(LimberModelAddRevolute(
      m, "spring", &(LimberRevolute){.nodes = {LIMBER_GROUND, body}, .axis = {0, 1, 0}, .law = {{.stiffness = k}}},
      NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  scheme_without_inertia(&rule);
  CHECK_OK(SystemCreate(m, &rule, &s));
  CHECK_OK(HighestFind(s, &still, &hz, &found));
  CHECK_NOTE("%.9g of %.9g rad/s", 2 * PETSC_PI * hz, w);
  CHECK(found);
  CHECK_REL(2 * PETSC_PI * hz, w, 1e-6);
  CHECK_OK(SystemDestroy(&s));
  CHECK_OK(LimberModelDestroy(&m));
}

// A rod of n bars between fixed ends: omega_k = 2 sqrt(k/m) sin(k pi/(2 n)), k of a bar, m of a point.
TEST(frequencies_of_a_chain_are_those_of_its_formula) {
  enum { BARS = 60 };
  const double stiffness = 500, mass = 0.7, length = 0.1;
  LimberModel m;
  LimberNodeId id[BARS + 1];
  Frequencies f;
  Refusal wrong;
  CHECK_OK(LimberModelCreate(&m));
  for (int i = 0; i <= BARS; i++) {
    bool end = i == 0 || i == BARS;
    if (end) CHECK_OK(LimberModelAddFixed(m, NULL, (double[]){i * length, 0, 0}, NULL, &id[i]));
    else CHECK_OK(LimberModelAddPoint(m, NULL, (double[]){i * length, 0, 0}, &id[i]));
    if (i)
      CHECK_OK(LimberModelAddBar(m, NULL,
                                 &(LimberBar){.nodes = {id[i - 1], id[i]},
                                              .stiffness = stiffness,
                                              .mass = mass,
                                              .tension = 0.2 * stiffness,
                                              .mass_damping = 0.3},
                                 NULL));
  }
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK_OK(FrequenciesFind(m, &(LimberStatics){.time = 0}, 50, 4, &f, &wrong));
  CHECK_STR(wrong.text, "");
  CHECK(f.at_rest && !f.rotates && f.damped && !f.highest_is_bound);
  CHECK_INT(f.count, 4);
  CHECK_INT(f.rigid, 0);
  // across by the tension; along with it, since Green's strain stiffens: EA + T; two directions across
  for (int i = 0; i < 4; i++) {
    double k = 0.2 * stiffness / length, w = 2 * sqrt(k / (mass * length)) * sin((1 + i / 2) * PETSC_PI / (2 * BARS));
    CHECK_REL(2 * PETSC_PI * f.hz[i], w, 1e-9);
    CHECK_REL(f.ratio[i], 0.15 / w, 1e-9); // alpha/(2 omega)
  }
  double along = 2 * sqrt(1.2 * stiffness / length / (mass * length)) * sin((BARS - 1) * PETSC_PI / (2 * BARS));
  CHECK_NOTE("highest %.6g of %.6g rad/s", 2 * PETSC_PI * f.highest, along);
  CHECK_REL(2 * PETSC_PI * f.highest, along, 1e-3);
  CHECK_OK(FrequenciesDestroy(&f));
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(accuracies_of_schemes_are_those_of_their_expansions) {
  static const struct {
    const char *name;
    double rho, period;
  } scheme[] = {{"preserving", 1, 1 / 12.0}, {"decaying", 0.5, 5 / 36.0}, {"generalized_alpha", 0.5, 1 / 8.0}};
  const double steps = 100, phase = 2 * PETSC_PI / steps;
  for (int i = 0; i < 3; i++) {
    StepRule rule = {0};
    SchemeAccuracy e;
    CHECK(
        !scheme_kind(limber_scheme_find(scheme[i].name))->make(&(LimberOptions){.rho_inf = scheme[i].rho}, &rule).text);
    CHECK(scheme_accuracy(&rule, steps, &e));
    CHECK_NOTE("%s: %.4g, %.4g by the expansion; loss %.2e", scheme[i].name, e.period, scheme[i].period * phase * phase,
               e.loss);
    CHECK_REL(e.period, scheme[i].period * phase * phase, 0.01);
    if (i == 0) CHECK_LE(fabs(e.loss), 1e-13);
    else CHECK(e.loss > 0 && e.loss < 1e-3);
  }
  StepRule rule = {0};
  SchemeAccuracy e[2];
  CHECK(!scheme_kind(limber_scheme_find("decaying_c"))
             ->make(&(LimberOptions){.rho_inf = 0}, &rule)
             .text); // of third order
  for (int i = 0; i < 2; i++) CHECK(scheme_accuracy(&rule, i ? 80 : 40, &e[i]));
  CHECK_NOTE("decaying_c: period %.2e and %.2e, loss %.2e and %.2e", e[0].period, e[1].period, e[0].loss, e[1].loss);
  CHECK_LT(0, e[0].loss);
  CHECK_REL(e[0].loss / e[1].loss, 8, 0.1);
  CHECK_LE(fabs(e[1].period), 0.1 * fabs(e[0].period));
}

CHECK_MAIN_PETSC
