// SPDX-License-Identifier: Apache-2.0
// Without load the energy never grows in the preserving and decaying schemes, at any step: five models in fast, bent or
// tumbling motion, from steps of 1e-5 s to 0.2 s, where most of their waves are far from resolved. The account of
// every step closes, joints hold and do no work. Then a strip pulled far beyond the load at which a beam element can
// buckle in tension.
#include "base/cookie.h"
#include "base/rotation.h"
#include "check_petsc.h"
#include "model/model.h"

#include <limber/limber.h>

// ---- models, in motion ----

typedef struct {
  const char *name;
  LimberModel (*make)(void);
  double length, largest; // step
} EnergyModel;

static void set_velocity(LimberModel m, LimberNodeId node, Vec3 v, Vec3 w) {
  double a[3], b[3];
  vec3_to(v, a), vec3_to(w, b);
  CHECK_OK(LimberModelSetVelocity(m, node, a, b));
}

static Vec3 place(LimberModel m, LimberNodeId node) { return model_node(m, node.index)->x[0]; }

static LimberElementId add_beam(LimberModel m, const LimberSection *s, double length, int elements) {
  LimberSectionId section;
  LimberElementId beam;
  CHECK_OK(LimberModelAddSection(m, "section", 1, s, &section));
  LimberBeam b = {.from = LIMBER_NO_NODE,
                  .to = LIMBER_NO_NODE,
                  .section = section,
                  .elements = elements,
                  .order = 3,
                  .end = {length, 0, 0},
                  .up = {0, 1, 0}};
  CHECK_OK(LimberModelAddBeam(m, "beam", &b, &beam));
  return beam;
}

// The hinged beam of Bauchau & Theron 1996 (beams), section 4, that turns about its hinge and bends across it.
static LimberModel hinged_beam(void) {
  LimberModel m;
  LimberSection s = {.stiffness = {{4.35080e7},
                                   {0, 1.40385e7},
                                   {0, 0, 2.80769e6},
                                   {0, 0, 0, 2.80514e4},
                                   {0, 0, 0, 0, 2.32577e4},
                                   {0, 0, 0, 0, 0, 2.98731e5}},
                     .mass = 1.6092,
                     .inertia = {{1.19092e-2}, {0, 8.602e-4}, {0, 0, 1.1049e-2}}};
  CHECK_OK(LimberModelCreate(&m));
  LimberElementId beam = add_beam(m, &s, 2.4, 4);
  for (int i = 0; i <= 12; i++) {
    LimberNodeId node = limber_model_element_node(m, beam, i);
    double x = place(m, node).x, f = x / 2.4;
    set_velocity(m, node, vec3(0, 4 * f * f, -8 * x + 6 * f * f), vec3(0, 8 - 5 * f, 10 * f / 3));
  }
  CHECK_OK(LimberModelAddRevolute(
      m, "hinge", &(LimberRevolute){.nodes = {LIMBER_GROUND, limber_model_element_node(m, beam, 0)}, .axis = {0, 1, 0}},
      NULL));
  return m;
}

