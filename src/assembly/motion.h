// SPDX-License-Identifier: Apache-2.0
// The motion of a model: who owns what, the state, and the step under way. An evaluation of a step reads these and nothing else.
#ifndef LIMBER_ASSEMBLY_MOTION_H
#define LIMBER_ASSEMBLY_MOTION_H

#include "assembly/layout.h"
#include "assembly/state.h"
#include "assembly/switches.h"
#include "mechanics/augmented.h"
#include "mechanics/corotation.h"

typedef struct ContactSet ContactSet; // contacts.h

// Strains that multipliers hold at zero by an augmented Lagrangian (mechanics/augmented.h).
typedef struct {
  PetscInt *at; // of each local element: its place in `multiplier`, -1: it is not held; NULL: none of the model is
  AugmentedMultipliers *multiplier;
  double strain;         // the largest left in the last step
  double penalty_factor; // f of augmented.h in the step under way
} AugmentedLagrangian;

// Everything that an evaluation of a step reads: who owns what, the state, and the step under way.
typedef struct {
  Layout layout;
  State state;
  Switches switches;
  StepContext step;
  AugmentedLagrangian augmented;
  bool (*row_off)[MAX_ROWS]; // of local joints: rows that follow from others and carry no force (solvers/redundancy.h)
  ContactSet *contacts;      // of surfaces that may touch (assembly/contacts.h); NULL: the model has none
} Motion;

// The switches of events (switches.h) at the start, and joints in their present form. switches.c
PetscErrorCode MotionCreateSwitches(Motion *motion);
PetscErrorCode SwitchesDestroy(const Layout *layout, Switches *switches);
void motion_form_joints(Motion *motion);

// Whether a local node takes part in the rotation.
static inline bool layout_turns(const Layout *layout, const Spin *spin, PetscInt node) {
  return spin->rate != 0 && (!spin->rotor || spin->rotor->turns[layout->node[node]]);
}

// Whether matrices of the state have a gyroscopic part.
static inline bool layout_has_gyroscopic(const Layout *layout, const Spin *spin) {
  return (spin && spin->rate != 0) || layout->model->wheels.count > 0;
}

// Multipliers of a local element over the step under way; NULL: it is not held.
static inline double (*augmented_multipliers(const AugmentedLagrangian *augmented, PetscInt e))[MAX_ROWS] {
  return augmented->at && augmented->at[e] >= 0 ? augmented->multiplier[augmented->at[e]] : NULL;
}

// The velocity of the mass centre of a node's free component, and the node's v_n against it.
static inline Vec3 step_centre_velocity(const Layout *layout, const StepContext *step, PetscInt node) {
  return layout->free_body[node] < 0 ? vec3_zero() : step->centre_velocity[layout->free_body[node]];
}

// How the velocities of a point turn along with its body over the step under way; NULL: they do not.
static inline const CoRotation *step_corotation(const Layout *layout, const StepContext *step, PetscInt node) {
  PetscInt c = layout->free_body[node];
  return c >= 0 && step->corotation[c].on ? &step->corotation[c] : NULL;
}

static inline NodeState step_node_state(const State *state, const StepContext *step, PetscInt node) {
  return (NodeState){.x = state->x + 4 * node,
                     .v = state->v + 4 * node,
                     .a = state->a ? state->a + 4 * node : NULL,
                     .w = state->w ? state->w + 4 * node : NULL,
                     .dv = state->dv ? state->dv + 4 * node : NULL,
                     .keep = step->recall.keep,
                     .beyond = step->beyond ? step->beyond + 4 * node : NULL,
                     .kept = step->kept ? step->kept + 4 * node : NULL};
}

static inline const Recall *step_element_recall(const StepContext *step) {
  return step->stiffened.delta > 0 ? &step->stiffened : &step->recall;
}

// The switches of events (switches.h) at the start, and joints in their present form. switches.c
PetscErrorCode MotionCreateSwitches(Motion *motion);
PetscErrorCode SwitchesDestroy(const Layout *layout, Switches *switches);
void motion_form_joints(Motion *motion);

#endif
