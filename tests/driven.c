// SPDX-License-Identifier: Apache-2.0
#include "driven.h"

#include "check_petsc.h"
#include "mechanics/joint.h"

// The first body turns about y at the origin, or is led; the second hangs on it by a joint at `at`.
static const double first_at[3] = {0.4, 0.1, -0.2}, at[3] = {0.8, -0.1, -0.1}, second_at[3] = {1.1, 0.2, -0.4};
static const double axis[3] = {0.3, -0.5, 0.8}, y_axis[3] = {0, 1, 0}, origin[3] = {0, 0, 0};
static const double pitch = 0.3, two_pi = 6.283185307179586;
static const LagrangeBody bodies[2] = {{2, {0.5, 0.2, 0.1}}, {1.5, {0.1, 0.3, 0.2}}};

// by |a| about a
static Mat3 turn(Vec3 a) {
  double phi = vec3_norm(a), one = phi < 1e-4 ? 1 : sin(phi) / phi,
         two = phi < 1e-4 ? 0.5 : (1 - cos(phi)) / (phi * phi);
  Mat3 cross = mat3_cross(a);
  return mat3_add(mat3_add(mat3_identity(), mat3_scale(one, cross)), mat3_scale(two, mat3_mul(cross, cross)));
}
static Mat3 turn_about(const double *a, double angle) { return turn(vec3_scale(angle, vec3_unit(vec3_of(a)))); }

// Moves a body that is carried along with the joint's triad e: it turns about e_3 (a), then about e_1 (b), slides along e_1, e_2, e_3
// (x, y, z), or both along and about e_3 (s); or it turns freely, by a rotation vector (123).
static void move(const char *moves, const double *q, Pose *p) {
  Vec3 e3 = vec3_unit(vec3_of(axis)), e[3] = {vec3_normal(e3), vec3_zero(), e3}, slide = vec3_zero();
  Mat3 r = mat3_identity();
  e[1] = vec3_cross(e[2], e[0]);
  for (int i = 0; moves[i]; i++) {
    char c = moves[i];
    if (c == 'a' || c == 's') r = mat3_mul(r, turn(vec3_scale(q[i], e[2])));
    if (c == 'b') r = mat3_mul(r, turn(vec3_scale(q[i], e[0])));
    if (c >= 'x' && c <= 'z') slide = vec3_axpy(slide, q[i], e[c - 'x']);
    if (c == 's') slide = vec3_axpy(slide, pitch / two_pi * q[i], e[2]);
    if (c == '1') r = turn(vec3_of(q + i));
  }
  Vec3 arm = vec3_sub(p->x, vec3_of(at));
  p->x = vec3_add(vec3_add(vec3_of(at), slide), mat3_apply(r, arm));
  p->axes = r;
}

static Pose turned_with(const Pose *first, Vec3 pivot, Pose p) {
  p.x = vec3_add(first->x, mat3_apply(first->axes, vec3_sub(p.x, pivot)));
  p.axes = mat3_mul(first->axes, p.axes);
  return p;
}

static void frames(LimberModel m, LimberNodeId *node, bool point) {
  for (int b = 0; b < 2; b++) {
    double i[3];
    const char *name = b ? "second" : "first";
    lagrange_inertia(&bodies[b], i);
    if (b && point) {
      CHECK_OK(LimberModelAddPoint(m, name, at, &node[b]));
      CHECK_OK(LimberModelAddMass(m, name, &(LimberMass){node[b], bodies[b].mass}, NULL));
      continue;
    }
    CHECK_OK(LimberModelAddFrame(m, name, b ? second_at : first_at, NULL, &node[b]));
    CHECK_OK(
        LimberModelAddRigidBody(m, name, &(LimberRigidBody){node[b], bodies[b].mass, {0}, {i[0], i[1], i[2]}}, NULL));
  }
}

static void hinge(LimberModel m, LimberNodeId a, LimberNodeId b, const double *direction, const double *place) {
  LimberRevolute hinge = {.nodes = {a, b}, .at = place};
  memcpy(hinge.axis, direction, sizeof hinge.axis);
  CHECK_OK(LimberModelAddRevolute(m, "hinge", &hinge, NULL));
}

