// SPDX-License-Identifier: Apache-2.0
// Surfaces, contacts and events from a program: a ball that bounces and a door that latches are those of the model files, bit by bit.
#include "check_petsc.h"
#include "limber/limber.h"
#include "mechanics/event.h"
#include "mechanics/surface.h"
#include "model/model.h"

#include <string.h>

static const char ball_text[] =
    "limber: 1\n"
    "nodes: {ball: {at: [0, 0, 0.3], velocity: [0.5, 0, 0]}}\n"
    "elements: [rigid_body: {name: ball, node: ball, mass: 1, inertia: [4e-3, 4e-3, 4e-3]}]\n"
    "surfaces:\n"
    "  - sphere: {name: ball, node: ball, radius: 0.1}\n"
    "  - plane: {name: floor, normal: [0, 0, 1]}\n"
    "contacts:\n"
    "  - contact: {name: bounce, surfaces: ball, with: floor, stiffness: 1e5, restitution: 0.8,\n"
    "      friction: 0.3, stick_stiffness: 5e4}\n"
    "loads: [gravity: {name: g, acceleration: [0, 0, -9.81]}]\n"
    "run: {scheme: preserving, step: 1 ms, end: 0.6}\n";

static LimberModel ball_model(void) {
  LimberModel m = NULL;
  LimberNodeId node;
  LimberSurfaceId ball, floor;
  const double at[3] = {0, 0, 0.3}, velocity[3] = {0.5, 0, 0}, none[3] = {0, 0, 0};
  CHECK(!LimberModelCreate(&m));
  CHECK(!LimberModelAddFrame(m, "ball", at, NULL, &node));
  CHECK(!LimberModelSetVelocity(m, node, velocity, none));
  LimberRigidBody body = limber_rigid_body_default();
  body.node = node, body.mass = 1;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 4e-3;
  CHECK(!LimberModelAddRigidBody(m, "ball", &body, NULL));
  LimberSphereSurface sphere = limber_sphere_surface_default();
  sphere.node = node, sphere.radius = 0.1;
  CHECK(!LimberModelAddSphereSurface(m, "ball", &sphere, &ball));
  LimberPlaneSurface plane = limber_plane_surface_default();
  plane.normal[2] = 1;
  CHECK(!LimberModelAddPlaneSurface(m, "floor", &plane, &floor));
  LimberContact bounce = limber_contact_default();
  bounce.surfaces = &ball, bounce.nsurfaces = 1, bounce.with = &floor, bounce.nwith = 1;
  bounce.stiffness = 1e5, bounce.restitution = 0.8, bounce.friction = 0.3, bounce.stick_stiffness = 5e4;
  CHECK(!LimberModelAddContact(m, "bounce", &bounce, NULL));
  LimberGravity g = limber_gravity_default();
  g.acceleration[2] = -9.81;
  CHECK(!LimberModelAddGravity(m, "g", &g, NULL));
  return m;
}

static const char door_text[] =
    "limber: 1\n"
    "nodes: {door: {at: [0.4, 0, 0]}}\n"
    "elements: [rigid_body: {name: door, node: door, mass: 20, inertia: [1, 1, 1.2]}]\n"
    "joints: [revolute: {name: hinge, nodes: [ground, door], at: [0, 0, 0], axis: [0, 0, 1]}]\n"
    "loads: [torque: {name: push, joint: hinge, value: 30}]\n"
    "events:\n"
    "  - coordinate: {name: latch, joint: hinge, angle: 1.5, direction: rising, do: {lock: hinge}}\n"
    "  - after: {name: open, event: latch, delay: 0.1, do: [{unlock: hinge}, {end: push}]}\n"
    "run: {scheme: decaying, step: 5 ms, end: 1}\n";

