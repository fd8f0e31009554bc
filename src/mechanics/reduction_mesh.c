// SPDX-License-Identifier: Apache-2.0
// A mesh as a linear problem: stiffness and masses of its elements, and the factor of K + shift M.
#include "base/limits.h"
#include "mechanics/batch.h"
#include "mechanics/reduction_work.h"

#include <math.h>
#include <string.h>

const char reduction_no_memory[] = "not enough memory to reduce the body";

void *reduction_take(ReductionWork *w, size_t count, size_t size) {
  void *out = w->failed ? NULL : w->memory.allocate(w->memory.self, (count ? count : 1) * size);
  if (!out) w->failed = true;
  else memset(out, 0, (count ? count : 1) * size);
  return out;
}

double *reduction_numbers(ReductionWork *w, size_t rows, int columns) {
  return reduction_take(w, rows * (size_t)columns + STRIP, sizeof(double));
}

// ---- unknowns ----

static int place_of_node(const ReductionWork *w, int node) {
  return w->place[w->interface[node] < 0 ? node : w->m->nodes + w->interface[node]];
}

static Vec3 arm(const ReductionWork *w, int node) {
  return vec3_sub(w->m->at[node], w->m->interface[w->interface[node]].at);
}

// Displacement of a node in column c of x.
Vec3 reduction_value(const ReductionWork *w, const double *x, int columns, int c, int node) {
  const double *at = &x[(size_t)place_of_node(w, node) * (size_t)columns + (size_t)c];
  int k = columns;
  Vec3 u = vec3(at[0], at[k], at[2 * k]);
  if (w->interface[node] < 0) return u;
  return vec3_add(u, vec3_cross(vec3(at[3 * k], at[4 * k], at[5 * k]), arm(w, node)));
}

static void add_force(const ReductionWork *w, double *y, int columns, int c, int node, Vec3 f) {
  double *at = &y[(size_t)place_of_node(w, node) * (size_t)columns + (size_t)c];
  int k = columns;
  at[0] += f.x, at[k] += f.y, at[2 * k] += f.z;
  if (w->interface[node] < 0) return;
  Vec3 moment = vec3_cross(arm(w, node), f);
  at[3 * k] += moment.x, at[4 * k] += moment.y, at[5 * k] += moment.z;
}

static int unknowns_of(const ReductionWork *w, int node) { return w->interface[node] < 0 ? 3 : 6; }

// The columns of a node's unknowns: displacement of the node by unknown i.
static Vec3 column_of(const ReductionWork *w, int node, int i) {
  Vec3 e = vec3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
  return i < 3 ? e : vec3_cross(e, arm(w, node));
}

// ---- elements ----

void reduction_rows(const ReductionWork *w, const ReductionElement *e, int g, ReductionRows *out) {
  Vec3 x[REDUCED_NODES];
  for (int a = 0; a < e->nnode; a++) x[a] = w->m->at[e->node[a]];
  element_point(e->kind, e->data, g, &out->p);
  rows_gradient(&out->p.rows, x, no_coords, out->grad, e->nnode);
}

enum { GATHERED = 8 }; // integration points whose products are made at a time

// An element's B and C B, one row of a point after the other.
typedef struct {
  double b[GATHERED * MAX_ROWS][REDUCED_MATRIX], stress[GATHERED * MAX_ROWS][REDUCED_MATRIX];
} StrainRows;

static void add_matrix(const StrainRows *s, int depth, int n, double k[][REDUCED_MATRIX]) {
  for (int c = 0; c < n; c += STRIP)
    strip_product(&(StripProduct){.a = s->b[0],
                                  .a_row = 1,
                                  .a_deep = REDUCED_MATRIX,
                                  .b = &s->stress[0][c],
                                  .b_deep = REDUCED_MATRIX,
                                  .rows = n,
                                  .columns = STRIP,
                                  .depth = depth,
                                  .sign = 1,
                                  .c = &k[0][c],
                                  .c_row = REDUCED_MATRIX});
}

