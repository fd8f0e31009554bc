// SPDX-License-Identifier: Apache-2.0
// What a model says about time steps: what forbids steps backwards in time, and the error of a rotation per step.
#ifndef LIMBER_MODEL_STEPS_H
#define LIMBER_MODEL_STEPS_H

#include "model/model.h"
#include "schemes/scheme.h"

// What forbids a step backwards in time: whatever takes energy would give it back there, without bound, and what acts
// on one side only has no derivatives that a step of high order could use.

// What forbids events in runs of a scheme and an order, with what to write in place of it; NULL: nothing.
const char *events_refused(LimberScheme scheme, int order);
// The same of contacts, by the rule of a step.
const char *contacts_forbidden(Model m, const StepRule *rule);

// NULL, or what the part has that forbids it: "has a damper".
const char *component_forbids_step_back(Model m, int component);
const char *joint_forbids_step_back(Model m, int joint);
const char *load_forbids_step_back(Model m, int load);

// To be followed by the order.
#define STEP_BACK_ADVICE \
  "which a step of order %d does not allow, for parts of it go backwards in time. Remove it, or leave `order` out of " \
  "`run`"

// What a rotation per step makes of results, in words.

// With the step, of h now, whose error is 0.1 %; "": there is no error.
void say_rotation_error(const RotationError *e, double h, char *text, size_t size);

#endif
