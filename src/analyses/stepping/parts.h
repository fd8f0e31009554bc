// SPDX-License-Identifier: Apache-2.0
// The steps that a composed step (schemes/composition.h) is made of, while it is under way: what they found, for the next of them
// (dynamic/dynamic.h), and what joints carry in them. Told of the whole step are the means of multipliers, forces and moments, each
// part weighted by its length, with its sign: h times the mean force is the impulse of the joint.
// Equations: eq-order-reaction (3.9).
#ifndef LIMBER_ANALYSES_STEPPING_PARTS_H
#define LIMBER_ANALYSES_STEPPING_PARTS_H

#include "schemes/composition.h"

#include "analyses/stepping/stepper.h"

typedef struct Parts {
  double (*multiplier)[MAX_ROWS]; // of local joints: their sums so far
  CoordForces *coord_force;       // likewise
  double *load_force;             // of each load, likewise
  bool *is_multiplier;            // of each own unknown
  double start, whole;            // s: of the composed step
  int count;                      // parts that were taken
  Vec unknown[2 * MOST_PAIRS];
  double middle[2 * MOST_PAIRS], length[2 * MOST_PAIRS];
  Vec last[2];      // the last parts of the composed step before ...
  double before[2]; // ... and their lengths; 0: none
} Parts;

PetscErrorCode PartsCreate(Stepper *p); // p->parts
PetscErrorCode PartsDestroy(Stepper *p);
PetscErrorCode PartsBegin(Stepper *p, double h);
PetscErrorCode PartsAdd(Stepper *p, double fraction); // a part of that length, which the state has taken
void parts_end(Stepper *p);

#endif
