// SPDX-License-Identifier: Apache-2.0
// What keeps bodies of points rigid (R. L. Taylor, Rigid-Flexible Body Analysis Without Rotation Parameters, CIMNE 189, 2000):
// multipliers, springs whose force is the mean over the step (penalty), springs and multipliers by turns (augmented).
#include "base/cookie.h"
#include "check_petsc.h"

#include "contract.h"
#include "limber/limber.h"
#include "mechanics/augmented.h"

static double far_from(const double *a, const double *b) {
  return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

extern const ElementKind element_simplex_body;

// ---- contracts ----

static const char *const boxes[] = {"box", "plate", "rod"};
static LimberSimplexBody penalised(int i) {
  LimberSimplexBody b = {.centre = {0.1, -0.2, 0.3}, .mass = 2, .enforcement = LIMBER_ENFORCE_AUGMENTED, .penalty = 30};
  b.box[0] = 1.3, b.box[1] = i < 2 ? 0.9 : 0, b.box[2] = i < 1 ? 0.7 : 0;
  return b;
}

static void over_bodies(double (*error)(const Mock *), double tolerance) {
  static Mock m;
  double worst = 0;
  for (int i = 0; i < 3; i++) {
    LimberSimplexBody b = penalised(i);
    random_restart((unsigned)i);
    mock_begin(&m, boxes[i], "");
    CHECK_STR(mock_build(&m, &element_simplex_body, &b), NULL);
    CHECK_INT(m.kind->points(m.item[0].data), 3 - i);
    double e = error(&m);
    if (!CHECK_LE(e, tolerance)) CHECK_NOTE("%s", boxes[i]);
    worst = worse(worst, e);
    mock_end(&m);
  }
  CHECK_NOTE("%.1e", worst);
}

TEST(springs_along_edges_keep_the_bounds_of_tables) { over_bodies(element_table_error, 0); }
TEST(springs_along_edges_work_the_exact_change_of_strain) { over_bodies(element_identity_error, 50 * EPS); }
TEST(springs_along_edges_keep_the_theorem_in_every_scheme) { over_bodies(element_theorem_error, 50 * EPS); }
TEST(force_of_springs_along_edges_is_the_gradient_of_their_energy) { over_bodies(element_gradient_error, 1e-11); }
TEST(tangent_of_springs_along_edges_is_the_derivative_of_their_force) { over_bodies(element_tangent_error, 1e-11); }
TEST(springs_along_edges_ignore_motion_as_a_whole) { over_bodies(element_rigid_error, 100 * EPS); }
TEST(springs_along_edges_have_no_resultant) { over_bodies(element_momentum_error, 50 * EPS); }

// k/2 sum_edges ((l^2 - L^2)/(2 L))^2
TEST(energy_of_a_penalised_body_is_that_of_its_edges) {
  static Mock m;
  for (int i = 0; i < 3; i++) {
    LimberSimplexBody b = penalised(i);
    MockMotion q;
    Vec3 x[MAX_LOCAL_VECTORS];
    double sum = 0;
    random_restart((unsigned)i);
    mock_begin(&m, boxes[i], "");
    CHECK_STR(mock_build(&m, &element_simplex_body, &b), NULL);
    motion_random(&m, 1, &q);
    mock_vectors(&m, &m.item[0], q.xn, x);
    for (int n = m.item[0].nnode, a = 0; a < n; a++)
      for (int c = 0; c < a; c++) {
        double l = vec3_norm(vec3_sub(x[a], x[c]));
        double L = vec3_norm(vec3_sub(m.x[m.item[0].node[a]][0], m.x[m.item[0].node[c]][0]));
        sum += 0.5 * b.penalty * pow((l * l - L * L) / (2 * L), 2);
      }
    CHECK_REL(element_energy(m.kind, m.item[0].data, x), sum, 1e-12);
    mock_end(&m);
  }
}

static AugmentedMultipliers held;
static void evaluate_held(void *self, Local *out) {
  const Case *c = self;
  LocalMotion it;
  motion_item(c->m, c->q, c->e, c->t->force_rule, &it);
  local_clear(out, it.s, it.nblock);
  augmented_evaluate(c->m->kind, c->e->data, &it, 1, held, out);
}

// sum_k w_k residual_k . increment_k = sum_k w_k lambda_k . (e_k - e_n)
static double held_work_error(const Mock *m) {
  static Local out;
  double worst = 0, increment[3 * MAX_LOCAL_BLOCKS] = {0};
  LocalMotion it;
  MockMotion q;
  for (int i = 0; i < TABLEAUX; i++) {
    Tableau t = tableau_sample(i, FORCE_MEAN);
    double sum = 0, scale = 0;
    Case c = {.m = m, .e = &m->item[0], .t = &t, .q = &q};
    motion_random(m, t.s, &q);
    for (int k = 0; k < MAX_STAGES; k++)
      for (int r = 0; r < MAX_ROWS; r++) held[k][r] = random_in(-1, 1);
    evaluate_held(&c, &out);
    motion_item(m, &q, c.e, t.force_rule, &it);
    for (int k = 0; k < t.s; k++) {
      motion_increments(&it, c.e, &q, k, increment);
      for (int b = 0; b < 3 * it.nblock; b++) {
        double w = t.weight[k] * out.r[local_at(&out, b / 3, k) + b % 3] * increment[b];
        sum += w, scale += fabs(w);
      }
    }
    worst = worse(worst, fabs(sum - augmented_work(m->kind, c.e->data, &t, &it, held)) / scale);
  }
  return worst;
}

static double held_tangent_error(const Mock *m) {
  double worst = 0, *unknown[MAX_LOCAL];
  MockMotion q;
  LocalMotion it;
  for (int force_rule = FORCE_MEAN; force_rule <= FORCE_END; force_rule++) {
    Tableau t = tableau_any(2, (ForceRule)force_rule);
    Case c = {.m = m, .e = &m->item[0], .t = &t, .q = &q};
    motion_random(m, 2, &q);
    motion_item(m, &q, c.e, t.force_rule, &it);
    motion_unknowns(&it, c.e, &q, unknown);
    worst = worse(worst, tangent_error(6 * it.nblock, unknown, evaluate_held, &c));
  }
  return worst;
}

TEST(multipliers_that_hold_a_body_work_on_its_strain_alone_in_every_scheme) { over_bodies(held_work_error, 50 * EPS); }
TEST(tangent_of_held_multipliers_is_the_derivative_of_their_force) { over_bodies(held_tangent_error, 1e-11); }

// ---- runs ----

enum { WAYS = 3 };
static const char *const ways[WAYS] = {"multipliers", "penalty", "augmented"};

typedef struct {
  double x[3], energy, momentum; // of the point watched; largest changes since the start, relative
  double away;                   // of the point: farthest from `path`
  int iterations;
  LimberLedger ledger;
} End;

static double path[200][3]; // of a run with multipliers
static void follow(LimberRun run, LimberNodeId point, int step, bool write, End *e) {
  double x[3];
  if (step >= 200) return;
  CHECK_OK(LimberRunGetNode(run, point, x, NULL, NULL, NULL));
  if (write) memcpy(path[step], x, sizeof x);
  e->away = worse(e->away, far_from(x, path[step]));
}

static End run_on(LimberModel m, LimberNodeId point, LimberOptions options, int steps, bool write) {
  LimberRun run;
  LimberOutcome o = {.time = 0};
  LimberLedger l0;
  double p[3], h0[3], h[3];
  End e = {.energy = 0};
  CHECK_OK(LimberRunCreate(m, &options, &run));
  if (!CHECK_STR(limber_model_diagnostics(m), "")) return e;
  CHECK_OK(LimberRunGetLedger(run, &l0));
  CHECK_OK(LimberRunGetMomentum(run, p, h0));
  for (int i = 0; i < steps && o.reason == LIMBER_CONVERGED; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    e.iterations += o.iterations;
    follow(run, point, i, write, &e);
    CHECK_INT(o.rejected, 0);
    if (i % 100 != 99 && i + 1 < steps) continue;
    CHECK_OK(LimberRunGetLedger(run, &e.ledger));
    CHECK_OK(LimberRunGetMomentum(run, p, h));
    double now = e.ledger.kinetic + e.ledger.strain + e.ledger.potential,
           before = l0.kinetic + l0.strain + l0.potential;
    e.energy = worse(e.energy, fabs(now - before) / e.ledger.exchanged);
    e.momentum = worse(e.momentum, far_from(h, h0) / worse(1e-9, vec3_norm(vec3_of(h0))));
  }
  if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) CHECK_NOTE("%s at t = %g", o.cause.name, o.time);
  CHECK_OK(LimberRunGetNode(run, point, e.x, NULL, NULL, NULL));
  CHECK_LE(e.ledger.worst_residual, 1e-11 * e.ledger.exchanged); // 1.0e-12 of springs of 1e9 N/m
  CHECK_OK(LimberRunDestroy(&run));
  return e;
}

