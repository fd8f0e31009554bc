// SPDX-License-Identifier: Apache-2.0
// The assembled tangent of a model with every kind of node, element, joint and load against central differences of the
// assembled residual, for every scheme, at random unknowns of a step with large rotations.
#include "assembly/state_values.h"
#include "assembly/evaluate.h"
#include "base/cookie.h"
#include "model/refusal.h"
#include "tangent_difference.h"

#include "analyses/stepping/stepper.h"
#include "analyses/stepping/ledger.h"

// Two beams, a hub that flies, bodies, a net of points: everything tied to something, one component free.
static LimberModel everything(void) {
  LimberModel m;
  LimberSectionId section;
  LimberNodeId hub;
  LimberElementId blade, blade2;
  LimberNodeId body, p[3];
  LimberFunctionId f;
  unsigned seed = 7;
  CHECK_OK(LimberModelCreate(&m));
  LimberSection s = {
      .mass = 1.3, .centre = {0.02, -0.01}, .inertia = {{0.03, 0.001, 0}, {0.001, 0.02, 0}, {0, 0, 0.02}}};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) s.stiffness[i][j] = i == j ? 50 + 10 * i : 3.0 / (1 + i + j);
  CHECK_OK(LimberModelAddSection(m, "s", 1, &s, &section));
  CHECK_OK(LimberModelAddFrame(m, "hub", (double[]){0.2, 0.1, 0.3}, (double[]){0, 1, 0, 0, 0, 1, 1, 0, 0}, &hub));
  CHECK_OK(LimberModelAddRigidBody(
      m, "hub",
      &(LimberRigidBody){.node = hub, .mass = 2, .centre = {0.1, 0, 0.2}, .inertia = {0.2, 0.3, 0.25, 0.01, 0, 0.02}},
      NULL));
  LimberBeam beam = {.from = hub,
                     .to = LIMBER_NO_NODE,
                     .section = section,
                     .elements = 2,
                     .order = 3,
                     .end = {1.5, 0.4, 0.2},
                     .mass_damping = 3};
  CHECK_OK(LimberModelAddBeam(m, "blade", &beam, &blade));
  beam = (LimberBeam){.from = LIMBER_NO_NODE,
                      .to = LIMBER_NO_NODE,
                      .section = section,
                      .elements = 1,
                      .order = 2,
                      .start = {1.5, 0.4, 0.2},
                      .end = {1.5, 1.4, 0.2},
                      .twist = 0.5,
                      .mass_damping = 5};
  CHECK_OK(LimberModelAddBeam(m, "blade2", &beam, &blade2));
  LimberNodeId tip = limber_model_element_node(m, blade, 6);
  LimberNodeId root2 = limber_model_element_node(m, blade2, 0);
  LimberNodeId tip2 = limber_model_element_node(m, blade2, 2);
  CHECK_OK(LimberModelAddRevolute(m, "elbow", &(LimberRevolute){.nodes = {tip, root2}, .axis = {1, 0.2, 0.1}}, NULL));
  CHECK_OK(LimberModelAddFrame(m, "body", (double[]){2, 2, 0}, NULL, &body));
  CHECK_OK(LimberModelAddRigidBody(m, "body", &(LimberRigidBody){.node = body, .mass = 1, .inertia = {0.1, 0.2, 0.15}},
                                   NULL));
  CHECK_OK(LimberModelAddSpherical(m, "ball", &(LimberSpherical){.nodes = {body, tip2}}, NULL));
  for (int i = 0; i < 3; i++) {
    CHECK_OK(LimberModelAddPoint(m, "p", (double[]){3 + i, noise(&seed), noise(&seed)}, &p[i]));
    CHECK_OK(LimberModelAddMass(m, "p", &(LimberMass){p[i], 0.5 + i}, NULL));
  }
  CHECK_OK(LimberModelAddBar(
      m, "bar", &(LimberBar){.nodes = {p[0], p[1]}, .stiffness = 40, .mass = 0.2, .mass_damping = 4}, NULL));
  CHECK_OK(LimberModelAddDistance(m, "link", &(LimberDistance){.nodes = {p[1], p[2]}, .length = 0}, NULL));
  CHECK_OK(LimberModelAddDistance(m, "line", &(LimberDistance){.nodes = {body, p[0]}, .length = 0}, NULL));
  LimberNodeId fixed, welded;
  CHECK_OK(LimberModelAddFrame(m, "fixed", (double[]){-1, 0, 0}, NULL, &fixed));
  CHECK_OK(LimberModelAddFrame(m, "welded", (double[]){-1, 1, 0}, NULL, &welded));
  for (int i = 0; i < 2; i++)
    CHECK_OK(LimberModelAddRigidBody(
        m, "b", &(LimberRigidBody){.node = i ? fixed : welded, .mass = 1, .inertia = {1, 2, 1.5}}, NULL));
  CHECK_OK(LimberModelAddClamp(m, "clamp", &(LimberClamp){fixed}, NULL));
  CHECK_OK(LimberModelAddWeld(m, "weld", &(LimberWeld){{fixed, welded}}, NULL));
  CHECK_OK(LimberModelAddSine(m, "f", &(LimberSine){.amplitude = 3, .frequency = 2}, &f));
  CHECK_OK(LimberModelAddGravity(
      m, "g", &(LimberGravity){.acceleration = {0, 1, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_OK(LimberModelAddForce(m, "F", &(LimberForce){tip, {1, 2, 3}, f}, NULL));
  CHECK_OK(LimberModelAddMoment(m, "M", &(LimberMoment){tip2, {1, 0, 2}, f}, NULL));
  CHECK_OK(LimberModelAddFollowerForce(m, "FF", &(LimberFollower){tip, {3, -2, 1}, f}, NULL));
  CHECK_OK(LimberModelAddFollowerMoment(m, "FM", &(LimberFollower){hub, {3, -2, 1}, f}, NULL));
  CHECK_OK(LimberModelAddLineForce(m, "q", &(LimberLineLoad){blade, {1, 2, -3}, LIMBER_AXES_SECTION, f}, NULL));
  CHECK_OK(LimberModelAddLineMoment(m, "mu", &(LimberLineLoad){blade2, {1, 2, -3}, LIMBER_AXES_SECTION, f}, NULL));
  CHECK_OK(LimberModelAddLineForce(m, "wind", &(LimberLineLoad){blade2, {1, 2, -3}, LIMBER_AXES_GROUND, f}, NULL));
  CHECK_OK(LimberModelAddBaseAcceleration(m, "quake", &(LimberBaseAcceleration){{1, 2, 0}, f}, NULL));
  CHECK_OK(LimberModelAddTorque(m, "T", &(LimberTorque){{0}, 1.5, f}, NULL));
  for (int i = 1; i < limber_model_nodes(m); i++) {
    double v[3], w[3];
    for (int k = 0; k < 3; k++) v[k] = noise(&seed), w[k] = noise(&seed);
    CHECK_OK(LimberModelSetVelocity(m, (LimberNodeId){i}, v, w));
  }
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

// The exponential schemes take no such model, and of the tangent only the stiffness.
static bool steps_by_tangent(const SchemeKind *kind) {
  StepRule rule = {0};
  return !kind->make(&(LimberOptions){.beta = 0.2}, &rule).text && !rule.analysis;
}

static double worst_difference(const char *scheme, int literal) {
  LimberModel m = everything();
  Stepper *p;
  Refusal wrong;
  LimberOptions o = {.cookie = OPTIONS_COOKIE,
                     .scheme = limber_scheme_find(scheme),
                     .rho_inf = 0.4,
                     .beta = 0.2,
                     .step = 0.3,
                     .literal_jump = literal};
  CHECK_OK(StepperCreate(m, &o, &p, &wrong));
  System *s = p->s;
  CHECK_OK(MotionFindCentreVelocities(&s->motion));
  CHECK_OK(MotionBeginStep(&s->motion, 0.3));
  double worst = tangent_difference(s, 1, 1e-5);
  CHECK_OK(StepperDestroy(&p));
  CHECK_OK(LimberModelDestroy(&m));
  return worst;
}

TEST(the_tangent_is_the_derivative_of_the_residual_in_every_scheme) {
  for (int i = 0; scheme_kinds[i]; i++)
    for (int literal = 0; literal < 2 && steps_by_tangent(scheme_kinds[i]); literal++) {
      double e = worst_difference(scheme_kinds[i]->name, literal);
      CHECK_NOTE("%-18s %s %.1e", scheme_kinds[i]->name, literal ? "literal" : "       ", e);
      CHECK_LE(e, 1e-8); // truncation of the differences: 1e-10
    }
}

// From random velocities that no joint allows, with every kind of load: the first step projects, the ledger closes.
TEST(the_ledger_closes_with_every_kind_of_thing_in_every_proved_scheme) {
  for (int i = 0; scheme_kinds[i]; i++) {
    if (!steps_by_tangent(scheme_kinds[i])) continue;
    LimberModel m = everything();
    LimberOptions o = {.cookie = OPTIONS_COOKIE,
                       .scheme = limber_scheme_find(scheme_kinds[i]->name),
                       .rho_inf = 0.4,
                       .beta = 0.2,
                       .step = 0.01};
    Stepper *p;
    Refusal wrong;
    LimberOutcome out = {0};
    CHECK_OK(StepperCreate(m, &o, &p, &wrong));
    for (int k = 0; k < 100 && CHECK_INT(out.reason, LIMBER_CONVERGED); k++) CHECK_OK(StepperStep(p, &out));
    LimberLedger *l = &p->ledger;
    double open = p->energy_start + l->work - l->dissipated - l->damping - (l->kinetic + l->strain + l->potential);
    CHECK_NOTE("%-18s lost %9.2e, work %9.2e, worst step %.1e, whole account %.1e of %.3g J", scheme_kinds[i]->name,
               l->dissipated, l->work, l->worst_residual, fabs(open), l->exchanged);
    if (p->rule.proved) {
      CHECK_LE(l->worst_residual, 1e-12 * l->exchanged);
      CHECK_LE(-1e-12 * l->exchanged, l->dissipated);
      CHECK_LE(fabs(l->joints), 1e-10 * l->exchanged);
    }
    CHECK_LE(l->constraint, 1e-10);
    CHECK_OK(StepperDestroy(&p));
    CHECK_OK(LimberModelDestroy(&m));
  }
}

CHECK_MAIN_PETSC