void reduction_matrix(const ReductionWork *w, const ReductionElement *e, double k[][REDUCED_MATRIX]) {
  ReductionRows q;
  StrainRows s;
  int points = e->kind->points(e->data), depth = 0, n = 3 * e->nnode;
  memset(k, 0, (size_t)n * sizeof *k);
  memset(&s, 0, sizeof s);
  for (int g = 0; g < points; g++) {
    reduction_rows(w, e, g, &q);
    int rows = q.p.rows.nrow;
    for (int r = 0; r < rows; r++)
      for (int a = 0; a < e->nnode; a++) vec3_to(q.grad[r][a], &s.b[depth + r][3 * a]);
    for (int r = 0; r < rows; r++) {
      memset(s.stress[depth + r], 0, sizeof *s.stress);
      for (int t = 0; t < rows; t++)
        reduction_subtract(s.stress[depth + r], s.b[depth + t], -q.p.weight * q.p.stiffness[r * rows + t], n);
    }
    depth += rows;
    if (depth + MAX_ROWS > GATHERED * MAX_ROWS || g + 1 == points) add_matrix(&s, depth, n, k), depth = 0;
  }
}

static void pair_stiffness_times(const ReductionWork *w, const double *x, int columns, double *y) {
  const ReductionMatrices *q = w->m->matrices;
  for (int p = 0; p < q->start[w->m->nodes]; p++) {
    int i = q->first[p], j = q->other[p];
    Mat3 k;
    memcpy(k.m, &q->stiffness[9 * (size_t)p], sizeof k.m);
    for (int c = 0; c < columns; c++) {
      add_force(w, y, columns, c, i, mat3_apply(k, reduction_value(w, x, columns, c, j)));
      if (i != j) add_force(w, y, columns, c, j, mat3_apply_transpose(k, reduction_value(w, x, columns, c, i)));
    }
  }
}

void reduction_stiffness_times(const ReductionWork *w, const double *x, int columns, double *y) {
  double k[3 * REDUCED_NODES][REDUCED_MATRIX], u[3 * REDUCED_NODES][STRIP], f[3 * REDUCED_NODES][STRIP];
  memset(y, 0, (size_t)w->n * (size_t)columns * sizeof *y);
  if (w->m->matrices) {
    pair_stiffness_times(w, x, columns, y);
    return;
  }
  for (int i = 0; i < w->m->elements; i++) {
    const ReductionElement *e = &w->m->element[i];
    int n = 3 * e->nnode;
    reduction_matrix(w, e, k);
    for (int c = 0; c < columns; c += STRIP) {
      int some = columns - c < STRIP ? columns - c : STRIP;
      memset(u, 0, sizeof u), memset(f, 0, sizeof f);
      for (int a = 0; a < e->nnode; a++)
        for (int l = 0; l < some; l++) {
          Vec3 v = reduction_value(w, x, columns, c + l, e->node[a]);
          u[3 * a][l] = v.x, u[3 * a + 1][l] = v.y, u[3 * a + 2][l] = v.z;
        }
      strip_product(&(StripProduct){.a = k[0],
                                    .a_row = REDUCED_MATRIX,
                                    .a_deep = 1,
                                    .b = u[0],
                                    .b_deep = STRIP,
                                    .rows = n,
                                    .columns = STRIP,
                                    .depth = n,
                                    .sign = 1,
                                    .c = f[0],
                                    .c_row = STRIP});
      for (int a = 0; a < e->nnode; a++)
        for (int l = 0; l < some; l++)
          add_force(w, y, columns, c + l, e->node[a], vec3(f[3 * a][l], f[3 * a + 1][l], f[3 * a + 2][l]));
    }
  }
}

