// SPDX-License-Identifier: Apache-2.0
// Equations: eq-rows-form (2.1), eq-rows-work (2.2), eq-node-moment (1.4).
#include "mechanics/batch.h"

#include "mechanics/batch3.h"

#ifndef NARROW_BATCH

// ---- what stands side by side ----

bool joint_fits_batch(const Joint *j, int nnode, const NodeKind *kind) {
  if (j->ncoord > 0 || j->rows.nroot > 0 || nnode < 2 || nnode > JOINT_BATCH_NODES) return false;
  for (int t = 0; t < j->rows.nterm; t++)
    if (j->rows.term[t].factor != FACTOR_ONE) return false;
  for (int a = 0; a < nnode; a++)
    if (kind[a] == NODE_POINT) return false;
  return kind[nnode - 1] == NODE_FIXED;
}

bool joints_share_batch(const Joint *a, const Joint *b, int nnode_a, int nnode_b) {
  return nnode_a == nnode_b && a->rows.term == b->rows.term && a->rows.nterm == b->rows.nterm &&
         a->rows.nrow == b->rows.nrow && a->rows.ny == b->rows.ny;
}

// Whether y_i of a joint has the vector, and how much of it.
static bool has_vector(const Rows *p, int i, int vec, double *coef) {
  bool any = false;
  *coef = 0;
  for (int e = p->start[i]; e < p->start[i + 1]; e++)
    if (p->vec[e] == vec) any = true, *coef += p->coef[e];
  return any;
}

// An entry that some lanes do not have is zero there.
void joint_batch_pack(const Joint *const joint[BATCH_WIDTH], int nnode, PackedJoint *out) {
  const Rows *p = &joint[0]->rows;
  int n = 0;
  out->nnode = nnode, out->nrow = p->nrow, out->ny = p->ny, out->nterm = p->nterm, out->term = p->term;
  out->nblock = joint_blocks(joint[0]);
  for (int i = 0; i < p->ny; i++) {
    out->start[i] = n;
    for (int v = 0; v < 4 * nnode; v++) {
      bool any = false;
      for (int l = 0; l < BATCH_WIDTH; l++) any = has_vector(&joint[l]->rows, i, v, &out->coef[n][l]) || any;
      if (any) out->vec[n++] = v;
    }
  }
  out->start[p->ny] = n;
  for (int r = 0; r < p->nrow; r++)
    for (int l = 0; l < BATCH_WIDTH; l++) out->ref[r][l] = joint[l]->rows.ref[r];
}

#endif

// ---- evaluation ----

enum { MOVING = JOINT_BATCH_NODES - 1, VECTORS = 4 * JOINT_BATCH_NODES };

typedef struct {
  Batch3 xn[VECTORS], xk[VECTORS]; // at both ends
  Batch3 yn[MAX_Y], yk[MAX_Y];     // the same of y
  Batch3 at[MAX_Y];                // y where forces act: at the middle, or at the end
  BatchMotion m[JOINT_BATCH_NODES];
  BatchReal lambda[3 * MAX_ROWS];
  Batch3 force[VECTORS];
  BatchReal kappa[4 * MOVING][4 * MOVING]; // d force_i/d x_j, multiples of the identity
  unsigned has_kappa[4 * MOVING];          // of each i a bit for each j where it may be other than zero
} JointBatchWork;

INLINE void gather_nodes(const PackedJoint *p, const JointBatchStep *j, JointBatchWork *w) {
  const double *from[LANES];
  for (int a = 0; a < p->nnode; a++) {
    const int *node = j->step.node + BATCH_WIDTH * a;
    for (int l = 0; l < LANES; l++) from[l] = &j->step.xn[4 * (size_t)node[l]].x;
    batch_gather(from, 12, &w->xn[4 * a].x);
    for (int l = 0; l < LANES; l++) from[l] = &j->step.motion[node[l]].x[0].x;
    batch_gather(from, j->step.tangent ? 36 : 24, &w->m[a].x[0].x);
    for (int i = 0; i < 4; i++) w->xk[4 * a + i] = w->m[a].x[i];
  }
  for (int l = 0; l < LANES; l++) from[l] = j->unknown + 3 * (size_t)j->from[l];
  batch_gather(from, 3 * p->nblock, w->lambda);
}

