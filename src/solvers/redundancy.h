// SPDX-License-Identifier: Apache-2.0
// Redundant constraints. Joints that close a loop may hold more than there is to hold: four parallel revolutes in space,
// a Bricard mechanism. Then rows of Ghat (mechanics/projection.h) depend on each other, the tangent is singular and reactions are not
// unique. The rank of Ghat, in the metric of the masses, is found by QR with column pivoting; as many rows as are
// redundant are left out (Motion.row_off) and stay without force, the others keep the mechanism on its way and with it
// those left out. So every row holds to round-off, the work of the joints is zero as before, and reactions of least
// norm are found afterwards, when they are asked for.
//
// Loops are what is left of the graph of nodes and joints when its loose ends are taken off. During the run the choice
// of rows is kept while they stay well independent, and made anew where they do not.
#ifndef LIMBER_SOLVERS_REDUNDANCY_H
#define LIMBER_SOLVERS_REDUNDANCY_H

#include "solvers/solvers.h"

struct Loop {
  PetscInt njoint, *joint;                 // of the model
  PetscInt *local;                         // the same on this rank, -1: not here
  PetscInt (*node_index)[MAX_LOCAL_NODES]; // of each joint's nodes among those of the loop, -1: fixed
  PetscInt nnode, *node;                   // of the model, those that move
  PetscInt *start;                         // first row of each joint; start[njoint]: all rows
  PetscInt *column;                        // of each node: first of its coordinates; column[nnode]: all
  PetscInt redundant;                      // rows left out
  PetscInt interval, wait;                 // steps between looks at the rank
  bool *off;                               // of each row
  double *factor;                          // of each node: 6 x 6, lower: metric = factor factor^T
};

PetscErrorCode RedundancyFindLoops(const Motion *motion, Redundancy *redundancy);
PetscErrorCode RedundancyFreeLoops(Redundancy *redundancy);

// Which rows are redundant.
typedef struct {
  // One line for each loop that has some, one more if they are redundant in this position alone; or what conflicts.
  char text[1024];
  bool conflict;   // drives contradict each other
  size_t singular; // 1 + where the first line on a singular position begins, 0: there is none
} RedundancyReport;
PetscErrorCode RedundancyFindRows(Motion *motion, Redundancy *redundancy, RedundancyReport *report); // at the start
// Gives the choice to another system of the same model.
PetscErrorCode SystemCopyRedundantRows(const System *s, System *other);
// After a step: looks again where it is time to, or everywhere. `changed`: the choice is another.
PetscErrorCode RedundancyUpdate(Motion *motion, Redundancy *redundancy, bool everywhere, bool *changed);
// Makes the multipliers of loops those of least norm.
PetscErrorCode RedundancyLeastNormMultipliers(Motion *motion, Redundancy *redundancy);

#endif
