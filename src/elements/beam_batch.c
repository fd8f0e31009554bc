// SPDX-License-Identifier: Apache-2.0
// Residual and tangent of beams side by side (mechanics/batch.h). The sums of element_tangent.c, with what the strains of a
// beam leave out left out: positions take part in the three forces only, through r', so that
//   tangent(u_a, u_b) = sum_points N'_a N'_b uu,   (c_a, u_b) = sum_points N'_b cu_a,   (u_a, c_b) = sum_points N'_a uc_b,
// and rotations in all but the axial row: tangent(c_a, c_b) = sum_points sum_5 rows along_a^T end_b.
// Rotations stand in the directors' own turns until the end, where the columns of a node meet its spin.
// Equations: eq-rows-length-tangent (2.9).
#include "elements/beam.h"
#include "mechanics/batch3.h"

enum { NODES = MAX_ORDER + 1, TURNS = 5, MOST = MAX_STAGES }; // TURNS: rows of a point that know the rotations

typedef struct { // of BATCH_WIDTH elements of one degree
  int p;
  bool full, same; // the stiffness of some couples rows; that of all points of all is the same
  bool turned;     // some have section axes that are not their nodes'
  const BeamShape *shape;
  double damping[BATCH_WIDTH];
  const Mat3 *axes[BATCH_WIDTH];
  struct {
    double inverse[BATCH_WIDTH], weight[BATCH_WIDTH], ref[6][BATCH_WIDTH]; // inverse: of the Jacobian
    const double *stiffness[BATCH_WIDTH];
  } point[];
} PackedBeam;

typedef struct { // at a point: r', directors, their derivatives
  Batch3 r, d[3], t[3];
} Section;

// What nodes are, and what the points leave for them and their pairs. Rows of `end` are weight C d e/d c.
typedef struct {
  Batch3 xn[NODES][4], force[MOST][NODES][4];
  BatchMotion at[MOST][NODES];
  Batch3 own[MOST + 1][NODES][4]; // of elements with section axes: the nodes' vectors at the ends and, last, at t_n ...
  BatchReal axes[NODES][3][3];    // ... and the axes
  BatchReal before;               // of the increments of the last step, in the strain
  BatchReal factor[MOST][MOST], bending[MOST][MAX_ORDER][3]; // stress of the last three rows in the geometric part
  Batch3 along[MOST][NODES][MAX_ORDER * TURNS], end[MOST][NODES][MAX_ORDER * TURNS];
  Batch9 uu[MOST][MOST][MAX_ORDER], cu[MOST][MOST][NODES][MAX_ORDER], uc[MOST][MOST][NODES][MAX_ORDER];
} BeamBatchWork;

// ---- points ----

// Sections as constraints.c has them, to the bit: strains at rest are those of the reference, and energies see the same
// ones.
INLINE Section section_at(const BeamShape *shape, int p, BatchReal inverse, const Batch3 *x, int stride) {
  Section y = {
      batch3_zero(), {batch3_zero(), batch3_zero(), batch3_zero()}, {batch3_zero(), batch3_zero(), batch3_zero()}};
  for (int a = 0; a <= p; a++, x += stride) {
    BatchReal n = batch_fill(shape->n[a]), dn = inverse * batch_fill(shape->dn[a]);
    y.r = batch3_axpy(y.r, dn, x[0]);
    y.d[0] = batch3_axpy(y.d[0], n, x[1]), y.t[0] = batch3_axpy(y.t[0], dn, x[1]);
    y.d[1] = batch3_axpy(y.d[1], n, x[2]), y.t[1] = batch3_axpy(y.t[1], dn, x[2]);
    y.d[2] = batch3_axpy(y.d[2], n, x[3]), y.t[2] = batch3_axpy(y.t[2], dn, x[3]);
  }
  return y;
}

// The same of section axes m in those of the nodes.
INLINE Section turned_section(const BeamShape *shape, int p, BatchReal inverse, const Batch3 (*x)[4],
                              BatchReal (*m)[3][3]) {
  Section y = {
      batch3_zero(), {batch3_zero(), batch3_zero(), batch3_zero()}, {batch3_zero(), batch3_zero(), batch3_zero()}};
  for (int a = 0; a <= p; a++) {
    BatchReal n = batch_fill(shape->n[a]), dn = inverse * batch_fill(shape->dn[a]);
    y.r = batch3_axpy(y.r, dn, x[a][0]);
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 3; i++) {
        y.d[j] = batch3_axpy(y.d[j], n * m[a][i][j], x[a][1 + i]);
        y.t[j] = batch3_axpy(y.t[j], dn * m[a][i][j], x[a][1 + i]);
      }
  }
  return y;
}