// Two rods hinged about skew axes, their frames at the mass centres, under gravity.
static LimberModel double_pendulum(void) {
  LimberModel m;
  LimberNodeId rod[2], pin;
  CHECK_OK(LimberModelCreate(&m));
  for (int i = 0; i < 2; i++) {
    CHECK_OK(LimberModelAddFrame(m, i ? "lower" : "upper", (double[]){0.5 + i, 0, 0}, NULL, &rod[i]));
    LimberRigidBody body = {.node = rod[i], .mass = 1.5, .inertia = {0.01, 0.12, 0.13}};
    CHECK_OK(LimberModelAddRigidBody(m, i ? "lower" : "upper", &body, NULL));
  }
  CHECK_OK(LimberModelAddFrame(m, "pin", (double[]){1, 0, 0}, NULL, &pin));
  LimberRigidBody small = {.node = pin, .mass = 0.05, .inertia = {1e-3, 1e-3, 1e-3}};
  CHECK_OK(LimberModelAddRigidBody(m, "pin", &small, NULL));
  CHECK_OK(LimberModelAddWeld(m, "end", &(LimberWeld){{rod[0], pin}}, NULL));
  CHECK_OK(LimberModelAddRevolute(m, "shoulder", &(LimberRevolute){.nodes = {rod[0], LIMBER_GROUND}, .axis = {0, 1, 0}},
                                  NULL));
  CHECK_OK(LimberModelAddRevolute(m, "elbow", &(LimberRevolute){.nodes = {rod[1], pin}, .axis = {0, 1, 1}}, NULL));
  CHECK_OK(LimberModelAddGravity(
      m, "weight", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  Vec3 w = vec3(0, 3, 0), turn = vec3_add(w, vec3_scale(5, vec3_unit(vec3(0, 1, 1)))), elbow = vec3(1, 0, 0);
  set_velocity(m, rod[0], vec3_cross(w, place(m, rod[0])), w);
  set_velocity(m, pin, vec3_cross(w, elbow), w);
  set_velocity(m, rod[1], vec3_add(vec3_cross(w, elbow), vec3_cross(turn, vec3_sub(place(m, rod[1]), elbow))), turn);
  return m;
}

// The swing of Bauchau & Theron 1996 (multibody), section 6.2, set in motion instead of being pushed.
static LimberModel swing(void) {
  LimberModel m;
  LimberSection s = {.stiffness = {{3.65e5},
                                   {0, 1.17e5},
                                   {0, 0, 1.17e5},
                                   {0, 0, 0, 0.0408995},
                                   {0, 0, 0, 0, 0.030417},
                                   {0, 0, 0, 0, 0, 0.760417}},
                     .mass = 0.0135,
                     .inertia = {{2.925e-8}, {0, 1.125e-9}, {0, 0, 2.8125e-8}}};
  CHECK_OK(LimberModelCreate(&m));
  LimberElementId beam = add_beam(m, &s, 0.72, 2);
  LimberNodeId middle = limber_model_element_node(m, beam, 3);
  LimberRigidBody mass = {.node = middle, .mass = 0.5, .inertia = {2.70742e-4, 2.70742e-4, 2.70742e-4}};
  CHECK_OK(LimberModelAddRigidBody(m, "mass", &mass, NULL));
  for (int end = 0; end < 2; end++) { // links from fixed points, whose mass never moves
    LimberNodeId anchor;
    LimberNodeId node = limber_model_element_node(m, beam, 6 * end);
    const char *name = end ? "right" : "left";
    CHECK_OK(LimberModelAddPoint(m, name, (double[]){1.08 * end, 0, 0.36}, &anchor));
    CHECK_OK(LimberModelAddMass(m, name, &(LimberMass){anchor, 1}, NULL));
    CHECK_OK(LimberModelAddSpherical(m, name, &(LimberSpherical){.nodes = {LIMBER_GROUND, anchor}}, NULL));
    CHECK_OK(LimberModelAddDistance(m, name, &(LimberDistance){.nodes = {anchor, node}}, NULL));
  }
  Vec3 w = vec3(0, 2 / 0.72, 0); // both links are square to the velocity of their ends
  for (int i = 0; i <= 6; i++) {
    LimberNodeId node = limber_model_element_node(m, beam, i);
    set_velocity(m, node, vec3_add(vec3(2, 0, 0), vec3_cross(w, place(m, node))), w);
  }
  return m;
}

// A net of 4 x 4 points on bars, one corner on the ground, whirled.
static LimberModel net(void) {
  LimberModel m;
  LimberNodeId point[4][4];
  CHECK_OK(LimberModelCreate(&m));
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      point[i][j] = LIMBER_GROUND;
      if (i + j == 0) continue;
      CHECK_OK(LimberModelAddPoint(m, NULL, (double[]){0.5 * i, 0.5 * j, 0}, &point[i][j]));
      set_velocity(m, point[i][j],
                   vec3_add(vec3_cross(vec3(0, 1, 3), vec3(0.5 * i, 0.5 * j, 0)), vec3(0, 0, (i * j) % 3)),
                   vec3_zero());
    }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int way = 0; way < 3; way++) { // along, across, diagonal
        int k = i + (way != 1), l = j + (way != 0);
        if (k > 3 || l > 3) continue;
        LimberBar bar = {.nodes = {point[i][j], point[k][l]}, .stiffness = 2e4, .mass = 0.3};
        CHECK_OK(LimberModelAddBar(m, NULL, &bar, NULL));
      }
  return m;
}

