// SPDX-License-Identifier: Apache-2.0
// What events may switch: which joints are locked or released, which loads act. A part of the state, in numbers of the model, the
// same on all ranks; it changes between steps only.
#ifndef LIMBER_ASSEMBLY_SWITCHES_H
#define LIMBER_ASSEMBLY_SWITCHES_H

#include "assembly/layout.h"
#include "model/model.h"

#include <petscsys.h>

enum { ENGAGED_NODES = 2 };

typedef struct {
  double released;              // 0 or 1; numbers only, so that they go to a checkpoint as they are
  double locked[MAX_COORDS];    // 0 or 1 ...
  double lock_at[MAX_COORDS];   // ... and where; NaN: where it is
  double engaged;               // 0 or 1: its reference is where its nodes were then ...
  double at[ENGAGED_NODES][12]; // ... position and axes
} JointSwitch;

typedef struct {
  double off;   // 0 or 1
  double since; // s: when the time of its function began
  double from;  // the coordinate that a motion began at
} LoadSwitch;

typedef struct {
  bool any;           // the model has events
  bool throwing;      // velocities are projected for an event, not for the start
  JointSwitch *joint; // of each joint of the model
  LoadSwitch *load;   // of each load
  Joint **form;       // of each joint that events may change: as it is now; NULL: it stays
} Switches;

// A joint of the model as the switches have it.
static inline const Joint *switches_model_joint(const Layout *layout, const Switches *switches, PetscInt joint) {
  const Joint *form = switches->any ? switches->form[joint] : NULL;
  return form ? form : &model_joint(layout->model, joint)->joint;
}
static inline bool switches_load_acts(const Switches *switches, PetscInt load) {
  return !switches->any || switches->load[load].off == 0;
}

#endif
