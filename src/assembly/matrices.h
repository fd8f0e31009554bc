// SPDX-License-Identifier: Apache-2.0
// Matrices of small motions about a state, without a scheme:
//   M q'' + (C + G) q' + K q + B^T lambda = f,   B q = 0,
// q = (u, theta) of every node in ground components, B the rows of the joints. About a state that rotates steadily, q
// is taken in the frame that rotates with it: then G and the part of K that is of centrifugal forces are those of the
// rotation. Rows and columns are those of the system, with a block of 3 for u, one for theta, and those of joints; K
// holds B and B^T in the rows and columns of the multipliers, and the balance of coordinates of joints in their own.
#ifndef LIMBER_ASSEMBLY_MATRICES_H
#define LIMBER_ASSEMBLY_MATRICES_H

#include "assembly/equations.h"

// All of the state of a system whose rule has no inertia (scheme_without_inertia), at its positions, coordinates and
// multipliers and under its loads at its time; the state stays. The caller destroys them.
PetscErrorCode CreateStiffness(Motion *motion, Equations *equations, const Spin *spin, Mat *k);
PetscErrorCode CreateDamping(Motion *motion, Equations *equations, const Spin *spin, Mat *c);
PetscErrorCode CreateMass(const Layout *layout, const State *state, Mat *m);
PetscErrorCode CreateMassDamping(const Layout *layout, const State *state,
                                 Mat *d); // the part of C that is of masses; NULL: there is none
PetscErrorCode CreateGyroscopic(const Motion *motion, const Spin *spin, Mat *g);

// What the tangent of a step leaves out of the centrifugal forces, into a stiffness matrix.
PetscErrorCode AddSpinStiffness(const Layout *layout, const State *state, const Spin *spin, Mat k);

// The balance of forces at the state, in the rows of K: zero in equilibrium.
PetscErrorCode EvaluateForces(Motion *motion, Equations *equations, const Spin *spin, Vec out);

#endif
