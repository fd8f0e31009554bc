// SPDX-License-Identifier: Apache-2.0
// Springs, cables and bars measured by their stretch, in motion: closed forms, and the account of energy.
#include "base/cookie.h"
#include "check_petsc.h"

#include "limber/limber.h"

static const double pi = 3.141592653589793;
static const char *const schemes[] = {"preserving", "decaying_c", "generalized_alpha"};

// A mass m at the distance 1 from a wall, on an element that ties the two, with a velocity v along it.
typedef struct {
  LimberModel model;
  LimberRun run;
  LimberNodeId wall, mass;
} Oscillator;

static void begin(Oscillator *o, double m, double v) {
  CHECK_OK(LimberModelCreate(&o->model));
  CHECK_OK(LimberModelAddFixed(o->model, "wall", (double[]){0, 0, 0}, NULL, &o->wall));
  CHECK_OK(LimberModelAddPoint(o->model, "mass", (double[]){1, 0, 0}, &o->mass));
  CHECK_OK(LimberModelAddMass(o->model, "mass", &(LimberMass){o->mass, m}, NULL));
  CHECK_OK(LimberModelSetVelocity(o->model, o->mass, (double[]){v, 0, 0}, NULL));
}

// After `time` in `steps` steps: place and velocity along the spring, and the ledger.
static void end(Oscillator *o, const char *scheme, double time, int steps, double *x, double *v, LimberLedger *l) {
  LimberOptions options = {
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(scheme), .rho_inf = 0.5, .step = time / steps};
  LimberOutcome out = {.reason = LIMBER_CONVERGED};
  double at[3], rate[3];
  CHECK_STR(limber_model_diagnostics(o->model), "");
  CHECK_OK(LimberRunCreate(o->model, &options, &o->run));
  for (int i = 0; i < steps && out.reason == LIMBER_CONVERGED; i++) CHECK_OK(LimberRunStep(o->run, &out));
  CHECK_INT(out.reason, LIMBER_CONVERGED);
  CHECK_OK(LimberRunGetNode(o->run, o->mass, at, NULL, rate, NULL));
  CHECK_OK(LimberRunGetLedger(o->run, l));
  CHECK_OK(LimberRunDestroy(&o->run));
  CHECK_OK(LimberModelDestroy(&o->model));
  *x = at[0], *v = rate[0];
}

// A spring of two stiffnesses swings with pi sqrt(m) (1/sqrt(k1) + 1/sqrt(k2)); one with play p waits 4 p/v in a period.
TEST(a_mass_on_a_nonlinear_spring_has_the_period_of_the_closed_form) {
  static const double table[] = {-1, -90, 0, 0, 1, 40};
  const double m = 2.5, v0 = 1.2, half[] = {1 / sqrt(90.0), 1 / sqrt(40.0)};
  for (int kind = 0; kind < 2; kind++)
    for (int i = 0; i < 3; i++) {
      double period = pi * sqrt(m) * (half[0] + half[1]), x[2], v[2];
      LimberSpring s = {.law = {.table = table, .pairs = 3}};
      if (kind) s = (LimberSpring){.law = {.stiffness = 40, .clearance = 0.05}};
      if (kind) period = 2 * pi * sqrt(m / 40) + 4 * 0.05 / v0;
      LimberLedger l;
      for (int fine = 0; fine < 2; fine++) {
        Oscillator o;
        begin(&o, m, v0);
        s.nodes[0] = o.wall, s.nodes[1] = o.mass;
        CHECK_OK(LimberModelAddSpring(o.model, "s", &s, NULL));
        end(&o, schemes[i], 3 * period, 600 << fine, &x[fine], &v[fine], &l);
      }
      CHECK_NOTE("%s, %s: place off by %.1e, half the step %.1e; energy balance error by %.1e of %.3g J",
                 kind ? "play" : "table", schemes[i], x[0] - 1, x[1] - 1, l.worst_residual, l.exchanged);
      CHECK_LE(fabs(x[1] - 1), 1e-3);
      CHECK_LE(fabs(v[1] - v0), 2e-3);
      if (i < 2) CHECK_LE(l.worst_residual, 1e-13 * l.exchanged);
    }
}

