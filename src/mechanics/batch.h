// SPDX-License-Identifier: Apache-2.0
// Elements side by side. Elements of one kind and shape are evaluated BATCH_WIDTH at a time, one in each lane of a
// vector: every operation is one of an element alone, and the results do not depend on which elements share a batch.
// The sums are the same in the same order whatever vectors the machine has.
#ifndef LIMBER_MECHANICS_BATCH_H
#define LIMBER_MECHANICS_BATCH_H

#include "mechanics/joint.h"
#include "mechanics/lanes.h"
#include "mechanics/node.h"
#include "mechanics/tableau.h"

#include <limits.h>
#include <stddef.h>

enum { NO_SLOT = INT_MIN };

// Lanes that are evaluated where so many are filled.
static inline int batch_lanes(int filled) { return filled <= BATCH_WIDTH / 2 ? BATCH_WIDTH / 2 : BATCH_WIDTH; }

// What a batch reads and adds to. Arrays with a place for each lane have BATCH_WIDTH numbers for each node or pair of
// blocks; a lane that is not filled repeats another, without blocks.
typedef struct {
  const int *node;  // of the state: its vectors are xn + 4 node, its motions motion + s node
  const int *block; // where the node's rows start in the residual, in blocks; -1: it has none
  const int *slot;  // of each pair of blocks, those of the nodes in order: its place in value[0], or in value[1]
                    // counted from -1 down; or NO_SLOT
  const Vec3 *xn;
  const NodeMotion *motion;
  const Tableau *t;
  double h;
  double *residual, *value[2]; // blocks are stored by columns
  bool tangent;
  const Recall *recall;
  const double *past[BATCH_WIDTH]; // increments of each element's rows that are remembered; all or none are NULL
} BatchStep;

typedef struct ElementBatch {
  int (*shape)(const void *data); // elements with the same one may stand side by side; 0: with none
  size_t (*size)(int shape);      // of what is kept of a batch over a run
  void (*pack)(const void *const data[BATCH_WIDTH], void *packed);
  void (*evaluate)(const void *packed, const BatchStep *step);
} ElementBatch;

// ---- frames ----

// A load on masses: of each lane's frame mass and first moments, and the acceleration in the balance of each stage.
typedef struct {
  const double *first[BATCH_WIDTH];
  Vec3 acceleration[MAX_STAGES];
} BatchField;
enum { MAX_BATCH_FIELDS = 4 };

// Frames side by side: their motions, and of a rank's own without projection inertia and loads on masses, as node.c has
// them. Numbers of frame n of the state start at 4 n of x and v, at n of the other arrays.
typedef struct {
  BatchStep step;  // node; block and place as of an element of one node; its motions are filled here
  int filled;      // lanes
  const int *from; // where the unknowns of each lane's frame start, in blocks
  const double *unknown;
  NodeMotion *motion;
  bool inertia, material; // wanted; by material velocities, or else by the accelerations of `rates`
  const Inertia *body;
  const double (*mass)[4][4];
  const Vec3 *v, *centre_velocity[BATCH_WIDTH];
  const AmbientRates *rates; // of each lane
  int nfield;
  BatchField field[MAX_BATCH_FIELDS];
} FrameBatchStep;

void frames_evaluate(const FrameBatchStep *f);
void frames_evaluate_narrow(const FrameBatchStep *f); // at most half of the lanes are filled

// Joints side by side, as elements are: joints between frames whose rows have no coordinates, BATCH_WIDTH at
// a time, over a step of one stage. Forces on the vectors y are sums of the multipliers, sum_r lambda_r c_rij y_j,
// before they go to the nodes: the rows themselves are formed for the tangent alone.

enum {
  JOINT_BATCH_NODES = 3, // the ground is the last
  JOINT_BATCH_BLOCKS = 2 * (JOINT_BATCH_NODES - 1) + 2,
  JOINT_BATCH_Y = 10,
  JOINT_BATCH_ENTRIES = JOINT_BATCH_Y * 4 * JOINT_BATCH_NODES,
};

// What is kept of a batch: the rows, whose coefficients differ from lane to lane.
typedef struct {
  int nnode, nrow, ny, nterm, nblock; // blocks: multipliers
  const RowTerm *term;
  int start[JOINT_BATCH_Y + 1], vec[JOINT_BATCH_ENTRIES];
  double coef[JOINT_BATCH_ENTRIES][BATCH_WIDTH], ref[MAX_ROWS][BATCH_WIDTH];
} PackedJoint;

typedef struct {
  BatchStep step;  // node, block and slot of the nodes but the ground; then come the blocks of multipliers
  int filled;      // lanes
  const int *from; // where the multipliers of each lane start, in blocks
  const int *own;  // the same where the rank owns them, else -1
  const double *unknown;
  const bool *row_off[BATCH_WIDTH]; // rows that follow from others stay without force
} JointBatchStep;

typedef struct { // vectors of nodes at any time
  const Vec3 *x; // of node n: `stride` n bytes further on
  size_t stride;
  const int *node; // as in a BatchStep
  int filled;      // lanes
} JointVectors;

// Whether a joint may stand in a batch, and beside another.
bool joint_fits_batch(const Joint *j, int nnode, const NodeKind *kind);
bool joints_share_batch(const Joint *a, const Joint *b, int nnode_a, int nnode_b);
void joint_batch_pack(const Joint *const joint[BATCH_WIDTH], int nnode, PackedJoint *out);
void joint_batch_evaluate(const PackedJoint *p, const JointBatchStep *j);
void joint_batch_evaluate_narrow(const PackedJoint *p, const JointBatchStep *j); // at most half of the lanes are filled
// Values of the rows of each lane's joint, to a place for each lane; NULL: to none.
void joint_batch_values(const PackedJoint *p, const JointVectors *v, double *const to[]);
void joint_batch_values_narrow(const PackedJoint *p, const JointVectors *v, double *const to[]);

#endif
