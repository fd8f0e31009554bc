// SPDX-License-Identifier: Apache-2.0
// A model from nothing: a bob of 1 kg on a hinge 1 m away, let go from the horizontal. Prints where it is after 1 s, and that its
// energy stays.
#include <limber/limber.h>
#include <stdio.h>

static int RunSimulation(LimberModel model) {
  LimberId bob, hinge_id;
  LimberOptions options;
  LimberOutcome outcome = {0};
  LimberRun run = NULL;
  LimberLedger l;
  double at[3], angle[4];

  // each component starts from the defaults of its kind
  LimberModelAddFrame(model, "bob", (double[]){1, 0, 0}, NULL, &bob);
  LimberRigidBody body = limber_rigid_body_default();
  body.node = bob, body.mass = 1;
  LimberModelAddRigidBody(model, "bob", &body, NULL);
  LimberRevolute hinge = limber_revolute_default();
  hinge.nodes[0] = LIMBER_GROUND, hinge.nodes[1] = bob;
  hinge.axis[1] = 1, hinge.at = (double[]){0, 0, 0};
  LimberModelAddRevolute(model, "hinge", &hinge, &hinge_id);
  LimberGravity gravity = limber_gravity_default();
  gravity.acceleration[2] = -9.81;
  LimberModelAddGravity(model, "g", &gravity, NULL);

  limber_options_default(&options);
  options.scheme = LIMBER_SCHEME_PRESERVING, options.step = 1e-3;
  if (LimberRunCreate(model, &options, &run)) return 3;
  if (!run) return fputs(limber_model_diagnostics(model), stderr), 2; // what is wrong with the model
  while (outcome.reason == LIMBER_CONVERGED && outcome.time < 1)
    if (LimberRunStep(run, &outcome)) return 3;
  if (outcome.reason != LIMBER_CONVERGED) fprintf(stderr, "%s\n", limber_reason_name(outcome.reason));
  LimberRunGetNode(run, bob, at, NULL, NULL, NULL);
  LimberRunGetJoint(run, hinge_id, NULL, NULL, angle);
  LimberRunGetLedger(run, &l);
  printf("t = %.3f s: x = %.4f m, z = %.4f m, angle %.4f, energy changed by %.0e J\n", outcome.time, at[0], at[2],
         angle[0], l.kinetic + l.potential);
  LimberRunDestroy(&run);
  return outcome.reason;
}

int main(int argc, char **argv) {
  LimberModel model;
  if (LimberInitialize(&argc, &argv)) return 3;
  LimberModelCreate(&model);
  int code = RunSimulation(model);
  LimberModelDestroy(&model);
  return LimberFinalize() ? 3 : code;
}
