// SPDX-License-Identifier: Apache-2.0
// Floquet multipliers of small models, against closed forms.
#include "check_petsc.h"

#include "analyses/floquet/floquet.h"

#include <complex.h>
#include <math.h>

static LimberFloquet floquet_of(LimberModel m, double period, int steps) {
  LimberFloquetOptions o = limber_floquet_options_default();
  LimberFloquet f = NULL;
  o.period = period, o.steps = steps;
  CHECK_OK(LimberFloquetCreate(m, &o, &f));
  CHECK_STR(limber_model_diagnostics(m), "");
  return f;
}

// The distance of the nearest multiplier.
static double distance(LimberFloquet f, double complex to) {
  double least = INFINITY;
  for (int i = 0; i < limber_floquet_count(f); i++) {
    LimberMultiplier m = limber_floquet_multiplier(f, i);
    least = fmin(least, cabs(m.real + I * m.imag - to));
  }
  return least;
}

// A point on three springs along the axes, with dampers.
static LimberModel oscillator(double damping) {
  LimberModel m;
  LimberNodeId p, a;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddPoint(m, "p", (double[]){0, 0, 0}, &p));
  CHECK_OK(LimberModelAddMass(m, "p", &(LimberMass){.node = p, .mass = 2}, NULL));
  for (int k = 0; k < 3; k++) {
    double at[3] = {0};
    at[k] = 1;
    CHECK_OK(LimberModelAddFixed(m, "a", at, NULL, &a));
    LimberSpring spring = limber_spring_default();
    spring.nodes[0] = a, spring.nodes[1] = p;
    spring.law.stiffness = 8 * (k + 1), spring.law.damping = damping;
    CHECK_OK(LimberModelAddSpring(m, NULL, &spring, NULL));
  }
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

TEST(multipliers_of_an_oscillator_are_those_of_its_frequencies) {
  double error[2];
  LimberModel m = oscillator(0);
  for (int i = 0; i < 2; i++) {
    LimberFloquet f = floquet_of(m, 1, i ? 50 : 25);
    error[i] = 0;
    CHECK(limber_floquet_count(f) == 6);
    for (int k = 0; k < 3; k++) error[i] = fmax(error[i], distance(f, cexp(I * sqrt(4 * (k + 1)))));
    CHECK_LE(limber_floquet_closure(f), 1e-14);
    for (int k = 0; k < 6; k++) CHECK_LE(fabs(limber_floquet_multiplier(f, k).magnitude - 1), 1e-9);
    CHECK_INT(limber_floquet_verdict(f), LIMBER_MOTION_STABLE);
    CHECK_OK(LimberFloquetDestroy(&f));
  }
  CHECK_NOTE("errors %.2e, %.2e", error[0], error[1]);
  CHECK_LE(error[1], 2e-7); // 1.1e-7
  CHECK_LE(fabs(log2(error[0] / error[1]) - 4), 0.05);
  CHECK_OK(LimberModelDestroy(&m));
}

// M' = A M with the trace -sum c/m of A: det M = exp(-T sum c/m).
TEST(the_determinant_is_that_of_the_damping) {
  const double c = 0.3, period = 1.5;
  double error[2];
  LimberModel m = oscillator(c);
  for (int i = 0; i < 2; i++) {
    LimberFloquet f = floquet_of(m, period, i ? 50 : 25);
    double sum = 0;
    for (int k = 0; k < 6; k++) sum += limber_floquet_multiplier(f, k).growth;
    error[i] = fabs(sum + 3 * c / 2);
    CHECK_INT(limber_floquet_verdict(f), LIMBER_MOTION_STABLE);
    CHECK_OK(LimberFloquetDestroy(&f));
  }
  CHECK_NOTE("errors of the sum of exponents %.2e, %.2e", error[0], error[1]);
  CHECK_LE(error[1], 3e-7); // 1.9e-7
  CHECK_LE(fabs(log2(error[0] / error[1]) - 4), 0.05);
  CHECK_OK(LimberModelDestroy(&m));
}

// ---- Mathieu ----

