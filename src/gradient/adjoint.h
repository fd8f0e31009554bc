// SPDX-License-Identifier: Apache-2.0
// Derivatives of runs in time by the adjoint method. A step solves R(q; S, p) = 0 and moves the state to F(S, q, p).
// From the last step to the first, with the multipliers lambda of the next state,
//   R_q^T mu = -F_q^T lambda,   lambda <- R_S^T mu + F_S^T lambda + J_S,   dJ/dp = sum R_p . mu + F_p . lambda + J_p
// for a quantity J of the rows of the run. Products with transposed matrices follow item by item (product.h); R_q^T mu is
// solved with the factors of the transposed tangent, and what this omits is corrected by repetition. States of steps come
// from copies in memory between which the run is repeated, to the bit.
// Equations: eq-gradient-reverse (27.11), eq-gradient-reverse-sum (27.12).
#ifndef LIMBER_GRADIENT_ADJOINT_H
#define LIMBER_GRADIENT_ADJOINT_H

#include "gradient/gradient.h"
#include "gradient/product.h"

#include "analyses/stepping/saved_state.h"

typedef struct { // nodes, elements or joints on which a parameter acts
  bool *is;
  PetscInt *list, count, all;
} Touched;

typedef struct { // a number of the state at the start of shadows, less that of the run
  size_t place;  // in a vector of the state
  double differs[MOST_POINTS];
} StartDifference;

typedef struct { // sums over differences of +1 and -2 lengths: by how much they are not on a line, and they themselves
  double bend, size;
} Straightness;

typedef struct {
  int parameter;
  double delta;
  Shadow shadow[MOST_POINTS];
  Motion view[MOST_POINTS]; // of shadows, at the state of the run
  bool linear;              // in it, as far as is known: shadows on one side serve
  double bend;              // by how much two of them disagree, over the difference
  Straightness in_steps;    // of items, in all steps that were looked at
  bool loads;               // it acts on functions of time
  Touched touched[ITEMS];
  StartDifference *start;
  size_t starts;
  bool in_columns; // columns depend on it other than through the state
} AdjointParameter;

typedef struct {
  int from;      // number of the array in the list of the state ...
  size_t number; // ... and of the number in it
  size_t place;  // in a vector of the state
} ColumnEntry;

typedef struct { // what a column depends on
  ColumnEntry *entry;
  int count, room;
} ColumnSupport;

typedef struct {
  const GradientProblem *p;
  LimberRun run;
  Refusal *wrong;
  GradientColumns columns;
  ColumnSupport *support; // of each column
  bool energies;          // columns depend on those of the ledger
  bool formulas;          // some are formulae, which may forget what they read
  size_t size;            // of a vector of the state
  double *value;          // columns of all rows, one row after the other
  double *weight;         // of each quantity's rows
  int count;              // quantities
  double **lambda, **next;
  // Of quantities by parameters: the derivative, by fewer points, squares of its parts, and errors from kinks and from
  // tolerances at the start.
  double *sum, *rough, *square, *noise;
  AdjointParameter *parameter;
  int parameters;
  StepProduct product;
  StateParts next_parts, state_parts;
  double *unknown, *residual;
  Vec rhs;
  StateCopy *copy; // states kept
  int copies;
} Adjoint;

PetscErrorCode RunAdjoint(const GradientProblem *p, Refusal *wrong); // adjoint.c

// adjoint_columns.c
PetscErrorCode AdjointFindSupport(Adjoint *w);
// Adds weight times the slopes of a column at the state of the run.
PetscErrorCode AdjointAddColumn(Adjoint *w, int column, double weight, double *lambda);
// Turns multipliers of the energies of the ledger to those of the state.
PetscErrorCode AdjointSpreadLedger(Adjoint *w, double *lambda);

// adjoint_parameters.c
PetscErrorCode AdjointParameterCreate(Adjoint *w, int parameter, AdjointParameter *out);
PetscErrorCode AdjointParameterDestroy(AdjointParameter *a);
// Finds on which items it acts at the state of the run and the step that has begun, of which the products of items are known.
PetscErrorCode AdjointTouch(Adjoint *w, AdjointParameter *a);
// Finds whether it acts linearly in all these steps.
PetscErrorCode AdjointJudge(Adjoint *w, AdjointParameter *a);
// Moves all numbers of the state of the run away, and back from those that were kept: at an arbitrary state no spring is at
// rest by chance.
PetscErrorCode AdjointDisturb(Adjoint *w, bool away, double *kept);
// Finds which parameters act on columns at a given state. The run is at its end.
PetscErrorCode AdjointFindInColumns(Adjoint *w);
// Adds what a step gives to the derivative of quantity k.
PetscErrorCode AdjointAddStep(Adjoint *w, AdjointParameter *a, int k);
// The same of the start of the run, and of the columns of a row, which have weights of the quantities.
PetscErrorCode AdjointAddStart(Adjoint *w, AdjointParameter *a, int k);
PetscErrorCode AdjointAddRow(Adjoint *w, AdjointParameter *a, const double *weight);

#endif