static End run_of(LimberModel m, LimberNodeId point, LimberOptions options, int steps) {
  return run_on(m, point, options, steps, false);
}

// A box that tumbles; the point watched is one of its own.
static LimberModel tumbling(LimberEnforcement way, double penalty, LimberNodeId *point) {
  LimberModel m;
  LimberElementId id;
  LimberSimplexBody b = {.mass = 6, .box = {1, 2, 3}, .angular_velocity = (double[]){0.1, 2, 0.05}};
  b.enforcement = way, b.penalty = way != LIMBER_ENFORCE_MULTIPLIERS ? penalty : 0;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddSimplexBody(m, "box", &b, &id));
  CHECK_STR(limber_model_diagnostics(m), "");
  *point = limber_model_element_node(m, id, 0);
  return m;
}

TEST(energy_and_momentum_are_kept_over_ten_thousand_steps_whatever_keeps_a_body_rigid) {
  for (int w = 0; w < WAYS; w++) {
    LimberNodeId point;
    LimberModel m = tumbling((LimberEnforcement)w, 1e7, &point);
    End e = run_of(m, point,
                   (LimberOptions){.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = 0.01}, 10000);
    CHECK_NOTE("%s: energy %.1e, angular momentum %.1e, %.1f iterations a step", ways[w], e.energy, e.momentum,
               e.iterations / 1e4);
    CHECK_LE(e.energy, 1e-11);
    CHECK_LE(e.momentum, 1e-11);
    CHECK_OK(LimberModelDestroy(&m));
  }
}