void reduction_mass_times(const ReductionWork *w, const double *x, int columns, double *y) {
  const ReductionMatrices *q = w->m->matrices;
  memset(y, 0, (size_t)w->n * (size_t)columns * sizeof *y);
  for (int p = 0; q && p < q->start[w->m->nodes]; p++)
    for (int c = 0; c < columns; c++) {
      int i = q->first[p], j = q->other[p];
      add_force(w, y, columns, c, i, vec3_scale(q->mass[p], reduction_value(w, x, columns, c, j)));
      if (i != j) add_force(w, y, columns, c, j, vec3_scale(q->mass[p], reduction_value(w, x, columns, c, i)));
    }
  for (int node = 0; !q && node < w->m->nodes; node++)
    for (int c = 0; c < columns; c++)
      add_force(w, y, columns, c, node, vec3_scale(w->mass[node], reduction_value(w, x, columns, c, node)));
}

// ---- the matrix ----

static int super_of(const ReductionWork *w, int node) {
  return w->interface[node] < 0 ? node : w->m->nodes + w->interface[node];
}

// A clique is an element, or a pair of matrices.
static int cliques_of(const ReductionMesh *m) { return m->matrices ? m->matrices->start[m->nodes] : m->elements; }

static int clique_nodes(const ReductionMesh *m, int clique, int *node) {
  const ReductionMatrices *q = m->matrices;
  if (!q) {
    memcpy(node, m->element[clique].node, (size_t)m->element[clique].nnode * sizeof *node);
    return m->element[clique].nnode;
  }
  node[0] = q->first[clique], node[1] = q->other[clique];
  return node[0] == node[1] ? 1 : 2;
}

// The nodes and interfaces of each element, and unknowns of all.
static const char *make_cliques(ReductionWork *w) {
  const ReductionMesh *m = w->m;
  int supers = m->nodes + m->interfaces, ids = 0, cliques = cliques_of(m), node[REDUCED_NODES];
  for (int i = 0; i < cliques; i++) {
    if (ids > INT_MAX / 8) return "the mesh of the body is too fine";
    ids += clique_nodes(m, i, node);
  }
  int *start = reduction_take(w, (size_t)cliques + 1, sizeof *start),
      *list = reduction_take(w, (size_t)ids, sizeof *list);
  Vec3 *at = reduction_take(w, (size_t)supers, sizeof *at);
  bool *used = reduction_take(w, (size_t)supers, sizeof *used);
  w->place = reduction_take(w, (size_t)supers + 1, sizeof *w->place);
  if (w->failed) return reduction_no_memory;
  for (int i = 0; i < cliques; i++) {
    int begin = start[i], end = begin, nnode = clique_nodes(m, i, node);
    for (int a = 0; a < nnode; a++) {
      int super = super_of(w, node[a]), k = begin;
      while (k < end && list[k] != super) k++;
      if (k == end) list[end++] = super;
      used[super] = true;
    }
    start[i + 1] = end;
  }
  for (int s = 0; s < supers; s++) {
    at[s] = s < m->nodes ? m->at[s] : m->interface[s - m->nodes].at;
    if (s >= m->nodes && !used[s] && !m->interface[s - m->nodes].averages)
      return "an interface has no node of the mesh";
    w->place[s] = w->n, w->n += !used[s] ? 0 : s < m->nodes ? 3 : 6;
  }
  w->place[supers] = w->n;
  w->matrix = (CliqueMatrix){.nodes = supers,
                             .cliques = cliques,
                             .first = w->place,
                             .at = at,
                             .wide = m->interfaces,
                             .start = start,
                             .node = list};
  return NULL;
}

static int root_of(int *up, int i) {
  while (up[i] != i) up[i] = up[up[i]], i = up[i];
  return i;
}

static bool in_one_piece(ReductionWork *w) {
  const CliqueMatrix *q = &w->matrix;
  int *up = reduction_take(w, (size_t)q->nodes, sizeof *up), pieces = 0;
  if (!up) return false;
  for (int i = 0; i < q->nodes; i++) up[i] = i;
  for (int c = 0; c < q->cliques; c++)
    for (int k = q->start[c] + 1; k < q->start[c + 1]; k++)
      up[root_of(up, q->node[k])] = root_of(up, q->node[q->start[c]]);
  for (int i = 0; i < q->nodes; i++) pieces += up[i] == i && q->first[i + 1] > q->first[i];
  return pieces == 1;
}

