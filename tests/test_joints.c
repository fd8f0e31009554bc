// SPDX-License-Identifier: Apache-2.0
// Every joint in motion: what it holds costs nothing, what it frees is free.
#include "base/cookie.h"
#include "check_petsc.h"

#include "limber/limber.h"
#include "mechanics/joint.h"

typedef struct {
  LimberModel model;
  LimberNodeId node[2];
  LimberJointId joint;
} Pair;

// The parameters of a kind with nodes, axes and laws of our choice, whatever their structure.
static void params_of(const JointKind *kind, LimberNodeId a, LimberNodeId b, double stiffness, char *params) {
  memset(params, 0, 2048);
  for (int i = 0; i < kind->fields.count; i++) {
    const Field *f = &kind->fields.field[i];
    void *at = params + f->offset;
    if (f->type == FIELD_NODES) memcpy(at, (LimberNodeId[]){a, b}, 2 * sizeof a);
    if (!strcmp(f->name, "axis")) memcpy(at, (double[]){0.36, 0.48, 0.8}, 3 * sizeof(double));
    if (!strcmp(f->name, "second_axis")) memcpy(at, (double[]){0.8, -0.6, 0}, 3 * sizeof(double));
    if (!strcmp(f->name, "pitch")) *(double *)at = 0.4;
  }
  LimberLaw *law = (LimberLaw *)(params + kind->laws);
  for (int c = 0; c < kind->ncoord; c++) law[c].stiffness = stiffness, law[c].rest = stiffness > 0 ? 0.3 + 0.1 * c : 0;
}

static void add_body(LimberModel m, const char *name, bool point, const double *at, LimberNodeId *id) {
  if (point) {
    CHECK_OK(LimberModelAddPoint(m, name, at, id));
    CHECK_OK(LimberModelAddMass(m, name, &(LimberMass){*id, 2}, NULL));
    return;
  }
  CHECK_OK(LimberModelAddFrame(m, name, at, NULL, id));
  CHECK_OK(
      LimberModelAddRigidBody(m, name, &(LimberRigidBody){.node = *id, .mass = 2, .inertia = {0.3, 0.3, 0.3}}, NULL));
}

static bool ties_a_point(const JointKind *kind) { return kind->example_nodes[1] == 'P'; }

// Two bodies that fly as one, and springs in all that the joint frees.
static Pair free_pair(const JointKind *kind) {
  Pair p;
  char params[2048];
  CHECK_OK(LimberModelCreate(&p.model));
  add_body(p.model, "a", false, (double[]){0.1, 0.2, -0.1}, &p.node[0]);
  add_body(p.model, "b", ties_a_point(kind), (double[]){0.9, -0.3, 0.4}, &p.node[1]);
  params_of(kind, p.node[0], p.node[1], 40, params);
  CHECK_OK(LimberModelAddJointByKind(p.model, kind->name, "joint", params, kind->fields.size, &p.joint));
  CHECK_OK(LimberModelSetRigidVelocity(p.model, (double[]){0.4, -0.2, 0.1}, (double[]){0.5, 1, -0.7}));
  CHECK_STR(limber_model_diagnostics(p.model), "");
  return p;
}

