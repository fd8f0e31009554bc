// SPDX-License-Identifier: Apache-2.0
// Residual and tangent of an element:
//   residual_k = sum_points weight along_k^T C (b_k e_n + sum_l A_kl (e_l - e_n)),   A = a + (delta + damping/h) I,
// with what is recalled of the last step beside it (tableau.h),
//   tangent_kl = along_k^T (weight A_kl C) end_l + [k = l] (geometric part + turning of the arms)
// where the response is linear; others have stresses and tangents of their own (point_response.c). Here is where
// most of a step's time goes: the rows of a point lie side by side, one in each lane of a vector, and are formed in
// the few vectors y that they are made of.
// Equations: eq-rows-work (2.2), eq-rows-length-tangent (2.9), eq-scheme-stage (3.1), eq-decaying-step (4.1).
#include "mechanics/element.h"
#include "mechanics/batch.h"
#include "mechanics/dense_element.h"

#include <string.h>

typedef struct {
  BatchReal at[MAX_Y][3]; // d e_r / d y_i
} Slopes;

typedef struct { // the y in which a vector takes part
  int count, y[MAX_Y];
  double coef[MAX_Y];
} VectorRows;

// What an integration point is over a step. `end` are d e_k / d unknown (each unknown has one stage), `along` the rows
// that forces act along, on the unknowns of stage k.
typedef struct {
  VectorRows part[MAX_LOCAL_VECTORS];
  Slopes slope;
  double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS];
  double mean[MAX_STAGES][MAX_ROWS]; // of a root row: the mean length over the stage, at the end for FORCE_END
  BatchReal end[MAX_LOCAL], along[MAX_STAGES][3 * MAX_LOCAL_BLOCKS];
  double ce[MAX_ROWS][MAX_LOCAL]; // weight C sum_l factor_kl end_l
} PointTangent;

static void take_parts(const Rows *p, int nvec, VectorRows *part) {
  for (int v = 0; v < nvec; v++) part[v].count = 0;
  for (int i = 0; i < p->ny; i++)
    for (int e = p->start[i]; e < p->start[i + 1]; e++) {
      VectorRows *q = &part[p->vec[e]];
      q->y[q->count] = i, q->coef[q->count++] = p->coef[e];
    }
}

static void row_strains(const Rows *p, const Vec3 *y, double *e) {
  for (int r = 0; r < p->nrow; r++) e[r] = r < p->nroot ? 0 : -p->ref[r];
  for (int t = 0; t < p->nterm; t++) e[p->term[t].row] += p->term[t].c * vec3_dot(y[p->term[t].i], y[p->term[t].j]);
  for (int r = 0; r < p->nroot; r++) e[r] = sqrt(2 * e[r]) - p->ref[r];
}

// At the vectors y; of root rows over their length.
INLINE void row_slopes(const Rows *p, const Vec3 *y, const double *length, Slopes *b) {
  double f[MAX_ROWS];
  for (int r = 0; r < p->nrow; r++) f[r] = r >= p->nroot ? 1 : length[r] > 0 ? 1 / length[r] : 0;
  for (int i = 0; i < p->ny; i++)
    for (int x = 0; x < 3; x++) b->at[i][x] = (BatchReal){0};
  for (int t = 0; t < p->nterm; t++) {
    int r = p->term[t].row, i = p->term[t].i, j = p->term[t].j;
    Vec3 yi = y[i], yj = y[j];
    double c = p->term[t].c * f[r];
    b->at[i][0][r] += c * yj.x, b->at[i][1][r] += c * yj.y, b->at[i][2][r] += c * yj.z;
    b->at[j][0][r] += c * yi.x, b->at[j][1][r] += c * yi.y, b->at[j][2][r] += c * yi.z;
  }
}

INLINE void slope_of(const Slopes *b, const VectorRows *p, BatchReal g[3]) {
  BatchReal x = {0}, y = {0}, z = {0};
  for (int e = 0; e < p->count; e++) {
    const BatchReal *at = b->at[p->y[e]];
    x += p->coef[e] * at[0], y += p->coef[e] * at[1], z += p->coef[e] * at[2];
  }
  g[0] = x, g[1] = y, g[2] = z;
}

