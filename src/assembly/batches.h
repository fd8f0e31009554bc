// SPDX-License-Identifier: Apache-2.0
// Elements, joints and frames that are evaluated side by side.
#ifndef LIMBER_ASSEMBLY_BATCHES_H
#define LIMBER_ASSEMBLY_BATCHES_H

#include "assembly/equations.h"

// Puts elements side by side that may stand so; finds where their blocks lie once the matrix is there; evaluates them.
PetscErrorCode EquationsCreateBatches(const Layout *layout, Equations *equations);
PetscErrorCode BatchesDestroy(Batches *batches);
PetscErrorCode EquationsEvaluateBatches(const Motion *motion, Equations *equations, double *residual,
                                        PetscBool tangent);

// The same of joints, whose motions are known.
PetscErrorCode EquationsCreateJointBatches(const Layout *layout, Equations *equations);
PetscErrorCode BatchesDestroyJointBatches(Batches *batches);
void equations_evaluate_joint_batches(const Motion *motion, Equations *equations, const double *q, double *residual,
                                      PetscBool tangent);

// The same of frames, with the motions of all nodes; without a residual the motions alone.
PetscErrorCode EquationsCreateFrames(const Layout *layout, Equations *equations);
PetscErrorCode BatchesDestroyFrames(Batches *batches);
void equations_evaluate_frames(Motion *motion, Equations *equations, const double *q, double *residual,
                               PetscBool tangent);

// Ghosts of the unknowns as their owners have them, and the motions of all nodes by them; the same from the start of the last step.
PetscErrorCode EquationsMoveNodes(Motion *motion, Equations *equations);
PetscErrorCode EquationsMoveAgain(Motion *motion, Equations *equations);

// Places of pairs of blocks of nodes in a lane: of the own rows of `count` nodes that are not fixed, NO_SLOT otherwise.
PetscErrorCode MatrixFindBatchSlots(const Layout *layout, MatrixSlots *matrix, PetscInt count, const PetscInt *nodes,
                                    int lane, int *slot);

#endif
