// SPDX-License-Identifier: Apache-2.0
// Joints side by side against the same joints one by one, of every kind that fits; and joints without the angles that follow.
#include "check.h"
#include "contract.h"
#include "mechanics/batch.h"

enum { MOST = JOINT_BATCH_BLOCKS, NODES = JOINT_BATCH_NODES };

// Eight motions of one joint, a lane each; the blocks of lane l start at MOST l.
typedef struct {
  MockMotion q[BATCH_WIDTH];
  Vec3 xn[BATCH_WIDTH * NODES][4];
  NodeMotion motion[BATCH_WIDTH * NODES];
  bool off[BATCH_WIDTH][MAX_ROWS];
  int node[NODES * BATCH_WIDTH], block[NODES * BATCH_WIDTH], from[BATCH_WIDTH], own[BATCH_WIDTH],
      slot[MOST * MOST * BATCH_WIDTH];
  double unknown[BATCH_WIDTH * MOST * 3], residual[BATCH_WIDTH * MOST * 3], value[2][BATCH_WIDTH * MOST * MOST * 9];
  PackedJoint packed;
} Lay;

static void lay_out(const Mock *m, const Joint *joint, ForceRule rule, Lay *y) {
  const Joint *lane[BATCH_WIDTH];
  const MockItem *e = &m->item[0];
  int nodes = 2 * (e->nnode - 1), n = nodes + joint_blocks(joint);
  memset(y, 0, sizeof *y);
  for (int l = 0; l < BATCH_WIDTH; l++) {
    MockMotion *q = &y->q[l];
    motion_random(m, 1, q);
    lane[l] = joint, y->from[l] = y->own[l] = MOST * l + nodes;
    for (int r = 0; r < joint->rows.nrow; r++) {
      y->unknown[3 * y->from[l] + r] = q->lambda[0][r];
      y->off[l][r] = (l + r) % 5 == 4;
    }
    for (int a = 0; a < e->nnode; a++) {
      int node = NODES * l + a, i = e->node[a];
      memcpy(y->xn[node], q->xn[i], sizeof y->xn[node]);
      node_motion(m->node[i], rule, q->xn[i], q->u[i][0], q->c[i][0], &y->motion[node]);
      y->node[BATCH_WIDTH * a + l] = node;
      y->block[BATCH_WIDTH * a + l] = m->node[i] == NODE_FRAME ? MOST * l + 2 * a : -1;
    }
    for (int i = 0; i < n * n; i++) { // columns from the third on stand in the second array
      int row = i / n, col = i % n, at = (MOST * l + row) * MOST + col;
      bool fixed = (row < nodes && m->node[e->node[row / 2]] == NODE_FIXED) ||
                   (col < nodes && m->node[e->node[col / 2]] == NODE_FIXED);
      y->slot[BATCH_WIDTH * i + l] = fixed ? NO_SLOT : col < 2 ? at : -1 - at;
    }
  }
  joint_batch_pack(lane, e->nnode, &y->packed);
}

// What rows that are off leave of a joint alone.
static void leave_out(const bool *off, int nrow, int first, const double *lambda, Local *out) {
  for (int r = 0; r < nrow; r++) {
    if (!off[r]) continue;
    out->r[first + r] = lambda[r];
    for (int i = 0; i < out->n; i++) out->k[(first + r) * out->n + i] = i == first + r;
  }
}

static double lane_error(const Mock *m, const Joint *joint, const Tableau *t, int lane, bool tangent, Lay *y) {
  static Local alone;
  const MockItem *e = &m->item[0];
  MockMotion *q = &y->q[lane];
  LocalMotion it;
  int place[MAX_LOCAL_BLOCKS], count = 0; // block in the lane of each block of the item
  double off[2] = {0}, most[2] = {0};
  motion_item(m, q, e, t->force_rule, &it);
  local_begin(&alone, 1, it.nblock + joint_blocks(joint), true); // with the rows: the residual alone takes another way
  joint_evaluate(joint, t, 0.01, &no_recall, NULL, NULL, &it, &q->zn, q->zk, q->lambda, q->torque, &alone);
  leave_out(y->off[lane], joint->rows.nrow, 3 * it.nblock, q->lambda[0], &alone);
  for (int a = 0; a < e->nnode; a++)
    for (int b = 0; b < 2 && it.block[a] >= 0; b++) place[count++] = 2 * a + b;
  for (int b = 0; b < joint_blocks(joint); b++) place[count++] = 2 * (e->nnode - 1) + b;
  for (int i = 0; i < 3 * count; i++) {
    double r = y->residual[3 * (MOST * lane + place[i / 3]) + i % 3];
    off[0] = worse(off[0], fabs(r - alone.r[i])), most[0] = worse(most[0], fabs(r));
    for (int j = 0; j < 3 * count && tangent; j++) {
      int col = place[j / 3];
      double k = y->value[col >= 2][9 * ((MOST * lane + place[i / 3]) * MOST + col) + 3 * (j % 3) + i % 3];
      off[1] = worse(off[1], fabs(k - alone.k[i * alone.n + j])), most[1] = worse(most[1], fabs(k));
    }
  }
  if (!(most[0] > 0) || (tangent && !(most[1] > 0))) return HUGE_VAL;
  return worse(off[0] / most[0], tangent ? off[1] / most[1] : 0);
}