// A joint of two bodies, the first of which swings.
static void pair_places(const Mechanism *m, const double *q, Pose *pose) {
  const DrivenCase *c = m->self;
  Pose hinge = {turn_about(y_axis, q[0]), vec3_zero()};
  pose[FIRST] = turned_with(&hinge, vec3_zero(), (Pose){mat3_identity(), vec3_of(first_at)});
  pose[SECOND] = (Pose){mat3_identity(), vec3_of(c->points ? at : second_at)};
  move(c->moves, q + 1, &pose[SECOND]);
  pose[SECOND] = turned_with(&hinge, vec3_zero(), pose[SECOND]);
}

static void pair_build(const DrivenCase *c, LimberModel m, LimberNodeId *node, LimberJointId *joint) {
  Vec3 normal = vec3_normal(vec3_unit(vec3_of(axis)));
  const double *place = c->points ? NULL : at;
  frames(m, node, c->points);
  hinge(m, LIMBER_GROUND, node[FIRST], y_axis, origin);
  if (!strcmp(c->joint, "universal")) {
    LimberUniversal u = {
        .nodes = {node[FIRST], node[SECOND]}, .second_axis = {normal.x, normal.y, normal.z}, .at = place};
    memcpy(u.axis, axis, sizeof u.axis);
    CHECK_OK(LimberModelAddUniversal(m, "joint", &u, joint));
  } else if (!strcmp(c->joint, "screw")) {
    LimberScrew s = {.nodes = {node[FIRST], node[SECOND]}, .pitch = pitch, .at = place};
    memcpy(s.axis, axis, sizeof s.axis);
    CHECK_OK(LimberModelAddScrew(m, "joint", &s, joint));
  } else if (!strcmp(c->joint, "planar") || !strcmp(c->joint, "point_in_plane")) {
    LimberPlaneJoint p = {
        .nodes = {node[FIRST], node[SECOND]}, .along = (double[]){normal.x, normal.y, normal.z}, .at = place};
    memcpy(p.axis, axis, sizeof p.axis);
    CHECK_OK(LimberModelAddJointByKind(m, c->joint, "joint", &p, sizeof p, joint));
  } else {
    LimberAxisJoint j = {.nodes = {node[FIRST], node[SECOND]}, .at = place};
    memcpy(j.axis, axis, sizeof j.axis);
    CHECK_OK(LimberModelAddJointByKind(m, c->joint, "joint", &j, sizeof j, joint));
  }
}

static Vec3 carried(const Pose *p, const double *start, const double *place) {
  return vec3_add(p->x, mat3_apply(p->axes, vec3_sub(vec3_of(place), vec3_of(start))));
}

// At the joint.
static void pair_reaction(const DrivenCase *c, const LagrangeSample *s, Vec3 *force, Vec3 *moment) {
  *force = s->force[SECOND], *moment = s->moment[SECOND];
  if (c->points) return;
  Vec3 arm = vec3_sub(carried(&s->pose[SECOND], second_at, at), s->pose[SECOND].x);
  *moment = vec3_sub(*moment, vec3_cross(arm, *force));
}

// A guide leads the first body; the second swings on it about the axis, or on a link.
static void guide_places(const Mechanism *m, const double *q, Pose *pose) {
  const DrivenCase *c = m->self;
  int way = c->moves[0] - 'x';
  pose[FIRST] = (Pose){mat3_identity(), vec3_of(first_at)};
  if (c->moves[0] == 'a') pose[FIRST].axes = turn_about(axis, q[0]);
  else pose[FIRST].x = vec3_axpy(pose[FIRST].x, q[0], vec3(way == 0, way == 1, way == 2));
  if (c->points) {
    double l = vec3_norm(vec3_sub(vec3_of(at), vec3_of(first_at)));
    Vec3 link = vec3(sin(q[1]), cos(q[1]) * sin(q[2]), -cos(q[1]) * cos(q[2]));
    pose[SECOND] = (Pose){mat3_identity(), vec3_axpy(pose[FIRST].x, l, link)};
    return;
  }
  Vec3 arm = vec3_sub(vec3_of(second_at), vec3_of(at));
  Mat3 swing = turn_about(y_axis, q[1]);
  Pose second = {swing, vec3_add(vec3_of(at), mat3_apply(swing, arm))};
  pose[SECOND] = turned_with(&pose[FIRST], vec3_of(first_at), second);
}

