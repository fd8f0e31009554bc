// SPDX-License-Identifier: Apache-2.0
// The parts of a composed step (schemes/composition.h) while it is in progress: their solutions, as starting values for
// the next part (dynamic/dynamic.h), and the joint forces in them. For the whole step, means of multipliers, forces and
// moments are reported, weighted with the signed lengths of the parts: h times the mean force is the impulse of the
// joint.
// Equations: eq-order-reaction (3.9).
#ifndef LIMBER_ANALYSES_STEPPING_PARTS_H
#define LIMBER_ANALYSES_STEPPING_PARTS_H

#include "schemes/composition.h"

#include "analyses/stepping/stepper.h"

typedef struct Parts {
  double (*multiplier)[MAX_ROWS]; // of local joints: sums so far
  CoordForces *coord_force;       // likewise
  double *load_force;             // of each load, likewise
  bool *is_multiplier;            // of each own unknown
  double start, whole;            // s: start and length of the composed step
  int count;                      // parts taken so far
  Vec unknown[2 * MOST_PAIRS];
  double middle[2 * MOST_PAIRS], length[2 * MOST_PAIRS];
  Vec last[2];      // the last parts of the previous composed step ...
  double before[2]; // ... and their lengths; 0: none
} Parts;

PetscErrorCode PartsCreate(Stepper *p); // p->parts
PetscErrorCode PartsDestroy(Stepper *p);
PetscErrorCode PartsBegin(Stepper *p, double h);
PetscErrorCode PartsAdd(Stepper *p, double fraction); // adds a part of this length, after the state has moved
void parts_end(Stepper *p);

#endif