// Values of the rows at the end of the step: exactly those of each joint alone.
static double values_error(const Mock *m, const Joint *joint, int filled) {
  static Lay y;
  double value[BATCH_WIDTH][MAX_ROWS], *to[BATCH_WIDTH], alone[MAX_ROWS], worst = 0;
  lay_out(m, joint, FORCE_MEAN, &y);
  for (int l = 0; l < BATCH_WIDTH; l++) to[l] = l < filled ? value[l] : NULL;
  joint_batch_values(&y.packed, &(JointVectors){y.motion->x, sizeof *y.motion, y.node, filled}, to);
  for (int l = 0; l < filled; l++) {
    LocalMotion it;
    motion_item(m, &y.q[l], &m->item[0], FORCE_MEAN, &it);
    rows_value(&joint->rows, it.xk[0], no_coords, alone);
    for (int r = 0; r < joint->rows.nrow; r++) worst = worse(worst, fabs(value[l][r] - alone[r]));
  }
  return worst;
}

// With so many lanes filled: of few only the first half is evaluated.
static double batch_error(const Mock *m, const Joint *joint, int filled) {
  static Lay y;
  double worst = 0;
  for (int rule = FORCE_CHORD; rule <= FORCE_END; rule++)
    for (int tangent = 0; tangent < 2; tangent++) {
      Tableau t = tableau_any(1, (ForceRule)rule);
      lay_out(m, joint, (ForceRule)rule, &y);
      JointBatchStep step = {.step = {.node = y.node,
                                      .block = y.block,
                                      .slot = y.slot,
                                      .xn = y.xn[0],
                                      .motion = y.motion,
                                      .t = &t,
                                      .h = 0.01,
                                      .residual = y.residual,
                                      .value = {y.value[0], y.value[1]},
                                      .tangent = tangent},
                             .filled = filled,
                             .from = y.from,
                             .own = y.own,
                             .unknown = y.unknown};
      for (int l = 0; l < BATCH_WIDTH; l++) step.row_off[l] = y.off[l];
      joint_batch_evaluate(&y.packed, &step);
      for (int l = 0; l < filled; l++) worst = worse(worst, lane_error(m, joint, &t, l, tangent, &y));
    }
  return worst;
}

TEST(joints_side_by_side_are_as_one_by_one) {
  int fits = 0;
  for (int k = 0; joint_kinds[k]; k++) {
    const JointKind *kind = joint_kinds[k];
    double params[MOCK_PARAMS / sizeof(double)];
    static Mock m;
    for (int i = 0; mock_variant(&m, &i, kind->name, &kind->fields, kind->example_nodes, kind->example, params); i++) {
      NodeKind node[MAX_LOCAL_NODES];
      Joint joint;
      if (!mock_joint(&m, kind, params) && mock_moves(&m)) {
        joint = m.joint;
        if (m.joint.coords_follow) joint_without_coords(&m.joint, &joint);
        for (int a = 0; a < m.item[0].nnode; a++) node[a] = m.node[m.item[0].node[a]];
        if (joint_fits_batch(&joint, m.item[0].nnode, node)) {
          double error = worse(batch_error(&m, &joint, BATCH_WIDTH), batch_error(&m, &joint, BATCH_WIDTH / 2));
          fits++;
          CHECK_LE(worse(values_error(&m, &joint, BATCH_WIDTH), values_error(&m, &joint, BATCH_WIDTH / 2)), 0);
          CHECK_NOTE("%s: %.1e", m.name, error);
          CHECK_LE(error, 1e-14); // 1e-15
        }
      }
      mock_end(&m);
    }
  }
  CHECK(fits >= 8);
}

// Without its row and its angle, where nothing acts on it, a hinge has the same forces and rows.
TEST(a_hinge_without_its_angle_is_the_same_hinge) {
  static Local with, without;
  const JointKind *kind = joint_find("revolute");
  double params[MOCK_PARAMS / sizeof(double)];
  int i = 0;
  static Mock m;
  MockMotion q;
  LocalMotion it;
  Joint joint;
  CHECK(mock_variant(&m, &i, kind->name, &kind->fields, kind->example_nodes, kind->example, params));
  CHECK(!mock_joint(&m, kind, params));
  CHECK(m.joint.coords_follow);
  joint_without_coords(&m.joint, &joint);
  CHECK_INT(joint_unknowns(&m.joint), 7);
  CHECK_INT(joint_unknowns(&joint), 5);
  CHECK_INT(joint.nprojection, m.joint.nprojection);
  motion_random(&m, 1, &q);
  q.lambda[0][5] = 0; // nothing acts on the angle
  Tableau t = tableau_any(1, FORCE_MEAN);
  motion_item(&m, &q, &m.item[0], FORCE_MEAN, &it);
  local_begin(&with, 1, it.nblock + joint_blocks(&m.joint), false);
  joint_evaluate(&m.joint, &t, 0.01, &no_recall, NULL, NULL, &it, &q.zn, q.zk, q.lambda, q.torque, &with);
  local_begin(&without, 1, it.nblock + joint_blocks(&joint), false);
  joint_evaluate(&joint, &t, 0.01, &no_recall, NULL, NULL, &it, &q.zn, q.zk, q.lambda, q.torque, &without);
  for (int r = 0; r < 3 * it.nblock + 5; r++) CHECK_NEAR(without.r[r], with.r[r], 1e-15);
  m.joint.law[0].damping = 1e-3;
  joint_complete(&m.joint);
  CHECK(!m.joint.coords_follow);
  m.joint.law[0].damping = 0, m.joint.loaded[0] = true;
  joint_complete(&m.joint);
  CHECK(!m.joint.coords_follow);
  mock_end(&m);
}

CHECK_MAIN