static void guide_build(const DrivenCase *c, LimberModel m, LimberNodeId *node, LimberJointId *joint) {
  (void)c;
  LimberPrescribedMotion guide = {.axis = {0}};
  if (c->points) {
    for (int b = 0; b < 2; b++) {
      CHECK_OK(LimberModelAddPoint(m, b ? "second" : "first", b ? at : first_at, &node[b]));
      CHECK_OK(LimberModelAddMass(m, b ? "second" : "first", &(LimberMass){node[b], bodies[b].mass}, NULL));
    }
    CHECK_OK(LimberModelAddDistance(m, "link", &(LimberDistance){.nodes = {node[0], node[1]}}, NULL));
  } else {
    frames(m, node, false);
    hinge(m, node[FIRST], node[SECOND], y_axis, at);
    memcpy(guide.axis, axis, sizeof guide.axis);
  }
  guide.node = node[FIRST];
  CHECK_OK(LimberModelAddPrescribedMotion(m, "joint", &guide, joint));
}

static void guide_reaction(const DrivenCase *c, const LagrangeSample *s, Vec3 *force, Vec3 *moment) {
  Vec3 arm = vec3_sub(s->pose[SECOND].x, s->pose[FIRST].x);
  *force = vec3_add(s->force[FIRST], s->force[SECOND]), *moment = vec3_zero();
  if (c->points) return;
  *moment = vec3_add(vec3_add(s->moment[FIRST], s->moment[SECOND]), vec3_cross(arm, s->force[SECOND]));
}

// ---- struts ----

// The turn about y of an arm b, over which the distance from a to its end becomes that at the start plus z.
static double turn_of_strut(Vec3 a, Vec3 b, double z) {
  double l = vec3_norm(vec3_sub(b, a)) + z, ra = hypot(a.x, a.z), rb = hypot(b.x, b.z), off = b.y - a.y;
  double start = remainder(atan2(b.x, b.z) - atan2(a.x, a.z), two_pi);
  double now = acos((ra * ra + rb * rb + off * off - l * l) / (2 * ra * rb));
  return copysign(now, start) - start;
}

static const double base[3] = {0.5, -0.2, 0.9}, lug[3] = {0.6, 0.1, 0.1}, far_lug[3] = {1.1, 0.1, 0.5};

static void strut_force(const LagrangeSample *s, Vec3 from, Vec3 to, Vec3 *force, Vec3 *moment) {
  *force = vec3_scale(s->tau, vec3_unit(vec3_sub(to, from))), *moment = vec3_zero();
}

// From the ground to a boom on which the second body swings.
static void boom_places(const Mechanism *m, const double *q, Pose *pose) {
  double angle = turn_of_strut(vec3_of(base), vec3_of(lug), q[1]);
  Pose hinge = {turn_about(y_axis, angle), vec3_zero()};
  (void)m;
  pose[FIRST] = turned_with(&hinge, vec3_zero(), (Pose){mat3_identity(), vec3_of(first_at)});
  pose[SECOND] = (Pose){mat3_identity(), vec3_of(second_at)};
  move("a", q, &pose[SECOND]);
  pose[SECOND] = turned_with(&hinge, vec3_zero(), pose[SECOND]);
}

static void boom_build(const DrivenCase *c, LimberModel m, LimberNodeId *node, LimberJointId *joint) {
  (void)c;
  frames(m, node, false);
  hinge(m, LIMBER_GROUND, node[FIRST], y_axis, origin);
  hinge(m, node[FIRST], node[SECOND], axis, at);
  CHECK_OK(LimberModelAddActuator(m, "joint",
                                  &(LimberActuator){.nodes = {LIMBER_GROUND, node[FIRST]}, .at = {base, lug}}, joint));
}

static void boom_reaction(const DrivenCase *c, const LagrangeSample *s, Vec3 *force, Vec3 *moment) {
  (void)c;
  strut_force(s, vec3_of(base), carried(&s->pose[FIRST], first_at, lug), force, moment);
}

// Between two bodies, the first of which swings.
static void elbow_places(const Mechanism *m, const double *q, Pose *pose) {
  Vec3 a = vec3_sub(vec3_of(lug), vec3_of(at)), b = vec3_sub(vec3_of(far_lug), vec3_of(at));
  Pose hinge = {turn_about(y_axis, q[0]), vec3_zero()};
  Mat3 bend = turn_about(y_axis, turn_of_strut(a, b, q[1]));
  Vec3 arm = vec3_sub(vec3_of(second_at), vec3_of(at));
  (void)m;
  pose[FIRST] = turned_with(&hinge, vec3_zero(), (Pose){mat3_identity(), vec3_of(first_at)});
  pose[SECOND] = turned_with(&hinge, vec3_zero(), (Pose){bend, vec3_add(vec3_of(at), mat3_apply(bend, arm))});
}

