// SPDX-License-Identifier: Apache-2.0
// Bodies of points (R. L. Taylor, Rigid-Flexible Body Analysis Without Rotation Parameters, CIMNE 189, 2000): the points have
// the inertia of the body, its joints are those of frames, and steady rotation costs nothing.
#include "base/cookie.h"
#include "check_petsc.h"

#include "contract.h"
#include "limber/limber.h"
#include "mechanics/simplex.h"
#include "model/model.h"

static double far_from(const double *a, const double *b) {
  return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

// ---- the points ----

TEST(equal_masses_at_the_points_have_mass_centre_and_inertia_of_the_body) {
  int seen[5] = {0};
  double worst = 0;
  for (unsigned i = 0; i < 300; i++) {
    random_restart(i);
    Vec3 at[5], centre = vec3_zero(), x[SIMPLEX_POINTS];
    double mass[5], total = 0;
    int dimension = 1 + (int)(i % 3);
    Mat3 jc = mat3_zero(), found = mat3_zero(), r = random_rotation();
    for (int k = 0; k < 5; k++) { // particles on a line, in a plane or in space
      Vec3 p = random_vector(1);
      p = mat3_apply(r, vec3(p.x, dimension > 1 ? p.y : 0, dimension > 2 ? p.z : 0));
      mass[k] = random_in(0.1, 1), total += mass[k], at[k] = p, centre = vec3_axpy(centre, mass[k], p);
    }
    centre = vec3_scale(1 / total, centre);
    for (int k = 0; k < 5; k++) {
      Inertia q = inertia_of_body(mass[k], vec3_sub(at[k], centre), mat3_zero());
      jc = mat3_add(jc, q.j);
    }
    int n = simplex_of_body(total, centre, jc, x);
    CHECK_INT(n, dimension + 1);
    seen[n]++;
    Vec3 mean = vec3_zero();
    for (int a = 0; a < n; a++) {
      Inertia q = inertia_of_body(total / n, vec3_sub(x[a], centre), mat3_zero());
      found = mat3_add(found, q.j), mean = vec3_axpy(mean, 1.0 / n, x[a]);
    }
    worst = worse(worse(worst, mat3_distance(found, jc)), vec3_norm(vec3_sub(mean, centre)));
  }
  CHECK_NOTE("off by %.1e", worst); // 3e-15
  CHECK_LE(worst, 100 * EPS);
  CHECK(seen[2] == 100 && seen[3] == 100 && seen[4] == 100);
}

TEST(a_tensor_that_no_body_has_is_refused) {
  Vec3 x[SIMPLEX_POINTS];
  CHECK_INT(simplex_of_body(1, vec3_zero(), mat3_diag(1, 1, 2.1), x), 0);
  CHECK_INT(simplex_of_body(1, vec3_zero(), mat3_diag(-1, -1, -1), x), 0);
  CHECK_INT(simplex_of_body(1, vec3_zero(), mat3_diag(0, 0, 0), x), 1);
}

TEST(points_carry_every_place_and_direction_of_their_body) {
  double worst = 0;
  for (unsigned i = 0; i < 100; i++) {
    random_restart(i);
    int n = 2 + (int)(i % 3);
    Vec3 x[SIMPLEX_POINTS], moved[SIMPLEX_POINTS], position = vec3_zero(), direction = vec3_zero();
    Mat3 f = mat3_columns(random_vector(1), random_vector(1), random_vector(1)); // any affine motion
    double w[SIMPLEX_POINTS], sum = 1;
    for (int a = 0; a < n; a++) x[a] = random_vector(1), moved[a] = mat3_apply(f, x[a]);
    for (int a = n - 1; a >= 0; a--) {
      double part = a ? random_in(-3, 3) : sum;
      position = vec3_axpy(position, part, x[a]), sum -= part;
    }
    direction = vec3_sub(position, x[0]);
    CHECK(simplex_position_weights(n, x, position, w));
    Vec3 y = vec3_scale(-1, mat3_apply(f, position));
    for (int a = 0; a < n; a++) y = vec3_axpy(y, w[a], moved[a]);
    worst = worse(worst, vec3_norm(y));
    CHECK(simplex_direction_weights(n, x, direction, w));
    y = vec3_scale(-1, mat3_apply(f, direction));
    for (int a = 0; a < n; a++) y = vec3_axpy(y, w[a], moved[a]);
    worst = worse(worst, vec3_norm(y));
    if (n < 4)
      CHECK(!simplex_position_weights(n, x, vec3_add(position, vec3_unit(vec3_cross(direction, vec3(1, 2, 3)))), w) ||
            n == 3);
  }
  CHECK_NOTE("off by %.1e", worst);
  CHECK_LE(worst, 1e-11); // measured 2e-13, where the points nearly lie in a plane
}

// ---- the same bodies as frames and as points ----

typedef struct {
  LimberModel model;
  LimberNodeId frame[2], body[2];
  LimberJointId joint;
} Pair;

static void add_body(Pair *p, int i, bool points, const char *name, const double *at, const double *velocity,
                     const double *angular) {
  const double inertia[6] = {0.3, 0.4, 0.55, 0.02, -0.05, 0.03};
  CHECK_OK(LimberModelAddFrame(p->model, name, at, NULL, &p->frame[i]));
  if (points) {
    LimberSimplexBody b = {.mass = 2, .velocity = velocity, .angular_velocity = angular};
    memcpy(b.centre, at, sizeof b.centre), memcpy(b.inertia, inertia, sizeof inertia);
    LimberElementId body;
    CHECK_OK(LimberModelAddSimplexBody(p->model, name, &b, &body));
    p->body[i] = LIMBER_BODY(body);
    CHECK_OK(LimberModelAddWeld(p->model, name, &(LimberWeld){{p->body[i], p->frame[i]}}, NULL));
  } else {
    LimberRigidBody b = {.node = p->frame[i], .mass = 2};
    memcpy(b.inertia, inertia, sizeof inertia);
    CHECK_OK(LimberModelAddRigidBody(p->model, name, &b, NULL));
    p->body[i] = p->frame[i];
  }
  CHECK_OK(LimberModelSetVelocity(p->model, p->frame[i], velocity, angular));
}

// Two bodies with a joint between them; massless frames tell how bodies of points move.
static Pair pair_of(const JointKind *kind, bool points) {
  const double v[3] = {0.4, -0.2, 0.1}, w[3] = {0.5, 1, -0.7}, axis[3] = {0.36, 0.48, 0.8}, second[3] = {0.8, -0.6, 0};
  const double at[2][3] = {{0.1, 0.2, -0.1}, {0.9, -0.3, 0.4}};
  Pair p;
  char params[2048];
  CHECK_OK(LimberModelCreate(&p.model));
  for (int i = 0; i < 2; i++) { // they fly as one
    double velocity[3];
    vec3_to(vec3_add(vec3_of(v), vec3_cross(vec3_of(w), vec3_of(at[i]))), velocity);
    add_body(&p, i, points, i ? "b" : "a", at[i], velocity, w);
  }
  memset(params, 0, sizeof params);
  for (int i = 0; i < kind->fields.count; i++) {
    const Field *f = &kind->fields.field[i];
    void *to = params + f->offset;
    if (f->type == FIELD_NODES) memcpy(to, p.body, 2 * sizeof *p.body);
    if (!strcmp(f->name, "axis")) memcpy(to, axis, sizeof axis);
    if (!strcmp(f->name, "second_axis")) memcpy(to, second, sizeof second);
    if (!strcmp(f->name, "pitch")) *(double *)to = 0.4;
  }
  LimberLaw *law = (LimberLaw *)(params + kind->laws);
  for (int c = 0; c < kind->ncoord && kind->laws; c++) law[c].stiffness = 40, law[c].rest = 0.3 + 0.1 * c;
  CHECK_OK(LimberModelAddJointByKind(p.model, kind->name, "joint", params, kind->fields.size, &p.joint));
  CHECK_STR(limber_model_diagnostics(p.model), "");
  return p;
}

typedef struct {
  double x[2][3], axes[2][9], force[3], moment[3], z[4];
  LimberLedger ledger;
} Flight;

static Flight fly(LimberModel m, const LimberNodeId *frame, LimberJointId joint, const char *scheme, double h,
                  int steps) {
  LimberRun run;
  LimberOutcome o = {.time = 0};
  LimberOptions options = {
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(scheme), .rho_inf = 0.5, .beta = 1.0 / 6, .step = h};
  options.start_increments = LIMBER_INCREMENTS_ZERO; // rates of points at the start are found to 1e-6
  Flight f = {.ledger = {0}};
  CHECK_OK(LimberRunCreate(m, &options, &run));
  if (!CHECK_STR(limber_model_diagnostics(m), "")) return f;
  for (int i = 0; i < steps && o.reason == LIMBER_CONVERGED; i++) CHECK_OK(LimberRunStep(run, &o));
  if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) CHECK_NOTE("%s at t = %g", o.cause.name, o.time);
  for (int i = 0; i < 2; i++) CHECK_OK(LimberRunGetNode(run, frame[i], f.x[i], f.axes[i], NULL, NULL));
  if (!LIMBER_IS_NONE(joint)) {
    LimberJointState joint_state;
    CHECK_OK(LimberRunGetJoint(run, joint, &joint_state));
    memcpy(f.z, joint_state.coordinate, sizeof f.z);
    memcpy(f.force, joint_state.force, sizeof f.force);
    memcpy(f.moment, joint_state.moment, sizeof f.moment);
  }
  CHECK_OK(LimberRunGetLedger(run, &f.ledger));
  CHECK_LE(f.ledger.constraint, 1e-12);
  CHECK_LE(f.ledger.worst_residual, 1e-12 * f.ledger.exchanged);
  CHECK_OK(LimberRunDestroy(&run));
  return f;
}