static double distance(const double *a, const double *b) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static void fly(const JointKind *kind, const char *scheme) {
  Pair p = free_pair(kind);
  LimberRun run;
  LimberOutcome o;
  LimberLedger l;
  LimberOptions options = {
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(scheme), .rho_inf = 0.5, .beta = 1.0 / 6, .step = 5e-3};
  double p0[3], h0[3], p1[3], h1[3], z[3], far[3] = {0};
  CHECK_OK(LimberRunCreate(p.model, &options, &run));
  CHECK_OK(LimberRunGetMomentum(run, p0, h0));
  for (int i = 0; i < 1000; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) break;
    LimberJointState joint_state;
    CHECK_OK(LimberRunGetJoint(run, p.joint, &joint_state));
    memcpy(z, joint_state.coordinate, sizeof z);
    for (int c = 0; c < kind->ncoord; c++) far[c] = fmax(far[c], fabs(z[c]));
  }
  CHECK_OK(LimberRunGetLedger(run, &l));
  CHECK_OK(LimberRunGetMomentum(run, p1, h1));
  CHECK_NOTE("%s, %s: joint %.1e J, account %.1e J of %.2g J, momentum %.1e, angular %.1e, moved by %.2g %.2g %.2g",
             kind->name, scheme, l.joints, l.worst_residual, l.exchanged, distance(p0, p1), distance(h0, h1), far[0],
             far[1], far[2]);
  CHECK_LE(fabs(l.joints), 1e-10 * l.exchanged);
  CHECK_LE(l.worst_residual, 1e-11 * l.exchanged);
  CHECK_LE(l.constraint, 1e-10);
  CHECK(l.dissipated >= -1e-12 * l.exchanged);
  CHECK_LE(distance(p0, p1), 1e-9);
  if (!strcmp(scheme, "preserving")) {
    CHECK_LE(distance(h0, h1), 1e-9);
    CHECK_LE(fabs(l.dissipated), 1e-12 * l.exchanged);
  }
  for (int c = 0; c < kind->ncoord; c++) CHECK(far[c] > 0.1); // springs drive every coordinate
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&p.model));
}

TEST(a_joint_between_free_bodies_does_no_work_in_a_thousand_steps) {
  for (int i = 0; joint_kinds[i]; i++) {
    if (!joint_kinds[i]->ncoord || !joint_kinds[i]->example_nodes[1] || joint_kinds[i]->ties) continue;
    fly(joint_kinds[i], "preserving");
    fly(joint_kinds[i], "decaying_c");
  }
}

// ---- directions in the plane of a joint ----

TEST(directions_in_a_plane_are_the_next_ground_axes_in_cyclic_order) {
  for (int i = 0; i < 3; i++)
    for (int sign = -1; sign < 2; sign += 2) {
      Vec3 axis = vec3(sign * (i == 0), sign * (i == 1), sign * (i == 2)), e1 = joint_first_direction(axis);
      Vec3 e2 = vec3_cross(axis, e1);
      CHECK_NEAR(vec3_norm(vec3_sub(e1, vec3(i == 2, i == 0, i == 1))), 0, 0);
      CHECK_NEAR(vec3_norm(vec3_sub(e2, vec3_scale(sign, vec3(i == 1, i == 2, i == 0)))), 0, 0);
    }
  Vec3 x = joint_first_direction(vec3_unit(vec3(1, 1, 0))), y = joint_first_direction(vec3_unit(vec3(1 - 1e-15, 1, 0)));
  CHECK_LE(vec3_norm(vec3_sub(x, y)), 1e-14);
}

