// SPDX-License-Identifier: Apache-2.0
// Closed loops with redundant joints: they run, and reactions are those of least norm.
#include "base/cookie.h"
#include "check_petsc.h"

#include "limber/limber.h"

#include <stdbool.h>

static const char *const schemes[] = {"decaying", "preserving", "decaying_a", "decaying_c", "generalized_alpha"};

static LimberNodeId add_rod(LimberModel m, const char *name, const double *a, const double *b, double thick) {
  double at[3], axes[9], along[3], length = 0;
  LimberNodeId id;
  for (int i = 0; i < 3; i++) at[i] = 0.5 * (a[i] + b[i]), along[i] = b[i] - a[i], length += along[i] * along[i];
  length = sqrt(length);
  int k = fabs(along[0]) > 0.9 * length ? 1 : 0; // an axis that is not along the rod
  for (int i = 0; i < 3; i++) axes[i] = along[i] / length, axes[3 + i] = i == k;
  double dot = axes[0] * axes[3] + axes[1] * axes[4] + axes[2] * axes[5], norm = 0;
  for (int i = 0; i < 3; i++) axes[3 + i] -= dot * axes[i], norm += axes[3 + i] * axes[3 + i];
  for (int i = 0; i < 3; i++) axes[3 + i] /= sqrt(norm);
  for (int i = 0; i < 3; i++) {
    int p = (i + 1) % 3, q = (i + 2) % 3;
    axes[6 + i] = axes[p] * axes[3 + q] - axes[q] * axes[3 + p];
  }
  double t = length / 12 + thick * thick / 12;
  CHECK_OK(LimberModelAddFrame(m, name, at, axes, &id));
  CHECK_OK(LimberModelAddRigidBody(
      m, name, &(LimberRigidBody){id, length, {0}, {thick * thick / 6, t * length, t * length}}, NULL));
  return id;
}

static void add_hinge(LimberModel m, const char *name, LimberNodeId a, LimberNodeId b, const double *at,
                      const double *axis) {
  LimberRevolute r = {.nodes = {a, b}, .axis = {axis[0], axis[1], axis[2]}, .at = at};
  CHECK_OK(LimberModelAddRevolute(m, name, &r, NULL));
}

