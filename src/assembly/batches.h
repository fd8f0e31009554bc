// SPDX-License-Identifier: Apache-2.0
// Elements, joints and frames that are evaluated side by side.
#ifndef LIMBER_ASSEMBLY_BATCHES_H
#define LIMBER_ASSEMBLY_BATCHES_H

#include "assembly/equations.h"

// Elements (element_batches.c). They are grouped when the matrix exists, because a batch knows the places of its blocks in it.
PetscErrorCode EquationsCreateBatches(const Layout *layout, Equations *equations);
PetscErrorCode BatchesDestroy(Batches *batches);
PetscErrorCode EquationsEvaluateBatches(const Motion *motion, Equations *equations, double *residual,
                                        PetscBool tangent);

// Joints whose motions are known (joint_batches.c).
PetscErrorCode EquationsCreateJointBatches(const Layout *layout, Equations *equations);
PetscErrorCode BatchesDestroyJointBatches(Batches *batches);
void equations_evaluate_joint_batches(const Motion *motion, Equations *equations, const double *q, double *residual,
                                      PetscBool tangent);

// Frames (frame_batches.c). The evaluation also finds the motions of all nodes; without a residual it finds only these.
PetscErrorCode EquationsCreateFrames(const Layout *layout, Equations *equations);
PetscErrorCode BatchesDestroyFrames(Batches *batches);
void equations_evaluate_frames(Motion *motion, Equations *equations, const double *q, double *residual,
                               PetscBool tangent);

// Updates the ghosts of the unknowns and the motions of all nodes; EquationsMoveAgain starts from where the last step started.
PetscErrorCode EquationsMoveNodes(Motion *motion, Equations *equations);
PetscErrorCode EquationsMoveAgain(Motion *motion, Equations *equations);

// Places of pairs of blocks of nodes in a lane: of the own rows of `count` nodes that are not fixed, NO_SLOT otherwise.
PetscErrorCode MatrixFindBatchSlots(const Layout *layout, MatrixSlots *matrix, PetscInt count, const PetscInt *nodes,
                                    int lane, int *slot);

#endif