INLINE void interpolate(const PackedJoint *p, const Batch3 *x, Batch3 *y) {
  for (int i = 0; i < p->ny; i++) {
    y[i] = batch3_zero();
    for (int e = p->start[i]; e < p->start[i + 1]; e++) y[i] = batch3_axpy(y[i], batch_load(p->coef[e]), x[p->vec[e]]);
  }
}

INLINE void row_values(const PackedJoint *p, const Batch3 *y, BatchReal *e) {
  for (int r = 0; r < 3 * p->nblock; r++) e[r] = r < p->nrow ? -batch_load(p->ref[r]) : batch_fill(0);
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    e[q->row] += batch_fill(q->c) * batch3_dot(y[q->i], y[q->j]);
  }
}

// Values of the rows at the end, as the residual has them; those that are off have their multipliers.
INLINE void add_rows(const PackedJoint *p, const JointBatchStep *j, const JointBatchWork *w) {
  BatchReal e[3 * MAX_ROWS];
  double *to[LANES];
  row_values(p, w->yk, e);
  for (int l = 0; l < LANES; l++) {
    for (int r = 0; r < p->nrow; r++)
      if (j->row_off[l][r]) e[r][l] = w->lambda[r][l];
    to[l] = j->own[l] < 0 ? NULL : j->step.residual + 3 * (size_t)j->own[l];
  }
  batch_scatter(e, 3 * p->nblock, to);
}

INLINE void add_forces(const PackedJoint *p, const JointBatchStep *j, JointBatchWork *w) {
  Batch3 on[MAX_Y];
  for (int i = 0; i < p->ny; i++) on[i] = batch3_zero();
  for (int i = 0; i < 4 * p->nnode; i++) w->force[i] = batch3_zero();
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    BatchReal c = batch_fill(q->c) * w->lambda[q->row];
    on[q->i] = batch3_axpy(on[q->i], c, w->at[q->j]);
    on[q->j] = batch3_axpy(on[q->j], c, w->at[q->i]);
  }
  for (int i = 0; i < p->ny; i++)
    for (int e = p->start[i]; e < p->start[i + 1]; e++)
      w->force[p->vec[e]] = batch3_axpy(w->force[p->vec[e]], batch_load(p->coef[e]), on[i]);
  for (int a = 0; a + 1 < p->nnode; a++) {
    Batch3 r[2] = {w->force[4 * a], batch_moment(&w->m[a], &w->force[4 * a])};
    double *to[LANES];
    for (int l = 0; l < LANES; l++) {
      int block = j->step.block[BATCH_WIDTH * a + l];
      to[l] = block < 0 ? NULL : j->step.residual + 3 * (size_t)block;
    }
    batch_scatter(&r[0].x, 6, to);
  }
}

// ---- tangent ----

INLINE void add_matrix(const JointBatchStep *j, int n, int row, int col, Batch9 m) {
  BatchReal block[9];
  batch_put_block(m, 1, 0, 0, block);
  batch_add_block(&j->step, j->step.slot + BATCH_WIDTH * (row * n + col), block, 9);
}

// Forces turn with the vectors that they act along: kappa.
INLINE void find_kappa(const PackedJoint *p, const JointBatchStep *j, JointBatchWork *w) {
  const BatchReal part = batch_fill(j->step.t->force_rule == FORCE_END ? 1 : 0.5);
  const int moving = 4 * (p->nnode - 1);
  for (int i = 0; i < moving; i++) {
    w->has_kappa[i] = 0;
    for (int k = 0; k < moving; k++) w->kappa[i][k] = batch_fill(0);
  }
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    BatchReal c = part * batch_fill(q->c) * w->lambda[q->row];
    for (int e = p->start[q->i]; e < p->start[q->i + 1] && p->vec[e] < moving; e++)
      for (int d = p->start[q->j]; d < p->start[q->j + 1] && p->vec[d] < moving; d++) {
        BatchReal v = c * batch_load(p->coef[e]) * batch_load(p->coef[d]);
        w->kappa[p->vec[e]][p->vec[d]] += v;
        w->kappa[p->vec[d]][p->vec[e]] += v;
        w->has_kappa[p->vec[e]] |= 1U << p->vec[d], w->has_kappa[p->vec[d]] |= 1U << p->vec[e];
      }
  }
}