// The shift that makes K + shift M positive: far below the lowest elastic mode.
static double choose_shift(const ReductionWork *w) {
  ReductionRows q;
  double most = 0;
  const ReductionMatrices *pairs = w->m->matrices;
  for (int i = 0; pairs && i < w->m->nodes; i++)
    if (w->mass[i] > 0) most = fmax(most, pairs->stiffness[9 * (size_t)pairs->start[i]] / w->mass[i]);
  for (int i = 0; !pairs && i < w->m->elements; i++) {
    const ReductionElement *e = &w->m->element[i];
    double k[REDUCED_NODES] = {0};
    for (int g = 0; g < e->kind->points(e->data); g++) {
      reduction_rows(w, e, g, &q);
      int rows = q.p.rows.nrow;
      for (int a = 0; a < e->nnode; a++)
        for (int r = 0; r < rows; r++)
          for (int s = 0; s < rows; s++)
            k[a] += q.p.weight * q.p.stiffness[r * rows + s] * q.grad[r][a].x * q.grad[s][a].x;
    }
    for (int a = 0; a < e->nnode; a++)
      if (w->mass[e->node[a]] > 0) most = fmax(most, k[a] / w->mass[e->node[a]]);
  }
  return 1e-9 * most;
}

// K + shift M of an element, or of a pair.
static void shifted_matrix(const ReductionWork *w, int clique, double k[][REDUCED_MATRIX]) {
  const ReductionMatrices *q = w->m->matrices;
  if (q) {
    bool one = q->first[clique] == q->other[clique];
    memset(k, 0, 6 * sizeof *k);
    for (int r = 0; r < 3; r++)
      for (int s = 0; s < 3; s++) {
        double value =
            q->stiffness[9 * (size_t)clique + (size_t)(3 * r + s)] + (r == s ? w->shift * q->mass[clique] : 0);
        if (one) k[r][s] = value;
        else k[r][3 + s] = k[3 + s][r] = value;
      }
    return;
  }
  const ReductionElement *e = &w->m->element[clique];
  reduction_matrix(w, e, k);
  for (int a = 0; a < e->nnode; a++) {
    Inertia own;
    e->kind->inertia(e->data, a, &own);
    for (int c = 0; c < 3; c++) k[3 * a + c][3 * a + c] += w->shift * own.m;
  }
}

static void clique_matrix(void *self, int clique, double *out) {
  ReductionWork *w = self;
  const CliqueMatrix *q = &w->matrix;
  double(*k)[REDUCED_MATRIX] = (double(*)[REDUCED_MATRIX])(void *)w->of_element;
  int offset[REDUCED_NODES], node[REDUCED_NODES], nnode = clique_nodes(w->m, clique, node), n = 0;
  for (int l = q->start[clique]; l < q->start[clique + 1]; l++) {
    for (int a = 0; a < nnode; a++)
      if (super_of(w, node[a]) == q->node[l]) offset[a] = n;
    n += q->first[q->node[l] + 1] - q->first[q->node[l]];
  }
  shifted_matrix(w, clique, k);
  for (int a = 0; a < nnode; a++)
    for (int b = 0; b < nnode; b++) {
      const double *r[3] = {&k[3 * a][3 * b], &k[3 * a + 1][3 * b], &k[3 * a + 2][3 * b]};
      for (int j = 0; j < unknowns_of(w, node[b]); j++) {
        Vec3 u = column_of(w, node[b], j);
        Vec3 f = vec3(r[0][0] * u.x + r[0][1] * u.y + r[0][2] * u.z, r[1][0] * u.x + r[1][1] * u.y + r[1][2] * u.z,
                      r[2][0] * u.x + r[2][1] * u.y + r[2][2] * u.z);
        for (int i = 0; i < unknowns_of(w, node[a]); i++)
          out[(offset[a] + i) * n + offset[b] + j] += vec3_dot(column_of(w, node[a], i), f);
      }
    }
}

