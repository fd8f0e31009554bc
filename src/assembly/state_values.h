// SPDX-License-Identifier: Apache-2.0
// Values of the state as they are reported, and the unknowns as an array.
#ifndef LIMBER_ASSEMBLY_STATE_VALUES_H
#define LIMBER_ASSEMBLY_STATE_VALUES_H

#include "assembly/equations.h"

// Ghosts of the unknowns as their owners have them; own and ghost unknowns as one array, and done with it.
PetscErrorCode EquationsRefresh(const Layout *layout, Equations *equations);
PetscErrorCode EquationsOpenUnknowns(const Layout *layout, const Equations *equations, Vec *local, const double **q);
PetscErrorCode EquationsCloseUnknowns(const Layout *layout, const Equations *equations, Vec *local, const double **q);

// The nodes of a local joint: their kinds, first vectors and vectors as the state is.
typedef struct {
  NodeKind kind[MAX_LOCAL_NODES];
  int first[MAX_LOCAL_NODES];
  Vec3 x[MAX_LOCAL_VECTORS];
} JointState;
void state_get_joint(const Layout *layout, const State *state, PetscInt joint, JointState *out);

// The largest |g| of a local joint as the state is, and of all, with the joint of the model that has it.
double motion_joint_gap(const Motion *motion, PetscInt joint);
PetscErrorCode MotionWorstGap(const Motion *motion, double *gap, PetscInt *joint);

// Coordinates of a local joint at the end of the step under way that are no unknowns of it.
Coords motion_followed_coords(const Motion *motion, PetscInt joint);

// What is reported of a local node, in ground components: position and axes (zero of a point), velocity and angular
// velocity.
void motion_node_values(const Motion *motion, PetscInt node, Vec3 x[4], Vec3 *velocity, Vec3 *angular);

// An angular velocity of the state as it is reported: the slope of the angle, where the scheme's own is a tangent.
Vec3 motion_reported_rate(const Motion *motion, Vec3 angular);

// The rates of a local joint's coordinates, as they are reported or as the state has them.
Coords motion_coordinate_rates(const Motion *motion, PetscInt joint, bool reported);

// The vectors of a local element's nodes; returns their number.
int state_element_vectors(const Layout *layout, const State *state, PetscInt e, Vec3 *x);

#endif