INLINE Section mean_section(const Section *a, const Section *b) {
  return (Section){
      batch3_mean(a->r, b->r),
      {batch3_mean(a->d[0], b->d[0]), batch3_mean(a->d[1], b->d[1]), batch3_mean(a->d[2], b->d[2])},
      {batch3_mean(a->t[0], b->t[0]), batch3_mean(a->t[1], b->t[1]), batch3_mean(a->t[2], b->t[2])},
  };
}

INLINE void section_strains(const Section *y, const double (*ref)[BATCH_WIDTH], BatchReal e[6]) {
  const Batch3 *d = y->d, *t = y->t;
  const BatchReal half = batch_fill(0.5);
  e[0] = -batch_load(ref[0]) + half * batch3_dot(y->r, y->r);
  e[1] = -batch_load(ref[1]) + batch3_dot(y->r, d[1]);
  e[2] = -batch_load(ref[2]) + batch3_dot(y->r, d[2]);
  e[3] = -batch_load(ref[3]) + half * batch3_dot(d[2], t[1]) - half * batch3_dot(d[1], t[2]);
  e[4] = -batch_load(ref[4]) + half * batch3_dot(d[0], t[2]) - half * batch3_dot(d[2], t[0]);
  e[5] = -batch_load(ref[5]) + half * batch3_dot(d[1], t[0]) - half * batch3_dot(d[0], t[1]);
}

// weight C; of a diagonal one the diagonal alone
INLINE void stiffness_at(const PackedBeam *q, int g, bool full, BatchReal c[6][6]) {
  const double *const *from = q->point[g].stiffness;
  BatchReal weight = batch_load(q->point[g].weight);
  for (int r = 0; r < 6; r++)
    for (int i = full ? 0 : r; i < (full ? 6 : r + 1); i++) {
      int at = 6 * r + i;
      if (q->same) c[r][i] = weight * batch_fill(from[0][at]);
      else
        c[r][i] = weight * (BatchReal){from[0][at], from[1][at], from[2][at], from[3][at],
                                       from[4][at], from[5][at], from[6][at], from[7][at]};
    }
}

INLINE void section_stresses(bool full, const BatchReal c[6][6], const BatchReal e[6], BatchReal out[6]) {
  for (int r = 0; r < 6; r++) {
    out[r] = c[r][full ? 0 : r] * e[full ? 0 : r];
    for (int i = 1; i < 6 && full; i++) out[r] += c[r][i] * e[i];
  }
}

// Adds what the stresses do along the rows of a section to the forces on the vectors of the nodes.
INLINE void add_forces(const BeamShape *shape, int p, BatchReal inverse, const Section *y, const BatchReal s[6],
                       Batch3 (*force)[4]) {
  const Batch3 *d = y->d, *t = y->t;
  const BatchReal half = batch_fill(0.5), m1 = half * s[3], m2 = half * s[4], m3 = half * s[5];
  const BatchReal i1 = inverse * m1, i2 = inverse * m2, i3 = inverse * m3;
  Batch3 r = batch3_scale(inverse, batch3_axpy(batch3_axpy(batch3_scale(s[0], y->r), s[1], d[1]), s[2], d[2]));
  Batch3 d1 = batch3_axpy(batch3_scale(m2, t[2]), -m3, t[1]);
  Batch3 d2 = batch3_axpy(batch3_axpy(batch3_scale(s[1], y->r), m3, t[0]), -m1, t[2]);
  Batch3 d3 = batch3_axpy(batch3_axpy(batch3_scale(s[2], y->r), m1, t[1]), -m2, t[0]);
  Batch3 t1 = batch3_axpy(batch3_scale(i3, d[1]), -i2, d[2]);
  Batch3 t2 = batch3_axpy(batch3_scale(i1, d[2]), -i3, d[0]);
  Batch3 t3 = batch3_axpy(batch3_scale(i2, d[0]), -i1, d[1]);
  for (int a = 0; a <= p; a++) {
    BatchReal n = batch_fill(shape->n[a]), dn = batch_fill(shape->dn[a]);
    Batch3 *f = force[a];
    f[0] = batch3_axpy(f[0], dn, r);
    f[1] = batch3_axpy(batch3_axpy(f[1], n, d1), dn, t1);
    f[2] = batch3_axpy(batch3_axpy(f[2], n, d2), dn, t2);
    f[3] = batch3_axpy(batch3_axpy(f[3], n, d3), dn, t3);
  }
}

