// SPDX-License-Identifier: Apache-2.0
// The contract of analyses over every line of analyses.def.
#include "check_petsc.h"

#include "analyses/stepping/stepper.h"

#include <string.h>

TEST(every_analysis_is_complete_and_found_by_its_name) {
  int count = 0;
  for (; analysis_kinds[count]; count++) {
    const AnalysisKind *k = analysis_kinds[count];
    CHECK(analysis_find(k->name) == k);
    CHECK(k->help && strlen(k->help) > 20 && k->help[strlen(k->help) - 1] == '.');
    CHECK(k->start && k->advance && k->accept && k->energies);
    CHECK(!k->prepare == !k->destroy); // what it makes it takes away
  }
  CHECK(count >= 2);
  CHECK(!analysis_find("none of them"));
}

TEST(every_scheme_names_an_analysis_of_the_list) {
  LimberOptions o;
  o = limber_options_default();
  for (int i = 0; scheme_kinds[i]; i++) {
    StepRule rule = {.order = 0};
    CHECK(!scheme_kinds[i]->make(&o, &rule).text);
    CHECK(!rule.analysis || analysis_find(rule.analysis));
    CHECK(!rule.analysis == !rule.without_inertia); // steps without inertia are no motion by themselves
  }
}

// A pendulum with a point at its end, which every analysis takes: what an analysis finds leaves the state as it is until it is
// accepted, the balance then closes, and energies without a balance are the same.
TEST(every_analysis_finds_a_step_and_then_takes_it) {
  for (int i = 0; scheme_kinds[i]; i++) {
    LimberModel m;
    LimberNodeId bob;
    LimberOptions o;
    Stepper *p;
    NewtonOutcome found;
    Refusal error;
    int iterations = 0;
    o = limber_options_default();
    o.scheme = limber_scheme_find(scheme_kinds[i]->name), o.step = 1e-3;
    CHECK_OK(LimberModelCreate(&m));
    CHECK_OK(LimberModelAddPoint(m, "bob", (double[]){1, 0, 0}, &bob));
    CHECK_OK(LimberModelAddMass(m, "bob", &(LimberMass){.node = bob, .mass = 2}, NULL));
    CHECK_OK(LimberModelAddDistance(m, "rod", &(LimberDistance){.nodes = {LIMBER_GROUND, bob}}, NULL));
    CHECK_OK(LimberModelSetVelocity(m, bob, (double[]){0, 0.5, 0}, (double[]){0, 0, 0}));
    CHECK_OK(StepperCreate(m, &o, &p, &error));
    CHECK_STR(error.text, "");
    Vec3 before = p->s->motion.state.x[4 * p->s->motion.layout.local_node[bob.index]];
    CHECK_OK(p->kind->advance(p, o.step, &iterations, &found));
    CHECK(found.converged);
    Vec3 still = p->s->motion.state.x[4 * p->s->motion.layout.local_node[bob.index]];
    CHECK(before.x == still.x && before.y == still.y && before.z == still.z);
    CHECK_OK(StepperAccept(p, o.step));
    Vec3 after = p->s->motion.state.x[4 * p->s->motion.layout.local_node[bob.index]];
    CHECK_REL(after.y, 0.5e-3, 1e-3);
    double kinetic, strain, potential;
    CHECK_OK(p->kind->energies(p, NULL, &kinetic, &strain, &potential));
    CHECK_REL(kinetic, p->ledger.kinetic, 1e-14);
    CHECK_LE(fabs(p->ledger.residual), 1e-12);
    CHECK_OK(StepperDestroy(&p));
    CHECK_OK(LimberModelDestroy(&m));
  }
}

CHECK_MAIN_PETSC
