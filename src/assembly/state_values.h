// SPDX-License-Identifier: Apache-2.0
// Values of the state as they are reported, and the unknowns as an array.
#ifndef LIMBER_ASSEMBLY_STATE_VALUES_H
#define LIMBER_ASSEMBLY_STATE_VALUES_H

#include "assembly/equations.h"
#include "assembly/motion.h"
#include "mechanics/projection.h"

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

// Values over the step under way, from the array of unknowns. evaluate.c

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

// Velocities of free bodies: of their mass centres, and how those of points turn along.

// Momentum of a local node, and its angular momentum about the origin.
void state_node_momentum(const Layout *layout, const State *state, PetscInt node, Vec3 *momentum, Vec3 *angular);

// Mass-centre velocity of every free component.
PetscErrorCode MotionFindCentreVelocities(Motion *motion);
// Exact momentum: the memory of the start; values at the start of a step; what velocities are at its end, with the increments
// that the next one recalls.
PetscErrorCode MotionStartMomentum(Motion *motion);
PetscErrorCode MotionBeginMomentum(Motion *motion);
PetscErrorCode MotionKeepMomentum(Motion *motion);

// What the tangent of single nodes lacks, -left inverse right^T with the inverse of a component; the last three of a free
// component: left right^T. Columns and rows over the unknowns of a local node.
typedef struct {
  double left[6][6], right[6][6];
  bool free;
} MomentumNode;
void motion_momentum_columns(const Motion *motion, PetscInt node, MomentumNode *out);

// How the velocities of free bodies of points turn along over the step that began; none where a load changes.
PetscErrorCode MotionFindCorotation(Motion *motion);

#endif
