// SPDX-License-Identifier: Apache-2.0
// A model from nothing: a bob of 1 kg on a hinge 1 m away, let go from the horizontal. Prints where it is after 1 s, and that its
// energy stays.
#include <limber/limber.h>
#include <stdio.h>

// Each component starts from the defaults of its kind.
static void Build(LimberModel model, LimberNodeId *bob, LimberJointId *hinge) {
  LimberModelAddFrame(model, "bob", (double[]){1, 0, 0}, NULL, bob);
  LimberRigidBody body = limber_rigid_body_default();
  body.node = *bob, body.mass = 1;
  LimberModelAddRigidBody(model, "bob", &body, NULL);
  LimberRevolute joint = limber_revolute_default();
  joint.nodes[0] = LIMBER_GROUND, joint.nodes[1] = *bob;
  joint.axis[1] = 1, joint.at = (double[]){0, 0, 0};
  LimberModelAddRevolute(model, "hinge", &joint, hinge);
  LimberGravity gravity = limber_gravity_default();
  gravity.acceleration[2] = -9.81;
  LimberModelAddGravity(model, "g", &gravity, NULL);
}

static void Print(LimberRun run, LimberNodeId bob, LimberJointId hinge) {
  double at[3];
  LimberJointState joint;
  LimberLedger energy;
  LimberRunGetNode(run, bob, at, NULL, NULL, NULL);
  LimberRunGetJoint(run, hinge, &joint);
  LimberRunGetLedger(run, &energy);
  printf("t = %.3f s: x = %.4f m, z = %.4f m, angle %.4f, energy changed by %.0e J\n", limber_run_time(run), at[0],
         at[2], joint.coordinate[0], energy.kinetic + energy.potential);
}

int main(int argc, char **argv) {
  LimberModel model;
  LimberRun run;
  LimberNodeId bob;
  LimberJointId hinge;
  LimberOutcome outcome = {0};
  if (LimberInitialize(&argc, &argv)) return 3;
  LimberModelCreate(&model);
  Build(model, &bob, &hinge);
  LimberOptions options = limber_options_default();
  options.scheme = LIMBER_SCHEME_PRESERVING, options.step = 1e-3;
  LimberRunCreate(model, &options, &run);
  if (!run) return fputs(limber_model_error(model), stderr), 2; // one check for all calls before
  while (outcome.time < 1 && !LimberRunStep(run, &outcome) && outcome.reason == LIMBER_CONVERGED) continue;
  if (outcome.reason != LIMBER_CONVERGED) fprintf(stderr, "%s\n", limber_reason_name(outcome.reason));
  Print(run, bob, hinge);
  LimberRunDestroy(&run);
  LimberModelDestroy(&model);
  return LimberFinalize() ? 3 : outcome.reason;
}
