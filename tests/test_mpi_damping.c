// SPDX-License-Identifier: Apache-2.0
// Damping of masses against the ground, alone and beside that of the stiffness: the balance of energy for every scheme, the
// matrix C, the decay of modes.
#include "base/cookie.h"
#include "check_petsc.h"

#include "assembly/matrices.h"
#include "limber/limber.h"
#include "schemes/scheme.h"
#include "solvers/solvers.h"

#include <string.h>

static const double two_pi = 6.283185307179586;

// ---- the balance of energy ----

// A body that flies with a beam and a bar behind it; a beam on a driven hinge, with a joint at its tip.
static LimberModel mechanism(double damping) {
  LimberModel m;
  LimberNodeId body;
  LimberSectionId section;
  LimberElementId boom, arm;
  LimberNodeId end, mass;
  LimberJointId hinge;
  LimberFunctionId f;
  LimberSection q = {.mass = 1.5, .centre = {0.01, -0.02}};
  const double stiffness[6] = {3e4, 2e4, 2e4, 40, 60, 90}, inertia[3] = {0.02, 0.01, 0.01};
  for (int i = 0; i < 6; i++) q.stiffness[i][i] = stiffness[i];
  for (int i = 0; i < 3; i++) q.inertia[i][i] = inertia[i];
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddSection(m, "s", 1, &q, &section));
  CHECK_OK(LimberModelAddFrame(m, "body", (double[]){0, 3, 0}, NULL, &body));
  CHECK_OK(LimberModelAddPoint(m, "mass", (double[]){-1, 3.2, 0.1}, &mass));
  CHECK_OK(LimberModelAddRigidBody(m, "body", &(LimberRigidBody){.node = body, .mass = 2, .inertia = {0.2, 0.3, 0.4}},
                                   NULL));
  LimberBeam beam = {.from = body,
                     .to = LIMBER_NO_NODE,
                     .section = section,
                     .elements = 2,
                     .order = 2,
                     .end = {1, 3, 0},
                     .up = {0, 0, 1},
                     .mass_damping = damping};
  CHECK_OK(LimberModelAddBeam(m, "boom", &beam, &boom));
  CHECK_OK(LimberModelAddBar(
      m, "tail",
      &(LimberBar){.nodes = {body, mass}, .stiffness = 500, .mass = 0.8, .damping = 0.01, .mass_damping = damping},
      NULL));
  CHECK_OK(LimberModelSetVelocity(m, body, (double[]){1, 0.5, -0.3}, (double[]){0.5, 2, 1}));
  CHECK_OK(LimberModelAddFrame(m, "end", (double[]){1.6, 0, 0}, NULL, &end));
  CHECK_OK(
      LimberModelAddRigidBody(m, "end", &(LimberRigidBody){.node = end, .mass = 1, .inertia = {0.1, 0.1, 0.1}}, NULL));
  beam.from = LIMBER_NO_NODE, beam.end[1] = 0, beam.damping = 0.002;
  CHECK_OK(LimberModelAddBeam(m, "arm", &beam, &arm));
  CHECK_OK(LimberModelAddRevolute(
      m, "hinge", &(LimberRevolute){.nodes = {LIMBER_GROUND, limber_model_element_node(m, arm, 0)}, .axis = {0, 0, 1}},
      &hinge));
  CHECK_OK(LimberModelAddSpherical(m, "tip", &(LimberSpherical){.nodes = {limber_model_element_node(m, arm, 4), end}},
                                   NULL));
  CHECK_OK(LimberModelAddSine(m, "f", &(LimberSine){.amplitude = 0.5, .frequency = 1.5}, &f));
  CHECK_OK(
      LimberModelAddDrive(m, "drive", &(LimberDrive){.joint = hinge, .motion = f, .rate = LIMBER_NO_FUNCTION}, NULL));
  CHECK_OK(LimberModelAddGravity(
      m, NULL, &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

static bool steps_in_time(const SchemeKind *kind) {
  StepRule rule = {0};
  return !kind->make(&(LimberOptions){.beta = 0.2, .rho_inf = 0.5}, &rule).text && !rule.analysis;
}

TEST(the_balance_of_energy_closes_with_damped_masses_and_they_never_give_energy) {
  for (int i = 0; scheme_kinds[i]; i++) {
    LimberModel m;
    LimberRun run;
    LimberOutcome o;
    LimberLedger l, none;
    double before = 0, least = HUGE_VAL;
    if (!steps_in_time(scheme_kinds[i])) continue;
    LimberOptions options = {.cookie = OPTIONS_COOKIE,
                             .scheme = limber_scheme_find(scheme_kinds[i]->name),
                             .rho_inf = 0.5,
                             .beta = 0.2,
                             .step = 0.01,
                             .tolerance = 1e-14};
    for (int damped = 1; damped >= 0; damped--) {
      m = mechanism(damped ? 2 : 0);
      CHECK_OK(LimberRunCreate(m, &options, &run));
      for (int k = 0; k < 60; k++) {
        CHECK_OK(LimberRunStep(run, &o));
        CHECK_INT(o.reason, LIMBER_CONVERGED);
        CHECK_OK(LimberRunGetLedger(run, damped ? &l : &none));
        if (damped) least = fmin(least, l.damping - before), before = l.damping;
      }
      CHECK_OK(LimberRunDestroy(&run));
      CHECK_OK(LimberModelDestroy(&m));
    }
    CHECK_NOTE(
        "%s: damping %.3g J, %.3g J without damped masses, least of a step %.1e J, balance error %.1e J of %.3g J",
        scheme_kinds[i]->name, l.damping, none.damping, least, l.worst_residual, l.exchanged);
    CHECK_LE(l.worst_residual, 2e-13 * l.exchanged);
    CHECK_LE(0, least);
    CHECK_LT(none.damping + 1, l.damping);
  }
}

// A body in free flight, v' = -alpha v: the scheme's own decay, (1 - a)/(1 + a) a step with a = alpha h/2 of the energy preserving
// one, and the energy that goes with it.
TEST(a_damped_bar_in_flight_slows_down_as_its_scheme_has_it) {
  const double alpha = 3, h = 0.02;
  LimberModel m;
  LimberNodeId id[2];
  LimberRun run;
  LimberOutcome o;
  LimberLedger l;
  double v[3], x[3], speed = 2;
  LimberOptions options = {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = h, .tolerance = 1e-14};
  CHECK_OK(LimberModelCreate(&m));
  for (int i = 0; i < 2; i++) {
    CHECK_OK(LimberModelAddPoint(m, i ? "b" : "a", (double[]){i, 0, 0}, &id[i]));
    CHECK_OK(LimberModelSetVelocity(m, id[i], (double[]){1.2, 1.6, 0}, NULL));
  }
  CHECK_OK(LimberModelAddBar(
      m, "bar", &(LimberBar){.nodes = {id[0], id[1]}, .stiffness = 100, .mass = 5, .mass_damping = alpha}, NULL));
  CHECK_OK(LimberRunCreate(m, &options, &run));
  for (int i = 0; i < 30; i++) CHECK_OK(LimberRunStep(run, &o)), speed *= (1 - 0.5 * alpha * h) / (1 + 0.5 * alpha * h);
  CHECK_OK(LimberRunGetNode(run, id[1], x, NULL, v, NULL));
  CHECK_OK(LimberRunGetLedger(run, &l));
  CHECK_NEAR(hypot(v[0], v[1]), speed, 1e-13);
  CHECK_NEAR(l.damping, 0.5 * 5 * (4 - speed * speed), 1e-12);
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

// ---- a cantilever ----

enum { ELEMENTS = 6, NODES = 3 * ELEMENTS + 1 };

static LimberModel cantilever(double eta, double alpha, LimberElementId *beam) {
  LimberModel m;
  LimberSectionId section;
  LimberNodeId root;
  LimberSection s = {.stiffness = {{1e6}, {0, 4e5}, {0, 0, 4e5}, {0, 0, 0, 50}, {0, 0, 0, 0, 80}, {0, 0, 0, 0, 0, 500}},
                     .mass = 0.5,
                     .inertia = {{4e-4}, {0, 1e-4}, {0, 0, 3e-4}}};
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddSection(m, "s", 1, &s, &section));
  CHECK_OK(LimberModelAddFixed(m, "root", (double[]){0, 0, 0}, NULL, &root));
  LimberBeam b = {.from = root,
                  .to = LIMBER_NO_NODE,
                  .section = section,
                  .elements = ELEMENTS,
                  .order = 3,
                  .damping = eta,
                  .mass_damping = alpha,
                  .end = {2, 0, 0},
                  .up = {0, 1, 0}};
  CHECK_OK(LimberModelAddBeam(m, "beam", &b, beam));
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

typedef struct {
  StepRule rule;
  System *s;
  Mat k, m, c;
} Matrices;

static void take_matrices(LimberModel model, Matrices *a) {
  *a = (Matrices){.s = NULL};
  scheme_without_inertia(&a->rule);
  CHECK_OK(SystemCreate(model, &a->rule, &a->s));
  CHECK_OK(CreateStiffness(&a->s->motion, &a->s->equations, NULL, &a->k));
  CHECK_OK(CreateMass(&a->s->motion.layout, &a->s->motion.state, &a->m));
  CHECK_OK(CreateDamping(&a->s->motion, &a->s->equations, NULL, &a->c));
}

static void destroy_matrices(Matrices *a) {
  CHECK_OK(MatDestroy(&a->k));
  CHECK_OK(MatDestroy(&a->m));
  CHECK_OK(MatDestroy(&a->c));
  CHECK_OK(SystemDestroy(&a->s));
}

TEST(the_damping_matrix_is_alpha_M_and_eta_K) {
  const double eta[] = {0, 3e-4, 3e-4}, alpha[] = {0.8, 0, 0.8};
  for (int i = 0; i < 3; i++) {
    LimberElementId beam;
    LimberModel m = cantilever(eta[i], alpha[i], &beam);
    Matrices a;
    double off, size, by_mass;
    take_matrices(m, &a);
    CHECK_OK(MatNorm(a.c, NORM_FROBENIUS, &size));
    CHECK_OK(MatNorm(a.m, NORM_FROBENIUS, &by_mass));
    CHECK_OK(MatAXPY(a.c, -alpha[i], a.m, SUBSET_NONZERO_PATTERN));
    CHECK_OK(MatAXPY(a.c, -eta[i], a.k, SAME_NONZERO_PATTERN));
    CHECK_OK(MatNorm(a.c, NORM_FROBENIUS, &off));
    CHECK_NOTE("eta %g s, alpha %g /s: off by %.1e of %.3g", eta[i], alpha[i], off, size);
    CHECK_LE(off, 1e-12 * size);
    if (eta[i] == 0) CHECK_NEAR(size, alpha[i] * by_mass, 1e-14 * size);
    destroy_matrices(&a);
    CHECK_OK(LimberModelDestroy(&m));
  }
}

// The values of a mode, z and rotation about y of every node of the beam, in the rows of the system, and back on every rank.
static void put_mode(const Layout *layout, LimberModel m, LimberElementId beam, double shape[NODES][2], Vec x) {
  double *q;
  CHECK_OK(VecZeroEntries(x));
  CHECK_OK(VecGetArray(x, &q));
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    for (int k = 1; k < NODES; k++)
      for (int j = 0; j < 2 && limber_model_element_node(m, beam, k).index == layout->node[i]; j++)
        q[3 * layout->node_block[i] + 2 + 2 * j] = shape[k][j];
  CHECK_OK(VecRestoreArray(x, &q));
}

static void get_mode(const Layout *layout, LimberModel m, LimberElementId beam, Vec x, double shape[NODES][2]) {
  const double *q;
  memset(shape, 0, sizeof(double[NODES][2]));
  CHECK_OK(VecGetArrayRead(x, &q));
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    for (int k = 1; k < NODES; k++)
      for (int j = 0; j < 2 && limber_model_element_node(m, beam, k).index == layout->node[i]; j++)
        shape[k][j] = q[3 * layout->node_block[i] + 2 + 2 * j];
  CHECK_OK(VecRestoreArrayRead(x, &q));
  MPI_Allreduce(MPI_IN_PLACE, shape, 2 * NODES, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
}

// Shapes of the lowest modes in the plane of x and z, by inverse iteration; returns omega of the last.
static double find_mode(LimberModel model, LimberElementId beam, int mode, double shape[2][NODES][2]) {
  Matrices a;
  KSP ksp;
  Vec x, mx, lower[2];
  double w2 = 0, part, norm;
  take_matrices(model, &a);
  CHECK_OK(MatCreateVecs(a.k, &x, &mx));
  CHECK_OK(KSPCreate(PETSC_COMM_WORLD, &ksp));
  CHECK_OK(KSPSetOperators(ksp, a.k, a.k));
  CHECK_OK(SolverUseLU(ksp));
  for (int n = 0; n <= mode; n++) {
    for (int i = 0; i < NODES; i++) shape[n][i][0] = n ? sin(4.7 * i / (NODES - 1)) : i * i, shape[n][i][1] = 0;
    put_mode(&a.s->motion.layout, model, beam, shape[n], x);
    for (int pass = 0; pass < 60; pass++) {
      CHECK_OK(MatMult(a.m, x, mx));
      for (int k = 0; k < n; k++) { // of unit mass; x without its part in them
        CHECK_OK(VecDot(lower[k], mx, &part));
        CHECK_OK(VecAXPY(x, -part, lower[k]));
      }
      CHECK_OK(MatMult(a.m, x, mx));
      CHECK_OK(VecDot(x, mx, &norm));
      CHECK_OK(VecScale(mx, 1 / sqrt(norm)));
      CHECK_OK(VecScale(x, 1 / sqrt(norm)));
      if (pass == 59) break;
      CHECK_OK(KSPSolve(ksp, mx, x));
    }
    CHECK_OK(VecDuplicate(x, &lower[n]));
    CHECK_OK(VecCopy(x, lower[n]));
    get_mode(&a.s->motion.layout, model, beam, x, shape[n]);
    CHECK_OK(MatMult(a.k, x, mx));
    CHECK_OK(VecDot(x, mx, &w2));
  }
  for (int n = 0; n <= mode; n++) CHECK_OK(VecDestroy(&lower[n]));
  CHECK_OK(VecDestroy(&x));
  CHECK_OK(VecDestroy(&mx));
  CHECK_OK(KSPDestroy(&ksp));
  destroy_matrices(&a);
  return sqrt(w2);
}

// Set off in one mode, after n periods: the ratio by the energy that is left.
static double measured_ratio(const char *scheme, double eta, double alpha, int mode, double *omega) {
  enum { STEPS = 200, PERIODS = 20 };
  double shape[2][NODES][2];
  LimberElementId beam;
  LimberModel m = cantilever(eta, alpha, &beam);
  LimberRun run;
  LimberOutcome o;
  LimberLedger start, end;
  *omega = find_mode(m, beam, mode, shape);
  for (int i = 1; i < NODES; i++) {
    double f = 1e-5 / shape[mode][NODES - 1][0];
    CHECK_OK(LimberModelSetVelocity(m, limber_model_element_node(m, beam, i), (double[]){0, 0, f * shape[mode][i][0]},
                                    (double[]){0, f * shape[mode][i][1], 0}));
  }
  LimberOptions options = {.cookie = OPTIONS_COOKIE,
                           .scheme = limber_scheme_find(scheme),
                           .rho_inf = 0.9,
                           .linear = !strcmp(scheme, "exponential"),
                           .step = two_pi / *omega / STEPS};
  CHECK_OK(LimberRunCreate(m, &options, &run));
  CHECK_OK(LimberRunGetLedger(run, &start));
  for (int i = 0; i < STEPS * PERIODS; i++) CHECK_OK(LimberRunStep(run, &o));
  CHECK_OK(LimberRunGetLedger(run, &end));
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
  return log((start.kinetic + start.strain) / (end.kinetic + end.strain)) / (2 * two_pi * PERIODS);
}

TEST(two_modes_of_a_cantilever_decay_with_the_ratio_asked_for) {
  static const char *const schemes[] = {"preserving", "generalized_alpha", "exponential"};
  const double ratio = 0.005;
  double w[2], shape[2][NODES][2];
  LimberElementId beam;
  LimberModel m = cantilever(0, 0, &beam);
  for (int i = 0; i < 2; i++) w[i] = find_mode(m, beam, i, shape);
  CHECK_OK(LimberModelDestroy(&m));
  // slender: near beta^2 sqrt(EI/(m L^4)), less by shear and rotatory inertia
  CHECK_REL(w[0], 3.516015 * sqrt(80 / 0.5 / 16), 2e-3);
  CHECK_REL(w[1], 22.03449 * sqrt(80 / 0.5 / 16), 1e-2);
  double eta = 2 * ratio / (w[0] + w[1]), alpha = eta * w[0] * w[1];
  for (int k = 0; k < 3; k += CHECK_EVERY(2))
    for (int i = 0; i < 2; i++) {
      double omega, found = measured_ratio(schemes[k], eta, alpha, i, &omega);
      CHECK_NOTE("%s, mode %d of %.4f Hz: %.4e of %.4e, off by %.1e", schemes[k], i + 1, omega / two_pi, found, ratio,
                 found / ratio - 1);
      CHECK_LE(fabs(found / ratio - 1), 1e-3);
    }
}

CHECK_MAIN_PETSC
