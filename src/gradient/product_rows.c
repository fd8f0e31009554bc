// SPDX-License-Identifier: Apache-2.0
// Products with multipliers (product.h) of tables of rows, and of elements.
//   L = sum_r s_r b_r + next . e(memory),   b_r = B_r(middle) w
// with the weights w of forces on the vectors: b_r is bilinear in the middle of the step and w. Stresses are functions of
// the strains at start and end and of what is remembered; linear ones have given derivatives, others central differences
// over these few numbers.
#include "gradient/product.h"

#include "assembly/state_values.h"
#include "assembly/step_memory.h"
#include "mechanics/hyper.h"
#include "mechanics/reel.h"

#include <math.h>
#include <string.h>

void rows_product(const Rows *p, const double *factor, const Vec3 *a, const Vec3 *b, double *out) {
  const double *s = p->pair;
  for (int r = 0; r < p->nrow; r++) out[r] = 0;
  for (int i = 0; i < p->ny && p->pair; i++)
    for (int j = i; j < p->ny; j++, s += ROW_LANES) {
      double dot = vec3_dot(a[i], b[j]) + vec3_dot(a[j], b[i]);
      for (int r = 0; r < p->nrow; r++) out[r] += s[r] * dot;
    }
  for (int t = 0; t < p->nterm && !p->pair; t++) {
    const RowTerm *q = &p->term[t];
    out[q->row] += q->c * (factor ? factor[t] : 1) * (vec3_dot(a[q->i], b[q->j]) + vec3_dot(a[q->j], b[q->i]));
  }
}

void rows_add_slopes(const Rows *p, const double *factor, const double *weight, const Vec3 *y, Vec3 *out) {
  const double *s = p->pair;
  for (int i = 0; i < p->ny && p->pair; i++)
    for (int j = i; j < p->ny; j++, s += ROW_LANES) {
      double c = 0;
      for (int r = 0; r < p->nrow; r++) c += s[r] * weight[r];
      out[i] = vec3_axpy(out[i], c, y[j]), out[j] = vec3_axpy(out[j], c, y[i]);
    }
  for (int t = 0; t < p->nterm && !p->pair; t++) {
    const RowTerm *q = &p->term[t];
    double c = q->c * (factor ? factor[t] : 1) * weight[q->row];
    out[q->i] = vec3_axpy(out[q->i], c, y[q->j]), out[q->j] = vec3_axpy(out[q->j], c, y[q->i]);
  }
}

void rows_add_to_vectors(const Rows *p, const Vec3 *on, Vec3 *vectors) {
  for (int i = 0; i < p->ny; i++)
    for (int e = p->start[i]; e < p->start[i + 1]; e++)
      vectors[p->vec[e]] = vec3_axpy(vectors[p->vec[e]], p->coef[e], on[i]);
}

// ---- responses ----

typedef struct { // of a point over a step
  const ElementPoint *p;
  const ElementStep *step;
  bool remembers;
  double e[3][MAX_ROWS]; // strains at start and end, and what is remembered
  double b[MAX_ROWS], next[MAX_ROWS];
} PointProduct;

// What the point remembers of the step.
static void find_next(const ElementPoint *p, const ElementStep *step, const double *past, const double *en,
                      const double *ek, double *next) {
  int n = p->rows.nrow;
  double lost = 0, z = p->response == &response_law ? element_law_strain(p, ek) : 0;
  LawState s;
  ReelState reel;
  for (int r = 0; r < n; r++) next[r] = ek[r] - en[r];
  if (p->response == &response_hyper) hyper_remember(p->of, step->recall, en, ek, next, &lost);
  if (p->response != &response_law && p->response != &response_reel) return;
  if (p->response == &response_law)
    law_table_evaluate(p->law, p->of, step->t, step->h, step->recall, past ? past[0] : 0, element_law_strain(p, en), &z,
                       &s);
  else {
    double end[1][MAX_ROWS];
    memcpy(end[0], ek, sizeof end[0]);
    reel_evaluate(p->of, step->t, step->h, step->recall, past ? past[0] : 0, n, en, end, &reel);
    s = reel.law;
  }
  for (int r = 0; r < n; r++) next[r] = r ? 0 : s.next;
}