static bool ties_two_bodies(const JointKind *kind) {
  return strlen(kind->example_nodes) == 2 && field_find(&kind->fields, "nodes");
}

TEST(every_joint_moves_bodies_of_points_as_it_moves_frames) {
  int joints = 0;
  for (int i = 0; joint_kinds[i]; i++) {
    const JointKind *kind = joint_kinds[i];
    if (!ties_two_bodies(kind)) continue;
    Pair points = pair_of(kind, true), frames = pair_of(kind, false);
    Flight a = fly(points.model, points.frame, points.joint, "preserving", 5e-3, 80);
    Flight b = fly(frames.model, frames.frame, frames.joint, "preserving", 5e-3, 80);
    double off = 0, turn = 0, z = 0;
    for (int n = 0; n < 2; n++) {
      off = worse(off, far_from(a.x[n], b.x[n]));
      for (int k = 0; k < 9; k++) turn = worse(turn, fabs(a.axes[n][k] - b.axes[n][k]));
    }
    for (int c = 0; c < kind->ncoord; c++) z = worse(z, fabs(a.z[c] - b.z[c]));
    CHECK_NOTE("%s: %.1e m, %.1e, coordinates %.1e, reactions %.1e N, %.1e N m of %.2g N, %.2g N m", kind->name, off,
               turn, z, far_from(a.force, b.force), far_from(a.moment, b.moment), vec3_norm(vec3_of(b.force)),
               vec3_norm(vec3_of(b.moment)));
    CHECK_LE(off + turn + z, 1e-10);
    CHECK_LE(far_from(a.force, b.force), 1e-8);
    joints++;
    CHECK_OK(LimberModelDestroy(&points.model));
    CHECK_OK(LimberModelDestroy(&frames.model));
  }
  CHECK_LE(10, joints);
}