// Blocks of two nodes that are zero in all joints of the batch are left out.
INLINE void add_geometric(const PackedJoint *p, const JointBatchStep *j, JointBatchWork *w, int n) {
  const ForceRule force_rule = j->step.t->force_rule;
  find_kappa(p, j, w);
  for (int a = 0; a + 1 < p->nnode; a++)
    for (int b = 0; b + 1 < p->nnode; b++) {
      const unsigned *has = w->has_kappa + 4 * a, first = has[0] >> 4 * b, others = (has[1] | has[2] | has[3]) >> 4 * b;
      if (!((first | others) & 15) && a != b) continue;
      Batch3 turned[4], lever = batch3_zero();
      Batch9 both = batch9_zero();
      for (int i = 0; i < 4; i++) {
        const BatchReal *kappa = &w->kappa[4 * a + i][4 * b];
        turned[i] = batch3_axpy(batch3_axpy(batch3_scale(kappa[1], w->m[b].x[1]), kappa[2], w->m[b].x[2]), kappa[3],
                                w->m[b].x[3]);
        if (i > 0) lever = batch3_axpy(lever, kappa[0], w->m[a].rho[i]);
        if (i > 0) both = batch9_outer(both, turned[i], w->m[a].rho[i]);
      }
      both = batch9_scale(batch_fill(-1), batch9_mul(batch9_shift(both, -batch9_trace(both)), w->m[b].spin));
      if (a == b)
        both = batch9_add(both, batch_lever_derivative(force_rule, &w->xn[4 * a], &w->m[a], &w->force[4 * a]));
      if (first & 1) add_matrix(j, n, 2 * a, 2 * b, batch9_shift(batch9_zero(), w->kappa[4 * a][4 * b]));
      if (first & 14)
        add_matrix(j, n, 2 * a, 2 * b + 1,
                   batch9_scale(batch_fill(-1), batch9_mul(batch9_cross(turned[0]), w->m[b].spin)));
      if (others & 1) add_matrix(j, n, 2 * a + 1, 2 * b, batch9_cross(lever));
      add_matrix(j, n, 2 * a + 1, 2 * b + 1, both);
    }
}

// d e_r/d x_v of the vectors that move, at the vectors y. Returns a bit for each vector that the row has; others are
// left as they are.
INLINE unsigned row_gradient(const PackedJoint *p, int r, const Batch3 *y, Batch3 g[4 * MOVING]) {
  const int moving = 4 * (p->nnode - 1);
  unsigned has = 0;
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    if (q->row != r) continue;
    for (int side = 0; side < 2; side++) {
      int i = side ? q->j : q->i;
      Batch3 v = batch3_scale(batch_fill(q->c), y[side ? q->i : q->j]);
      for (int e = p->start[i]; e < p->start[i + 1] && p->vec[e] < moving; e++) {
        unsigned bit = 1U << p->vec[e];
        g[p->vec[e]] = batch3_axpy(has & bit ? g[p->vec[e]] : batch3_zero(), batch_load(p->coef[e]), v);
        has |= bit;
      }
    }
  }
  return has;
}

// sum_j arm_j x f_j over the directors of a frame that a row has
INLINE Batch3 row_moment(unsigned has, const Batch3 arm[4], const Batch3 f[4]) {
  Batch3 sum = batch3_zero();
  for (int j = 1; j < 4; j++)
    if (has >> j & 1) sum = batch3_add(sum, batch3_cross(arm[j], f[j]));
  return sum;
}

