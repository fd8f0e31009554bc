// SPDX-License-Identifier: Apache-2.0
#include "mechanics/flow.h"

// Derivatives of the vectors y_i of a point at the end of the step, by the blocks of unknowns of stage 0.
typedef struct {
  Mat3 by[FLOW_VECTORS][MAX_LOCAL_BLOCKS];
  bool any[FLOW_VECTORS][MAX_LOCAL_BLOCKS];
} VectorSlopes;

static void add_slope(VectorSlopes *s, int i, int block, double coef, Mat3 by) {
  s->by[i][block] = s->any[i][block] ? mat3_axpy(s->by[i][block], coef, by) : mat3_scale(coef, by);
  s->any[i][block] = true;
}

// `motion`: of the vectors themselves, d x_j = -x_j x (spin dc); else of forces on them, whose moment is rho_j x f.
static void take_slopes(const Rows *p, const LocalMotion *it, bool motion, VectorSlopes *s) {
  for (int i = 0; i < FLOW_VECTORS; i++) {
    for (int b = 0; b < it->nblock; b++) s->any[i][b] = false;
    for (int e = p->start[i]; e < p->start[i + 1]; e++)
      for (int a = 0; a < it->nnode; a++) {
        int j = p->vec[e] - it->first[a];
        const NodeMotion *m = &it->motion[0][a];
        if (it->block[a] < 0 || j < 0 || j >= node_vectors(it->kind[a])) continue;
        if (j == 0) add_slope(s, i, it->block[a], p->coef[e], mat3_identity());
        else if (motion) add_slope(s, i, it->block[a] + 1, -p->coef[e], mat3_mul(mat3_cross(m->x[j]), m->spin));
        else add_slope(s, i, it->block[a] + 1, p->coef[e], mat3_cross(m->rho[j]));
      }
  }
}

static Mat3 derivative(const FlowState *q, int i, int j) {
  Mat3 out;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) out.m[r][c] = q->force[i].x[r].d[3 * j + c];
  return out;
}

static void add_tangent(const Rows *p, double weight, const FlowState *q, const LocalMotion *it, Local *out) {
  VectorSlopes column, row;
  take_slopes(p, it, true, &column);
  take_slopes(p, it, false, &row);
  for (int i = 0; i < FLOW_VECTORS; i++)
    for (int c = 0; c < it->nblock; c++) {
      Mat3 slope = mat3_zero();
      bool any = false;
      for (int j = 0; j < FLOW_VECTORS; j++)
        if (column.any[j][c]) slope = mat3_add(slope, mat3_mul(derivative(q, i, j), column.by[j][c])), any = true;
      for (int r = 0; r < it->nblock && any; r++)
        if (row.any[i][r])
          local_add_mat(out, local_at(out, r, 0), local_at(out, c, 0), -weight, mat3_mul(row.by[i][r], slope));
    }
}

void flow_add(const Rows *p, double weight, const FlowState *q, const LocalMotion *it, Vec3 *force, Local *out) {
  for (int i = 0; i < FLOW_VECTORS; i++)
    for (int e = p->start[i]; e < p->start[i + 1]; e++)
      force[p->vec[e]] = vec3_axpy(force[p->vec[e]], -weight * p->coef[e], dual_vec_value(&q->force[i]));
  if (out->tangent) add_tangent(p, weight, q, it, out);
}

FlowWork flow_work(const FlowTable *table, const void *of, double weight, const FlowStep *step) {
  FlowState q[2];
  FlowWork out = {0, 0};
  table->force(of, step, true, &q[0]);
  table->force(of, step, false, &q[1]);
  for (int i = 0; i < FLOW_VECTORS; i++) {
    Vec3 moved = vec3_sub(step->yk[i], step->yn[i]);
    out.all += weight * vec3_dot(dual_vec_value(&q[0].force[i]), moved);
    if (i != FLOW_STATES) out.at_rest += weight * vec3_dot(dual_vec_value(&q[1].force[i]), moved);
  }
  return out;
}
