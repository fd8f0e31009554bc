// SPDX-License-Identifier: Apache-2.0
// Residual and tangent of a step.
#ifndef LIMBER_ASSEMBLY_EVALUATE_H
#define LIMBER_ASSEMBLY_EVALUATE_H

#include "assembly/equations.h"

// Fills amplitudes for a step from `time` of length h.
PetscErrorCode MotionBeginStep(Motion *motion, double h);

// Residual, and the tangent when wanted, at the unknowns of the equations (ghosts are refreshed here).
PetscErrorCode EquationsEvaluate(Motion *motion, Equations *equations, PetscBool tangent);

// For schemes of one stage with forces at the middle of the step: impulse and angular impulse about the origin of loads, contacts,
// and elements and joints at the ground, over the step under way. `size`: sums over nodes of impulses and momentum, and of their
// moments.
typedef struct {
  Vec3 linear, angular;
  double linear_size, angular_size;
} StepImpulse;
PetscErrorCode EquationsImpulse(Motion *motion, Equations *equations, StepImpulse *out);

// Exact momentum: b for the motions of nodes, and what they have beyond the usual scheme (exact_momentum.c).
PetscErrorCode EquationsBalanceMomentum(Motion *motion, Equations *equations, double *residual, PetscBool tangent);

// Adds the item in the scratch to the rows that this rank owns.
PetscErrorCode EquationsAddLocal(const Layout *layout, Equations *equations, PetscInt count, const PetscInt *blocks,
                                 double *residual, PetscBool tangent);

// Elements, joints and frames that are evaluated side by side.

// Elements (element_batches.c). They are grouped when the matrix exists, because a batch knows the places of its blocks
// in it.
PetscErrorCode EquationsCreateBatches(const Layout *layout, Equations *equations);
PetscErrorCode BatchesDestroy(Batches *batches);
PetscErrorCode EquationsEvaluateBatches(const Motion *motion, Equations *equations, double *residual,
                                        PetscBool tangent);

// Joints whose motions are known (joint_batches.c).
PetscErrorCode EquationsCreateJointBatches(const Layout *layout, Equations *equations);
PetscErrorCode BatchesDestroyJointBatches(Batches *batches);
void equations_evaluate_joint_batches(const Motion *motion, Equations *equations, const double *q, double *residual,
                                      PetscBool tangent);
// Values of the rows of joints in batches where the vectors of local node n are `stride` n bytes behind x; others are left
// as they are.
void batches_joint_values(const Batches *batches, const Vec3 *x, size_t stride, double (*out)[MAX_ROWS]);

// Frames (frame_batches.c). The evaluation also finds the motions of all nodes; without a residual it finds only these.
PetscErrorCode EquationsCreateFrames(const Layout *layout, Equations *equations);
PetscErrorCode BatchesDestroyFrames(Batches *batches);
void equations_evaluate_frames(Motion *motion, Equations *equations, const double *q, double *residual,
                               PetscBool tangent);

// Updates the ghosts of the unknowns and the motions of all nodes; EquationsMoveAgain starts from where the last step
// started.
PetscErrorCode EquationsMoveNodes(Motion *motion, Equations *equations);
PetscErrorCode EquationsMoveAgain(Motion *motion, Equations *equations);

// Places of pairs of blocks of nodes in a lane: of the own rows of `count` nodes that are not fixed, NO_SLOT otherwise.
PetscErrorCode MatrixFindBatchSlots(const Layout *layout, MatrixSlots *matrix, PetscInt count, const PetscInt *nodes,
                                    int lane, int *slot);

// Where blocks of items are in the tangent.

// Whether rows of a local block may depend on the unknowns of another of the same item.
bool layout_links(const Layout *layout, PetscInt row, PetscInt col);

// The tangent, zeroed and open for blocks of items in their order, whose places are found first; and closed.
PetscErrorCode MatrixOpenTangent(const Motion *motion, MatrixSlots *matrix);
PetscErrorCode MatrixCloseTangent(const Layout *layout, MatrixSlots *matrix);
PetscErrorCode MatrixFindSlots(const Layout *layout, MatrixSlots *matrix, PetscInt count, const PetscInt *blocks);
void equations_add_blocks(const Layout *layout, Equations *equations, PetscInt count, const PetscInt *blocks);

// Frames without mass or without inertia about an axis: found; and given a trace of it in the tangent that is open.
PetscErrorCode MatrixCreateThinFrames(const Layout *layout, MatrixSlots *matrix);
void matrix_stiffen_thin_frames(const Motion *motion, MatrixSlots *matrix);

#endif