// The rows of a section but the first on a node whose directors, or arms, are a[1] to a[3].
INLINE void turn_rows(const Section *y, const Batch3 *a, BatchReal n, BatchReal dn, Batch3 out[TURNS]) {
  const BatchReal hn = batch_fill(0.5) * n, hd = batch_fill(0.5) * dn;
  Batch3 r = batch3_scale(n, y->r);
  Batch3 w1 = batch3_axpy(batch3_scale(hn, y->t[0]), -hd, y->d[0]);
  Batch3 w2 = batch3_axpy(batch3_scale(hn, y->t[1]), -hd, y->d[1]);
  Batch3 w3 = batch3_axpy(batch3_scale(hn, y->t[2]), -hd, y->d[2]);
  out[0] = batch3_cross(a[2], r);
  out[1] = batch3_cross(a[3], r);
  out[2] = batch3_sub(batch3_cross(a[3], w2), batch3_cross(a[2], w3));
  out[3] = batch3_sub(batch3_cross(a[1], w3), batch3_cross(a[3], w1));
  out[4] = batch3_sub(batch3_cross(a[2], w1), batch3_cross(a[1], w2));
}

// ce[r] = sum_i c[r][i] e[i], where e has the rows from `first` on, `count` of them; of a diagonal c those alone.
INLINE void apply_stiffness(bool full, const BatchReal c[6][6], const Batch3 *e, int first, int count, Batch3 ce[6]) {
  for (int r = 0; r < 6; r++) {
    if (!full) {
      ce[r] = r < first || r >= first + count ? batch3_zero() : batch3_scale(c[r][r], e[r - first]);
      continue;
    }
    ce[r] = batch3_scale(c[r][first], e[0]);
    for (int i = 1; i < count; i++) ce[r] = batch3_axpy(ce[r], c[r][first + i], e[i]);
  }
}

// The first three rows on r', times f.
INLINE void force_rows(const Section *y, BatchReal f, Batch3 out[3]) {
  out[0] = batch3_scale(f, y->r), out[1] = batch3_scale(f, y->d[1]), out[2] = batch3_scale(f, y->d[2]);
}

// sum of the rows' outer products
INLINE Batch9 sum_outer_products(const Batch3 *a, const Batch3 *b, int count) {
  Batch9 m = batch9_zero();
  for (int r = 0; r < count; r++) m = batch9_outer(m, a[r], b[r]);
  return m;
}

// What a point is over a step.
typedef struct {
  const BeamShape *shape;
  int g, p, s;
  BatchReal inverse, part, c[6][6], stress[MOST][6]; // part: of the derivative of the rows along which forces act
  Section end[MOST], along[MOST];
} BeamBatchPoint;

// part (s_1 a_2 + s_2 a_3) N/J: what turns with the directors, or arms, of a node
INLINE Batch9 force_rotation_tangent(const BeamBatchPoint *q, int k, int node, const Batch3 *a) {
  BatchReal f = q->part * q->inverse * batch_fill(q->shape->n[node]);
  return batch9_cross(batch3_axpy(batch3_scale(f * q->stress[k][1], a[2]), f * q->stress[k][2], a[3]));
}

