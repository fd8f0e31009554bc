// SPDX-License-Identifier: Apache-2.0
// A controller in the loop: a motor at the hinge of a pendulum (1 kg at 1 m) holds it 1 rad above the vertical. The program
// reads the angle after every step and sets the torque of the next one (PID). Prints the angle, the torque and the work
// of the motor, which the energy ledger has.
#include <limber/limber.h>
#include <math.h>
#include <stdio.h>

static const double step = 1e-3, end = 10, target = 1, mass = 1, length = 1, weight = 9.81;
static const double gain = 60, integral_gain = 40, derivative_gain = 12;

typedef struct {
  LimberJointId hinge;
  LimberFunctionId signal;
  LimberLoadId motor;
} Names;

static void Build(LimberModel m, Names *n) {
  LimberNodeId bob;
  // it hangs down at first; the axis y turns it towards -x
  LimberModelAddFrame(m, "bob", (double[]){0, 0, -length}, NULL, &bob);
  LimberRigidBody body = limber_rigid_body_default();
  body.node = bob, body.mass = mass;
  LimberModelAddRigidBody(m, "bob", &body, NULL);
  LimberRevolute hinge = limber_revolute_default();
  hinge.nodes[0] = LIMBER_GROUND, hinge.nodes[1] = bob;
  hinge.axis[1] = 1, hinge.at = (double[]){0, 0, 0};
  LimberModelAddRevolute(m, "hinge", &hinge, &n->hinge);
  LimberGravity gravity = limber_gravity_default();
  gravity.acceleration[2] = -weight;
  LimberModelAddGravity(m, "g", &gravity, NULL);
  // the torque is a function of time that the program sets
  LimberSignal signal = limber_signal_default();
  LimberModelAddSignal(m, "motor", &signal, &n->signal);
  LimberTorque torque = limber_torque_default();
  torque.joint = n->hinge, torque.amplitude = n->signal;
  LimberModelAddTorque(m, "motor", &torque, &n->motor);
}

static LimberReason Control(LimberModel m, LimberRun run, const Names *n) {
  LimberOutcome outcome = {0};
  LimberJointState hinge = {0};
  double integral = 0, torque = 0, work = 0;
  while (outcome.reason == LIMBER_CONVERGED && limber_run_time(run) < end - step / 2) {
    double error = target - hinge.coordinate[0];
    integral += error * step;
    torque = gain * error + integral_gain * integral - derivative_gain * hinge.rate[0];
    LimberModelSetSignal(m, n->signal, torque);
    if (LimberRunStep(run, &outcome)) break;
    LimberRunGetJoint(run, n->hinge, &hinge);
  }
  LimberRunGetLoadWork(run, n->motor, &work);
  printf("angle %.4f rad, torque %.4f N m (weight %.4f), work %.4f J (lift %.4f)\n", hinge.coordinate[0], torque,
         mass * weight * length * sin(target), work, mass * weight * length * (1 - cos(target)));
  return outcome.reason;
}

int main(int argc, char **argv) {
  LimberModel model;
  LimberRun run;
  Names names;
  if (LimberInitialize(&argc, &argv)) return 3;
  LimberModelCreate(&model);
  Build(model, &names);
  LimberOptions options = limber_options_default();
  options.scheme = LIMBER_SCHEME_PRESERVING, options.step = step;
  LimberRunCreate(model, &options, &run);
  if (!run) return fputs(limber_model_error(model), stderr), 2; // one check for all calls before
  LimberReason reason = Control(model, run, &names);
  LimberRunDestroy(&run);
  LimberModelDestroy(&model);
  return LimberFinalize() ? 3 : reason;
}
