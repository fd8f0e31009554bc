// SPDX-License-Identifier: Apache-2.0
// Joints side by side, as elements are (batch.h): joints between frames whose rows have no coordinates, BATCH_WIDTH at a time, over a step
// of one stage. Forces on the vectors y are sums of the multipliers, sum_r lambda_r c_rij y_j, before they go to the nodes: the rows
// themselves are formed for the tangent alone.
#ifndef LIMBER_MECHANICS_JOINT_BATCH_H
#define LIMBER_MECHANICS_JOINT_BATCH_H

#include "mechanics/batch.h"
#include "mechanics/joint.h"

enum {
  JOINT_BATCH_NODES = 3, // the ground is the last
  JOINT_BATCH_BLOCKS = 2 * (JOINT_BATCH_NODES - 1) + 2,
  JOINT_BATCH_ENTRIES = MAX_Y * 4 * JOINT_BATCH_NODES,
};

// What is kept of a batch: the rows, whose coefficients differ from lane to lane.
typedef struct {
  int nnode, nrow, ny, nterm, nblock; // blocks: multipliers
  const RowTerm *term;
  int start[MAX_Y + 1], vec[JOINT_BATCH_ENTRIES];
  double coef[JOINT_BATCH_ENTRIES][BATCH_WIDTH], ref[MAX_ROWS][BATCH_WIDTH];
} PackedJoint;

typedef struct {
  BatchStep step;  // node, block and slot of the nodes but the ground; then come the blocks of multipliers
  const int *from; // where the multipliers of each lane start, in blocks
  const int *own;  // the same where the rank owns them, else -1
  const double *unknown;
  const bool *row_off[BATCH_WIDTH]; // rows that follow from others stay without force
} JointBatchStep;

// Whether a joint may stand in a batch, and beside another.
bool joint_fits_batch(const Joint *j, int nnode, const NodeKind *kind);
bool joints_share_batch(const Joint *a, const Joint *b, int nnode_a, int nnode_b);
void joint_batch_pack(const Joint *const joint[BATCH_WIDTH], int nnode, PackedJoint *out);
void joint_batch_evaluate(const PackedJoint *p, const JointBatchStep *j);

#endif