TEST(penalty_tends_to_multipliers_as_one_over_its_stiffness) {
  LimberNodeId point;
  LimberModel m = tumbling(LIMBER_ENFORCE_MULTIPLIERS, 0, &point);
  LimberOptions options = {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = 0.01};
  run_on(m, point, options, 200, true);
  double before = 0;
  CHECK_OK(LimberModelDestroy(&m));
  for (double k = 1e6; k < 2e9; k *= 10) {
    m = tumbling(LIMBER_ENFORCE_PENALTY, k, &point);
    End e = run_of(m, point, options, 200);
    double off = e.away;
    CHECK_NOTE("k = %.0e N/m: %.2e m away, %.2f times closer", k, off, before / off);
    if (before > 0) CHECK(before / off > 9 && before / off < 11);
    before = off;
    CHECK_OK(LimberModelDestroy(&m));
  }
  CHECK_LE(before, 2e-8); // 1.6e-8
}

TEST(augmented_equals_multipliers_in_every_scheme) {
  static const char *const schemes[] = {"decaying", "preserving", "generalized_alpha", "decaying_a", "decaying_c"};
  for (int s = 0; s < 5; s += CHECK_EVERY(4)) {
    End e[2];
    for (int w = 0; w < 2; w++) {
      LimberNodeId point;
      LimberModel m = tumbling(w ? LIMBER_ENFORCE_AUGMENTED : LIMBER_ENFORCE_MULTIPLIERS, 1e7, &point);
      // the multipliers of a held body are forces of the jump as printed: it has no slip
      LimberOptions options = {.cookie = OPTIONS_COOKIE,
                               .scheme = limber_scheme_find(schemes[s]),
                               .rho_inf = 0.5,
                               .step = 0.01,
                               .literal_jump = 1};
      e[w] = run_of(m, point, options, 100);
      CHECK_LE(e[w].ledger.constraint, 1e-12);
      CHECK_OK(LimberModelDestroy(&m));
    }
    CHECK_NOTE("%s: %.1e m, kinetic energy %.1e J, lost %.2e and %.2e J, %d iterations against %d", schemes[s],
               far_from(e[0].x, e[1].x), e[1].ledger.kinetic - e[0].ledger.kinetic, e[0].ledger.dissipated,
               e[1].ledger.dissipated, e[1].iterations, e[0].iterations);
    CHECK_LE(far_from(e[0].x, e[1].x), 1e-10);
    CHECK_NEAR(e[1].ledger.kinetic, e[0].ledger.kinetic, 1e-9 * e[0].ledger.kinetic); // 1.5e-10, decaying C
  }
}