// A point at (0, 0, 1) moves at velocity (1, 2, 3) for 0.5 s in a plane with normal y.
static void slide_in_plane(const double *along, double z[2]) {
  LimberModel m;
  LimberNodeId b;
  LimberJointId joint;
  LimberRun run;
  LimberOutcome o;
  CHECK_OK(LimberModelCreate(&m));
  add_body(m, "b", true, (double[]){0, 0, 1}, &b);
  CHECK_OK(LimberModelSetVelocity(m, b, (double[]){1, 0, 3}, NULL));
  LimberPointInPlane plane = {.nodes = {LIMBER_GROUND, b}, .axis = {0, 1, 0}, .along = along};
  CHECK_OK(LimberModelAddPointInPlane(m, "plane", &plane, &joint));
  CHECK_OK(LimberRunCreate(
      m, &(LimberOptions){.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = 0.01}, &run));
  for (int i = 0; i < 50; i++) CHECK_OK(LimberRunStep(run, &o));
  LimberJointState joint_state;
  CHECK_OK(LimberRunGetJoint(run, joint, &joint_state));
  memcpy(z, joint_state.coordinate, 2 * sizeof *z);
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(along_is_the_direction_of_the_first_slide) {
  double z[2];
  slide_in_plane(NULL, z); // z, x
  CHECK_NEAR(z[0], 1.5, 1e-12), CHECK_NEAR(z[1], 0.5, 1e-12);
  slide_in_plane((double[]){1, 7, 0}, z); // x, y x x = -z; its part along y does not count
  CHECK_NEAR(z[0], 0.5, 1e-12), CHECK_NEAR(z[1], -1.5, 1e-12);
}

// ---- an angle on which nothing acts is no unknown, and follows ----

// Two bodies that turn against each other about a hinge and fly; `damping`: next to nothing makes the angle an unknown.
static void spin(const char *scheme, double damping, double h, int steps, double *z, double at[3]) {
  LimberModel m;
  LimberNodeId a, b;
  LimberJointId joint;
  LimberRun run;
  LimberOutcome o;
  LimberLedger l;
  LimberOptions options = {.cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(scheme), .rho_inf = 0.5, .step = h};
  CHECK_OK(LimberModelCreate(&m));
  add_body(m, "a", false, (double[]){0, 0, 0}, &a);
  add_body(m, "b", false, (double[]){0.2, 0, 0}, &b);
  CHECK_OK(LimberModelAddRevolute(
      m, "hinge",
      &(LimberRevolute){.nodes = {a, b}, .axis = {0, 0, 1}, .at = (double[]){0.1, 0, 0}, .law = {{.damping = damping}}},
      &joint));
  CHECK_OK(LimberModelSetVelocity(m, a, (double[]){0, -0.6, 0}, (double[]){0, 0, -6}));
  CHECK_OK(LimberModelSetVelocity(m, b, (double[]){0, -0.9, 0}, (double[]){0, 0, 3}));
  CHECK_OK(LimberRunCreate(m, &options, &run));
  for (int i = 0; i < steps; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) break;
  }
  CHECK_OK(LimberRunGetLedger(run, &l));
  CHECK_LE(l.worst_residual, 1e-11 * l.exchanged);
  CHECK_LE(l.constraint, 1e-10);
  LimberJointState joint_state;
  CHECK_OK(LimberRunGetJoint(run, joint, &joint_state));
  *z = joint_state.coordinate[0];
  CHECK_OK(LimberRunGetNode(run, b, at, NULL, NULL, NULL));
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(an_angle_that_follows_is_the_one_that_is_solved_for) {
  static const char *const schemes[] = {"preserving", "decaying", "decaying_c", "generalized_alpha"};
  for (int i = 0; i < 4; i++) {
    double z[2], at[2][3];
    spin(schemes[i], 0, 5e-3, 600, &z[0], at[0]);
    spin(schemes[i], 1e-30, 5e-3, 600, &z[1], at[1]);
    CHECK_NOTE("%s: %.15g, %.15g rad", schemes[i], z[0], z[1]);
    CHECK(fabs(z[0]) > 20); // more than three turns
    CHECK_NEAR(z[0], z[1], 1e-9);
    CHECK_LE(distance(at[0], at[1]), 1e-9);
  }
}

// Relative turns of 3.6 rad in a step, more than half a turn: the last step says which.
TEST(an_angle_follows_by_more_than_half_a_turn_in_a_step) {
  double z[2], at[2][3];
  spin("preserving", 0, 0.4, 20, &z[0], at[0]);
  spin("preserving", 1e-30, 0.4, 20, &z[1], at[1]);
  CHECK_NEAR(z[0], z[1], 1e-9);
}

// ---- a body on the ground, its mass centre on the joint's axis, falling and spinning ----

static void fall(const char *name, double t_end, double *z, double *rate) {
  const double axis[3] = {0.36, 0.48, 0.8}, spin = 2;
  LimberModel m;
  LimberNodeId b;
  LimberJointId joint;
  LimberRun run;
  LimberOutcome o;
  char params[2048];
  const JointKind *kind = joint_find(name);
  LimberOptions options = {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING_C, .rho_inf = 0.5, .step = 1e-3};
  CHECK_OK(LimberModelCreate(&m));
  add_body(m, "b", ties_a_point(kind), (double[]){0.3, -0.2, 0.5}, &b);
  params_of(kind, LIMBER_GROUND, b, 0, params);
  CHECK_OK(LimberModelAddJointByKind(m, name, "joint", params, kind->fields.size, &joint));
  CHECK_OK(LimberModelAddGravity(
      m, "g", &(LimberGravity){.acceleration = {0.5, -1, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  double angular[3] = {spin * axis[0], spin * axis[1], spin * axis[2]}, still[3] = {0, 0, 0};
  if (!strcmp(name, "revolute") || !strcmp(name, "cylindrical") || !strcmp(name, "planar"))
    CHECK_OK(LimberModelSetVelocity(m, b, still, angular));
  CHECK_OK(LimberRunCreate(m, &options, &run));
  while (limber_run_time(run) < t_end - 1e-9) {
    CHECK_OK(LimberRunStep(run, &o));
    if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) break;
  }
  LimberJointState joint_state;
  CHECK_OK(LimberRunGetJoint(run, joint, &joint_state));
  memcpy(z, joint_state.coordinate, 3 * sizeof *z);
  memcpy(rate, joint_state.rate, 3 * sizeof *rate);
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(what_a_joint_frees_moves_as_if_it_were_free) {
  const double along = 0.5 * 0.36 - 0.48 - 9.81 * 0.8;
  const double turn = 2 * 3.14159265358979323846, screw = along / (1 + 0.3 * pow(turn / 0.4, 2) / 2);
  double z[3], rate[3];
  fall("revolute", 0.5, z, rate); // a steady turn runs ahead by a part of (omega h)^2: 1.4e-6
  CHECK_NEAR(z[0], 1, 3e-6), CHECK_NEAR(rate[0], 2, 1e-9);
  fall("prismatic", 0.5, z, rate);
  CHECK_NEAR(z[0], along / 8, 1e-9), CHECK_NEAR(rate[0], along / 2, 1e-9);
  fall("cylindrical", 0.5, z, rate);
  CHECK_NEAR(z[0], 1, 3e-6), CHECK_NEAR(z[1], along / 8, 1e-9);
  CHECK_NEAR(rate[0], 2, 1e-9), CHECK_NEAR(rate[1], along / 2, 1e-9);
  fall("planar", 0.5, z, rate);
  // e1: x made normal to the axis (0.36, 0.48, 0.8), which is nearest to z; e2 = axis x e1
  const double e1[3] = {0.8704, -0.1728, -0.288}, size = sqrt(0.8704), g[3] = {0.5, -1, -9.81};
  const double e2[3] = {0.48 * e1[2] - 0.8 * e1[1], 0.8 * e1[0] - 0.36 * e1[2], 0.36 * e1[1] - 0.48 * e1[0]};
  const double first = (g[0] * e1[0] + g[1] * e1[1] + g[2] * e1[2]) / size / 8;
  const double second = (g[0] * e2[0] + g[1] * e2[1] + g[2] * e2[2]) / size / 8;
  CHECK_NEAR(z[0], 1, 3e-6), CHECK_NEAR(z[1], first, 3e-6), CHECK_NEAR(z[2], second, 3e-6); // of the turn: 1.1e-6
  CHECK_NEAR(hypot(z[1], z[2]), hypot(first, second), 1e-9);
  fall("point_on_line", 0.5, z, rate);
  CHECK_NEAR(z[0], along / 8, 1e-9);
  fall("point_in_plane", 0.5, z, rate);
  CHECK_NEAR(z[0], first, 1e-9), CHECK_NEAR(z[1], second, 1e-9);
  fall("screw", 0.5, z, rate);
  CHECK_NOTE("screw: %.9g rad, %.9g expected", z[0], screw / 8 * turn / 0.4);
  CHECK_NEAR(z[0], screw / 8 * turn / 0.4, 1e-4);
}

TEST(aliases_name_the_same_joints) {
  for (const JointAlias *a = joint_aliases; a->name; a++)
    CHECK(joint_find(a->name) && joint_find(a->name) == joint_find(a->of));
  CHECK(!joint_find("glue"));
}

CHECK_MAIN_PETSC
