// SPDX-License-Identifier: Apache-2.0
// Brings a system without inertia to an equilibrium under its loads.
#ifndef LIMBER_ANALYSES_STEPPING_SETTLE_H
#define LIMBER_ANALYSES_STEPPING_SETTLE_H

#include "solvers/static_newton.h"

typedef struct {
  bool found;
  bool settled;         // loads could not be put on step by step: the model came to rest from where it stood
  LimberCause free;     // what moves without resistance, and was held where it came to rest
  LimberCause cause;    // not found: what carries the residual
  int iterations, most; // of Newton: taken, and after which the search ends
} Settled;

// From the state, which moves. A factor of 1 in steps; where Newton finds none of them, by steps of pure descent: each is the
// minimum of the potential and of hold/2 |q|^2 in the metric of the masses, with a hold that gets weaker.
PetscErrorCode SystemSettle(System *s, const StaticLoads *loads, Settled *out);
// The same, until `most` iterations of Newton were taken.
PetscErrorCode SystemSettleWithin(System *s, const StaticLoads *loads, int most, Settled *out);

// The state goes to where the unknowns lead.
PetscErrorCode SystemTakeStatic(System *s);

#endif
