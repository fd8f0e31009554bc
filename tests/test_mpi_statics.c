// SPDX-License-Identifier: Apache-2.0
// Paths of equilibria: exact where a closed form is known, by every control; limit points and bifurcations found, told apart and passed;
// what cannot be followed is refused. On any number of ranks.
#include "check_petsc.h"

#include "analyses/statics/statics.h"
#include "analyses/stepping/stepper.h"

#include <limber/limber.h>
#include <math.h>
#include <string.h>

enum { MOST = 2000 };

typedef struct {
  int count;
  double factor[MOST], at[MOST][3]; // of each state, and where a node is then
  LimberOutcome last;
  int criticals;
  Critical critical[20];
} Path;

static void record(LimberRun run, LimberNodeId node, Path *path) {
  LimberLedger l;
  CHECK_OK(LimberRunGetLedger(run, &l));
  path->factor[path->count] = l.load_factor;
  CHECK_OK(LimberRunGetNode(run, node, path->at[path->count++], NULL, NULL, NULL));
}

// Follows a path to its end, or to where it cannot go on. The model goes away.
static void follow(LimberModel m, const LimberStatics *statics, LimberNodeId node, Path *path) {
  LimberOptions o;
  LimberRun run;
  *path = (Path){.last = {.reason = LIMBER_CONVERGED}};
  o = limber_options_default();
  o.analysis = LIMBER_ANALYSIS_STATIC, o.statics = *statics;
  CHECK_OK(LimberRunCreate(m, &o, &run));
  CHECK_STR(limber_model_diagnostics(m), "");
  if (!run) return;
  record(run, node, path);
  while (!limber_run_finished(run) && path->last.reason == LIMBER_CONVERGED && path->count < MOST) {
    CHECK_OK(LimberRunStep(run, &path->last));
    if (path->last.reason == LIMBER_CONVERGED) record(run, node, path);
  }
  const Statics *x = statics_of(run->stepper);
  path->criticals = x->ncritical < 20 ? x->ncritical : 20;
  for (int i = 0; i < path->criticals; i++) path->critical[i] = x->critical[i];
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

// ---- the truss of von Mises ----

static const double width = 4, height = 3, stiffness = 1e6;

// The load is that of the closed form at a factor of 1: P = EA (h/L)^3.
static LimberModel truss(LimberNodeId *apex, LimberJointId *guide) {
  LimberModel m;
  LimberNodeId left, right;
  double push = stiffness * pow(height / hypot(width, height), 3);
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFixed(m, "left", (double[]){-width, 0, 0}, NULL, &left));
  CHECK_OK(LimberModelAddFixed(m, "right", (double[]){width, 0, 0}, NULL, &right));
  CHECK_OK(LimberModelAddPoint(m, "apex", (double[]){0, 0, height}, apex));
  CHECK_OK(LimberModelAddBar(m, "a", &(LimberBar){.nodes = {left, *apex}, .stiffness = stiffness}, NULL));
  CHECK_OK(LimberModelAddBar(m, "b", &(LimberBar){.nodes = {right, *apex}, .stiffness = stiffness}, NULL));
  CHECK_OK(LimberModelAddPointOnLine(m, "guide",
                                     &(LimberPointOnLine){.nodes = {LIMBER_GROUND, *apex}, .axis = {0, 0, 1}}, guide));
  CHECK_OK(LimberModelAddForce(
      m, "push", &(LimberForce){.node = *apex, .direction = {0, 0, -push}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  return m;
}

// The farthest that a state is from the path z (h^2 - z^2)/h^3.
static double off_the_path(const Path *p) {
  double most = 0;
  for (int i = 0; i < p->count; i++) {
    double z = p->at[i][2];
    most = fmax(most, fabs(p->factor[i] - z * (height * height - z * z) / pow(height, 3)));
  }
  return most;
}

static void check_snap(const Path *p) {
  const double limit = 2 / (3 * sqrt(3));
  CHECK_INT(p->last.reason, LIMBER_CONVERGED);
  CHECK_LT(off_the_path(p), 1e-13);
  if (!CHECK_INT(p->criticals, 2)) return;
  for (int i = 0; i < 2; i++) {
    CHECK_INT(p->critical[i].kind, CRITICAL_LIMIT);
    CHECK_NEAR(p->critical[i].factor, i ? -limit : limit, 1e-13);
    CHECK_INT(p->critical[i].negative[0], i);
    CHECK_INT(p->critical[i].negative[1], !i);
    CHECK(strstr(p->critical[i].where, "'apex' moves most, along (0, 0, 1)"));
  }
}

TEST(the_truss_snaps_through_by_arc_length) {
  LimberNodeId apex;
  LimberJointId guide;
  LimberModel m = truss(&apex, &guide);
  Path p;
  const double stop[] = {0.25, 0, -0.25};
  follow(m, &(LimberStatics){.control = LIMBER_CONTROL_ARC, .stops = 3, .stop = stop}, apex, &p);
  check_snap(&p);
  CHECK_NEAR(p.factor[p.count - 1], 1, 1e-14);
  int met[3] = {0};
  for (int i = 0; i < p.count; i++)
    for (int k = 0; k < 3; k++) met[k] += fabs(p.factor[i] - stop[k]) < 1e-14;
  CHECK_INT(met[0], 3); // on the way up, down and up again
  CHECK_INT(met[1], 3); // with the start
  CHECK_INT(met[2], 2);
}

TEST(the_truss_snaps_through_by_the_displacement_of_a_node) {
  LimberNodeId apex;
  LimberJointId guide;
  LimberModel m = truss(&apex, &guide);
  Path p;
  follow(m, &(LimberStatics){.control = LIMBER_CONTROL_NODE, .node = apex, .direction = {0, 0, 2}, .target = -7}, apex,
         &p);
  check_snap(&p);
  CHECK_NEAR(p.at[p.count - 1][2], height - 7, 1e-12);
}

TEST(the_truss_snaps_through_by_the_coordinate_of_a_joint) {
  LimberNodeId apex;
  LimberJointId guide;
  LimberModel m = truss(&apex, &guide);
  Path p;
  follow(m, &(LimberStatics){.control = LIMBER_CONTROL_JOINT, .joint = guide, .coordinate = 0, .target = -7}, apex, &p);
  check_snap(&p);
  CHECK_NEAR(p.at[p.count - 1][2], height - 7, 1e-12);
}

TEST(the_load_alone_does_not_pass_a_limit_point) {
  LimberNodeId apex;
  LimberJointId guide;
  LimberModel m = truss(&apex, &guide);
  Path p;
  follow(m, &(LimberStatics){.to = 1}, apex, &p);
  CHECK_INT(p.last.reason, LIMBER_NO_CONVERGENCE);
  CHECK_LT(off_the_path(&p), 1e-13);
  CHECK_LT(fabs(p.factor[p.count - 1] - 2 / (3 * sqrt(3))), 1e-5); // and comes close to it, on this side
  CHECK(p.at[p.count - 1][2] > height / sqrt(3));
  CHECK_INT(p.criticals, 0);
}

// ---- columns and cantilevers ----

// Along x from a clamp, without mass.
static LimberModel cantilever(const double bending[2], LimberNodeId *tip) {
  LimberModel m;
  LimberNodeId root;
  LimberSectionId section;
  LimberSection q = {.mass = 0};
  const double k[6] = {1e4, 1e6, 1e6, 1, bending[0], bending[1]};
  for (int i = 0; i < 6; i++) q.stiffness[i][i] = k[i];
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFrame(m, "root", (double[]){0, 0, 0}, NULL, &root));
  CHECK_OK(LimberModelAddFrame(m, "tip", (double[]){1, 0, 0}, NULL, tip));
  CHECK_OK(LimberModelAddSection(m, "rod", 1, &q, &section));
  CHECK_OK(LimberModelAddBeam(m, "beam",
                              &(LimberBeam){.from = root,
                                            .to = *tip,
                                            .section = section,
                                            .elements = 8,
                                            .order = 3,
                                            .up = {0, 1, 0},
                                            .measure = LIMBER_STRAIN_STRETCH},
                              NULL));
  CHECK_OK(LimberModelAddClamp(m, "clamp", &(LimberClamp){.node = root}, NULL));
  return m;
}

static void push(LimberModel m, const char *name, LimberNodeId node, double x, double y, double z, LimberLoadId *id) {
  CHECK_OK(LimberModelAddForce(
      m, name, &(LimberForce){.node = node, .direction = {x, y, z}, .amplitude = LIMBER_NO_FUNCTION}, id));
}

// Euler's column, of which the load shortens 1 by P/EA: pi^2/4 EI (1 - P/EA)^-1 to first order; two directions at once.
TEST(a_column_of_equal_planes_buckles_in_two_directions_at_once) {
  LimberNodeId tip;
  LimberModel m = cantilever((double[]){1, 1}, &tip);
  Path p;
  push(m, "press", tip, -1, 0, 0, NULL);
  follow(m, &(LimberStatics){.to = 4}, tip, &p);
  double euler = M_PI * M_PI / 4, shortened = euler * (1 + euler / 1e4);
  CHECK_INT(p.last.reason, LIMBER_CONVERGED);
  CHECK_NEAR(p.at[p.count - 1][0], 1 - 4 / 1e4, 1e-10); // straight on
  if (!CHECK_INT(p.criticals, 1)) return;
  CHECK_INT(p.critical[0].kind, CRITICAL_BIFURCATION);
  CHECK_INT(p.critical[0].negative[1], 2);
  CHECK_NEAR(p.critical[0].factor, shortened, 1e-5);
  CHECK(strstr(p.critical[0].where, "'tip' moves most"));
}

TEST(a_column_of_different_planes_buckles_twice) {
  LimberNodeId tip;
  LimberModel m = cantilever((double[]){1, 2}, &tip);
  Path p;
  push(m, "press", tip, -1, 0, 0, NULL);
  follow(m, &(LimberStatics){.to = 6, .control = LIMBER_CONTROL_ARC}, tip, &p);
  if (!CHECK_INT(p.criticals, 2)) return;
  CHECK_NEAR(p.critical[1].factor / p.critical[0].factor, 2, 1e-3);
  CHECK(strstr(p.critical[0].where, "along (0, 0, 1)")); // weak about e2 = y
  CHECK(strstr(p.critical[1].where, "along (0, 1, 0)"));
  for (int i = 0; i < 2; i++) CHECK_INT(p.critical[i].kind, CRITICAL_BIFURCATION);
}

// The same state, whatever acts first: a weight that is constant and a push that grows, or both at once.
TEST(constant_loads_act_from_the_start) {
  Path together, after;
  for (int k = 0; k < 2; k++) {
    LimberNodeId tip;
    LimberLoadId weight;
    LimberModel m = cantilever((double[]){1, 2}, &tip);
    push(m, "weight", tip, 0, 0, -1, &weight);
    push(m, "push", tip, 0, 1, 0, NULL);
    follow(m, &(LimberStatics){.constant = k, .constants = &weight}, tip, k ? &after : &together);
    Path *p = k ? &after : &together;
    if (k) CHECK_LT(p->at[0][2], -0.2);
    else CHECK_NEAR(p->at[0][2], 0, 0);
  }
  for (int i = 0; i < 3; i++) CHECK_NEAR(after.at[after.count - 1][i], together.at[together.count - 1][i], 1e-11);
}

// A force that turns with the tip: P L^2/EI = 10 of an inextensible rod brings it to (-0.41687..., 0.71106...) of its length after
// an independent computation for L = 100, EI = 3.5e7, P = 1e4, that is P L^2/EI = 20/7.
TEST(a_follower_force_turns_with_its_node) {
  LimberNodeId tip;
  LimberModel m = cantilever((double[]){1, 1}, &tip);
  Path p;
  CHECK_OK(LimberModelAddFollowerForce(
      m, "follow", &(LimberFollower){.node = tip, .direction = {0, 0, 1}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  follow(m, &(LimberStatics){.to = 20.0 / 7}, tip, &p);
  CHECK_INT(p.criticals, 0);
  CHECK_NEAR(p.at[p.count - 1][0] - 1, -0.41687865, 3e-4); // EA is finite
  CHECK_NEAR(p.at[p.count - 1][2], 0.71106318, 3e-4);
}

TEST(what_nothing_holds_is_named) {
  LimberNodeId tip, loose;
  LimberModel m = cantilever((double[]){1, 1}, &tip);
  Path p;
  CHECK_OK(LimberModelAddPoint(m, "loose", (double[]){2, 0, 0}, &loose));
  CHECK_OK(LimberModelAddMass(m, "mass", &(LimberMass){.node = loose, .mass = 1}, NULL));
  push(m, "push", loose, 0, 0, 1, NULL);
  follow(m, &(LimberStatics){.control = LIMBER_CONTROL_ARC}, tip, &p);
  CHECK_INT(p.last.reason, LIMBER_SINGULAR);
  CHECK(strstr(p.last.cause.name, "'loose'"));
}

static const char *refused(LimberModel m, const LimberStatics *statics) {
  static char text[400];
  LimberOptions o;
  LimberRun run;
  o = limber_options_default();
  o.analysis = LIMBER_ANALYSIS_STATIC, o.statics = *statics;
  CHECK_OK(LimberRunCreate(m, &o, &run));
  CHECK(!run);
  snprintf(text, sizeof text, "%s", limber_model_diagnostics(m));
  if (run) CHECK_OK(LimberRunDestroy(&run));
  return text;
}

TEST(controls_that_cannot_lead_are_refused) {
  LimberNodeId apex;
  LimberJointId guide;
  LimberModel m = truss(&apex, &guide);
  CHECK_OK(LimberModelDestroy(&m));
  const struct {
    LimberStatics statics;
    const char *why;
  } cases[] = {{{.control = LIMBER_CONTROL_NODE, .node = {99}, .target = 1}, "no such node"},
               {{.control = LIMBER_CONTROL_NODE, .node = apex, .target = 1}, "needs a direction"},
               {{.control = LIMBER_CONTROL_NODE, .node = apex, .direction = {1, 0, 0}}, "needs a target"},
               {{.control = LIMBER_CONTROL_JOINT, .joint = guide, .coordinate = 1, .target = 1}, "no such coordinate"}};
  for (int i = 0; i < 4; i++) {
    m = truss(&apex, &guide);
    CHECK(strstr(refused(m, &cases[i].statics), cases[i].why));
    CHECK_OK(LimberModelDestroy(&m));
  }
}

CHECK_MAIN_PETSC