TEST(joints_of_points_keep_the_theorem_in_every_scheme) {
  static const char *const schemes[] = {"decaying", "decaying_a", "decaying_c"};
  for (int i = 0; joint_kinds[i]; i++) {
    const JointKind *kind = joint_kinds[i];
    if (!ties_two_bodies(kind)) continue;
    for (int s = 0; s < 3; s++) {
      Pair p = pair_of(kind, true);
      Flight f = fly(p.model, p.frame, p.joint, schemes[s], 5e-3, 10);
      CHECK(f.ledger.dissipated >= -1e-13 * f.ledger.exchanged);
      CHECK_LE(fabs(f.ledger.joints), 1e-12 * f.ledger.exchanged);
      CHECK_OK(LimberModelDestroy(&p.model));
    }
  }
}

// ---- what is kept ----

static LimberModel box(double x, double y, double z, const double *angular, LimberElementId *id) {
  LimberModel m;
  LimberSimplexBody b = {.mass = 6, .box = {x, y, z}, .angular_velocity = angular};
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddSimplexBody(m, "box", &b, id));
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

TEST(energy_and_momentum_of_a_tumbling_box_are_kept_over_ten_thousand_steps) {
  LimberElementId id;
  LimberModel m = box(1, 2, 3, (double[]){0.1, 2, 0.05}, &id);
  LimberRun run;
  LimberOutcome o;
  LimberOptions options = {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = 0.01};
  LimberLedger l0, l;
  double p[3], h0[3], h[3], energy = 0, momentum = 0;
  CHECK_OK(LimberRunCreate(m, &options, &run));
  CHECK_OK(LimberRunGetLedger(run, &l0));
  CHECK_OK(LimberRunGetMomentum(run, p, h0));
  for (int i = 0; i < 10000; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) break;
    if (i % 100 != 99) continue;
    CHECK_OK(LimberRunGetLedger(run, &l));
    CHECK_OK(LimberRunGetMomentum(run, p, h));
    energy = worse(energy, fabs(l.kinetic / l0.kinetic - 1));
    momentum = worse(momentum, far_from(h, h0) / vec3_norm(vec3_of(h0)));
  }
  CHECK_NOTE("energy %.1e, angular momentum %.1e", energy, momentum);
  CHECK_LE(energy, 1e-11);
  CHECK_LE(momentum, 1e-11);
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

