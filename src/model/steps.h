// SPDX-License-Identifier: Apache-2.0
// Statuses of runs; what in a model forbids events, contacts or steps backwards in time; the error of a rotation per
// step.
#ifndef LIMBER_MODEL_STEPS_H
#define LIMBER_MODEL_STEPS_H

#include "model/model.h"
#include "schemes/scheme.h"

typedef enum {
#define STATUS(name, word) RUN_##name,
#define REASON(name, word) RUN_##name,
#include "model/statuses.def"
#undef REASON
#undef STATUS
  RUN_STATUSES
} RunStatus;

extern const char *const run_status_words[RUN_STATUSES];

// Why runs with this scheme and order cannot have events, and what to write instead; NULL: they can.
const char *events_refused(LimberScheme scheme, int order);
// The same for contacts.
const char *contacts_forbidden(Model m, const StepRule *rule);
// The same for ports. `variable`: the run chooses its steps.
const char *ports_forbidden(Model m, const StepRule *rule, bool variable);

// Why a part forbids steps backwards in time ("has a damper"), or NULL. In such a step a dissipative part would add
// energy without bound, and a one-sided part lacks the derivatives that steps of high order need.
const char *component_forbids_step_back(Model m, int component);
const char *joint_forbids_step_back(Model m, int joint);
const char *load_forbids_step_back(Model m, int load);

// Takes the order as its argument.
#define STEP_BACK_ADVICE \
  "which a step of order %d does not allow, for parts of it go backwards in time. Remove it, or leave `order` out of " \
  "`run`"

// Describes the error of results due to the rotation per step h, and the step for an error of 0.1 %; "": no error.
void say_rotation_error(const RotationError *e, double h, char *text, size_t size);

#endif