// A top on a ball joint away from its frame and from its mass centre, under gravity.
static LimberModel top(void) {
  LimberModel m;
  LimberNodeId body;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFrame(m, "top", (double[]){0.1, 0.05, 0.4}, NULL, &body));
  LimberRigidBody b = {.node = body, .mass = 2, .centre = {0.02, -0.01, 0.05}, .inertia = {0.05, 0.06, 0.03, 0.002}};
  CHECK_OK(LimberModelAddRigidBody(m, "top", &b, NULL));
  CHECK_OK(LimberModelAddSpherical(m, "tip", &(LimberSpherical){.nodes = {body, LIMBER_GROUND}}, NULL));
  CHECK_OK(LimberModelAddGravity(
      m, "weight", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  Vec3 w = vec3(2, 1, 30);
  set_velocity(m, body, vec3_cross(w, place(m, body)), w);
  return m;
}

static const EnergyModel models[] = {{"hinged beam", hinged_beam, 2.4, 0.2},
                                     {"double pendulum", double_pendulum, 2, 0.2},
                                     {"swing on links", swing, 0.72, 0.05},
                                     {"net of bars", net, 2.1, 0.2},
                                     {"top on a ball joint", top, 0.42, 0.2}};

// ---- the account ----

static const struct {
  const char *name;
  LimberOptions options;
} schemes[] = {
    {"decaying", {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING, .rho_inf = 0.5}},
    {"empty memory",
     {.cookie = OPTIONS_COOKIE,
      .scheme = LIMBER_SCHEME_DECAYING,
      .rho_inf = 0.5,
      .start_increments = LIMBER_INCREMENTS_ZERO}},
    {"momentum",
     {.cookie = OPTIONS_COOKIE,
      .scheme = LIMBER_SCHEME_DECAYING,
      .rho_inf = 0.5,
      .start_increments = LIMBER_INCREMENTS_MOMENTUM}},
    {"decaying(1/3)", {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING, .rho_inf = 1.0 / 3}},
    {"exact momentum",
     {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING, .rho_inf = 0.5, .momentum = LIMBER_MOMENTUM_EXACT}},
    {"exact(1/3), empty",
     {.cookie = OPTIONS_COOKIE,
      .scheme = LIMBER_SCHEME_DECAYING,
      .rho_inf = 1.0 / 3,
      .start_increments = LIMBER_INCREMENTS_ZERO,
      .momentum = LIMBER_MOMENTUM_EXACT}},
    {"decaying(1)", {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING, .rho_inf = 1}},
    {"preserving", {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .momentum = LIMBER_MOMENTUM_CHECKED}},
    {"A", {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING_A}},
    {"B(1/36)", {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING_B, .beta = 1.0 / 36}},
    {"C(0.5)", {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING_C, .rho_inf = 0.5}},
    {"C(1)", {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING_C, .rho_inf = 1}}};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

static const double steps[] = {1e-5, 1e-4, 1e-3, 5e-3, 0.02, 0.05, 0.2};
enum { STEPS = sizeof steps / sizeof steps[0], COUNT = 12 };

typedef struct {
  // Of energy and memory in a step, and of energy above that and the memory of its start: over the energy exchanged, for each part of a step that was solved
  // for it. A step of 0.05 s is cut into 37 parts in the mean, and each has a round-off of its own.
  double growth;
  double residual, joints, constraint; // largest so far; the first two over the energy exchanged
  double momentum;                     // largest momentum balance error of a step, over what is exchanged
  double kept;                         // smallest energy at the end over that at the start
  int cut, failed;                     // steps that had to be cut, runs that could not be saved
} StepBalance;

static double energy(const LimberLedger *l) { return l->kinetic + l->strain + l->potential; }

static void account(LimberModel m, const LimberOptions *o, StepBalance *a) {
  LimberRun run;
  LimberLedger l;
  CHECK_OK(LimberRunCreate(m, o, &run));
  if (!run) CHECK_STR(limber_model_diagnostics(m), "");
  if (!run) return;
  CHECK_OK(LimberRunGetLedger(run, &l));
  double start = energy(&l) + l.scheme_energy, moving = l.kinetic + l.strain;
  if (o->start_increments == LIMBER_INCREMENTS_ZERO) CHECK(l.scheme_energy == 0);
  int solved = 0;
  for (int i = 0; i < COUNT; i++) {
    LimberOutcome out = {.reason = LIMBER_CONVERGED};
    double before = energy(&l) + l.scheme_energy;
    CHECK_OK(LimberRunStep(run, &out));
    CHECK_OK(LimberRunGetLedger(run, &l));
    solved += out.substeps;
    a->growth = fmax(a->growth, (energy(&l) + l.scheme_energy - before) / (out.substeps * l.exchanged));
    a->growth = fmax(a->growth, (energy(&l) - start) / (solved * l.exchanged));
    a->residual = fmax(a->residual, l.worst_residual / l.exchanged);
    a->joints = fmax(a->joints, fabs(l.joints) / l.exchanged);
    a->constraint = fmax(a->constraint, l.constraint);
    if (o->momentum != LIMBER_MOMENTUM_UNCHECKED)
      a->momentum = fmax(a->momentum, fmax(l.worst_momentum_error / l.momentum_scale,
                                           l.worst_angular_momentum_error / l.angular_momentum_scale));
    a->cut += out.substeps > 1;
    if (out.reason == LIMBER_CONVERGED) continue;
    CHECK_NOTE("%s, h = %g: stopped at step %d, reason %d, %s", limber_scheme_name(o->scheme), o->step, i + 1,
               out.reason, out.cause.name);
    a->failed++;
    break;
  }
  a->kept = fmin(a->kept, 1 + (energy(&l) - start) / moving);
  CHECK_OK(LimberRunDestroy(&run));
}

static void check_model(const EnergyModel *q) {
  for (int s = 0; s < SCHEMES; s += CHECK_EVERY(3)) {
    StepBalance a = {.growth = -1e300, .kept = 1e300};
    int tried = 0;
    for (int i = 0; i < STEPS && steps[i] <= q->largest; i++) {
      LimberOptions o = schemes[s].options;
      o.step = steps[i];
      LimberModel m = q->make();
      if (CHECK_STR(limber_model_diagnostics(m), "")) account(m, &o, &a), tried += COUNT;
      CHECK_OK(LimberModelDestroy(&m));
    }
    CHECK_NOTE(
        "%-17s growth %8.1e, account %.1e, momentum %.1e, joints %.1e, constraint %.1e m, kept at least %.4f; %d of %d "
        "steps cut",
        schemes[s].name, a.growth, a.residual, a.momentum, a.joints, a.constraint, a.kept, a.cut, tried);
    CHECK_INT(a.failed, 0);
    CHECK_LE(a.growth,
             1e-13); // 4.4e-14 was measured, the balance error of a step of 0.2 s in which the beam turns by 1.9 rad
    CHECK_LE(a.residual, 1e-10);
    CHECK_LE(a.momentum, 1e-12);
    CHECK_LE(a.joints, 1e-10);
    CHECK_LE(a.constraint, 1e-10 * q->length);
  }
}

TEST(energy_of_a_hinged_beam_never_grows) { check_model(&models[0]); }
TEST(energy_of_a_double_pendulum_never_grows) { check_model(&models[1]); }
TEST(energy_of_a_swing_on_links_never_grows) { check_model(&models[2]); }
TEST(energy_of_a_net_of_bars_never_grows) { check_model(&models[3]); }
TEST(energy_of_a_top_on_a_ball_joint_never_grows) { check_model(&models[4]); }

// ---- a strip in tension ----

// With an axial strain r'.d1 the element of degree p buckles in tension at 4, 24, 72 EI/Le^2: a rotation that vanishes at
// the Gauss points shortens the mean d1. With r'.r'/2 tension only stiffens it. A clamped steel strip of 1 m x 20 mm x
// 1 mm is pulled to ten times that load within 0.05 s, shaken a little across, and held.
typedef struct {
  double across, late; // largest displacement across, in all and in the last third of the time
  double along;        // mean displacement of the end in the last third
  double force;
} Pull;

static Pull pull(const LimberOptions *o, int order) {
  static const double critical[] = {0, 4, 24, 72};
  const double young = 210e9, shear = 80e9, b = 0.02, t = 1e-3, area = b * t, density = 7850;
  const double i2 = b * t * t * t / 12, i3 = t * b * b * b / 12;
  LimberSection s = {.stiffness = {{young * area},
                                   {0, 5.0 / 6 * shear * area},
                                   {0, 0, 5.0 / 6 * shear * area},
                                   {0, 0, 0, shear * 4 * i2},
                                   {0, 0, 0, 0, young * i2},
                                   {0, 0, 0, 0, 0, young * i3}},
                     .mass = density * area,
                     .inertia = {{density * (i2 + i3)}, {0, density * i2}, {0, 0, density * i3}}};
  Pull p = {.force = 10 * critical[order] * young * i2 * 16};
  LimberModel m;
  LimberRun run;
  LimberSectionId section;
  LimberElementId beam;
  LimberFunctionId ramp;
  LimberOutcome out = {.reason = LIMBER_CONVERGED};
  int count = (int)(0.15 / o->step + 0.5), nodes = 4 * order + 1;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddSection(m, "strip", 1, &s, &section));
  LimberBeam strip = {.from = LIMBER_NO_NODE,
                      .to = LIMBER_NO_NODE,
                      .section = section,
                      .elements = 4,
                      .order = order,
                      .end = {1, 0, 0},
                      .up = {0, 1, 0}};
  CHECK_OK(LimberModelAddBeam(m, "strip", &strip, &beam));
  LimberTable table = {2, (double[]){0, 0.05}, (double[]){0, p.force}};
  CHECK_OK(LimberModelAddTable(m, "ramp", &table, &ramp));
  LimberNodeId end = limber_model_element_node(m, beam, nodes - 1);
  CHECK_OK(LimberModelAddClamp(m, "root", &(LimberClamp){limber_model_element_node(m, beam, 0)}, NULL));
  CHECK_OK(LimberModelAddForce(m, "pull", &(LimberForce){end, {1, 0, 0}, ramp}, NULL));
  for (int i = 1; i < nodes; i++) { // every node another way, turning too
    double sign = i % 2 ? 1 : -1;
    set_velocity(m, limber_model_element_node(m, beam, i), vec3(0, 1e-5 * sign, 1e-5 * (i % 3 - 1)),
                 vec3(0, 1e-3 * sign, 1e-3));
  }
  CHECK_OK(LimberRunCreate(m, o, &run));
  for (int i = 1; i <= count && out.reason == LIMBER_CONVERGED; i++) {
    double x[3];
    CHECK_OK(LimberRunStep(run, &out));
    for (int n = 1; n < nodes; n++) {
      CHECK_OK(LimberRunGetNode(run, limber_model_element_node(m, beam, n), x, NULL, NULL, NULL));
      double across = hypot(x[1], x[2]);
      p.across = fmax(p.across, across);
      if (i > 2 * count / 3) p.late = fmax(p.late, across);
    }
    if (i > 2 * count / 3) p.along += (x[0] - 1) / (count - 2 * count / 3);
  }
  CHECK_INT(out.reason, LIMBER_CONVERGED);
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
  return p;
}

