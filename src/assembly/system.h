// SPDX-License-Identifier: Apache-2.0
// A model on PETSc: its motion, the equations of a step and what solves them.
//
// Unknowns are in blocks of 3 for each stage (block size 3 s): a point has one block (u), a frame two (u, c), a
// joint ceil(m/3) with its multipliers and angle. Each rank evaluates every element and joint that touches a node of
// its own and keeps only its own rows, so assembly sends nothing and its sums have one order.
#ifndef LIMBER_ASSEMBLY_SYSTEM_H
#define LIMBER_ASSEMBLY_SYSTEM_H

#include "assembly/equations.h"
#include "assembly/motion.h"

#include <petscksp.h>

typedef struct Loop Loop; // redundancy.h
typedef struct MomentumColumns MomentumColumns;

typedef struct { // of which step a solver's factors are
  double time, h;
  const StepRule *rule;
  PetscInt64 tangent, checked; // counts of the tangent that they are of, and of the last one that they solved well
  bool made;
} FactorRecord;

// Rows of joints that follow from others (solvers/redundancy.h).
typedef struct {
  PetscInt nloop;
  Loop *loop;
  bool least_norm; // the multipliers of loops are those of least norm
} Redundancy;

// The solvers of a linear system, and their vectors (solvers/linear_solver.c).
typedef struct {
  Vec increment, correction;
  Vec scale;                // of unknowns, for iterative solvers; NULL: none yet
  PetscInt64 scale_tangent; // the tangent that the sizes are of
  KSP ksp, robust;          // the fast solver; MUMPS
  FactorRecord factors[2];  // of both
  bool factor_lasts;        // beyond a step
  bool inexact;             // the last solution came by iterations, and was checked there
  int nfallback;            // times that the fast solver had to give way lately (linear_solver.c)
  PetscInt64 fallbacks;     // so far
  PetscInt64 solutions;     // so far
  bool used[2], failed[2];  // both solvers, since the system was created
  // What the tangent lacks with exact momentum (solvers/momentum_columns.c); NULL: nothing.
  MomentumColumns *momentum;
} LinearSolver;

// The first correction of the last step whose second one was round-off (solvers/step_newton.c). A step that begins as
// well needs no second correction.
typedef struct {
  double energy, size; // J; largest correction; 0: there is none
  int64_t since;       // steps with one correction since then
} SingleCorrection;

typedef struct {      // reports the corrections of Newton's method (solvers/newton.c)
  LimberMonitor call; // NULL: none
  void *data;
  long long step; // under way
} NewtonMonitor;

// A model in motion, its equations and what solves them.
typedef struct {
  Motion motion;
  Equations equations;
  LinearSolver linear;
  NewtonMonitor monitor;
  SingleCorrection single;
  Redundancy redundancy;
  struct SpareSolver
      *spare; // of a workspace (workspace.h): matrix, vectors and solvers go back there; NULL: they are its own
} System;

#endif