static void elbow_build(const DrivenCase *c, LimberModel m, LimberNodeId *node, LimberJointId *joint) {
  (void)c;
  frames(m, node, false);
  hinge(m, LIMBER_GROUND, node[FIRST], y_axis, origin);
  hinge(m, node[FIRST], node[SECOND], y_axis, at);
  CHECK_OK(LimberModelAddActuator(
      m, "joint", &(LimberActuator){.nodes = {node[FIRST], node[SECOND]}, .at = {lug, far_lug}}, joint));
}

static void elbow_reaction(const DrivenCase *c, const LagrangeSample *s, Vec3 *force, Vec3 *moment) {
  (void)c;
  strut_force(s, carried(&s->pose[FIRST], first_at, lug), carried(&s->pose[SECOND], second_at, far_lug), force, moment);
}

// From the ground to a point.
static void rope_places(const Mechanism *m, const double *q, Pose *pose) {
  Vec3 way = vec3(cos(q[0]) * cos(q[1]), cos(q[0]) * sin(q[1]), sin(q[0]));
  (void)m;
  pose[SECOND] = (Pose){mat3_identity(), vec3_scale(vec3_norm(vec3_of(at)) + q[2], way)};
}

static void rope_build(const DrivenCase *c, LimberModel m, LimberNodeId *node, LimberJointId *joint) {
  (void)c;
  CHECK_OK(LimberModelAddPoint(m, "second", at, &node[SECOND]));
  CHECK_OK(LimberModelAddMass(m, "second", &(LimberMass){node[SECOND], bodies[SECOND].mass}, NULL));
  CHECK_OK(LimberModelAddActuator(m, "joint", &(LimberActuator){.nodes = {LIMBER_GROUND, node[SECOND]}}, joint));
}

// Between two points that fly and turn.
static void flight_places(const Mechanism *m, const double *q, Pose *pose) {
  Vec3 a = vec3_of(first_at), b = vec3_of(at), d = vec3_sub(b, a);
  double total = bodies[0].mass + bodies[1].mass, share[2] = {-bodies[1].mass / total, bodies[0].mass / total};
  Vec3 centre = vec3_add(vec3_scale(-share[0], b), vec3_scale(share[1], a));
  double length = vec3_norm(d) + q[5];
  Vec3 way = vec3(cos(q[3]) * cos(q[4]), cos(q[3]) * sin(q[4]), sin(q[3]));
  (void)m;
  for (int i = 0; i < 2; i++)
    pose[i] = (Pose){mat3_identity(), vec3_axpy(vec3_add(centre, vec3_of(q)), length * share[i], way)};
}

static void flight_build(const DrivenCase *c, LimberModel m, LimberNodeId *node, LimberJointId *joint) {
  (void)c;
  for (int b = 0; b < 2; b++) {
    CHECK_OK(LimberModelAddPoint(m, b ? "second" : "first", b ? at : first_at, &node[b]));
    CHECK_OK(LimberModelAddMass(m, b ? "second" : "first", &(LimberMass){node[b], bodies[b].mass}, NULL));
  }
  CHECK_OK(LimberModelAddActuator(m, "joint", &(LimberActuator){.nodes = {node[0], node[1]}}, joint));
}

#define PAIR(joint, coordinate, moves, driven, ncoord, points) \
  { joint, coordinate, moves, driven, ncoord, points, pair_places, pair_build, pair_reaction }
#define GUIDE(coordinate, moves, points) \
  { "prescribed_motion", coordinate, moves, 0, points ? 3 : 2, points, guide_places, guide_build, guide_reaction }
