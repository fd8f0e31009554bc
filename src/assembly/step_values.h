// SPDX-License-Identifier: Apache-2.0
// Values over the step under way, from the array of unknowns. evaluate.c
#ifndef LIMBER_ASSEMBLY_STEP_VALUES_H
#define LIMBER_ASSEMBLY_STEP_VALUES_H

#include "assembly/motion.h"
#include "mechanics/projection.h"

// y^k of a local node with projection; false if it does not
bool layout_projection(const Layout *layout, const double *q, PetscInt node, ProjectionVelocity *out);

// Velocities of a local node over the step under way, for a frame with material velocity or a point with projection.
void motion_frame_velocity(const Motion *motion, const double *q, PetscInt node, MaterialVelocity *out);
void motion_point_velocity(const Motion *motion, const double *q, PetscInt node, PointVelocity *out);

void motion_start_velocity(const Motion *motion, PetscInt node, Vec3 vn[2]);

// Ghat of a local joint at t_n, as the step under way sees it, or as velocities are.
void motion_projection_rows(const Motion *motion, PetscInt joint, bool stepping, ProjectionRows *out);

// mu^k of a local joint with projection
void layout_projection_multipliers(const Layout *layout, const double *q, PetscInt joint,
                                   double mu[MAX_STAGES][MAX_ROWS]);

// Keeps the multipliers of a local joint over the step under way, before the state moves.
void motion_store_multipliers(Motion *motion, const double *q, PetscInt joint);

// What a load puts on its coordinate of a local joint in the step under way, which takes it to zk.
void motion_joint_load(const Motion *motion, PetscInt joint, PetscInt load, const Coords *zk, CoordLoad *out);

// multipliers and coordinates of a local joint
void state_joint_unknowns(const Layout *layout, const State *state, const double *q, PetscInt joint,
                          double lambda[MAX_STAGES][MAX_ROWS], Coords *zk);

// The nodes of a local element over the step under way.
void state_gather_element(const Layout *layout, const State *state, const double *q, PetscInt e, LocalMotion *it);

#endif