// Of the unknowns of stage l: columns of positions, then of rotations.
INLINE void add_columns(const BeamBatchPoint *q, bool full, int l, const Batch3 (*forces)[3], BeamBatchWork *w) {
  const int first = full ? 0 : 1, g = q->g; // a diagonal stiffness leaves the axial row to the positions
  Batch3 own[3], cs[6], e[TURNS], ce[6];
  force_rows(&q->end[l], q->inverse, own);
  apply_stiffness(full, q->c, own, 0, 3, cs);
  for (int k = 0; k < q->s; k++) {
    Batch9 uu = batch9_scale(w->factor[k][l], sum_outer_products(forces[k], cs, 3));
    w->uu[k][l][g] = k == l ? batch9_shift(uu, q->part * q->inverse * q->inverse * q->stress[k][0]) : uu;
    for (int a = 0; a <= q->p; a++) {
      Batch9 cu =
          batch9_scale(w->factor[k][l], sum_outer_products(&w->along[k][a][TURNS * g], cs + 1, full ? TURNS : 2));
      if (k == l) cu = batch9_add(cu, force_rotation_tangent(q, k, a, w->at[k][a].rho));
      w->cu[k][l][a][g] = cu;
    }
  }
  for (int b = 0; b <= q->p; b++) {
    const BatchMotion *m = &w->at[l][b];
    turn_rows(&q->end[l], m->x, batch_fill(q->shape->n[b]), q->inverse * batch_fill(q->shape->dn[b]), e);
    apply_stiffness(full, q->c, e, 1, TURNS, ce);
    for (int r = 0; r < TURNS; r++) w->end[l][b][TURNS * g + r] = ce[r + 1];
    for (int k = 0; k < q->s; k++) {
      Batch9 uc = batch9_scale(w->factor[k][l], sum_outer_products(forces[k] + first, ce + first, 3 - first));
      if (k == l) uc = batch9_sub(uc, force_rotation_tangent(q, k, b, m->x));
      w->uc[k][l][b][g] = batch9_mul(uc, m->spin);
    }
  }
}

INLINE void point_tangent(const BeamBatchPoint *q, bool full, BeamBatchWork *w) {
  Batch3 forces[MOST][3];
  for (int k = 0; k < q->s; k++) {
    BatchReal f = batch_fill(0.5) * q->part * q->inverse;
    for (int i = 0; i < 3; i++) w->bending[k][q->g][i] = f * q->stress[k][3 + i];
    force_rows(&q->along[k], q->inverse, forces[k]);
    for (int a = 0; a <= q->p; a++)
      turn_rows(&q->along[k], w->at[k][a].rho, batch_fill(q->shape->n[a]), q->inverse * batch_fill(q->shape->dn[a]),
                &w->along[k][a][TURNS * q->g]);
  }
  for (int l = 0; l < q->s; l++) add_columns(q, full, l, forces, w);
}

INLINE void evaluate_point(const PackedBeam *packed, int g, bool full, const BatchStep *step, BeamBatchWork *w) {
  const Tableau *t = step->t;
  const bool ends = t->force_rule == FORCE_END;
  BeamBatchPoint q = {.shape = &packed->shape[g], .g = g, .p = packed->p, .s = t->s};
  q.inverse = batch_load(packed->point[g].inverse), q.part = batch_fill(ends ? 1 : 0.5);
  Section start = packed->turned ? turned_section(q.shape, q.p, q.inverse, w->own[MOST], w->axes)
                                 : section_at(q.shape, q.p, q.inverse, w->xn[0], 4);
  BatchReal en[6], ek[MOST][6];
  section_strains(&start, packed->point[g].ref, en);
  for (int k = 0; k < q.s; k++) {
    q.end[k] = packed->turned ? turned_section(q.shape, q.p, q.inverse, w->own[k], w->axes)
                              : section_at(q.shape, q.p, q.inverse, w->at[k][0].x, BATCH_MOTION_VECTORS);
    section_strains(&q.end[k], packed->point[g].ref, ek[k]);
    q.along[k] = ends ? q.end[k] : mean_section(&start, &q.end[k]);
  }
  stiffness_at(packed, g, full, q.c);
  BatchReal past[6] = {{0}};
  if (step->past[0]) {
    const double *from[BATCH_WIDTH];
    for (int l = 0; l < BATCH_WIDTH; l++) from[l] = step->past[l] + 6 * g;
    batch_gather(from, 6, past);
  }
  for (int k = 0; k < q.s; k++) {
    BatchReal e[6];
    for (int r = 0; r < 6; r++) {
      e[r] = batch_fill(t->b[k]) * en[r] + w->before * past[r];
      for (int l = 0; l < q.s; l++) e[r] += w->factor[k][l] * (ek[l][r] - en[r]);
    }
    section_stresses(full, q.c, e, q.stress[k]);
    add_forces(q.shape, q.p, q.inverse, &q.along[k], q.stress[k], w->force[k]);
  }
  if (step->tangent) point_tangent(&q, full, w);
}

// ---- nodes ----

