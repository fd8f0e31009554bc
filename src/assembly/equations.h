// SPDX-License-Identifier: Apache-2.0
// The equations of a step: their unknowns, and the places that an evaluation writes to.
#ifndef LIMBER_ASSEMBLY_EQUATIONS_H
#define LIMBER_ASSEMBLY_EQUATIONS_H

#include "assembly/motion.h"
#include "mechanics/batch.h"

#include <petscmat.h>

typedef struct { // elements side by side (mechanics/batch.h)
  const ElementBatch *lanes;
  PetscInt element[BATCH_WIDTH]; // local; a lane that is not filled has the first
  void *packed;
  int *node, *block, *slot; // as BatchStep has them
} Batch;

typedef struct {                                                                       // frames side by side
  int node[BATCH_WIDTH], from[BATCH_WIDTH], block[BATCH_WIDTH], slot[4 * BATCH_WIDTH]; // as FrameBatchStep has them
  int filled;                                                                          // lanes
  bool inertia;
} FrameBatch;

typedef struct JointBatch JointBatch; // joints side by side (joint_batches.c)

// Elements and frames that are evaluated side by side.
typedef struct {
  PetscInt nbatch;
  Batch *batch;
  bool *batched; // of local elements
  PetscInt nframe;
  FrameBatch *frame;
  bool *framed; // of local nodes: inertia and loads on masses are evaluated side by side with others'
  PetscInt njoint;
  JointBatch *joint;
  bool *joint_batched; // of local joints
} Batches;

// The tangent, and where the blocks of all items lie in it, one after the other (matrix_slots.c).
typedef struct {
  Mat tangent;
  int *slot;
  PetscInt64 count, room, next;
  double *value[2]; // of the tangent's own and ghost columns
  PetscInt64 made;  // tangents so far
  Mat reduced; // without zero blocks (solvers/contact_pattern.c), and the tangent it is from; NULL: it is not much smaller
  PetscInt64 reduced_from;
  PetscInt nthin; // blocks of frames that lack inertia, where they lie, and others that have some (thin_frames.c)
  int (*thin)[2];
  bool of_rotation; // the slots are of items in a steady rotation, in which frames are evaluated one by one
} MatrixSlots;

typedef struct {       // seconds of a run that is timed
  double (*now)(void); // NULL: nothing is timed
  double evaluate, solve;
} Stopwatch;

// The equations of a step: their unknowns, and the places that an evaluation writes to.
typedef struct {
  Vec unknown, residual, work;
  MatrixSlots matrix;
  Batches batches;
  Local *scratch; // residual and tangent of one item
  Stopwatch watch;
} Equations;

// Whether inertia and loads on masses of a local node are evaluated there.
static inline bool batches_have_frame(const Motion *motion, const Batches *batches, PetscInt node) {
  return batches->framed[node] && motion->step.spin.rate == 0 && motion->layout.nfield <= MAX_BATCH_FIELDS;
}

static inline double equations_clock(const Equations *equations) {
  return equations->watch.now ? equations->watch.now() : 0;
}

#endif