// Energy that a box spun about its axis of largest inertia loses in the first and in the second turn.
static void spin_loss(const char *scheme, bool flat, double turn, double lost[2]) {
  LimberElementId id;
  LimberModel m = box(2, 3, flat ? 0 : 1, (double[]){0, 0, 10}, &id);
  LimberRun run;
  LimberOutcome o;
  LimberOptions options = {
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(scheme), .rho_inf = 0.5, .step = turn / 10};
  LimberLedger l;
  double before;
  CHECK_OK(LimberRunCreate(m, &options, &run));
  CHECK_OK(LimberRunGetLedger(run, &l));
  for (int k = 0; k < 2; k++) {
    before = l.kinetic;
    for (int i = 0; i < (int)(6.283 / turn); i++) CHECK_OK(LimberRunStep(run, &o));
    CHECK_OK(LimberRunGetLedger(run, &l));
    lost[k] = 1 - l.kinetic / before;
  }
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(steady_rotation_of_points_costs_decaying_schemes_nothing) {
  static const char *const schemes[] = {"decaying_a", "decaying_c"};
  for (int s = 0; s < 2; s++)
    for (int flat = 0; flat < 2; flat++)
      for (double turn = 0.05; turn < 0.3; turn *= 2) {
        double lost[2];
        spin_loss(schemes[s], flat, turn, lost);
        CHECK_NOTE("%s, %s, omega h = %.2f: first turn %.1e, second %.1e", schemes[s], flat ? "plate" : "box", turn,
                   lost[0], lost[1]);
        CHECK_LE(fabs(lost[0]), 1e-12);
        CHECK_LE(fabs(lost[1]), 1e-12);
      }
}

// ---- redundant constraints ----

TEST(two_spherical_joints_on_an_axis_are_a_revolute) {
  const double axis[3] = {0.36, 0.48, 0.8}, first[3] = {0.5, 0, 0.2};
  double second[3], x[2][3];
  for (int k = 0; k < 3; k++) second[k] = first[k] + 0.7 * axis[k];
  for (int two = 0; two < 2; two++) {
    Pair p;
    LimberRevolute r = {.axis = {axis[0], axis[1], axis[2]}, .at = first};
    CHECK_OK(LimberModelCreate(&p.model));
    add_body(&p, 0, true, "a", (double[]){0.1, 0.2, -0.1}, (double[]){0, 0, 0}, (double[]){0, 0, 0});
    add_body(&p, 1, true, "b", (double[]){0.9, -0.3, 0.4}, (double[]){0, 0, 0}, (double[]){0, 0, 0});
    memcpy(r.nodes, p.body, sizeof r.nodes);
    for (int k = 0; k < 2 && two; k++) {
      LimberSpherical b = {.nodes = {p.body[0], p.body[1]}, .at = k ? second : first};
      CHECK_OK(LimberModelAddSpherical(p.model, k ? "upper" : "lower", &b, NULL));
    }
    if (!two) CHECK_OK(LimberModelAddRevolute(p.model, "hinge", &r, NULL));
    CHECK_OK(LimberModelAddSpherical(p.model, "hook", &(LimberSpherical){{{0}, p.body[0]}, NULL, NULL}, NULL));
    CHECK_OK(LimberModelAddGravity(
        p.model, "g", &(LimberGravity){.acceleration = {1, 2, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
    CHECK_STR(limber_model_diagnostics(p.model), "");
    Flight f = fly(p.model, p.frame, LIMBER_NO_JOINT, "preserving", 5e-3, 200);
    memcpy(x[two], f.x[1], sizeof x[two]);
    CHECK_OK(LimberModelDestroy(&p.model));
  }
  CHECK_NOTE("apart by %.1e m", far_from(x[0], x[1]));
  CHECK_LE(far_from(x[0], x[1]), 1e-10);
}

// Links of 1 m, 1 kg, a parallelogram that stands upright, pushed at 1 m/s: 3 x 6 edges and 4 x 5 rows, of which 3 follow
// from the others.
TEST(a_four_bar_of_points_runs_with_rows_that_follow_from_others) {
  static const char *const schemes[] = {"decaying", "preserving", "decaying_a", "decaying_c", "generalized_alpha"};
  const double p[4][3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
  const double along[3] = {1, 0, 0}, slower[3] = {0.5, 0, 0}, turn[3] = {0, 1, 0};
  double x[4][3];
  for (int s = 0; s < 4; s++) {
    LimberModel m;
    LimberNodeId eye[2], body[4] = {LIMBER_GROUND};
    CHECK_OK(LimberModelCreate(&m));
    for (int i = 0; i < 3; i++) {
      LimberSimplexBody b = {.mass = 1, .box = {0.05, 0.05, 0.05}, .velocity = i == 1 ? along : slower};
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
    CHECK_OK(LimberModelAddPoint(m, "eye", (double[]){0.5, 0, 1}, &eye[0]));
    CHECK_OK(LimberModelAddSpherical(m, "eye", &(LimberSpherical){{body[2], eye[0]}, NULL, NULL}, NULL));
    eye[1] = eye[0];
    CHECK_OK(LimberModelAddGravity(
        m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
    CHECK_STR(limber_model_diagnostics(m), "");
    Flight f = fly(m, eye, LIMBER_NO_JOINT, schemes[s], 2e-3, 150);
    memcpy(x[s], f.x[0], sizeof x[s]);
    CHECK_NOTE("%s: %.9f %.1e %.9f, joints %.1e J, constraints %.1e, lost %.1e J", schemes[s], x[s][0], x[s][1],
               x[s][2], f.ledger.joints, f.ledger.constraint, f.ledger.dissipated);
    CHECK_LE(far_from(x[s], x[0]), 1e-4);
    CHECK_OK(LimberModelDestroy(&m));
  }
}

// ---- elastic bodies ----

// A square plate stretches evenly in both directions with omega^2 = 12 E/(density a^2), nu = 0 (R. L. Taylor 2000).
TEST(an_elastic_plate_breathes_at_its_frequency) {
  const double side = 2, E = 300, density = 3, omega = sqrt(12 * E / (density * side * side));
  LimberModel m;
  LimberElementId id;
  LimberNodeId corner;
  LimberRun run;
  LimberOutcome o;
  LimberSimplexBody b = {.mass = density * side * side, .box = {side, side, 0}, .E = E, .volume = side * side};
  LimberOptions options = {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = 5e-3 / omega};
  double x[3], before = 0, small = 1e-6, passed = 0, first = 0, last = 0;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddSimplexBody(m, "plate", &b, &id));
  for (int a = 0; a < 3; a++) {
    LimberNodeId node = limber_model_element_node(m, id, a);
    Vec3 at = model_node(m, node.index)->x[0];
    CHECK_OK(LimberModelSetVelocity(m, node, (double[]){small * at.x, small * at.y, 0}, NULL));
  }
  corner = limber_model_element_node(m, id, 0);
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK_OK(LimberRunCreate(m, &options, &run));
  for (int i = 0; i < 5000; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    CHECK_OK(LimberRunGetNode(run, corner, x, NULL, NULL, NULL));
    double u = x[0] - model_node(m, corner.index)->x[0].x;
    if (i > 0 && before < 0 && u >= 0) {
      last = o.time - options.step * u / (u - before);
      if (passed++ == 0) first = last;
    }
    before = u;
  }
  double found = 2 * acos(-1) * (passed - 1) / (last - first);
  CHECK_NOTE("%.9f rad/s, %.9f expected, %g periods", found, omega, passed - 1);
  CHECK_REL(found, omega, 4e-6); // measured 2.1e-6: (omega h)^2/12
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

CHECK_MAIN_PETSC