// Slopes to the unknowns of a node: as forces, through its arms, or as derivatives, through what its directors turn by.
// Columns of the turn stand `apart` after those of the displacement.
INLINE void on_node(const Slopes *b, const VectorRows *part, NodeKind kind, const NodeMotion *m, bool forces, int apart,
                    BatchReal *out) {
  BatchReal g[3], t[3] = {{0}};
  slope_of(b, &part[0], out);
  if (kind != NODE_FRAME) return;
  for (int j = 1; j < 4; j++) {
    Vec3 a = forces ? m->rho[j] : m->x[j];
    slope_of(b, &part[j], g);
    t[0] += a.y * g[2] - a.z * g[1], t[1] += a.z * g[0] - a.x * g[2], t[2] += a.x * g[1] - a.y * g[0];
  }
  for (int i = 0; i < 3; i++)
    out[apart + i] = forces ? t[i] : m->spin.m[0][i] * t[0] + m->spin.m[1][i] * t[1] + m->spin.m[2][i] * t[2];
}

// One stage of a point: strains, `end` and `along`, and the slopes that forces act along. Without a tangent, those
// alone.
TARGET_CLONES static void evaluate_stage(const Rows *p, const LocalMotion *it, int k, const Vec3 *yn, const Vec3 *yk,
                                         bool tangent, PointTangent *q) {
  double length[MAX_ROWS];
  Vec3 middle[MAX_Y];
  bool ends = it->force_rule == FORCE_END;
  for (int r = 0; r < p->nroot; r++) {
    length[r] = q->ek[k][r] + p->ref[r];
    q->mean[k][r] = ends ? length[r] : 0.5 * (q->en[r] + p->ref[r] + length[r]);
  }
  for (int pass = tangent ? 0 : 1; pass < 2; pass++) {
    if (pass == 0 || ends) row_slopes(p, yk, length, &q->slope);
    else {
      for (int i = 0; i < p->ny; i++) middle[i] = vec3_mean(yn[i], yk[i]);
      row_slopes(p, middle, q->mean[k], &q->slope);
    }
    for (int a = 0; a < it->nnode && tangent; a++) {
      int b = it->block[a];
      if (b < 0) continue;
      const VectorRows *part = &q->part[it->first[a]];
      if (pass == 0)
        on_node(&q->slope, part, it->kind[a], &it->motion[k][a], false, 3 * it->s, &q->end[3 * (it->s * b + k)]);
      else on_node(&q->slope, part, it->kind[a], &it->motion[k][a], true, 3, &q->along[k][3 * b]);
    }
  }
}

// weight C end
TARGET_CLONES static void add_stiffness(int n, double weight, const double *c, int ncol, const BatchReal *end,
                                        double ce[MAX_ROWS][MAX_LOCAL]) {
  BatchReal w[MAX_ROWS] = {{0}}, diagonal = {0};
  bool full = false;
  for (int i = 0; i < n; i++)
    for (int r = 0; r < n; r++) w[i][r] = weight * c[r * n + i], full = full || (r != i && c[r * n + i] != 0);
  for (int i = 0; i < n; i++) diagonal[i] = w[i][i];
  for (int col = 0; col < ncol; col++) {
    BatchReal sum = {0}, e = end[col];
    if (!full) sum = diagonal * e;
    else
      for (int i = 0; i < n; i++) sum += w[i] * e[i];
    for (int r = 0; r < n; r++) ce[r][col] = sum[r];
  }
}