static LimberModel door_model(void) {
  LimberModel m = NULL;
  LimberNodeId node;
  LimberJointId hinge;
  LimberLoadId push;
  LimberEventId latch;
  const double at[3] = {0.4, 0, 0}, zero[3] = {0, 0, 0}, angle = 1.5;
  CHECK(!LimberModelCreate(&m));
  CHECK(!LimberModelAddFrame(m, "door", at, NULL, &node));
  LimberRigidBody body = limber_rigid_body_default();
  body.node = node, body.mass = 20;
  body.inertia[0] = body.inertia[1] = 1, body.inertia[2] = 1.2;
  CHECK(!LimberModelAddRigidBody(m, "door", &body, NULL));
  LimberRevolute r = limber_revolute_default();
  r.nodes[1] = node, r.at = zero, r.axis[2] = 1;
  CHECK(!LimberModelAddRevolute(m, "hinge", &r, &hinge));
  LimberTorque t = limber_torque_default();
  t.joint = hinge, t.value = 30;
  CHECK(!LimberModelAddTorque(m, "push", &t, &push));
  LimberEventAction catch_it = limber_event_action_default(), let_go[2] = {catch_it, catch_it};
  catch_it.lock = hinge, let_go[0].unlock = hinge, let_go[1].end = push;
  LimberCoordinateEvent reach = limber_coordinate_event_default();
  reach.joint = hinge, reach.angle = &angle, reach.direction = LIMBER_RISING;
  reach.event.action = &catch_it, reach.event.actions = 1;
  CHECK(!LimberModelAddCoordinateEvent(m, "latch", &reach, &latch));
  LimberAfterEvent after = limber_after_event_default();
  after.other = latch, after.delay = 0.1, after.event.action = let_go, after.event.actions = 2;
  CHECK(!LimberModelAddAfterEvent(m, "open", &after, NULL));
  return m;
}

// Steps of both until the end of the file; returns how many times they differed, and their events and last height.
static int differences(LimberModel m, const char *text, int *events, double last[3]) {
  LimberFile file = NULL;
  LimberRun ours = NULL, theirs = NULL;
  LimberOptions options;
  int different = 0;
  CHECK_STR(limber_model_diagnostics(m), "");
  LimberReadOptions read = limber_read_options_default();
  read.text = text;
  CHECK(!LimberFileRead("model.yaml", &read, &file));
  if (!CHECK(!limber_file_errors(file))) CHECK_NOTE("%s", limber_file_diagnostics(file));
  options = limber_file_options(file);
  CHECK(!LimberRunCreate(m, &options, &ours) && ours);
  CHECK(!LimberFileStart(file, &theirs) && theirs);
  while (ours && theirs && limber_run_time(ours) < limber_file_end(file) - 1e-9) {
    LimberOutcome outcome;
    double x[2][3], axes[2][9], v[2][3];
    CHECK(!LimberRunStep(ours, &outcome) && outcome.reason == LIMBER_CONVERGED);
    CHECK(!LimberRunStep(theirs, &outcome) && outcome.reason == LIMBER_CONVERGED);
    CHECK(!LimberRunGetNode(ours, (LimberNodeId){1}, x[0], axes[0], v[0], NULL) &&
          !LimberRunGetNode(theirs, (LimberNodeId){1}, x[1], axes[1], v[1], NULL));
    different +=
        memcmp(x[0], x[1], sizeof x[0]) || memcmp(axes[0], axes[1], sizeof axes[0]) || memcmp(v[0], v[1], sizeof v[0]);
    memcpy(last, x[0], sizeof x[0]);
  }
  *events = limber_run_events(ours);
  CHECK(!LimberRunDestroy(&ours) && !LimberRunDestroy(&theirs));
  CHECK(!LimberModelDestroy(&m) && !LimberFileDestroy(&file));
  return different;
}

TEST(a_ball_of_a_program_bounces_as_that_of_a_file) {
  int events;
  double x[3];
  CHECK_INT(differences(ball_model(), ball_text, &events, x), 0);
  CHECK(x[0] > 0.1 && x[2] > 0.1 && x[2] < 0.3);
}

TEST(a_door_of_a_program_latches_as_that_of_a_file) {
  int events;
  double x[3];
  CHECK_INT(differences(door_model(), door_text, &events, x), 0);
  CHECK_INT(events, 2);
  CHECK_NEAR(x[0], 0.4 * cos(1.5), 1e-6);
}