static const char *factorise(ReductionWork *w, double most, double *work) {
  w->matrix.matrix = clique_matrix, w->matrix.self = w;
  w->of_element = reduction_numbers(w, 3 * REDUCED_NODES, REDUCED_MATRIX);
  w->shift = choose_shift(w);
  if (w->failed || !sparse_analyse(&w->factor, &w->matrix, w->memory)) return reduction_no_memory;
  *work = w->factor.work;
  if (w->factor.entries + w->factor.stack > LIMIT_REDUCED_ENTRIES || *work > most)
    return "its mesh is too fine: the factors of the stiffness of all bodies take more than 400 million entries or "
           "2e12 "
           "multiplications: make it coarser";
  if (sparse_factorise(&w->factor)) return NULL;
  return w->factor.failed ? reduction_no_memory : "its stiffness is not positive: is a part of the mesh not connected?";
}

// ---- products ----

// What is cloned shows in a shared library unless it is static.
TARGET_CLONES static double dot(const double *a, const double *b, int n) {
  BatchReal sum = {0}, x, y;
  double out = 0;
  int i = 0;
  for (; i + BATCH_WIDTH <= n; i += BATCH_WIDTH) {
    memcpy(&x, a + i, sizeof x), memcpy(&y, b + i, sizeof y);
    sum += x * y;
  }
  for (; i < n; i++) out += a[i] * b[i];
  for (int k = 0; k < BATCH_WIDTH; k++) out += sum[k];
  return out;
}

double reduction_dot(const double *a, const double *b, int n) { return dot(a, b, n); }

TARGET_CLONES static void subtract(double *restrict x, const double *restrict y, double f, int n) {
  for (int c = 0; c < n; c++) x[c] -= f * y[c];
}

void reduction_subtract(double *restrict x, const double *restrict y, double f, int n) { subtract(x, y, f, n); }

void reduction_products(int n, const double *a, int ka, const double *b, int kb, double *out) {
  memset(out, 0, (size_t)(ka * kb) * sizeof *out);
  for (int c = 0; c < kb; c += STRIP)
    strip_product(&(StripProduct){.a = a,
                                  .a_row = 1,
                                  .a_deep = (size_t)ka,
                                  .b = b + c,
                                  .b_deep = (size_t)kb,
                                  .rows = ka,
                                  .columns = kb - c < STRIP ? kb - c : STRIP,
                                  .depth = n,
                                  .sign = 1,
                                  .c = out + c,
                                  .c_row = (size_t)kb});
}

void reduction_combine(int n, const double *x, int from, const double *c, int to, double sign, double *out) {
  for (int k = 0; k < to; k += STRIP)
    strip_product(&(StripProduct){.a = x,
                                  .a_row = (size_t)from,
                                  .a_deep = 1,
                                  .b = c + k,
                                  .b_deep = (size_t)to,
                                  .rows = n,
                                  .columns = to - k < STRIP ? to - k : STRIP,
                                  .depth = from,
                                  .sign = sign,
                                  .c = out + k,
                                  .c_row = (size_t)to});
}

// ---- interfaces that average ----

double *reduction_weights(ReductionWork *w, const ReductionInterface *f, Vec3 *centre, Mat3 *moments) {
  double *weight = reduction_numbers(w, (size_t)f->count, 1), sum = 0;
  if (!weight) return NULL;
  for (int i = 0; i < f->count; i++) sum += w->mass[f->node[i]];
  *centre = f->at, *moments = mat3_zero();
  for (int i = 0; i < f->count; i++) {
    weight[i] = w->mass[f->node[i]] / sum;
    *centre = vec3_axpy(*centre, weight[i], vec3_sub(w->m->at[f->node[i]], f->at));
  }
  for (int i = 0; i < f->count; i++) {
    Vec3 x = vec3_sub(w->m->at[f->node[i]], *centre);
    *moments =
        mat3_axpy(*moments, weight[i], mat3_axpy(mat3_scale(vec3_dot(x, x), mat3_identity()), -1, mat3_outer(x, x)));
  }
  return weight;
}

