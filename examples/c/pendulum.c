// SPDX-License-Identifier: Apache-2.0
// A bob of 1 kg on a hinge 1 m away, let go from the horizontal: prints where it is, and that its energy stays.
#include <limber/limber.h>
#include <stdio.h>

static int RunSimulation(LimberModel model) {
  LimberId bob, hinge;
  LimberOptions options;
  LimberOutcome outcome = {0};
  LimberRun run = NULL;
  LimberLedger l;
  double at[3], angle[4];

  LimberModelAddFrame(model, "bob", (double[]){1, 0, 0}, NULL, &bob);
  LimberModelAddElement(model, "rigid_body", "bob", &(LimberRigidBody){.node = bob, .mass = 1}, NULL);
  LimberModelAddJoint(model, "revolute", "hinge",
                      &(LimberRevolute){{LIMBER_GROUND, bob}, .axis = {0, 1, 0}, .at = (double[]){0, 0, 0}}, &hinge);
  LimberModelAddLoad(model, "gravity", "g", &(LimberGravity){{0, 0, -9.81}, .amplitude = LIMBER_NONE}, NULL);

  limber_options_default(&options);
  options.scheme = "preserving", options.step = 1e-3;
  if (LimberRunCreate(model, &options, &run)) return 3;
  if (!run) return fputs(limber_model_diagnostics(model), stderr), 2; // what is wrong with the model
  while (outcome.reason == LIMBER_CONVERGED && outcome.time < 1)
    if (LimberRunStep(run, &outcome)) return 3;
  LimberRunGetNode(run, bob, at, NULL, NULL, NULL);
  LimberRunGetJoint(run, hinge, NULL, NULL, angle);
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