// Links of 1 m, 1 kg in the plane of x and z: a parallelogram that stands upright, pushed at 1 m/s.
static LimberModel four_bar(bool spatial) {
  const double p[4][3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}}, y[3] = {0, 1, 0};
  LimberModel m;
  CHECK_OK(LimberModelCreate(&m));
  LimberNodeId a = add_rod(m, "crank", p[0], p[1], 0);
  LimberNodeId b = add_rod(m, "coupler", p[1], p[2], 0);
  LimberNodeId c = add_rod(m, "rocker", p[2], p[3], 0);
  add_hinge(m, "A", LIMBER_GROUND, a, p[0], y);
  add_hinge(m, "B", a, b, p[1], y);
  if (spatial) add_hinge(m, "C", b, c, p[2], y), add_hinge(m, "D", LIMBER_GROUND, c, p[3], y);
  else { // the same mechanism, held just so
    CHECK_OK(LimberModelAddSpherical(m, "C", &(LimberSpherical){.nodes = {b, c}, .at = p[2]}, NULL));
    CHECK_OK(LimberModelAddUniversal(
        m, "D",
        &(LimberUniversal){.nodes = {LIMBER_GROUND, c}, .axis = {0, 1, 0}, .second_axis = {1, 0, 0}, .at = p[3]},
        NULL));
  }
  CHECK_OK(LimberModelSetVelocity(m, b, (double[]){1, 0, 0}, (double[]){0, 0, 0}));
  CHECK_OK(LimberModelAddGravity(
      m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

typedef struct {
  double x[3], force[6][3], moment[6][3];
  LimberLedger ledger;
  int cut;
} End;

static End travel(LimberModel m, const char *scheme, double h, int steps, const char *node, int joints) {
  LimberRun run;
  LimberOutcome o;
  LimberOptions options = {
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(scheme), .rho_inf = 0.5, .beta = 1.0 / 6, .step = h};
  End e = {.cut = 0};
  CHECK_OK(LimberRunCreate(m, &options, &run));
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK_NOTE("%s", limber_run_remarks(run));
  for (int i = 0; i < steps; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    e.cut += o.substeps > 1;
    if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) {
      CHECK_NOTE("t = %g: %s", o.time, o.cause.name);
      break;
    }
  }
  CHECK_OK(LimberRunGetNode(run, limber_model_find_node(m, node), e.x, NULL, NULL, NULL));
  for (int j = 0; j < joints; j++) {
    LimberJointState joint_state;
    CHECK_OK(LimberRunGetJoint(run, (LimberJointId){j}, &joint_state));
    memcpy(e.force[j], joint_state.force, sizeof e.force[j]);
    memcpy(e.moment[j], joint_state.moment, sizeof e.moment[j]);
  }
  CHECK_OK(LimberRunGetLedger(run, &e.ledger));
  CHECK_OK(LimberRunDestroy(&run));
  return e;
}

TEST(four_parallel_revolutes_move_as_the_mechanism_that_is_held_just_so) {
  for (int s = 0; s < 5; s += CHECK_EVERY(4)) {
    LimberModel m[2] = {four_bar(true), four_bar(false)};
    End e = travel(m[0], schemes[s], 1e-3, 400, "coupler", 4), f = travel(m[1], schemes[s], 1e-3, 400, "coupler", 4);
    CHECK_NOTE("%s: %.9f %.9f %.9f, just so %.9f %.9f %.9f; joints %.1e J, constraint %.1e, %d cut; force in A %.6f "
               "%.6f %.6f, just so %.6f %.6f %.6f",
               schemes[s], e.x[0], e.x[1], e.x[2], f.x[0], f.x[1], f.x[2], e.ledger.joints, e.ledger.constraint, e.cut,
               e.force[0][0], e.force[0][1], e.force[0][2], f.force[0][0], f.force[0][1], f.force[0][2]);
    for (int i = 0; i < 3; i++) CHECK_NEAR(e.x[i], f.x[i], 1e-9);
    for (int j = 0; j < 4; j++) CHECK_NEAR(e.force[j][1], 0, 1e-9), CHECK_NEAR(e.moment[j][0], 0, 1e-9);
    CHECK_LE(e.ledger.constraint, 1e-10);
    for (int i = 0; i < 2; i++) CHECK_OK(LimberModelDestroy(&m[i]));
  }
}

// Six rods of 1 m, one of them the ground; axes as in the benchmark of IFToMM.
static LimberModel bricard(void) {
  const double p[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const double axis[6][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  char name[] = "rod 0";
  LimberModel m;
  LimberNodeId before = LIMBER_GROUND;
  CHECK_OK(LimberModelCreate(&m));
  for (int i = 0; i < 6; i++) {
    LimberNodeId rod = LIMBER_GROUND;
    name[4] = (char)('0' + i);
    if (i < 5) rod = add_rod(m, name, p[i], p[i + 1], 0.1);
    add_hinge(m, name, before, rod, p[i], axis[i]);
    before = rod;
  }
  CHECK_OK(LimberModelAddGravity(
      m, "g", &(LimberGravity){.acceleration = {0, -9.81, 0}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

TEST(a_bricard_mechanism_moves) {
  for (int s = 0; s < 5; s += CHECK_EVERY(4)) {
    LimberModel m = bricard();
    End e = travel(m, schemes[s], 1e-3, 1000, "rod 2", 6);
    CHECK_NOTE("%s: %.9f %.9f %.9f, joints %.1e J, constraint %.1e, account %.1e, %d cut, lost %.1e", schemes[s],
               e.x[0], e.x[1], e.x[2], e.ledger.joints, e.ledger.constraint, e.ledger.worst_residual, e.cut,
               e.ledger.dissipated);
    CHECK_LE(e.ledger.constraint, 1e-10);
    CHECK_OK(LimberModelDestroy(&m));
  }
}

// ---- parts that do not meet ----

TEST(parts_that_do_not_meet_are_assembled_and_it_is_told) {
  for (int s = 0; s < 5; s += CHECK_EVERY(4)) {
    LimberModel m;
    LimberNodeId a, b;
    LimberJointId hinge;
    LimberNodeId end;
    LimberRun run;
    LimberOutcome o;
    double x[3], axes[9], far = 0;
    CHECK_OK(LimberModelCreate(&m));
    a = add_rod(m, "a", (double[]){0, 0, 0}, (double[]){1, 0, 0}, 0.1);
    b = add_rod(m, "b", (double[]){1.02, 0, 0.01}, (double[]){2.02, 0, 0.01}, 0.1);
    CHECK_OK(LimberModelAddPoint(m, "end", (double[]){2.5, 0, 0}, &end));
    CHECK_OK(LimberModelAddMass(m, "end", &(LimberMass){end, 1}, NULL));
    add_hinge(m, "root", LIMBER_GROUND, a, (double[]){0, 0, 0}, (double[]){0, 1, 0});
    LimberRevolute r = {
        .nodes = {a, b}, .axis = {0, 1, 0}, .at = (double[]){1, 0, 0}, .second_at = (double[]){1.02, 0, 0.01}};
    CHECK_OK(LimberModelAddRevolute(m, "elbow", &r, &hinge));
    LimberDistance d = {.nodes = {b, end}, .length = 0.5, .at = {(double[]){2.02, 0, 0.01}, NULL}};
    CHECK_OK(LimberModelAddDistance(m, "rope", &d, NULL));
    CHECK_STR(limber_model_diagnostics(m), "");
    CHECK_OK(LimberRunCreate(m,
                             &(LimberOptions){.cookie = OPTIONS_COOKIE,
                                              .scheme = limber_scheme_find(schemes[s]),
                                              .rho_inf = 0.5,
                                              .beta = 1.0 / 6,
                                              .step = 1e-3},
                             &run));
    CHECK_STR(limber_model_diagnostics(m), "");
    CHECK(strstr(limber_run_remarks(run), "assembled") != NULL);
    CHECK_OK(LimberRunGetNode(run, b, x, axes, NULL, NULL));
    for (int i = 0; i < 3; i++) far += pow(x[i] - (double[]){1.52, 0, 0.01}[i], 2);
    CHECK_LE(sqrt(far), 0.03); // less than the whole gap of 0.0224 m, and what the link asks for
    for (int i = 0; i < 10; i++) CHECK_OK(LimberRunStep(run, &o)), CHECK_INT(o.reason, LIMBER_CONVERGED);
    LimberLedger l;
    CHECK_OK(LimberRunGetLedger(run, &l));
    CHECK_LE(l.constraint, 1e-9);
    CHECK_NOTE("%s: %s constraint %.1e", schemes[s], limber_run_remarks(run), l.constraint);
    CHECK_OK(LimberRunDestroy(&run));
    CHECK_OK(LimberModelDestroy(&m));
  }
}

TEST(parts_that_cannot_meet_are_refused_by_name) {
  LimberModel m;
  LimberRun run;
  CHECK_OK(LimberModelCreate(&m));
  LimberNodeId a = add_rod(m, "a", (double[]){0, 0, 0}, (double[]){1, 0, 0}, 0.1);
  add_hinge(m, "root", LIMBER_GROUND, a, (double[]){0, 0, 0}, (double[]){0, 1, 0});
  LimberSpherical ball = {.nodes = {LIMBER_GROUND, a}, .at = (double[]){1.1, 0, 0}, .second_at = (double[]){1, 0, 0}};
  CHECK_OK(LimberModelAddSpherical(m, "far", &ball, NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK_OK(LimberRunCreate(
      m, &(LimberOptions){.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = 1e-3}, &run));
  CHECK(run == NULL);
  CHECK_NOTE("%s", limber_model_diagnostics(m));
  CHECK(strstr(limber_model_diagnostics(m), "cannot be assembled: spherical 'far'") != NULL);
  CHECK_OK(LimberModelDestroy(&m));
}

CHECK_MAIN_PETSC