// Three rows of the tangent += along^T ce.
TARGET_CLONES static void add_rows(int n, const BatchReal along[3], double ce[MAX_ROWS][MAX_LOCAL], int ncol,
                                   double *row, int stride) {
  double *restrict r0 = row, *restrict r1 = row + stride, *restrict r2 = row + 2 * stride;
  const BatchReal f0 = along[0], f1 = along[1], f2 = along[2];
  if (n == MAX_ROWS) {
    for (int c = 0; c < ncol; c++) {
      double e0 = ce[0][c], e1 = ce[1][c], e2 = ce[2][c], e3 = ce[3][c], e4 = ce[4][c], e5 = ce[5][c];
      r0[c] += f0[0] * e0 + f0[1] * e1 + f0[2] * e2 + f0[3] * e3 + f0[4] * e4 + f0[5] * e5;
      r1[c] += f1[0] * e0 + f1[1] * e1 + f1[2] * e2 + f1[3] * e3 + f1[4] * e4 + f1[5] * e5;
      r2[c] += f2[0] * e0 + f2[1] * e1 + f2[2] * e2 + f2[3] * e3 + f2[4] * e4 + f2[5] * e5;
    }
    return;
  }
  for (int i = 0; i < n; i++)
    for (int c = 0; c < ncol; c++) r0[c] += f0[i] * ce[i][c], r1[c] += f1[i] * ce[i][c], r2[c] += f2[i] * ce[i][c];
}

// The derivative of the stress that is of stage k alone.
static void add_own(const ElementPoint *p, const LocalMotion *it, int k, const PointTangent *q, const PointStress *at,
                    double ce[MAX_ROWS][MAX_LOCAL]) {
  int n = p->rows.nrow;
  for (int r = 0; r < n; r++)
    for (int b = 0; b < it->nblock; b++)
      for (int j = 0, c = 3 * (it->s * b + k); j < 3; j++)
        for (int i = 0; i < n; i++) ce[r][c + j] += p->weight * at->own[k][r * n + i] * q->end[c + j][i];
}

// A root row's `along` shrinks as its mean length grows: over it stands the stress of the geometric part, and the rest
// of the derivative goes along the row's own end, to ce_r.
static void turn_roots(const Rows *p, const LocalMotion *it, int k, const PointTangent *q, double *stress,
                       double ce[MAX_ROWS][MAX_LOCAL]) {
  double part = it->force_rule == FORCE_END ? 1 : 0.5;
  for (int r = 0; r < p->nroot; r++) {
    stress[r] *= q->mean[k][r] > 0 ? 1 / q->mean[k][r] : 0;
    for (int b = 0; b < it->nblock; b++)
      for (int i = 0; i < 3; i++) {
        int c = 3 * (it->s * b + k) + i;
        ce[r][c] -= part * stress[r] * q->end[c][r];
      }
  }
}

// force += stress . slope
static void add_forces(const Rows *p, const double *stress, const Slopes *b, Vec3 *force) {
  for (int i = 0; i < p->ny; i++) {
    double f[3] = {0, 0, 0};
    for (int x = 0; x < 3; x++)
      for (int r = 0; r < p->nrow; r++) f[x] += stress[r] * b->at[i][x][r];
    for (int e = p->start[i]; e < p->start[i + 1]; e++)
      force[p->vec[e]] = vec3_axpy(force[p->vec[e]], p->coef[e], vec3_of(f));
  }
}

typedef struct {
  Vec3 force[MAX_STAGES][MAX_LOCAL_VECTORS];
  double kappa[MAX_STAGES][MAX_LOCAL_VECTORS][MAX_LOCAL_VECTORS]; // geometric part, a multiple of the identity
} OnVectors;

// Adds the tangent of a point's stresses to the item's.
static void add_tangent(const ElementPoint *p, const LocalMotion *it, PointStress *at, PointTangent *q, OnVectors *v,
                        Local *out) {
  int s = it->s, n = p->rows.nrow, ncol = 3 * s * it->nblock;
  double own[MAX_ROWS][MAX_LOCAL], (*ce)[MAX_LOCAL] = s == 1 ? q->ce : own;
  add_stiffness(n, s == 1 ? at->factor[0][0] * p->weight : p->weight, at->c, ncol, q->end, q->ce);
  for (int k = 0; k < s; k++) {
    for (int r = 0; r < n && s > 1; r++)
      for (int b = 0; b < it->nblock; b++)
        for (int l = 0; l < s; l++)
          for (int i = 0, c = 3 * (s * b + l); i < 3; i++) ce[r][c + i] = at->factor[k][l] * q->ce[r][c + i];
    if (at->has_own) add_own(p, it, k, q, at, ce);
    turn_roots(&p->rows, it, k, q, at->stress[k], ce);
    rows_add_geometric(&p->rows, it->force_rule, at->stress[k], no_coords, no_coords, v->kappa[k]);
    for (int b = 0; b < it->nblock; b++)
      add_rows(n, &q->along[k][3 * b], ce, ncol, &out->k[3 * (s * b + k) * out->n], out->n);
  }
}