// Columns of the multipliers in the balances of the nodes, rows of the joint in the displacements.
INLINE void add_constraints(const PackedJoint *p, const JointBatchStep *j, JointBatchWork *w, int n) {
  const int first = 2 * (p->nnode - 1);
  for (int b = 0; b < p->nblock; b++) {
    Batch3 along[2 * MOVING][3], end[2 * MOVING][3]; // of each block of the nodes
    unsigned any = 0;                                // vectors that the rows have
    for (int i = 0; i < 3; i++) {
      Batch3 g[4 * MOVING], h[4 * MOVING];
      row_gradient(p, 3 * b + i, w->at, g);
      unsigned has = row_gradient(p, 3 * b + i, w->yk, h); // none beyond the last row
      any |= has;
      for (int a = 0; a + 1 < p->nnode; a++, has >>= 4) {
        along[2 * a][i] = has & 1 ? g[4 * a] : batch3_zero();
        along[2 * a + 1][i] = row_moment(has, w->m[a].rho, g + 4 * a);
        end[2 * a][i] = has & 1 ? h[4 * a] : batch3_zero();
        end[2 * a + 1][i] = batch9_row(row_moment(has, w->m[a].x, h + 4 * a), w->m[a].spin);
      }
      for (int l = 0; l < LANES && 3 * b + i < p->nrow; l++)
        for (int c = 0; c < first && j->row_off[l][3 * b + i]; c++)
          end[c][i].x[l] = end[c][i].y[l] = end[c][i].z[l] = 0;
    }
    for (int c = 0; c < first; c++) {
      if (!(any >> 4 * (c / 2) & (c % 2 ? 14 : 1))) continue;
      add_matrix(j, n, c, first + b, batch9_transpose((Batch9){along[c][0], along[c][1], along[c][2]}));
      add_matrix(j, n, first + b, c, (Batch9){end[c][0], end[c][1], end[c][2]});
    }
  }
}

// Rows that are off, and those that fill the last block, have their unknowns alone.
INLINE void add_idle(const PackedJoint *p, const JointBatchStep *j, int n) {
  const int first = 2 * (p->nnode - 1);
  for (int b = 0; b < p->nblock; b++) {
    Batch9 m = batch9_zero();
    bool any = false;
    for (int l = 0; l < LANES; l++)
      for (int i = 0; i < 3; i++) {
        int r = 3 * b + i;
        if (r < p->nrow && !j->row_off[l][r]) continue;
        BatchReal *to = i == 0 ? &m.x.x : i == 1 ? &m.y.y : &m.z.z;
        (*to)[l] = 1, any = true;
      }
    if (any) add_matrix(j, n, first + b, first + b, m);
  }
}

TARGET_CLONES static void evaluate_batch(const PackedJoint *p, const JointBatchStep *j) {
  const int n = 2 * (p->nnode - 1) + p->nblock;
  JointBatchWork w;
  gather_nodes(p, j, &w);
  interpolate(p, w.xn, w.yn);
  interpolate(p, w.xk, w.yk);
  for (int i = 0; i < p->ny; i++)
    w.at[i] = j->step.t->force_rule == FORCE_END ? w.yk[i] : batch3_mean(w.yn[i], w.yk[i]);
  add_rows(p, j, &w);
  add_forces(p, j, &w);
  if (!j->step.tangent) return;
  add_geometric(p, j, &w, n);
  add_constraints(p, j, &w, n);
  add_idle(p, j, n);
}

TARGET_CLONES static void find_values(const PackedJoint *p, const JointVectors *v, double *const to[]) {
  Batch3 x[VECTORS], y[MAX_Y];
  BatchReal e[3 * MAX_ROWS];
  const double *from[LANES];
  for (int a = 0; a < p->nnode; a++) {
    for (int l = 0; l < LANES; l++)
      from[l] = (const double *)((const char *)v->x + v->stride * (size_t)v->node[BATCH_WIDTH * a + l]);
    batch_gather(from, 12, &x[4 * a].x);
  }
  interpolate(p, x, y);
  row_values(p, y, e);
  batch_put(e, p->nrow, to);
}

#ifdef NARROW_BATCH
void joint_batch_evaluate_narrow(const PackedJoint *p, const JointBatchStep *j) { evaluate_batch(p, j); }
void joint_batch_values_narrow(const PackedJoint *p, const JointVectors *v, double *const to[]) {
  find_values(p, v, to);
}
#else
void joint_batch_values(const PackedJoint *p, const JointVectors *v, double *const to[]) {
  if (batch_lanes(v->filled) < BATCH_WIDTH) joint_batch_values_narrow(p, v, to);
  else find_values(p, v, to);
}
void joint_batch_evaluate(const PackedJoint *p, const JointBatchStep *j) {
  if (batch_lanes(j->filled) < BATCH_WIDTH) joint_batch_evaluate_narrow(p, j);
  else evaluate_batch(p, j);
}
#endif
