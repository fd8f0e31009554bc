// SPDX-License-Identifier: Apache-2.0
// Redundant constraints. Joints that close a loop may constrain more than there is to constrain, such as four parallel
// revolutes in space or a Bricard mechanism. Rows of Ghat (mechanics/projection.h) then depend on each other: the
// tangent is singular and reactions are not unique. QR with column pivoting finds the rank of Ghat in the mass metric.
// Redundant rows are left out (Motion.row_off) and carry no force; the remaining rows imply them. So every row is
// satisfied to round-off and the work of the joints stays zero. Reactions of least norm are computed afterwards, on
// request.
//
// Loops are what remains of the graph of nodes and joints after its loose ends are removed. During a run the choice of
// rows is kept while they are well independent, and renewed otherwise.
#ifndef LIMBER_SOLVERS_REDUNDANCY_H
#define LIMBER_SOLVERS_REDUNDANCY_H

#include "solvers/solvers.h"

struct Loop {
  PetscInt njoint, *joint;                 // of the model
  PetscInt *local;                         // the same on this rank, -1: not here
  PetscInt (*node_index)[MAX_LOCAL_NODES]; // index of each joint's nodes among those of the loop; -1: fixed
  PetscInt nnode, *node;                   // of the model; only those that move
  PetscInt *start;                         // first row of each joint; start[njoint]: all rows
  PetscInt *column;                        // first column of each node; column[nnode]: all columns
  PetscInt redundant;                      // rows left out
  PetscInt interval, wait;                 // steps between checks of the rank; steps since the last one
  bool *off;                               // for each row: left out
  double *factor;                          // for each node: 6 x 6, lower triangle; metric = factor factor^T
};

PetscErrorCode RedundancyFindLoops(const Motion *motion, Redundancy *redundancy);
PetscErrorCode RedundancyFreeLoops(Redundancy *redundancy);

// Which rows are redundant.
typedef struct {
  // One line per loop with redundant rows and one more if they are redundant only in this position; or the conflict.
  char text[1024];
  bool conflict;   // drives contradict each other
  size_t singular; // 1 + start of the first line about a singular position; 0: none
} RedundancyReport;
PetscErrorCode RedundancyFindRows(Motion *motion, Redundancy *redundancy, RedundancyReport *report); // at the start
// Copies the choice to another system of the same model.
PetscErrorCode SystemCopyRedundantRows(const System *s, System *other);
// After a step: checks the loops whose interval has passed, or all of them. `changed`: the choice changed.
PetscErrorCode RedundancyUpdate(Motion *motion, Redundancy *redundancy, bool everywhere, bool *changed);
// Replaces the multipliers of loops by those of least norm.
PetscErrorCode RedundancyLeastNormMultipliers(Motion *motion, Redundancy *redundancy);

#endif