#define STRUT(what, driven, ncoord, points, reaction) \
  { "actuator", "slide", "", driven, ncoord, points, what##_places, what##_build, reaction }

const DrivenCase driven_cases[] = {
    PAIR("revolute", "angle", "a", 1, 2, false),
    PAIR("prismatic", "slide", "z", 1, 2, false),
    PAIR("cylindrical", "angle", "az", 1, 3, false),
    PAIR("cylindrical", "slide", "az", 2, 3, false),
    PAIR("screw", "angle", "s", 1, 2, false),
    PAIR("universal", "angle1", "ab", 1, 3, false),
    PAIR("universal", "angle2", "ab", 2, 3, false),
    PAIR("planar", "angle", "axy", 1, 4, false),
    PAIR("planar", "slide1", "axy", 2, 4, false),
    PAIR("planar", "slide2", "axy", 3, 4, false),
    PAIR("point_on_line", "slide", "z", 1, 2, true),
    PAIR("point_on_line", "slide", "z123", 1, 5, false),
    PAIR("point_in_plane", "slide1", "xy", 1, 3, true),
    PAIR("point_in_plane", "slide2", "xy", 2, 3, true),
    PAIR("point_in_plane", "slide1", "xy123", 1, 6, false),
    GUIDE("x", "x", false),
    GUIDE("y", "y", false),
    GUIDE("z", "z", false),
    GUIDE("angle", "a", false),
    GUIDE("x", "x", true),
    GUIDE("y", "y", true),
    GUIDE("z", "z", true),
    STRUT(boom, 1, 2, false, boom_reaction),
    STRUT(elbow, 1, 2, false, elbow_reaction),
    STRUT(rope, 2, 3, true, pair_reaction),
    STRUT(flight, 5, 6, true, pair_reaction),
};
const int driven_case_count = (int)(sizeof driven_cases / sizeof driven_cases[0]);

// Angles of a direction: above the plane x y, and in it.
static void angles_of(Vec3 d, double *up, double *around) { *up = asin(d.z / vec3_norm(d)), *around = atan2(d.y, d.x); }

Mechanism driven_mechanism(const DrivenCase *c, bool at_speed) {
  bool angle = !strncmp(c->coordinate, "angle", 5);
  Vec3 link = vec3_sub(vec3_of(at), vec3_of(first_at));
  Mechanism m = {.ncoord = c->ncoord, .driven = c->driven, .gravity = {0, 0, -9.81}, .places = c->places, .self = c};
  m.amplitude = angle ? 0.4 : 0.1, m.omega = 6, m.phase = at_speed ? 0 : -two_pi / 4;
  memcpy(m.body, bodies, sizeof m.body);
  if (c->points) memset(m.body[SECOND].arm, 0, sizeof m.body[SECOND].arm);
  if (c->places == guide_places && c->points) {
    m.start[1] = asin(link.x / vec3_norm(link)), m.start[2] = atan2(link.y, -link.z);
    memset(m.body[FIRST].arm, 0, sizeof m.body[FIRST].arm);
  }
  if (c->places == rope_places) {
    m.body[FIRST].mass = 0, m.rate[0] = 1, m.rate[1] = -2;
    angles_of(vec3_of(at), &m.start[0], &m.start[1]);
  }
  if (c->places == flight_places) {
    memset(m.body[FIRST].arm, 0, sizeof m.body[FIRST].arm);
    m.rate[0] = 1, m.rate[1] = -2, m.rate[2] = 3, m.rate[3] = 2, m.rate[4] = -3;
    angles_of(link, &m.start[3], &m.start[4]);
  }
  return m;
}

void driven_model(const DrivenCase *c, bool at_speed, bool by_rate, DrivenModel *out) {
  Mechanism m = driven_mechanism(c, at_speed);
  LimberSine sine = {.amplitude = m.amplitude, .frequency = m.omega / two_pi, .phase = m.phase};
  Vec3 velocity[2];
  LimberFunctionId f;
  LimberJointId joint;
  LimberNodeId node[2] = {LIMBER_NO_NODE, LIMBER_NO_NODE};
  if (by_rate) sine.amplitude *= m.omega, sine.phase += two_pi / 4;
  CHECK_OK(LimberModelCreate(&out->model));
  CHECK_OK(LimberModelAddSine(out->model, "f", &sine, &f));
  c->build(c, out->model, node, &joint);
  lagrange_velocities(&m, velocity);
  for (int b = 0; b < 2; b++) // points only: what turns starts at rest
    if (!LIMBER_IS_NONE(node[b]) && vec3_norm(velocity[b]) > 0)
      CHECK_OK(
          LimberModelSetVelocity(out->model, node[b], (double[]){velocity[b].x, velocity[b].y, velocity[b].z}, origin));
  CHECK_OK(LimberModelAddGravity(
      out->model, "g", &(LimberGravity){.acceleration = {0, 0, m.gravity.z}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  LimberDrive drive = {joint, c->coordinate, by_rate ? LIMBER_NO_FUNCTION : f, by_rate ? f : LIMBER_NO_FUNCTION};
  CHECK_OK(LimberModelAddDrive(out->model, "drive", &drive, &out->drive));
  CHECK_STR(limber_model_diagnostics(out->model), "");
  out->joint = joint, out->node = node[SECOND];
  out->coordinate = joint_coord(joint_find(c->joint), c->coordinate);
}
