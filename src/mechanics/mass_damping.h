// SPDX-License-Identifier: Apache-2.0
// Damping of masses against the ground. The elements around a node give its vectors x_a = (r, d_1, d_2, d_3) the matrix
// D = sum alpha M, M the ambient mass of each (inertia.h), and in the balance of stage k forces
//   f_a = sum_b D_ab (x_b,k - x_b,n)/h,
// whose work on the way of the stage is sum_ab D_ab (x_a,k - x_a,n).(x_b,k - x_b,n)/h >= 0, as of any damper (element.h): D is
// symmetric and positive semidefinite. Balances at the end of a step have the velocities there in place of the chords.
// Equations: eq-law-mass-damper (9.3), eq-law-mass-damper-work (9.4).
#ifndef LIMBER_MECHANICS_MASS_DAMPING_H
#define LIMBER_MECHANICS_MASS_DAMPING_H

#include "mechanics/node.h"

typedef struct { // velocities of a node's vectors in the balance of a stage: start + slope (x_k - x_n)
  double slope;
  Vec3 start[4];
} VectorVelocity;

// Adds residual and tangent over all stages, at block 0.
void mass_damping_add(NodeKind kind, int stages, const double d[4][4], const VectorVelocity *v, const NodeMotion *m,
                      Local *out);

// What it takes in a step, from the motions over the stages.
double mass_damping_work(const Tableau *t, double h, int nvec, const double d[4][4], const NodeMotion *m);

// In a steady rotation of the whole by omega about `centre`: forces D_ab omega x (x_b - centre) and their tangent, of one stage.
void mass_damping_add_rotation(NodeKind kind, const double d[4][4], Vec3 omega, Vec3 centre, const NodeMotion *m,
                               Local *out);

#endif