// Section axes in the place of a node's own, which go to `own`; of arms the same, which are linear in them.
INLINE void turn_axes(BatchReal m[3][3], Batch3 d[4], Batch3 own[4]) {
  for (int i = 0; i < 4; i++) own[i] = d[i];
  for (int j = 0; j < 3; j++)
    d[1 + j] = batch3_axpy(batch3_axpy(batch3_scale(m[0][j], own[1]), m[1][j], own[2]), m[2][j], own[3]);
}

INLINE void turn_node(const PackedBeam *q, int s, int a, BeamBatchWork *w) {
  Batch3 lever[4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int l = 0; l < BATCH_WIDTH; l++) w->axes[a][i][j][l] = q->axes[l] ? q->axes[l][a].m[i][j] : i == j;
  turn_axes(w->axes[a], w->xn[a], w->own[MOST][a]);
  for (int k = 0; k < s; k++) {
    turn_axes(w->axes[a], w->at[k][a].x, w->own[k][a]);
    turn_axes(w->axes[a], w->at[k][a].rho, lever);
  }
}

INLINE void gather_nodes(const PackedBeam *q, const BatchStep *step, BeamBatchWork *w) {
  const int s = step->t->s;
  for (int a = 0; a <= q->p; a++) {
    const int *node = step->node + BATCH_WIDTH * a;
    const double *from[BATCH_WIDTH];
    for (int l = 0; l < BATCH_WIDTH; l++) from[l] = &step->xn[4 * (size_t)node[l]].x;
    batch_gather(from, 12, &w->xn[a][0].x);
    for (int k = 0; k < s; k++) {
      for (int l = 0; l < BATCH_WIDTH; l++) from[l] = &step->motion[(size_t)s * (size_t)node[l] + (size_t)k].x[0].x;
      batch_gather(from, step->tangent ? 36 : 24, &w->at[k][a].x[0].x);
      for (int i = 0; i < 4; i++) w->force[k][a][i] = batch3_zero();
    }
    if (q->turned) turn_node(q, s, a, w);
  }
}

INLINE void add_residual(const BatchStep *step, int a, const BeamBatchWork *w) {
  const int s = step->t->s, *block = step->block + BATCH_WIDTH * a;
  Batch3 r[2 * MOST];
  double *to[BATCH_WIDTH];
  for (int k = 0; k < s; k++) r[k] = w->force[k][a][0], r[s + k] = batch_moment(&w->at[k][a], w->force[k][a]);
  for (int l = 0; l < BATCH_WIDTH; l++) to[l] = block[l] < 0 ? NULL : step->residual + 3 * (size_t)s * (size_t)block[l];
  batch_scatter(&r[0].x, 6 * s, to);
}

// ---- pairs of nodes ----

// The geometric part of the last three rows between the directors of two nodes: sum_i rho_i~ t_i~, t_i = sum_j kappa_ij
// d_j.
INLINE Batch9 geometric_tangent(const PackedBeam *q, const BeamBatchWork *w, int k, int a, int b) {
  const Batch3 *rho = w->at[k][a].rho, *d = w->at[k][b].x;
  BatchReal m1 = batch_fill(0), m2 = m1, m3 = m1;
  for (int g = 0; g < q->p; g++) {
    const BeamShape *h = &q->shape[g];
    BatchReal f = batch_fill(h->n[a] * h->dn[b] - h->dn[a] * h->n[b]);
    const BatchReal *s = w->bending[k][g];
    m1 += f * s[0], m2 += f * s[1], m3 += f * s[2];
  }
  Batch9 sum = batch9_zero();
  sum = batch9_outer(sum, batch3_axpy(batch3_scale(m2, d[3]), -m3, d[2]), rho[1]);
  sum = batch9_outer(sum, batch3_axpy(batch3_scale(m3, d[1]), -m1, d[3]), rho[2]);
  sum = batch9_outer(sum, batch3_axpy(batch3_scale(m1, d[2]), -m2, d[1]), rho[3]);
  return batch9_shift(sum, -batch9_trace(sum));
}