// s . b + next . memory, and the stresses.
static double point_value(const PointProduct *q, double e[3][MAX_ROWS], double *stress) {
  const double *past = q->remembers ? e[2] : NULL;
  double ek[1][MAX_ROWS], memory[MAX_ROWS], sum = 0;
  int n = q->p->rows.nrow;
  PointStress at;
  memcpy(ek[0], e[1], sizeof ek[0]);
  q->p->response->stress(q->p, q->step, past, e[0], ek, &at);
  for (int r = 0; r < n; r++) sum += at.stress[0][r] * q->b[r];
  if (stress) memcpy(stress, at.stress[0], (size_t)n * sizeof *stress);
  if (!q->remembers) return sum;
  find_next(q->p, q->step, past, e[0], e[1], memory);
  for (int r = 0; r < n; r++) sum += memory[r] * q->next[r];
  return sum;
}

// Of a linear response: s = weight (C (e_n + f (e_1 - e_n) + g past) + viscous ...), where the part by e_1 is given.
static void linear_slopes(const PointProduct *q, double slope[3][MAX_ROWS]) {
  const ElementPoint *p = q->p;
  const Recall *m = q->step->recall;
  int n = p->rows.nrow;
  double damping = p->damping / q->step->h, factor = q->step->t->a[0][0] + m->delta + m->rate * damping;
  double before = m->before * damping - m->delta * m->keep;
  for (int r = 0; r < n; r++) {
    double elastic = 0, viscous = 0;
    for (int i = 0; i < n; i++) {
      double c = p->weight * p->stiffness[i * n + r] * q->b[i];
      elastic += c;
      if (p->damper) viscous += c * p->damper[i] * p->damper[r] / q->step->h;
    }
    slope[1][r] = factor * elastic + m->rate * viscous + (q->remembers ? q->next[r] : 0);
    slope[0][r] = (1 - factor) * elastic - m->rate * viscous - (q->remembers ? q->next[r] : 0);
    slope[2][r] = before * elastic + m->before * viscous;
  }
}

static const double difference_part = 1e-4; // of the largest strain

typedef struct { // a function of strain r of e[k]
  const PointProduct *q;
  double e[3][MAX_ROWS];
  int k, r;
} OneStrain;

static double value_by_strain(const void *self, double x) {
  OneStrain at = *(const OneStrain *)self;
  at.e[at.k][at.r] = x;
  return point_value(at.q, at.e, NULL);
}

static void differenced_slopes(const PointProduct *q, double slope[3][MAX_ROWS], Kinks *kinks) {
  OneStrain at = {.q = q};
  double size = 0;
  int n = q->p->rows.nrow;
  memcpy(at.e, q->e, sizeof at.e);
  for (int k = 0; k < 2; k++)
    for (int r = 0; r < n; r++) size = fmax(size, fabs(q->e[k][r]));
  double d = size > 0 ? difference_part * size : 1e-8;
  for (at.k = 0; at.k < (q->remembers ? 3 : 2); at.k++)
    for (at.r = 0; at.r < n; at.r++)
      slope[at.k][at.r] = q->p->response == &response_hyper
                              ? smooth_slope(value_by_strain, &at, q->e[at.k][at.r], d)
                              : kinked_slope(value_by_strain, &at, q->e[at.k][at.r], d, kinks);
}

// ---- a point of an element ----