// States of a flow do not jump: in the stages after the first a force weight (z_k - z_n) holds them, zero in a solution.
static void hold_flow_states(const Rows *p, double weight, const LocalMotion *it, Vec3 force[][MAX_LOCAL_VECTORS],
                             Local *out) {
  for (int e = p->start[FLOW_STATES]; e < p->start[FLOW_STATES + 1]; e++)
    for (int k = 1; k < it->s; k++) {
      int vec = p->vec[e];
      force[k][vec] = vec3_axpy(force[k][vec], weight, vec3_sub(it->xk[k][vec], it->xn[vec]));
      for (int a = 0; a < it->nnode && out->tangent; a++)
        if (it->first[a] == vec)
          local_add_diag(out, local_at(out, it->block[a], k), local_at(out, it->block[a], k), weight);
    }
}

static void evaluate_point(const ElementPoint *p, const ElementStep *step, const double *past, const LocalMotion *it,
                           PointTangent *q, OnVectors *v, Local *out) {
  Vec3 yn[MAX_Y], yk[MAX_STAGES][MAX_Y];
  PointStress at;
  rows_interpolate(&p->rows, it->xn, yn);
  row_strains(&p->rows, yn, q->en);
  for (int k = 0; k < it->s; k++) {
    rows_interpolate(&p->rows, it->xk[k], yk[k]);
    row_strains(&p->rows, yk[k], q->ek[k]);
  }
  p->response->stress(p, step, past, q->en, q->ek, &at);
  if (out->tangent) take_parts(&p->rows, it->nvec, q->part);
  for (int k = 0; k < it->s; k++) {
    evaluate_stage(&p->rows, it, k, yn, yk[k], out->tangent, q);
    add_forces(&p->rows, at.stress[k], &q->slope, v->force[k]);
  }
  if (out->tangent) add_tangent(p, it, &at, q, v, out);
  if (p->drag) {
    DragState drag = {.force = vec3_zero()};
    p->drag(p, &(DragStep){step->h, it->force_rule, yn, yk[0], q->en, q->ek[0]}, &drag);
    drag_add(&p->rows, p->weight, &drag, it, out);
  }
  if (p->flow) {
    FlowState flow;
    FlowStep around = element_flow_step(step, yn, yk[0]);
    p->flow->force(p->of, &around, true, &flow);
    flow_add(&p->rows, p->weight, &flow, it, v->force[0], out);
    hold_flow_states(&p->rows, p->weight, it, v->force, out);
  }
}

static bool has_dense_rows(const ElementKind *kind, const void *data) {
  ElementPoint p;
  element_point(kind, data, 0, &p);
  return p.rows.pair;
}

// Point after point.
static void evaluate_points(const ElementKind *kind, const void *data, const ElementStep *step, const LocalMotion *it,
                            Local *out) {
  const double *past = step->past;
  int npoint = element_points(kind, data);
  PointTangent q;
  OnVectors v;
  for (int k = 0; k < it->s; k++)
    for (int a = 0; a < it->nvec; a++) {
      v.force[k][a] = vec3_zero();
      for (int b = 0; b < it->nvec && out->tangent; b++) v.kappa[k][a][b] = 0;
    }
  for (int g = 0; g < npoint; g++) {
    ElementPoint p;
    Law own;
    element_point(kind, data, g, &p);
    if (p.begin) p.begin(&p, it->xn, &own);
    evaluate_point(&p, step, past, it, &q, &v, out);
    if (past) past += p.rows.nrow;
  }
  for (int k = 0; k < it->s; k++) local_motion_add_forces(it, k, v.force[k], v.kappa[k], out);
}

void element_evaluate(const ElementKind *kind, const void *data, const ElementStep *step, const LocalMotion *it,
                      Local *out) {
  if (element_points(kind, data) == 0) return;
  if (has_dense_rows(kind, data)) dense_evaluate(kind, data, step, it, out);
  else evaluate_points(kind, data, step, it, out);
}