TEST(a_wider_tolerance_of_augmented_takes_fewer_iterations_and_keeps_the_account) {
  int before = 1 << 30;
  for (double tolerance = 1e-12; tolerance < 1e-3; tolerance *= 1e4) {
    LimberModel m;
    LimberElementId id;
    LimberSimplexBody b = {.mass = 6, .box = {1, 2, 3}, .angular_velocity = (double[]){0.1, 2, 0.05}};
    b.enforcement = LIMBER_ENFORCE_AUGMENTED, b.penalty = 1e6, b.tolerance = tolerance;
    CHECK_OK(LimberModelCreate(&m));
    CHECK_OK(LimberModelAddSimplexBody(m, "box", &b, &id));
    End e = run_of(m, limber_model_element_node(m, id, 0),
                   (LimberOptions){.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = 0.01}, 100);
    CHECK_NOTE("%.0e: strain %.1e, %d iterations", tolerance, e.ledger.constraint, e.iterations);
    CHECK_LE(e.ledger.constraint, tolerance);
    CHECK_LE(e.iterations, before - 1);
    before = e.iterations;
    CHECK_OK(LimberModelDestroy(&m));
  }
}

// ---- redundant constraints ----

// Three links of 1 m and 1 kg between four parallel hinges, a parallelogram that stands upright, pushed at 1 m/s: 18 edges and 20
// rows of joints, of which 3 follow from the others.
static LimberModel four_bar(LimberEnforcement way, double penalty, LimberNodeId *eye) {
  const double p[4][3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
  const double along[3] = {1, 0, 0}, slower[3] = {0.5, 0, 0}, turn[3] = {0, 1, 0};
  LimberModel m;
  LimberNodeId body[4] = {LIMBER_GROUND};
  CHECK_OK(LimberModelCreate(&m));
  for (int i = 0; i < 3; i++) {
    LimberSimplexBody b = {.mass = 1, .box = {0.05, 0.05, 0.05}, .velocity = i == 1 ? along : slower};
    b.enforcement = way, b.penalty = way != LIMBER_ENFORCE_MULTIPLIERS ? penalty : 0;
    b.angular_velocity = i == 1 ? NULL : turn;
    for (int k = 0; k < 3; k++) b.centre[k] = 0.5 * (p[i][k] + p[i + 1][k]), b.box[k] += fabs(p[i + 1][k] - p[i][k]);
    LimberElementId link;
    CHECK_OK(LimberModelAddSimplexBody(m, NULL, &b, &link));
    body[i + 1] = LIMBER_BODY(link);
  }
  for (int i = 0; i < 4; i++) {
    LimberRevolute r = {.nodes = {body[i], body[(i + 1) % 4]}, .axis = {0, 1, 0}, .at = p[i]};
    CHECK_OK(LimberModelAddRevolute(m, "hinge", &r, NULL));
  }
  CHECK_OK(LimberModelAddPoint(m, "eye", (double[]){0.5, 0, 1}, eye));
  CHECK_OK(LimberModelAddSpherical(m, "eye", &(LimberSpherical){{body[2], *eye}, NULL, NULL}, NULL));
  CHECK_OK(LimberModelAddGravity(
      m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  return m;
}

TEST(a_four_bar_in_space_runs_with_each_of_the_three) {
  End e[WAYS];
  for (int w = 0; w < WAYS; w++) {
    LimberNodeId eye;
    LimberModel m = four_bar((LimberEnforcement)w, 1e9, &eye);
    e[w] = run_of(m, eye, (LimberOptions){.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = 2e-3},
                  1000);
    CHECK_NOTE("%s: %.12f %.1e %.12f, energy %.1e, constraints %.1e, strain %.1e J, %.1f iterations a step", ways[w],
               e[w].x[0], e[w].x[1], e[w].x[2], e[w].energy, e[w].ledger.constraint, e[w].ledger.strain,
               e[w].iterations / 1e3);
    CHECK_LE(e[w].energy, 1e-11);
    CHECK_LE(far_from(e[w].x, e[0].x), w == 1 ? 1e-5 : 1e-8); // augmented: 4.1e-9, from the start
    CHECK_OK(LimberModelDestroy(&m));
  }
}

CHECK_MAIN_PETSC