double product_of_response(const ElementPoint *p, const ElementStep *step, const double *past, const double *next,
                           Kinks *kinks, ItemVectors *v, double *of_past) {
  const Rows *rows = &p->rows;
  PointProduct q = {.p = p, .step = step, .remembers = past};
  Vec3 yn[MAX_Y], yk[MAX_Y], ym[MAX_Y], yw[MAX_Y], zero[MAX_Y], on[3][MAX_Y];
  double mean[MAX_ROWS], stress[MAX_ROWS], slope[3][MAX_ROWS] = {{0}};
  int n = rows->nrow;
  rows_interpolate(rows, v->xn, yn), rows_interpolate(rows, v->xk, yk), rows_interpolate(rows, v->w, yw);
  for (int i = 0; i < rows->ny; i++) ym[i] = vec3_mean(yn[i], yk[i]), zero[i] = vec3_zero();
  rows_product(rows, NULL, yn, yn, q.e[0]), rows_product(rows, NULL, yk, yk, q.e[1]);
  for (int k = 0; k < 2; k++)
    for (int r = 0; r < n; r++)
      q.e[k][r] = r < rows->nroot ? sqrt(q.e[k][r]) - rows->ref[r] : 0.5 * q.e[k][r] - rows->ref[r];
  rows_product(rows, NULL, ym, yw, q.b);
  for (int r = 0; r < n; r++) {
    mean[r] = r < rows->nroot ? 0.5 * (q.e[0][r] + q.e[1][r]) + rows->ref[r] : 1;
    q.b[r] = mean[r] > 0 ? q.b[r] / mean[r] : 0;
    if (past) q.e[2][r] = past[r], q.next[r] = next[r];
  }
  double value = point_value(&q, q.e, stress);
  if (!kinks) return value; // no derivatives are wanted
  if (p->response == &response_linear) linear_slopes(&q, slope);
  else differenced_slopes(&q, slope, kinks);
  for (int r = 0; r < n; r++) {
    if (past) of_past[r] += slope[2][r];
    if (r >= rows->nroot) continue;
    double length[2] = {q.e[0][r] + rows->ref[r], q.e[1][r] + rows->ref[r]};
    for (int k = 0; k < 2; k++) { // the mean length divides, and a length has the slope of l^2/2 over itself
      slope[k][r] -= mean[r] > 0 ? 0.5 * stress[r] * q.b[r] / mean[r] : 0;
      slope[k][r] = length[k] > 0 ? slope[k][r] / length[k] : 0;
    }
    stress[r] = mean[r] > 0 ? stress[r] / mean[r] : 0;
  }
  for (int k = 0; k < 3; k++) memcpy(on[k], zero, (size_t)rows->ny * sizeof *zero);
  rows_add_slopes(rows, NULL, stress, ym, on[2]);
  rows_add_to_vectors(rows, on[2], v->of_w);
  rows_add_slopes(rows, NULL, stress, yw, on[0]);
  for (int i = 0; i < rows->ny; i++) on[0][i] = on[1][i] = vec3_scale(0.5, on[0][i]);
  rows_add_slopes(rows, NULL, slope[0], yn, on[0]);
  rows_add_slopes(rows, NULL, slope[1], yk, on[1]);
  rows_add_to_vectors(rows, on[0], v->of_xn);
  rows_add_to_vectors(rows, on[1], v->of_xk);
  return value;
}

// ---- elements ----

double product_of_element(StepProduct *p, PetscInt e) {
  const Layout *layout = &p->motion->layout;
  const ModelElement *el = model_element(layout->model, layout->element[e]);
  int npoint = element_points(el->kind, el->data), n = 0;
  PetscInt row = p->motion->state.row_increment_start ? p->motion->state.row_increment_start[e] : 0;
  PetscInt place[MAX_LOCAL_VECTORS];
  ItemVectors v;
  double sum = 0;
  if (npoint == 0 || el->kind->points(el->data) == 0) return 0;
  for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1]; a++) {
    PetscInt i = layout->element_node[a];
    for (int j = 0; j < node_vectors(model_node(layout->model, layout->node[i])->kind); j++, n++) {
      place[n] = 4 * i + j;
      v.xn[n] = p->motion->state.x[4 * i + j], v.xk[n] = p->moved[i].x[j], v.w[n] = p->weight[4 * i + j];
      v.of_xn[n] = v.of_xk[n] = v.of_w[n] = vec3_zero();
    }
  }
  ElementStep step = motion_element_step(p->motion, e);
  const double *past = step.past;
  v.nvec = n;
  for (int g = 0; g < npoint; g++) {
    const double *next = past ? p->next->row_next + row : NULL;
    ElementPoint at;
    Law own;
    element_point(el->kind, el->data, g, &at);
    if (at.begin && p->state) product_add_begun(p, &at, &step, past, next, &v);
    if (at.begin) at.begin(&at, v.xn, &own);
    sum += product_of_response(&at, &step, past, next, p->state ? &p->kinks : NULL, &v,
                               past && p->state ? p->state->row_next + row : NULL);
    if (at.drag) sum += product_of_drag(p, &at, &step, &v);
    if (at.flow) sum += product_of_flow(p, &at, &step, &v);
    for (int r = 0; r < at.rows.nrow && past && p->state; r++)
      p->state->row_next[row + r] += p->next->row_last[row + r]; // what was recalled
    if (past) past += at.rows.nrow, row += at.rows.nrow;
  }
  sum += product_of_element_loads(p, e, &v);
  for (int a = 0; a < n && p->state; a++) {
    p->state->x[place[a]] = vec3_add(p->state->x[place[a]], v.of_xn[a]);
    p->end[place[a]] = vec3_add(p->end[place[a]], v.of_xk[a]);
    p->force[place[a]] = vec3_add(p->force[place[a]], v.of_w[a]);
  }
  return sum;
}