TEST(defaults_are_those_of_the_field_tables) {
  CHECK_INT(limber_beam_surface_default().points, 2);
  CHECK_INT(limber_box_surface_default().points, 0);
  CHECK_INT(limber_plane_surface_default().node.index, 0);
  CHECK_NEAR(limber_position_event_default().tolerance, 1e-12, 0);
  CHECK(LIMBER_IS_NONE(limber_after_event_default().other));
  CHECK(LIMBER_IS_NONE(limber_event_action_default().begin));
}

TEST(a_zeroed_surface_is_told_what_it_lacks) {
  LimberModel m = NULL;
  LimberBeamSurface s = {0};
  CHECK(!LimberModelCreate(&m));
  s.radius = 1;
  CHECK(!LimberModelAddBeamSurface(m, "skin", &s, NULL));
  CHECK_STR(limber_model_diagnostics(m),
            "beam 'skin': `points` must be from 1 to 100 (`points` is 0; limber_beam_surface_default() has 2)\n");
  CHECK(!LimberModelDestroy(&m));
}

TEST(an_event_of_another_structure_is_refused) {
  LimberModel m = NULL;
  LimberTimeEvent e = limber_time_event_default();
  CHECK(!LimberModelCreate(&m));
  PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  CHECK(LimberModelAddEventByKind(m, "position", "e", &e, sizeof e, NULL) != 0);
  PetscPopErrorHandler();
  CHECK(!LimberModelDestroy(&m) && !LimberModelCreate(&m)); // the failure would stick
  CHECK(!LimberModelAddTimeEvent(m, "e", &e, NULL));
  CHECK_STR(limber_model_diagnostics(m), "time 'e': it does nothing\n");
  CHECK(!LimberModelDestroy(&m));
}

TEST(events_of_nothing_are_refused) {
  LimberModel m = NULL;
  LimberTimeEvent t = limber_time_event_default();
  LimberProbeEvent p = limber_probe_event_default();
  CHECK(!LimberModelCreate(&m));
  t.event.actions = 1; // and none is given
  CHECK(!LimberModelAddTimeEvent(m, "t", &t, NULL));
  CHECK(!LimberModelAddProbeEvent(m, "p", &p, NULL));
  CHECK_STR(limber_model_diagnostics(m), "time 't': it does nothing\nprobe 'p': it needs a `probe`\n");
  CHECK(!LimberModelDestroy(&m));
}

TEST(a_surface_without_its_node_is_refused) {
  LimberModel m = NULL;
  LimberPlaneSurface plane = limber_plane_surface_default();
  CHECK(!LimberModelCreate(&m));
  plane.node = LIMBER_NO_NODE, plane.normal[2] = 1; // the ground is the default, nothing is not
  CHECK(!LimberModelAddPlaneSurface(m, "floor", &plane, NULL));
  CHECK_STR(limber_model_diagnostics(m), "plane 'floor': its 'node' is not a node of the model\n");
  CHECK(!LimberModelDestroy(&m));
}

TEST(a_point_of_a_winch_is_not_called_like_an_eye) {
  LimberModel m = NULL;
  LimberReevedCable rope = limber_reeved_cable_default();
  LimberElementId element;
  char name[100];
  CHECK(!LimberModelCreate(&m));
  CHECK(!LimberModelAddPoint(m, "a", (double[]){1, 0, 0}, &rope.from));
  CHECK(!LimberModelAddPoint(m, "eye", (double[]){0, 0, 1}, &rope.over[0]));
  CHECK(!LimberModelAddPoint(m, "b", (double[]){-1, 0, 0}, &rope.to));
  rope.stiffness = 1, rope.winch = LIMBER_WINCH_FROM;
  CHECK(!LimberModelAddReevedCable(m, "rope", &rope, &element));
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK_INT(limber_model_element_node(m, element, 1).index, rope.over[0].index);
  CHECK_INT(limber_model_element_node(m, element, 2).index, rope.to.index);
  CHECK(LIMBER_IS_NONE(limber_model_element_node(m, element, 3)));
  model_name_node(m, rope.to.index + 1, name, sizeof name);
  CHECK_STR(name, "node 'rope.point1'");
  CHECK(!LimberModelDestroy(&m));
}

CHECK_MAIN_PETSC
