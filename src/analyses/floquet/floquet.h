// SPDX-License-Identifier: Apache-2.0
// The monodromy matrix of a periodic motion: the product of the derivatives of its steps, in minimal coordinates. All of
// its eigenvalues are found from the matrix itself; a few of the largest by Arnoldi's method from products with vectors,
// which are periods of disturbances (implicit Floquet analysis: Bauchau & Nikishkov, 2001).
//
// A disturbance of the state is (u, theta, dv, dw) of every node. Joints and drives allow those with
//   G (u, theta) = 0,   G (dv, dw) = d(c - G (v, w)) along (u, theta),
// G the rows of the joints on velocities, c the rates of drives. With a basis N of the null space of G, orthonormal in
// a metric W, these are (u, theta) = N y_q, (dv, dw) = N y_v + G^+ d(c - G v); y = N^T W (...) recovers their
// coordinates.
#ifndef LIMBER_ANALYSES_FLOQUET_FLOQUET_H
#define LIMBER_ANALYSES_FLOQUET_FLOQUET_H

#include "analyses/stepping/stepper.h"
#include "limber/floquet.h"
#include "model/refusal.h"

// A disturbance of a rank's state: of its local nodes and joints.
typedef struct {
  Vec3 *x, *v; // 4 per node
  Coords *z;
} Disturbance;

PetscErrorCode DisturbanceCreate(const Layout *layout, Disturbance *d);
PetscErrorCode DisturbanceDestroy(Disturbance *d);
// Sets the state to base + e d. coordinates.c
void disturb(const Layout *layout, State *state, const Disturbance *base, double e, const Disturbance *d);
void disturbance_of_state(const Layout *layout, const State *state, Disturbance *out);
void disturbance_add(const Layout *layout, Disturbance *to, double factor, const Disturbance *d);
void disturbance_zero(const Layout *layout, Disturbance *d);
void disturbance_copy(const Layout *layout, const Disturbance *from, Disturbance *to);

// Minimal coordinates at a state. coordinates.c
typedef struct {
  PetscInt nodes, count; // of the model; degrees of freedom m
  double length;         // scales rotations
  double *basis;         // N W^1/2: 6 nodes x m, by columns
  double *inverse;       // (G W^-1/2)^+: 6 nodes x rows, by columns
  PetscInt rows;         // of all joints
  PetscInt *first;       // row of each joint of the model
  double *row_scale;     // of each row
} Coordinates;

PetscErrorCode CoordinatesCreate(const Motion *motion, Coordinates *c);
PetscErrorCode CoordinatesDestroy(Coordinates *c);
// The disturbance due to 2 m coordinates y; and, back, the coordinates of a disturbance.
PetscErrorCode CoordinatesSpread(Motion *motion, const Coordinates *c, const double *y, Disturbance *out);
PetscErrorCode CoordinatesRead(const Layout *layout, const State *state, const Coordinates *c, const Disturbance *d,
                               double *y);
// Displacements and rotations of all nodes due to the first m coordinates: 6 per node.
void coordinates_displacement(const Coordinates *c, const double *yq, double *out);

// `wrong`: unchanged, or names a node that may move without mass, which has no velocity of its own. coordinates.c
PetscErrorCode CheckMass(const Layout *layout, const State *state, const Coordinates *c, Refusal *wrong);

// Replaces each disturbance by the derivative along it of the step whose unknowns were found. step_derivative.c
PetscErrorCode StepDerivative(Stepper *p, double h, PetscInt count, Disturbance *d);

struct LimberFloquetData {
  LimberFloquetOptions options;
  int count, unknowns; // multipliers; 2 m
  LimberMultiplier *multiplier;
  double *matrix;   // count x count, by columns: M, or its projection ...
  double *space;    // ... on these orthonormal vectors, 2 m x count, by columns; NULL: all vectors
  double *residual; // what M maps out of the space, for each of them
  char (*name)[256];
  double closure;
};

// Allocates multipliers, the matrix and, with fewer of them than unknowns, the space. monodromy.c
PetscErrorCode FloquetAllocate(LimberFloquet f, int count);

// Takes one step; `found` is called when its unknowns are known, before the state moves to its end. monodromy.c
typedef PetscErrorCode (*StepFound)(Stepper *p, double h, void *self);
PetscErrorCode FloquetStep(Stepper *p, double h, StepFound found, void *self, Refusal *wrong);

// The space of the options->count largest multipliers, and the matrix on it. largest.c
PetscErrorCode FloquetLargest(Stepper *p, const Coordinates *c, LimberFloquet f, Refusal *wrong);

// Eigenvalues of the matrix, the largest first, and what moves most in each. multipliers.c
PetscErrorCode FloquetMultipliers(const Layout *layout, const Coordinates *c, LimberFloquet f);
// `wrong`: "" or what is wrong. monodromy.c
PetscErrorCode FloquetCompute(Model model, const LimberFloquetOptions *options, LimberFloquet *out, Refusal *wrong);
PetscErrorCode FloquetDestroy(LimberFloquet *f);

#endif