const char *reduction_spread(ReductionWork *w, int interface, int axis, SpreadLoad *out) {
  const ReductionInterface *f = &w->m->interface[interface];
  Vec3 e = vec3(axis % 3 == 0, axis % 3 == 1, axis % 3 == 2);
  Mat3 j;
  *out = (SpreadLoad){0};
  if (!(out->weight = reduction_weights(w, f, &out->centre, &j))) return reduction_no_memory;
  Vec3 moment = e;
  if (axis < 3) out->force = e, moment = vec3_cross(vec3_sub(f->at, out->centre), e);
  Vec3 x = mat3_column(j, 0), y = mat3_column(j, 1), z = mat3_column(j, 2);
  out->spin = vec3_scale(1 / mat3_det(j), vec3(vec3_dot(moment, vec3_cross(y, z)), vec3_dot(moment, vec3_cross(z, x)),
                                               vec3_dot(moment, vec3_cross(x, y))));
  return NULL;
}

Vec3 reduction_spread_force(const ReductionWork *w, const SpreadLoad *s, int interface, int i) {
  Vec3 x = vec3_sub(w->m->at[w->m->interface[interface].node[i]], s->centre);
  return vec3_scale(s->weight[i], vec3_add(s->force, vec3_cross(s->spin, x)));
}

// ---- all ----

// Whether the nodes of an interface span a plane.
static bool spans_plane(const ReductionMesh *m, const ReductionInterface *f) {
  double most = 0, area = 0;
  Vec3 far = vec3_zero();
  for (int i = 1; i < f->count; i++) {
    Vec3 d = vec3_sub(m->at[f->node[i]], m->at[f->node[0]]);
    if (vec3_norm(d) > most) most = vec3_norm(d), far = d;
  }
  for (int i = 1; i < f->count; i++)
    area = fmax(area, vec3_norm(vec3_cross(far, vec3_sub(m->at[f->node[i]], m->at[f->node[0]]))));
  return area > 1e-2 * most * most;
}

const char *reduction_prepare(ReductionWork *w, double most_work, double *work) {
  const ReductionMesh *m = w->m;
  w->interface = reduction_take(w, (size_t)m->nodes, sizeof *w->interface);
  w->mass = reduction_numbers(w, (size_t)m->nodes, 1);
  if (w->failed) return reduction_no_memory;
  for (int i = 0; i < m->nodes; i++) w->interface[i] = -1;
  for (int k = 0; k < m->interfaces; k++)
    if (!spans_plane(m, &m->interface[k]))
      return "the nodes of an interface are one point or lie on one line, so that it cannot rotate them: take a group "
             "of "
             "nodes in a plane or in space";
  for (int k = 0; k < m->interfaces; k++)
    for (int i = 0; i < m->interface[k].count; i++) {
      if (w->interface[m->interface[k].node[i]] >= 0) return "two of its interfaces have a node in common";
      w->interface[m->interface[k].node[i]] = k;
    }
  for (int i = 0; i < m->nodes; i++)
    if (w->interface[i] >= 0 && m->interface[w->interface[i]].averages) w->interface[i] = -1;
  w->column = reduction_numbers(w, (size_t)m->nodes, 1);
  if (w->failed) return reduction_no_memory;
  if (m->matrices) matrices_masses(m, w->mass);
  for (int i = 0; !m->matrices && i < m->elements; i++)
    for (int a = 0; a < m->element[i].nnode; a++) {
      Inertia own;
      m->element[i].kind->inertia(m->element[i].data, a, &own);
      w->mass[m->element[i].node[a]] += own.m;
    }
  const char *wrong = make_cliques(w);
  if (wrong) return wrong;
  if (!in_one_piece(w)) return w->failed ? reduction_no_memory : "its mesh is not in one piece";
  return factorise(w, most_work, work);
}