// It touches at the velocity v, is thrown back after 2/w (pi - atan(v w/g)) and falls again after 2 v/g.
TEST(a_mass_on_a_spring_that_only_pushes_bounces_as_it_should) {
  const double g = 9.81, w = 40, v0 = 2, cycle = 2 / w * (pi - atan(v0 * w / g)) + 2 * v0 / g;
  for (int i = 0; i < 2; i++) {
    Oscillator o;
    LimberLedger l;
    double x, v;
    begin(&o, 0.5, -v0);
    CHECK_OK(LimberModelAddSpring(
        o.model, "s",
        &(LimberSpring){.nodes = {o.wall, o.mass}, .law = {.stiffness = 0.5 * w * w, .side = LIMBER_SIDE_BELOW}},
        NULL));
    CHECK_OK(LimberModelAddGravity(
        o.model, "g", &(LimberGravity){.acceleration = {-g, 0, 0}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
    end(&o, schemes[i], 3 * cycle, 4000, &x, &v, &l);
    CHECK_NOTE("%s: place off by %.1e m, velocity by %.1e m/s after 3 bounces", schemes[i], x - 1, v + v0);
    CHECK_LE(fabs(x - 1), 1e-3);
    CHECK_LE(fabs(v + v0), 5e-3);
    CHECK_LE(l.worst_residual, 1e-13 * l.exchanged);
  }
}

TEST(a_spring_and_damper_follows_the_damped_oscillator) {
  const double w = 2 * pi, zeta = 0.1, wd = w * sqrt(1 - zeta * zeta), t = 2.2;
  for (int i = 0; i < 3; i++) {
    LimberLedger l;
    double x[2], v, exact = 0.3 / wd * exp(-zeta * w * t) * sin(wd * t);
    for (int fine = 0; fine < 2; fine++) {
      Oscillator o;
      begin(&o, 1, 0.3);
      LimberSpring s = {.nodes = {o.wall, o.mass}, .law = {.stiffness = w * w, .damping = 2 * zeta * w}};
      CHECK_OK(LimberModelAddSpring(o.model, "s", &s, NULL));
      end(&o, schemes[i], t, 1000 << fine, &x[fine], &v, &l);
    }
    double error = (x[0] - 1) / exact - 1, finer = (x[1] - 1) / exact - 1;
    CHECK_NOTE("%s: %.1e, half the step %.1e", schemes[i], error, finer);
    CHECK_LE(fabs(error), i < 2 ? 1e-4 : 1e-2);
    CHECK_LE(fabs(finer), (i < 2 ? 0.27 : 0.55) * fabs(error));
    CHECK_NEAR(l.kinetic + l.strain + l.damping + l.dissipated, 0.5 * 0.3 * 0.3, 1e-12);
  }
}

// Along its own axis a bar measured by its stretch is a linear spring, at any amplitude.
TEST(a_bar_measured_by_its_stretch_is_a_linear_spring) {
  const double w = 2 * pi, amplitude = 0.5;
  double off[2];
  for (int k = 0; k < 2; k++) {
    Oscillator o;
    LimberLedger l;
    double x, v;
    begin(&o, 1, amplitude * w);
    LimberBar bar = {{o.wall, o.mass}, w * w, 0, 0, 0, 0, 0, k ? LIMBER_STRAIN_STRETCH : LIMBER_STRAIN_GREEN};
    CHECK_OK(LimberModelAddBar(o.model, "bar", &bar, NULL));
    end(&o, "preserving", 1.25, 4000, &x, &v, &l);
    off[k] = x - 1 - amplitude;
  }
  CHECK_NOTE("after a period and a quarter: green %.1e m, stretch %.1e m off", off[0], off[1]);
  CHECK_LE(fabs(off[1]), 1e-6);
  CHECK_LE(1e-2, fabs(off[0]));
}

// ---- a cable that goes slack and taut ----

typedef struct {
  double tip[3], least, most, grows, open, exchanged, damping;
  int slack, taut; // steps in which some bar is slack, and in which all are taut
} Swing;

// A weight on a cable of 6 bars, hung slack and let go; it falls, the cable snaps taut and it swings.
static void swing(const char *scheme, double damping, int steps, Swing *s) {
  LimberModel m;
  LimberNodeId hook, weight;
  LimberElementId cable;
  LimberRun run;
  LimberLedger l;
  LimberOutcome o = {.reason = LIMBER_CONVERGED};
  LimberOptions options = {.cookie = OPTIONS_COOKIE,
                           .scheme = limber_scheme_find(scheme),
                           .rho_inf = 0.5,
                           .step = 1.5 / steps,
                           .tolerance = 1e-15};
  *s = (Swing){.least = HUGE_VAL, .most = -HUGE_VAL};
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFixed(m, "hook", (double[]){0, 0, 0}, NULL, &hook));
  CHECK_OK(LimberModelAddPoint(m, "weight", (double[]){0.7, 0, 0.1}, &weight));
  CHECK_OK(LimberModelAddMass(m, "weight", &(LimberMass){weight, 2}, NULL));
  LimberCable c = {hook, weight, 6, 4e4, 0.1, 1, damping, 0, {0, 0, -1}};
  CHECK_OK(LimberModelAddCable(m, "cable", &c, &cable));
  CHECK_OK(LimberModelAddGravity(
      m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK_OK(LimberRunCreate(m, &options, &run));
  double before = HUGE_VAL;
  for (int i = 0; i < steps && o.reason == LIMBER_CONVERGED; i++) {
    int slack = 0;
    double strain[6], force[6];
    CHECK_OK(LimberRunStep(run, &o));
    CHECK_OK(LimberRunGetLedger(run, &l));
    double energy = l.kinetic + l.strain + l.potential;
    s->least = fmin(s->least, energy), s->most = fmax(s->most, energy);
    s->grows = fmax(s->grows, energy - before), before = energy;
    for (int p = 0; p < 6; p++) {
      LimberSectionForces section_state;
      CHECK_OK(LimberRunGetForces(run, cable, p, &section_state));
      memcpy(strain, section_state.strain, sizeof strain);
      memcpy(force, section_state.force, sizeof force);
      slack += strain[0] <= 0;
      CHECK(force[0] >= 0 && (strain[0] > 0) == (force[0] > 0));
    }
    s->slack += slack > 0, s->taut += slack == 0;
  }
  CHECK_INT(o.reason, LIMBER_CONVERGED);
  s->open = l.worst_residual, s->exchanged = l.exchanged, s->damping = l.damping;
  CHECK_OK(LimberRunGetNode(run, weight, s->tip, NULL, NULL, NULL));
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(a_slack_cable_that_goes_taut_creates_no_energy) {
  for (int i = 0; i < 2; i++)
    for (int damped = 0; damped < 2; damped++) {
      Swing s;
      swing(schemes[i], damped ? 2e-4 : 0, 1500, &s);
      CHECK_NOTE(
          "%s%s: %d steps taut, %d with slack; energy from %.3g to %.3g J, grows by %.1e, open by %.1e of %.3g J",
          schemes[i], damped ? ", damped" : "", s.taut, s.slack, s.most, s.least, s.grows, s.open, s.exchanged);
      CHECK_LE(s.grows, 1e-13 * s.exchanged); // 4e-15
      CHECK_LE(s.open, 1e-13 * s.exchanged);  // 6e-15
      CHECK(s.slack > 100 && s.taut > 100);
      if (i == 0 && !damped) CHECK_LE(s.most - s.least, 1e-12 * s.exchanged);
      else CHECK_LE(1e-3, s.most - s.least);
      CHECK((s.damping > 0) == damped);
    }
}

// ---- a body on springs with arms ----

typedef struct {
  double x[3], energy[2], open, exchanged, grows;
} Body;

// A body between two springs, nonlinear and damped or not, that hold it by arms; it is spun and let go.
static void body_on_springs(const char *scheme, int held, double damping, int steps, Body *b) {
  static const double arm[2][3] = {{0.2, 0.1, 0.3}, {0.2, -0.2, -0.3}}, hold[2][3] = {{0.6, 0.5, 1}, {-0.5, -0.3, -1}};
  static const double table[] = {-0.4, -300, -0.1, -20, 0, 0, 0.1, 20, 0.4, 300};
  LimberModel m;
  LimberNodeId body, other;
  LimberRun run;
  LimberLedger l;
  LimberOutcome o = {.reason = LIMBER_CONVERGED};
  LimberOptions options = {.cookie = OPTIONS_COOKIE,
                           .scheme = limber_scheme_find(scheme),
                           .rho_inf = 0.5,
                           .step = 0.5 / steps,
                           .tolerance = 1e-15};
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFrame(m, "body", (double[]){0, 0, 0}, NULL, &body));
  CHECK_OK(LimberModelAddFrame(m, "other", (double[]){0.4, 0.2, 1.2}, NULL, &other));
  for (int i = 0; i < 2; i++)
    CHECK_OK(LimberModelAddRigidBody(
        m, "b", &(LimberRigidBody){.node = i ? other : body, .mass = 1, .inertia = {0.02, 0.03, 0.05}}, NULL));
  for (int i = 0; i < 2; i++) {
    LimberSpring s = {.nodes = {held ? LIMBER_GROUND : other, body}, .at = {hold[i], arm[i]}};
    s.law = (LimberLaw){.table = table, .pairs = 5, .damping = damping};
    CHECK_OK(LimberModelAddSpring(m, "s", &s, NULL));
  }
  CHECK_OK(LimberModelSetVelocity(m, body, (double[]){0.3, 0, -0.5}, (double[]){3, -4, 5}));
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK_OK(LimberRunCreate(m, &options, &run));
  CHECK_OK(LimberRunGetLedger(run, &l));
  double before = b->energy[0] = l.kinetic + l.strain;
  b->grows = 0;
  for (int i = 0; i < steps && o.reason == LIMBER_CONVERGED; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    CHECK_OK(LimberRunGetLedger(run, &l));
    b->energy[1] = l.kinetic + l.strain;
    b->grows = fmax(b->grows, b->energy[1] - before), before = b->energy[1];
  }
  CHECK_INT(o.reason, LIMBER_CONVERGED);
  CHECK_OK(LimberRunGetNode(run, body, b->x, NULL, NULL, NULL));
  b->open = l.worst_residual, b->exchanged = l.exchanged;
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

static double apart(const Body *a, const Body *b) {
  return hypot(hypot(a->x[0] - b->x[0], a->x[1] - b->x[1]), a->x[2] - b->x[2]);
}

TEST(a_body_on_springs_with_arms_is_of_second_order_and_creates_no_energy) {
  for (int i = 0; i < 3; i++)
    for (int held = 0; held < 2; held++) {
      Body b[3], damped;
      for (int k = 0; k < 3; k++) body_on_springs(schemes[i], held, 0, 400 << k, &b[k]);
      body_on_springs(schemes[i], held, 2, 400, &damped);
      double order = log2(apart(&b[0], &b[1]) / apart(&b[1], &b[2]));
      CHECK_NOTE("%s, %s: order %.2f, energy changes by %.1e of %.3g J, open by %.1e; damped by %.2g J", schemes[i],
                 held ? "held" : "free", order, b[0].energy[1] - b[0].energy[0], b[0].energy[0], b[0].open,
                 damped.energy[0] - damped.energy[1]);
      CHECK_LE(1.85, order);
      CHECK_LE(0.1, damped.energy[0] - damped.energy[1]);
      if (i == 2) continue;
      CHECK_LE(b[0].grows, 1e-13 * b[0].exchanged);
      CHECK_LE(damped.grows, 1e-13 * damped.exchanged);
      CHECK_LE(b[0].open, 1e-13 * b[0].exchanged);
      CHECK_LE(damped.open, 1e-13 * damped.exchanged);
      if (i == 0) CHECK_NEAR(b[0].energy[1], b[0].energy[0], 1e-12);
    }
}

// ---- a force along a distance ----

// A point on a strut to the wall that a load pushes, free to leave in any direction: it works force times change of length.
TEST(a_thrust_along_a_strut_is_a_force_along_the_line_of_its_ends) {
  const double force = 3, time = 0.8;
  for (int i = 0; i < 3; i++) {
    Oscillator o;
    LimberJointId strut;
    LimberLedger l;
    LimberOutcome out;
    double x[3], v[3], z[3];
    begin(&o, 2, 0);
    CHECK_OK(LimberModelSetVelocity(o.model, o.mass, (double[]){0, 1.5, 0}, NULL));
    CHECK_OK(LimberModelAddActuator(o.model, "s", &(LimberActuator){.nodes = {o.wall, o.mass}}, &strut));
    CHECK_OK(LimberModelAddJointForce(o.model, "t", &(LimberJointForce){strut, NULL, force, LIMBER_NO_FUNCTION}, NULL));
    CHECK_STR(limber_model_diagnostics(o.model), "");
    LimberOptions options = {.cookie = OPTIONS_COOKIE,
                             .scheme = limber_scheme_find(schemes[i]),
                             .rho_inf = 0.5,
                             .step = time / 800,
                             .tolerance = 1e-15};
    CHECK_OK(LimberRunCreate(o.model, &options, &o.run));
    for (int k = 0; k < 800; k++) CHECK_OK(LimberRunStep(o.run, &out));
    CHECK_OK(LimberRunGetNode(o.run, o.mass, x, NULL, v, NULL));
    LimberJointState joint_state;
    CHECK_OK(LimberRunGetJoint(o.run, strut, &joint_state));
    memcpy(z, joint_state.coordinate, sizeof z);
    CHECK_OK(LimberRunGetLedger(o.run, &l));
    double length = hypot(x[0], x[1]), moment = 2 * (x[0] * v[1] - x[1] * v[0]);
    CHECK_NOTE("%s: slide off by %.1e m, moment of momentum by %.1e, energy balance error by %.1e J", schemes[i],
               z[0] - (length - 1), moment - 3, l.worst_residual);
    CHECK_NEAR(z[0], length - 1, 1e-12);
    CHECK_NEAR(moment, 3, i == 0 ? 1e-11 : 1e-4); // a central force; points keep it exactly in the preserving scheme
    if (i < 2) CHECK_NEAR(l.work, force * z[0], 1e-10);
    if (i < 2) CHECK_LE(l.worst_residual, 1e-13 * l.exchanged);
    CHECK_OK(LimberRunDestroy(&o.run));
    CHECK_OK(LimberModelDestroy(&o.model));
  }
}

TEST(a_controller_on_a_strut_brings_the_distance_to_its_reference) {
  Oscillator o;
  LimberJointId strut;
  LimberFunctionId f;
  LimberLedger l;
  double x, v;
  begin(&o, 2, 0);
  CHECK_OK(LimberModelAddActuator(o.model, "s", &(LimberActuator){.nodes = {o.wall, o.mass}}, &strut));
  CHECK_OK(LimberModelAddSmoothStep(o.model, "f", &(LimberRamp){.to = -0.4, .end = 1}, &f));
  CHECK_OK(LimberModelAddController(o.model, "c", &(LimberController){strut, NULL, f, 800, 60}, NULL));
  end(&o, "decaying_c", 2, 400, &x, &v, &l);
  CHECK_NOTE("%.1e m off", x - 0.6);
  CHECK_NEAR(x, 0.6, 1e-6);
}

CHECK_MAIN_PETSC