// A rod of a rigid body hangs from a pivot that moves by A (cos w t - 1) along z. With J about the pivot and l to the mass centre
//   J theta'' + m l (g - A w^2 cos w t) theta = 0.
typedef struct {
  double gravity, amplitude, rate, damping;
} Pivot;
static const double body_mass = 1.5, body_moment = 0.02, body_length = 0.4;

static LimberModel pendulum(const Pivot *q) {
  LimberModel m;
  LimberNodeId pivot, body;
  LimberJointId joint;
  LimberFunctionId cosine;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFrame(m, "pivot", (double[]){0, 0, 0}, NULL, &pivot));
  CHECK_OK(LimberModelAddFrame(m, "bob", (double[]){0, 0, -body_length}, NULL, &body));
  CHECK_OK(LimberModelAddRigidBody(
      m, "bob", &(LimberRigidBody){.node = body, .mass = body_mass, .inertia = {0.03, body_moment, 0.01}}, NULL));
  CHECK_OK(LimberModelAddPrescribedMotion(m, "shaker", &(LimberPrescribedMotion){.node = pivot}, &joint));
  LimberRevolute hinge = limber_revolute_default();
  hinge.nodes[0] = pivot, hinge.nodes[1] = body, hinge.axis[1] = 1;
  hinge.at = (double[]){0, 0, 0}, hinge.law[0].damping = q->damping;
  CHECK_OK(LimberModelAddRevolute(m, "hinge", &hinge, NULL));
  CHECK_OK(LimberModelAddSine(
      m, "cosine", &(LimberSine){.amplitude = q->amplitude, .frequency = q->rate / (2 * M_PI), .phase = M_PI / 2},
      &cosine));
  CHECK_OK(LimberModelAddDrive(
      m, "drive", &(LimberDrive){.joint = joint, .coordinate = "z", .motion = cosine, .rate = LIMBER_NO_FUNCTION},
      NULL));
  CHECK_OK(LimberModelAddGravity(
      m, NULL, &(LimberGravity){.acceleration = {0, 0, -q->gravity}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

// Of theta'' + c theta' + (a - b cos w t) theta = 0 by Runge and Kutta's steps of the fourth order: both multipliers.
static void reference(const Pivot *q, double complex out[2]) {
  const double j = body_moment + body_mass * body_length * body_length, h = 2 * M_PI / q->rate / 20000;
  const double a = body_mass * body_length * q->gravity / j, c = q->damping / j;
  const double b = body_mass * body_length * q->amplitude * q->rate * q->rate / j;
  double y[2][2] = {{1, 0}, {0, 1}};
  for (int n = 0; n < 20000; n++)
    for (int i = 0; i < 2; i++) {
      double k[5][2] = {{0}};
      for (int r = 0; r < 4; r++) {
        double s = r == 0 ? 0 : r == 3 ? h : h / 2, t = n * h + s;
        double x = y[i][0] + s * k[r][0], v = y[i][1] + s * k[r][1];
        k[r + 1][0] = v, k[r + 1][1] = -c * v - (a - b * cos(q->rate * t)) * x;
      }
      for (int d = 0; d < 2; d++) y[i][d] += h / 6 * (k[1][d] + 2 * k[2][d] + 2 * k[3][d] + k[4][d]);
    }
  double trace = y[0][0] + y[1][1], det = y[0][0] * y[1][1] - y[0][1] * y[1][0];
  double complex root = csqrt(trace * trace / 4 - det);
  out[0] = trace / 2 + root, out[1] = trace / 2 - root;
}

TEST(a_pendulum_on_a_shaken_pivot_has_the_multipliers_of_mathieu) {
  const double j = body_moment + body_mass * body_length * body_length, w0 = 5;
  const double gravity = w0 * w0 * j / (body_mass * body_length);
  // out of the first tongue below, in it, with damping that does not suffice, above; in the second tongue
  const Pivot cases[] = {{gravity, 0.02, 8, 0},
                         {gravity, 0.02, 10, 0},
                         {gravity, 0.02, 10, 0.02},
                         {gravity, 0.02, 13, 0},
                         {gravity, 0.15, 5.2, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    LimberModel m = pendulum(&cases[i]);
    double complex expected[2];
    double error[2];
    reference(&cases[i], expected);
    for (int k = 0; k < 2; k++) {
      LimberFloquet f = floquet_of(m, 2 * M_PI / cases[i].rate, k ? 100 : 50);
      CHECK(limber_floquet_count(f) == 2);
      CHECK((limber_floquet_verdict(f) == LIMBER_MOTION_UNSTABLE) ==
            (cabs(expected[0]) > 1.001 || cabs(expected[1]) > 1.001));
      CHECK_LE(limber_floquet_closure(f), 1e-12);
      CHECK_STR(limber_floquet_multiplier(f, 0).largest, "node 'bob'");
      error[k] = fmax(distance(f, expected[0]), distance(f, expected[1]));
      CHECK_OK(LimberFloquetDestroy(&f));
    }
    CHECK_NOTE("|mu| %.5f, %.5f: errors %.2e, %.2e", cabs(expected[0]), cabs(expected[1]), error[0], error[1]);
    CHECK_LE(error[1], 2e-3);
    CHECK_LE(fabs(log2(error[0] / error[1]) - 2), 0.05);
    CHECK_OK(LimberModelDestroy(&m));
  }
}

// ---- an asymmetric shaft ----

// A disk on a mount of unequal stiffness that turns with a driven hub. In the frame of the hub
//   (s^2 + w1^2 - W^2)(s^2 + w2^2 - W^2) + 4 W^2 s^2 = 0
// for its mass centre: unstable between w1 and w2.
typedef struct {
  double rate, w[2];         // of the hub; natural frequencies of the disk across both axes
  double internal, external; // damping of the mount, s, and of the disk against the ground, N s/m
} Shaft;

static LimberModel shaft(const Shaft *q) {
  const double mass = 3, rate = q->rate, *w = q->w;
  LimberModel m;
  LimberNodeId hub, disk;
  LimberJointId joint;
  LimberFunctionId turns;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFrame(m, "hub", (double[]){0, 0, 0}, NULL, &hub));
  CHECK_OK(LimberModelAddFrame(m, "disk", (double[]){0, 0, 0.5}, NULL, &disk));
  CHECK_OK(LimberModelAddRigidBody(m, "disk",
                                   &(LimberRigidBody){.node = disk, .mass = mass, .inertia = {0.1, 0.1, 0.2}}, NULL));
  CHECK_OK(
      LimberModelAddPrescribedMotion(m, "motor", &(LimberPrescribedMotion){.node = hub, .axis = {0, 0, 1}}, &joint));
  CHECK_OK(LimberModelAddConstant(m, "rate", &(LimberConstant){.value = rate}, &turns));
  CHECK_OK(LimberModelAddDrive(
      m, "motor", &(LimberDrive){.joint = joint, .coordinate = "angle", .motion = LIMBER_NO_FUNCTION, .rate = turns},
      NULL));
  LimberBushing mount = limber_bushing_default();
  const double stiffness[6] = {mass * w[0] * w[0], mass * w[1] * w[1], 5000, 900, 900, 900};
  mount.nodes[0] = hub, mount.nodes[1] = disk, mount.damping = q->internal;
  for (int i = 0; i < 6; i++) mount.stiffness[i][i] = stiffness[i];
  CHECK_OK(LimberModelAddBushing(m, "mount", &mount, NULL));
  for (int i = 0; i < 2 && q->external > 0; i++) { // dampers along x and y, so long that they do not turn
    LimberNodeId far;
    LimberSpring damper = limber_spring_default();
    CHECK_OK(LimberModelAddFixed(m, i ? "north" : "east", (double[]){i ? 0 : 1e3, i ? 1e3 : 0, 0.5}, NULL, &far));
    damper.nodes[0] = far, damper.nodes[1] = disk, damper.law.damping = q->external;
    CHECK_OK(LimberModelAddSpring(m, NULL, &damper, NULL));
  }
  CHECK_OK(LimberModelSetRigidVelocity(m, (double[]){0, 0, 0}, (double[]){0, 0, rate}));
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

TEST(an_asymmetric_shaft_is_unstable_between_its_two_critical_speeds) {
  const double w[2] = {10, 13}, rates[] = {8, 11.5, 15};
  for (int i = 0; i < 3; i++) {
    double rate = rates[i], period = 2 * M_PI / rate, error[2] = {0};
    double p[2] = {w[0] * w[0] - rate * rate, w[1] * w[1] - rate * rate}, b = p[0] + p[1] + 4 * rate * rate;
    LimberModel m = shaft(&(Shaft){rate, {w[0], w[1]}, 0, 0});
    for (int k = 0; k < 2; k++) {
      LimberFloquet f = floquet_of(m, period, k ? 200 : 100);
      CHECK(limber_floquet_count(f) == 12);
      CHECK((limber_floquet_verdict(f) == LIMBER_MOTION_UNSTABLE) == (i == 1));
      if (i != 1)
        CHECK_LE(fabs(limber_floquet_multiplier(f, 0).magnitude - 1), 1e-5); // also of tilts that steps hardly resolve
      for (int r = 0; r < 4; r++) {
        double complex square = -b / 2 + (r % 2 ? 1 : -1) * csqrt(b * b / 4 - p[0] * p[1]);
        error[k] = fmax(error[k], distance(f, cexp((r / 2 ? 1 : -1) * csqrt(square) * period)));
      }
      CHECK_OK(LimberFloquetDestroy(&f));
    }
    CHECK_NOTE("%.1f rad/s: errors %.2e, %.2e", rate, error[0], error[1]);
    CHECK_LE(error[1], 5e-3);
    CHECK_LE(fabs(log2(error[0] / error[1]) - 2), 0.05);
    CHECK_OK(LimberModelDestroy(&m));
  }
}

// Dampers in the shaft turn with it: m z'' + (c_i + c_e) z' + (k - i W c_i) z = 0 for z = x + i y, unstable above w (1 + c_e/c_i).
TEST(internal_damping_makes_a_shaft_unstable_where_theory_says) {
  const double w = 10, mass = 3, internal = 0.01, ci = internal * mass * w * w, ce = 1.5, limit = w * (1 + ce / ci);
  for (int i = 0; i < 2; i++) {
    const Shaft q = {limit * (i ? 1.02 : 0.98), {w, w}, internal, ce};
    double period = 2 * M_PI / q.rate, error[2];
    double complex c = (ci + ce) / mass, k = (w * w * mass - I * q.rate * ci) / mass;
    double complex expected = cexp(period * (-c / 2 + csqrt(c * c / 4 - k)));
    LimberModel m = shaft(&q);
    for (int r = 0; r < 2; r++) {
      LimberFloquet f = floquet_of(m, period, r ? 400 : 200);
      error[r] = distance(f, expected);
      if (r) CHECK((limber_floquet_verdict(f) == LIMBER_MOTION_UNSTABLE) == i);
      CHECK_OK(LimberFloquetDestroy(&f));
    }
    CHECK_NOTE("%.2f of the limit: |mu| %.5f, errors %.2e, %.2e", q.rate / limit, cabs(expected), error[0], error[1]);
    CHECK_LE(error[1], 1e-4);
    CHECK_LE(fabs(log2(error[0] / error[1]) - 2), 0.1);
    CHECK_OK(LimberModelDestroy(&m));
  }
}

// A free body drifts and turns at another rate: multipliers are 1 in blocks of Jordan, where round-off counts by its root.
TEST(a_free_body_is_neither_stable_nor_unstable) {
  LimberModel m;
  LimberNodeId body;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFrame(m, "body", (double[]){0.1, 0.2, 0.3}, NULL, &body));
  CHECK_OK(LimberModelAddRigidBody(m, "body", &(LimberRigidBody){.node = body, .mass = 2, .inertia = {0.1, 0.1, 0.3}},
                                   NULL));
  CHECK_OK(LimberModelSetVelocity(m, body, (double[]){0, 0, 0}, (double[]){0, 0, 3}));
  LimberFloquet f = floquet_of(m, 2 * M_PI / 3, 100);
  CHECK(limber_floquet_count(f) == 12);
  CHECK_NOTE("largest %.1e above 1", limber_floquet_multiplier(f, 0).magnitude - 1);
  // displacements grow with rates: a multiplier of 1 twice, with one vector, whose error is the root of that of the matrix
  CHECK_INT(limber_floquet_verdict(f), LIMBER_MOTION_UNDECIDED);
  CHECK_OK(LimberFloquetDestroy(&f));
  CHECK_OK(LimberModelDestroy(&m));
}

CHECK_MAIN_PETSC
