// SPDX-License-Identifier: Apache-2.0
// Contact and events without a model file: a ball falls on a trap door, which is locked, opens at 1 s and falls against its stop of 90
// degrees, where it latches.
#include <limber/limber.h>
#include <stdio.h>

static const double hinge_at[3] = {-0.5, 0, 1}, ball_at[3] = {0.2, 0, 1.5}, right_angle = 1.5707963267948966;

static void AddBall(LimberModel model, LimberNodeId *node, LimberSurfaceId *surface) {
  LimberModelAddFrame(model, "ball", ball_at, NULL, node);
  LimberRigidBody body = limber_rigid_body_default();
  body.node = *node, body.mass = 1;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.004;
  LimberModelAddRigidBody(model, "ball", &body, NULL);
  LimberSphereSurface sphere = limber_sphere_surface_default();
  sphere.node = *node, sphere.radius = 0.1;
  LimberModelAddSphereSurface(model, "ball", &sphere, surface);
}

static void AddDoor(LimberModel model, LimberJointId *hinge, LimberSurfaceId *surface) {
  LimberNodeId node;
  LimberModelAddFrame(model, "door", (double[]){0, 0, 1}, NULL, &node);
  LimberRigidBody body = limber_rigid_body_default();
  body.node = node, body.mass = 10;
  body.inertia[0] = 0.6, body.inertia[1] = 0.84, body.inertia[2] = 1.4;
  LimberModelAddRigidBody(model, "door", &body, NULL);
  LimberRevolute joint = limber_revolute_default();
  joint.nodes[1] = node, joint.at = hinge_at, joint.axis[1] = 1;
  LimberModelAddRevolute(model, "hinge", &joint, hinge);
  LimberBoxSurface box = limber_box_surface_default();
  box.node = node, box.size[0] = 1, box.size[1] = 0.8, box.size[2] = 0.04;
  LimberModelAddBoxSurface(model, "door", &box, surface);
}

static void AddEvents(LimberModel model, LimberJointId hinge) {
  LimberEventAction action = limber_event_action_default();
  action.unlock = hinge; // a joint whose first event unlocks it is locked at the start
  LimberTimeEvent open = limber_time_event_default();
  open.at = 1, open.event.action = &action, open.event.actions = 1;
  LimberModelAddTimeEvent(model, "open", &open, NULL);
  action = limber_event_action_default();
  action.lock = hinge;
  LimberCoordinateEvent latch = limber_coordinate_event_default();
  latch.joint = hinge, latch.angle = &right_angle, latch.direction = LIMBER_RISING;
  latch.event.action = &action, latch.event.actions = 1;
  LimberModelAddCoordinateEvent(model, "latch", &latch, NULL);
}

static void Build(LimberModel model, LimberNodeId *ball) {
  LimberJointId hinge;
  LimberSurfaceId surfaces[2];
  AddBall(model, ball, &surfaces[0]);
  AddDoor(model, &hinge, &surfaces[1]);
  AddEvents(model, hinge);
  LimberContact contact = limber_contact_default();
  contact.surfaces = surfaces, contact.nsurfaces = 2, contact.stiffness = 1e5, contact.restitution = 0.5;
  LimberModelAddContact(model, "touch", &contact, NULL);
  LimberGravity gravity = limber_gravity_default();
  gravity.acceleration[2] = -9.81;
  LimberModelAddGravity(model, "g", &gravity, NULL);
}

static void Print(LimberRun run, LimberNodeId ball) {
  LimberEventRecord event;
  double at[3];
  for (int i = 0; i < limber_run_events(run) && !LimberRunGetEvent(run, i, &event); i++)
    printf("%s at %.4f s took %.2f J, ", event.name, event.time, event.loss);
  LimberRunGetNode(run, ball, at, NULL, NULL, NULL);
  printf("ball at z = %.3f m after %.3f s\n", at[2], limber_run_time(run));
}

int main(int argc, char **argv) {
  LimberModel model;
  LimberRun run;
  LimberNodeId ball;
  LimberOutcome outcome = {0};
  if (LimberInitialize(&argc, &argv)) return 3;
  LimberModelCreate(&model);
  Build(model, &ball);
  LimberOptions options = limber_options_default();
  options.scheme = LIMBER_SCHEME_PRESERVING, options.step = 1e-3;
  LimberRunCreate(model, &options, &run);
  if (!run) return fputs(limber_model_error(model), stderr), 2; // one check for all calls before
  while (outcome.time < 2 && !LimberRunStep(run, &outcome) && outcome.reason == LIMBER_CONVERGED) continue;
  if (outcome.reason != LIMBER_CONVERGED) fprintf(stderr, "%s\n", limber_reason_name(outcome.reason));
  Print(run, ball);
  LimberRunDestroy(&run);
  LimberModelDestroy(&model);
  return LimberFinalize() ? 3 : outcome.reason;
}