INLINE void pair_blocks(const PackedBeam *q, const BatchStep *step, const BeamBatchWork *w, int a, int b, int k, int l,
                        BatchReal *block, int size) {
  const int s = step->t->s;
  Batch9 uu = batch9_zero(), uc = uu, cu = uu;
  for (int g = 0; g < q->p; g++) {
    double da = q->shape[g].dn[a], db = q->shape[g].dn[b];
    uu = batch9_axpy(uu, batch_fill(da * db), w->uu[k][l][g]);
  }
  batch_put_block(uu, s, k, l, block);
  for (int g = 0; g < q->p; g++) uc = batch9_axpy(uc, batch_fill(q->shape[g].dn[a]), w->uc[k][l][b][g]);
  batch_put_block(uc, s, k, l, block + size);
  for (int g = 0; g < q->p; g++) cu = batch9_axpy(cu, batch_fill(q->shape[g].dn[b]), w->cu[k][l][a][g]);
  batch_put_block(cu, s, k, l, block + 2 * size);
  Batch9 cc = batch9_scale(w->factor[k][l], sum_outer_products(w->along[k][a], w->end[l][b], q->p * TURNS));
  if (k == l && a != b) cc = batch9_sub(cc, geometric_tangent(q, w, k, a, b));
  cc = batch9_mul(cc, w->at[l][b].spin);
  if (k == l && a == b)
    cc = batch9_add(cc, batch_lever_derivative(step->t->force_rule, w->xn[a], &w->at[k][a], w->force[k][a]));
  batch_put_block(cc, s, k, l, block + 3 * size);
}

TARGET_CLONES static void evaluate(const void *packed, const BatchStep *step) {
  const PackedBeam *q = packed;
  const int s = step->t->s, size = 9 * s * s, n = 2 * (q->p + 1);
  const Recall *m = step->recall;
  const BatchReal damping = batch_load(q->damping) / batch_fill(step->h);
  BeamBatchWork w;
  BatchReal block[4 * 9 * MOST * MOST];
  for (int k = 0; k < s; k++)
    for (int l = 0; l < s; l++) {
      w.factor[k][l] = batch_fill(step->t->a[k][l]);
      if (k == l) w.factor[k][l] += batch_fill(m->delta) + batch_fill(m->rate) * damping;
    }
  w.before = batch_fill(m->before) * damping - batch_fill(m->delta * m->keep);
  gather_nodes(q, step, &w);
  for (int g = 0; g < q->p; g++)
    if (q->full) evaluate_point(q, g, true, step, &w);
    else evaluate_point(q, g, false, step, &w);
  for (int a = 0; a <= q->p; a++) add_residual(step, a, &w);
  for (int a = 0; a <= q->p && step->tangent; a++)
    for (int b = 0; b <= q->p; b++) {
      for (int k = 0; k < s; k++)
        for (int l = 0; l < s; l++) pair_blocks(q, step, &w, a, b, k, l, block, size);
      for (int i = 0; i < 4; i++)
        batch_add_block(step, step->slot + BATCH_WIDTH * ((2 * a + i / 2) * n + 2 * b + i % 2), block + size * i, size);
    }
}

// ---- the contract ----

static int shape(const void *data) {
  const Beam *e = data;
  return e->stretch || e->damper ? 0 : e->p; // lengths, and strains with times of their own, go one by one
}

static size_t size(int p) { return sizeof(PackedBeam) + (size_t)p * sizeof(((PackedBeam *)0)->point[0]); }

static bool couples_strains(const double *c) {
  for (int i = 0; i < 36; i++)
    if (i % 7 != 0 && c[i] != 0) return true;
  return false;
}

static void pack(const void *const data[BATCH_WIDTH], void *packed) {
  const Beam *one = data[0];
  PackedBeam *q = packed;
  *q = (PackedBeam){.p = one->p, .shape = one->shape, .same = true};
  for (int l = 0; l < BATCH_WIDTH; l++) {
    const Beam *e = data[l];
    q->damping[l] = e->damping, q->axes[l] = e->axes, q->turned = q->turned || e->axes;
    for (int g = 0; g < q->p; g++) {
      const double *c = e->point[g].stiffness;
      q->full = q->full || couples_strains(c);
      q->same = q->same && !memcmp(c, one->point[0].stiffness, 36 * sizeof *c);
      q->point[g].stiffness[l] = c;
      q->point[g].inverse[l] = 1 / e->point[g].jacobian;
      q->point[g].weight[l] = gauss_weight[e->p][g] * e->point[g].jacobian;
      for (int r = 0; r < 6; r++) q->point[g].ref[r][l] = e->point[g].ref[r];
    }
  }
}

const ElementBatch beam_batch = {.shape = shape, .size = size, .pack = pack, .evaluate = evaluate};
