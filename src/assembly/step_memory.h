// SPDX-License-Identifier: Apache-2.0
// What a scheme remembers of the last step.
#ifndef LIMBER_ASSEMBLY_STEP_MEMORY_H
#define LIMBER_ASSEMBLY_STEP_MEMORY_H

#include "assembly/equations.h"

PetscErrorCode MotionCreateMemory(Motion *motion);
PetscErrorCode StepDestroyMemory(StepContext *step);
// How many increments of its rows an element of the model remembers.
int layout_remembers(const Layout *layout, PetscInt element);
// Forgets all steps, except at nodes whose velocities are still those in `before`.
PetscErrorCode StateForget(const Layout *layout, State *state, const Vec3 *before);

// How the surroundings of each local point turned from x_before to x: theta of the Cayley map, 2 tan(phi/2) along the
// axis; zero for other nodes.
PetscErrorCode EquationsFindPointRotations(Motion *motion, Equations *equations, Vec3 *rotation);
// What a step of length h recalls.
Recall state_recall(const Layout *layout, const State *state, double h);
// The increments that a local element remembers for the next step, or those that the `last` step recalled; NULL: none.
const double *state_past(const State *state, PetscInt e, bool last);

// The step under way of a local element; and what it gives to the balance of energy, before or after the state moved.
ElementStep motion_element_step(const Motion *motion, PetscInt e);
void motion_element_balance(Motion *motion, PetscInt e, bool moved, ElementBalance *balance);

// After the state moved: takes the step into memory; `own` gets the books of all elements that this rank counts.
PetscErrorCode EquationsRemember(Motion *motion, Equations *equations, ElementBalance *own);

// Strains and forces at a point of a local element, or of one of its cells, in the balance of the last step; of the
// state where there was none. `strain` and `force` stay as they are for a cell without points.
void motion_section(const Motion *motion, PetscInt e, int g, double *strain, double *force);
// What an element's kind reports of the flow around a point over the last step, or at the state (flow_values).
void motion_flow_values(const Motion *motion, PetscInt e, int g, double *out);
// Fills what flows around a local element over a step of the length and tableau of `step` that begins at a time.
void motion_take_flow(const Motion *motion, PetscInt e, double time, ElementStep *step);

void motion_cell_section(const Motion *motion, PetscInt e, int cell, double *strain, double *force);

#endif