TEST(a_strip_pulled_far_beyond_the_load_of_buckling_in_tension_stays_straight) {
  static const LimberOptions options[] = {
      {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = 1e-3},
      {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING_A, .step = 1e-3},
      {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING_C, .rho_inf = 0.5, .step = 1e-3},
      {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_GENERALIZED_ALPHA, .rho_inf = 0.5, .step = 1e-3}};
  for (int order = 1; order <= 3; order++)
    for (int s = 0; s < 4; s += CHECK_EVERY(3)) {
      Pull p = pull(&options[s], order);
      double stretch = 1, ea = 210e9 * 2e-5; // F = EA (l^2 - 1)/2 l
      for (int i = 0; i < 20; i++)
        stretch -= (ea * (stretch * stretch - 1) / 2 * stretch - p.force) / (ea * (3 * stretch * stretch - 1) / 2);
      CHECK_NOTE("degree %d, %-17s %6.0f N: across %.1e m at most, %.1e m at the end; along %.7f mm, static %.7f",
                 order, limber_scheme_name(options[s].scheme), p.force, p.across, p.late, 1e3 * p.along,
                 1e3 * (stretch - 1));
      CHECK_LE(p.across, 3e-7);
      CHECK_LE(p.late, 3e-7);                // measured 1e-7; with r'.d1 it is 0.3 to 1.3 m
      CHECK_REL(p.along, stretch - 1, 1e-4); // measured 2e-5, preserving: it goes on to vibrate
    }
}

CHECK_MAIN_PETSC
