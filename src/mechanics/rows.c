// SPDX-License-Identifier: Apache-2.0
// Equations: eq-rows-coordinate-work (2.4).
#include "mechanics/rows.h"

#include "mechanics/dense_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- building ----

void rows_begin(Rows *p) { p->ny = p->nrow = p->nroot = p->start[0] = 0, p->formula = NULL, p->pair = NULL; }

void rows_y_add_point(Rows *p, double sign, int first, NodeKind kind, const Vec3 *x0, Vec3 point) {
  rows_y_add(p, first, sign);
  if (kind != NODE_POINT) rows_y_add_direction(p, sign, first, x0, vec3_sub(point, x0[0]));
}

void rows_y_add_direction(Rows *p, double sign, int first, const Vec3 *x0, Vec3 direction) {
  for (int j = 1; j < 4; j++) {
    double o = vec3_dot(direction, x0[j]);
    if (o != 0) rows_y_add(p, first + j, sign * o);
  }
}

void local_motion_begin(LocalMotion *it, int s, ForceRule force_rule) {
  it->s = s, it->force_rule = force_rule;
  it->nnode = it->nvec = it->nblock = 0;
}

static int add_node(LocalMotion *it, NodeKind kind, const Vec3 *xn) {
  int a = it->nnode++, nvec = node_vectors(kind);
  it->kind[a] = kind;
  it->first[a] = it->nvec;
  it->block[a] = kind == NODE_FIXED ? -1 : it->nblock;
  it->nblock += node_blocks(kind);
  for (int i = 0; i < nvec; i++) it->xn[it->nvec + i] = xn[i];
  it->nvec += nvec;
  return a;
}

static void move_node(LocalMotion *it, int a, int k) {
  for (int i = 0; i < node_vectors(it->kind[a]); i++) it->xk[k][it->first[a] + i] = it->motion[k][a].x[i];
}

void local_motion_add_node(LocalMotion *it, NodeKind kind, const Vec3 *xn, const Vec3 *u, const Vec3 *c) {
  int a = add_node(it, kind, xn);
  for (int k = 0; k < it->s; k++) {
    node_motion(kind, it->force_rule, xn, u[k], c[k], &it->motion[k][a]);
    move_node(it, a, k);
  }
}

void local_motion_add_moved(LocalMotion *it, NodeKind kind, const Vec3 *xn, const NodeMotion *m) {
  int a = add_node(it, kind, xn);
  for (int k = 0; k < it->s; k++) {
    if (kind == NODE_POINT) it->motion[k][a].x[0] = m[k].x[0];
    else it->motion[k][a] = m[k];
    move_node(it, a, k);
  }
}

// ---- formulae of coordinates ----

static double coord_formula_value(const Tape *f, const Coords *z) {
  Jet j;
  tape_evaluate(f, &z->z[1], &j);
  return j.value;
}

static double coord_formula_rate(const Tape *f, const Coords *z, int coord) {
  Jet j;
  tape_evaluate(f, &z->z[1], &j);
  return j.d[coord - 1];
}

// What the rule leaves goes to c with the weights w_i = c_i^2 D_i/sum_j (c_j D_j)^2, D = z_k - z_n, unless it is
// round-off of the values.
static void close_secant(const Jet *n, const Jet *k, const Coords *zn, const Coords *zk, CoordSecant *out) {
  const CoordSecant s = *out;
  double rest = k->value - n->value, sum = 0, size = fabs(k->value) + fabs(n->value), d[MAX_COORDS];
  for (int i = 1; i < MAX_COORDS; i++) {
    d[i] = zk->z[i] - zn->z[i];
    double part = s.along[i] * d[i];
    rest -= part, sum += part * part;
    size += fabs(part) + fabs(s.along[i]) * (fabs(zk->z[i]) + fabs(zn->z[i]));
  }
  if (!(sum > 0) || !(fabs(rest) > 16 * DBL_EPSILON * size)) return;
  for (int i = 1; i < MAX_COORDS; i++) out->along[i] += rest * s.along[i] * s.along[i] * d[i] / sum;
  for (int j = 1; j < MAX_COORDS; j++) {
    double rest_rate = s.end[j] - s.along[j], sum_rate = 2 * s.along[j] * s.along[j] * d[j];
    for (int i = 1; i < MAX_COORDS; i++) {
      rest_rate -= s.tangent[i][j] * d[i];
      sum_rate += 2 * s.along[i] * s.tangent[i][j] * d[i] * d[i];
    }
    for (int i = 1; i < MAX_COORDS; i++) {
      double c = s.along[i], w = c * c * d[i] / sum;
      double rate = (2 * c * s.tangent[i][j] * d[i] + (i == j ? c * c : 0) - w * sum_rate) / sum;
      out->tangent[i][j] += w * rest_rate + rest * rate;
    }
  }
}

void coord_formula_secant(const Tape *f, ForceRule rule, const Coords *zn, const Coords *zk, CoordSecant *out) {
  static const double at[2] = {0.33998104358485626, 0.86113631159405257},
                      weight[2] = {0.65214515486254614, 0.34785484513745386};
  Jet k, n, j;
  *out = (CoordSecant){.end = {0}};
  tape_evaluate(f, &zk->z[1], &k);
  for (int i = 0; i < TAPE_NAMES; i++) out->end[i + 1] = k.d[i];
  if (rule == FORCE_END) {
    for (int i = 0; i < TAPE_NAMES; i++) {
      out->along[i + 1] = k.d[i];
      for (int l = 0; l < TAPE_NAMES; l++) out->tangent[i + 1][l + 1] = k.dd[i][l];
    }
    return;
  }
  for (int g = 0; g < 4; g++) {
    double s = 0.5 + 0.5 * (g % 2 ? 1 : -1) * at[g / 2], w = 0.5 * weight[g / 2], x[TAPE_NAMES];
    for (int i = 0; i < TAPE_NAMES; i++) x[i] = zn->z[i + 1] + s * (zk->z[i + 1] - zn->z[i + 1]);
    tape_evaluate(f, x, &j);
    for (int i = 0; i < TAPE_NAMES; i++) {
      out->along[i + 1] += w * j.d[i];
      for (int l = 0; l < TAPE_NAMES; l++) out->tangent[i + 1][l + 1] += w * s * j.dd[i][l];
    }
  }
  tape_evaluate(f, &zn->z[1], &n);
  close_secant(&n, &k, zn, zk, out);
}

// ---- evaluating ----

void rows_interpolate(const Rows *p, const Vec3 *x, Vec3 *y) {
  for (int i = 0; i < p->ny; i++) {
    y[i] = vec3_zero();
    for (int e = p->start[i]; e < p->start[i + 1]; e++) y[i] = vec3_axpy(y[i], p->coef[e], x[p->vec[e]]);
  }
}

typedef struct {
  double f[FACTOR_COUNT];
} RowFactors;

const Coords no_coords[MAX_STAGES];

static RowFactors factor_values(double z) {
  return z == 0 ? (RowFactors){{1, 0, 1, 0, 0}} : (RowFactors){{1, sin(z), cos(z), z, z * z}};
}
static RowFactors factor_rates(double z) { return (RowFactors){{0, cos(z), -sin(z), 1, 2 * z}}; }
static RowFactors factor_curvatures(double z) { return (RowFactors){{0, -sin(z), -cos(z), 0, 2}}; }

static RowFactors factor_means(double z0, double z1) {
  RowFactors a = factor_values(z0), b = factor_values(z1);
  return (RowFactors){{1, 0.5 * (a.f[1] + b.f[1]), 0.5 * (a.f[2] + b.f[2]), 0.5 * (z0 + z1), 0.5 * (a.f[4] + b.f[4])}};
}

// (f(z1) - f(z0))/(z1 - z0) = sinc(d) (cos m, -sin m) of sin and cos, d the half difference, m the mean
static RowFactors factor_secants(double z0, double z1) {
  double d = 0.5 * (z1 - z0), m = 0.5 * (z0 + z1), sinc = fabs(d) < 1e-4 ? 1 - d * d / 6 : sin(d) / d;
  return (RowFactors){{0, sinc * cos(m), -sinc * sin(m), 1, z0 + z1}};
}

// the derivative of the secant with respect to z1
static RowFactors secant_rate(double z0, double z1) {
  double d = 0.5 * (z1 - z0), m = 0.5 * (z0 + z1);
  double sinc = fabs(d) < 1e-4 ? 1 - d * d / 6 : sin(d) / d;
  double slope = fabs(d) < 1e-2 ? -d / 3 * (1 - d * d / 10 * (1 - d * d / 28)) : (cos(d) - sinc) / d;
  return (RowFactors){{0, 0.5 * (slope * cos(m) - sinc * sin(m)), -0.5 * (slope * sin(m) + sinc * cos(m)), 0, 1}};
}

// Of all coordinates.
typedef struct {
  RowFactors of[MAX_COORDS];
} AllFactors;

static AllFactors values_at(const Coords *z) {
  AllFactors a;
  for (int c = 0; c < MAX_COORDS; c++) a.of[c] = factor_values(z->z[c]);
  return a;
}

static AllFactors all_factor_means(const Coords *z0, const Coords *z1) {
  AllFactors a;
  for (int c = 0; c < MAX_COORDS; c++) a.of[c] = factor_means(z0->z[c], z1->z[c]);
  return a;
}

// Of one coordinate: terms without it vanish.
static AllFactors single_coordinate(int coord, RowFactors f) {
  AllFactors a = {{{{0}}}};
  a.of[coord] = f;
  return a;
}

static double factor_of(const AllFactors *f, const RowTerm *q) { return f->of[q->coord].f[q->factor]; }

static void row_values(const Rows *p, const Vec3 *y, const AllFactors *f, double *e) {
  for (int r = 0; r < p->nrow; r++) e[r] = r < p->nroot ? 0 : -p->ref[r];
  if (p->pair) {
    dense_values(p, y, e);
    return;
  }
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    e[q->row] += q->c * factor_of(f, q) * vec3_dot(y[q->i], y[q->j]);
  }
  for (int r = 0; r < p->nroot; r++) e[r] = sqrt(2 * e[r]) - p->ref[r];
}

// Of l^2/2 to those of l; ends that coincide have no direction.
static void scale_roots(const Rows *p, const double *length, Vec3 g[][MAX_LOCAL_VECTORS], int nvec) {
  for (int r = 0; r < p->nroot; r++)
    for (int a = 0; a < nvec; a++) g[r][a] = vec3_scale(length[r] > 0 ? 1 / length[r] : 0, g[r][a]);
}

// d e_r / d x_a at the vectors y
static void row_gradient(const Rows *p, const Vec3 *y, const AllFactors *f, Vec3 g[][MAX_LOCAL_VECTORS], int nvec) {
  Vec3 b[MAX_ROWS][MAX_Y];
  for (int r = 0; r < p->nrow; r++) {
    for (int i = 0; i < p->ny; i++) b[r][i] = vec3_zero();
    for (int a = 0; a < nvec; a++) g[r][a] = vec3_zero();
  }
  if (p->pair) {
    double slope[MAX_Y][3][ROW_LANES];
    dense_slopes(p, y, slope);
    for (int r = 0; r < p->nrow; r++)
      for (int i = 0; i < p->ny; i++) b[r][i] = vec3(slope[i][0][r], slope[i][1][r], slope[i][2][r]);
  }
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    double c = q->c * factor_of(f, q);
    b[q->row][q->i] = vec3_axpy(b[q->row][q->i], c, y[q->j]);
    b[q->row][q->j] = vec3_axpy(b[q->row][q->j], c, y[q->i]);
  }
  for (int r = 0; r < p->nrow; r++)
    for (int i = 0; i < p->ny; i++) {
      Vec3 v = b[r][i];
      if (v.x == 0 && v.y == 0 && v.z == 0) continue;
      for (int e = p->start[i]; e < p->start[i + 1]; e++) g[r][p->vec[e]] = vec3_axpy(g[r][p->vec[e]], p->coef[e], v);
    }
}

// Vectors to unknowns of stage k: as derivatives, through what the directors turn by (dx), or as forces, through the
// arms rho.
static void on_unknowns(const LocalMotion *it, int k, bool forces, const Vec3 *g, double *out) {
  for (int a = 0; a < it->nnode; a++) {
    if (it->block[a] < 0) continue;
    const Vec3 *ga = &g[it->first[a]];
    const NodeMotion *m = &it->motion[k][a];
    double *at = &out[3 * it->block[a]];
    vec3_to(ga[0], at);
    if (it->kind[a] != NODE_FRAME) continue;
    Vec3 turn = vec3_zero();
    for (int j = 1; j < 4; j++) turn = vec3_add(turn, vec3_cross(forces ? m->rho[j] : m->x[j], ga[j]));
    vec3_to(forces ? turn : mat3_apply_transpose(m->spin, turn), at + 3);
  }
}

void rows_value(const Rows *p, const Vec3 *x, const Coords *z, double *e) {
  Vec3 y[MAX_Y];
  AllFactors f = values_at(z);
  rows_interpolate(p, x, y);
  row_values(p, y, &f, e);
  if (p->formula) e[0] += coord_formula_value(p->formula, z);
}

void rows_gradient(const Rows *p, const Vec3 *x, const Coords *z, Vec3 g[][MAX_LOCAL_VECTORS], int nvec) {
  Vec3 y[MAX_Y];
  AllFactors f = values_at(z);
  rows_interpolate(p, x, y);
  row_gradient(p, y, &f, g, nvec);
}

void rows_rate(const Rows *p, const Vec3 *x, const Coords *z, int coord, double *e) {
  Vec3 y[MAX_Y];
  RowFactors f = factor_rates(z->z[coord]);
  rows_interpolate(p, x, y);
  for (int r = 0; r < p->nrow; r++) e[r] = 0;
  for (int t = 0; t < p->nterm; t++) { // the constant e_r(reference) has no part in it
    const RowTerm *q = &p->term[t];
    if (q->factor != FACTOR_ONE && q->coord == coord) e[q->row] += q->c * f.f[q->factor] * vec3_dot(y[q->i], y[q->j]);
  }
  if (p->formula && coord > 0) e[0] += coord_formula_rate(p->formula, z, coord);
}

Coords rows_coord_rates(int nrow, int ncoord, double gz[][MAX_ROWS], const double *moves) {
  double a[MAX_COORDS][MAX_COORDS + 1] = {{0}}; // the normal equations, with their right side
  Coords out = {{0}};
  for (int r = 0; r < nrow; r++)
    for (int c = 0; c < ncoord; c++) {
      a[c][ncoord] -= gz[c][r] * moves[r];
      for (int d = 0; d < ncoord; d++) a[c][d] += gz[c][r] * gz[d][r];
    }
  for (int p = 0; p < ncoord; p++) // positive definite: no pivots are needed
    for (int c = 0; c < ncoord; c++) {
      double f = c == p || a[p][p] == 0 ? 0 : a[c][p] / a[p][p];
      for (int d = p; d <= ncoord; d++) a[c][d] -= f * a[p][d];
    }
  for (int c = 0; c < ncoord; c++) out.z[c] = a[c][c] > 0 ? a[c][ncoord] / a[c][c] : 0;
  return out;
}

static Vec3 interpolate_one(const Rows *p, int i, const Vec3 *x) {
  Vec3 y = vec3_zero();
  for (int e = p->start[i]; e < p->start[i + 1]; e++) y = vec3_axpy(y, p->coef[e], x[p->vec[e]]);
  return y;
}

bool rows_single(const Rows *p, int row, const Vec3 *x, double z, double *value, double *rate) {
  RowFactors f = factor_values(z), df = {{0, f.f[FACTOR_COS], -f.f[FACTOR_SIN], 1, 2 * z}};
  bool angle = false;
  *value = -p->ref[row], *rate = 0;
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    if (q->row != row) continue;
    double dots = q->c * vec3_dot(interpolate_one(p, q->i, x), interpolate_one(p, q->j, x));
    *value += f.f[q->factor] * dots, *rate += df.f[q->factor] * dots;
    angle = angle || q->factor == FACTOR_SIN || q->factor == FACTOR_COS;
  }
  return angle;
}

// d e/dz of a term at the end, and the divided difference along the stage: the mean of the dot products at both ends
// times the secant of the factors.
static void term_rates(const RowTerm *q, ForceRule force_rule, const Vec3 *yn, const Vec3 *yk, double zn, double zk,
                       double *end, double *along) {
  double at_n = vec3_dot(yn[q->i], yn[q->j]), at_k = vec3_dot(yk[q->i], yk[q->j]);
  *end = q->c * factor_rates(zk).f[q->factor] * at_k;
  *along = force_rule == FORCE_END ? *end : q->c * factor_secants(zn, zk).f[q->factor] * 0.5 * (at_n + at_k);
}

static void rates_of_coords(const Rows *p, const LocalMotion *it, int k, const Vec3 *yn, const Vec3 *yk,
                            const Coords *zn, const Coords *zk, RowsState *out) {
  for (int c = 0; c < MAX_COORDS; c++)
    for (int r = 0; r < p->nrow; r++) out->end_z[k][c][r] = out->along_z[k][c][r] = 0;
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    double end, along;
    if (q->factor == FACTOR_ONE) continue;
    term_rates(q, it->force_rule, yn, yk, zn->z[q->coord], zk->z[q->coord], &end, &along);
    out->end_z[k][q->coord][q->row] += end, out->along_z[k][q->coord][q->row] += along;
  }
  if (!p->formula) return;
  CoordSecant s;
  coord_formula_secant(p->formula, it->force_rule, zn, zk, &s);
  for (int c = 1; c < MAX_COORDS; c++) out->end_z[k][c][0] += s.end[c], out->along_z[k][c][0] += s.along[c];
}

void rows_on_coords(const Rows *p, ForceRule force_rule, const Vec3 *xn, const Vec3 *xk, const Coords *zn,
                    const Coords *zk, const double *lambda, Coords *out) {
  Vec3 yn[MAX_Y], yk[MAX_Y];
  *out = (Coords){{0}};
  rows_interpolate(p, xn, yn);
  rows_interpolate(p, xk, yk);
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    double end, along;
    if (q->factor == FACTOR_ONE) continue;
    term_rates(q, force_rule, yn, yk, zn->z[q->coord], zk->z[q->coord], &end, &along);
    out->z[q->coord] += lambda[q->row] * along;
  }
  if (!p->formula) return;
  CoordSecant s;
  coord_formula_secant(p->formula, force_rule, zn, zk, &s);
  for (int c = 1; c < MAX_COORDS; c++) out->z[c] += lambda[0] * s.along[c];
}

void rows_evaluate(const Rows *p, const LocalMotion *it, const Coords *zn, const Coords *zk, bool tangent,
                   RowsState *out) {
  Vec3 yn[MAX_Y], yk[MAX_Y], g[MAX_ROWS][MAX_LOCAL_VECTORS];
  double length[MAX_ROWS];
  AllFactors fn = values_at(zn);
  rows_interpolate(p, it->xn, yn);
  row_values(p, yn, &fn, out->en);
  if (p->formula) out->en[0] += coord_formula_value(p->formula, zn);
  for (int k = 0; k < it->s; k++) {
    AllFactors fk = values_at(&zk[k]);
    rows_interpolate(p, it->xk[k], yk);
    row_values(p, yk, &fk, out->ek[k]);
    if (p->formula) out->ek[k][0] += coord_formula_value(p->formula, &zk[k]);
    for (int r = 0; r < p->nroot; r++) {
      double ln = out->en[r] + p->ref[r];
      length[r] = out->ek[k][r] + p->ref[r];
      out->mean[k][r] = it->force_rule == FORCE_END ? length[r] : 0.5 * (ln + length[r]);
    }
    rates_of_coords(p, it, k, yn, yk, zn, &zk[k], out);
    if (tangent || it->force_rule == FORCE_END) {
      row_gradient(p, yk, &fk, g, it->nvec);
      scale_roots(p, length, g, it->nvec);
    }
    for (int r = 0; r < p->nrow && tangent; r++) {
      double end[3 * MAX_LOCAL_BLOCKS];
      on_unknowns(it, k, false, g[r], end);
      for (int b = 0; b < it->nblock; b++)
        for (int i = 0; i < 3; i++) out->end[r][3 * (it->s * b + k) + i] = end[3 * b + i];
    }
    if (it->force_rule == FORCE_END) memcpy(out->along_vec[k], g, sizeof g);
    else {
      Vec3 middle[MAX_Y];
      AllFactors fm = all_factor_means(zn, &zk[k]);
      for (int i = 0; i < p->ny; i++) middle[i] = vec3_mean(yn[i], yk[i]);
      row_gradient(p, middle, &fm, out->along_vec[k], it->nvec);
      scale_roots(p, out->mean[k], out->along_vec[k], it->nvec);
    }
    for (int r = 0; r < p->nrow && tangent; r++) on_unknowns(it, k, true, out->along_vec[k][r], out->along[k][r]);
  }
}

// c times the derivatives of y_i . y_j by the vectors.
static void add_pair(const Rows *p, int i, int j, double c, double kappa[MAX_LOCAL_VECTORS][MAX_LOCAL_VECTORS]) {
  for (int e = p->start[i]; e < p->start[i + 1]; e++)
    for (int d = p->start[j]; d < p->start[j + 1]; d++) {
      double v = c * p->coef[e] * p->coef[d];
      kappa[p->vec[e]][p->vec[d]] += v;
      kappa[p->vec[d]][p->vec[e]] += v;
    }
}

static void add_all_pairs(const Rows *p, double part, const double *stress,
                          double kappa[MAX_LOCAL_VECTORS][MAX_LOCAL_VECTORS]) {
  const double *s = p->pair;
  for (int i = 0; i < p->ny; i++)
    for (int j = i; j < p->ny; j++, s += ROW_LANES) {
      double c = 0;
      for (int r = 0; r < p->nrow; r++) c += s[r] * stress[r];
      add_pair(p, i, j, part * c, kappa);
    }
}

void rows_add_geometric(const Rows *p, ForceRule force_rule, const double *stress, const Coords *zn, const Coords *zk,
                        double kappa[MAX_LOCAL_VECTORS][MAX_LOCAL_VECTORS]) {
  AllFactors f = force_rule == FORCE_END ? values_at(zk) : all_factor_means(zn, zk);
  double part = force_rule == FORCE_END ? 1 : 0.5, all[MAX_Y][MAX_Y];
  bool sums = p->nterm > p->ny * (p->ny + 1) / 2; // many terms have the same vectors: they are added up before
  if (p->pair) {
    add_all_pairs(p, part, stress, kappa);
    return;
  }
  for (int i = 0; i < p->ny && sums; i++)
    for (int j = 0; j < p->ny; j++) all[i][j] = 0;
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    double c = part * q->c * factor_of(&f, q) * stress[q->row];
    if (sums) all[q->i][q->j] += c;
    else if (c != 0) add_pair(p, q->i, q->j, c, kappa);
  }
  for (int i = 0; i < p->ny && sums; i++)
    for (int j = 0; j < p->ny; j++)
      if (all[i][j] != 0) add_pair(p, i, j, all[i][j], kappa);
}

void local_motion_add_forces(const LocalMotion *it, int k, const Vec3 *force,
                             double kappa[MAX_LOCAL_VECTORS][MAX_LOCAL_VECTORS], Local *out) {
  const NodeMotion *m = it->motion[k];
  for (int a = 0; a < it->nnode; a++) {
    node_add_force(out, it->kind[a], it->block[a], &m[a], k, &force[it->first[a]]);
    for (int b = 0; b < it->nnode && out->tangent; b++) {
      const double *between = &kappa[it->first[a]][it->first[b]];
      if (it->kind[a] == NODE_POINT && it->kind[b] == NODE_POINT && *between == 0) continue;
      node_add_scalar_tangent(out, it->kind[a], it->block[a], &m[a], k, it->kind[b], it->block[b], &m[b], k, between,
                              MAX_LOCAL_VECTORS);
    }
  }
}

void rows_add_stress(const Rows *p, const LocalMotion *it, int k, const Coords *zn, const Coords *zk,
                     const double *stress, const RowsState *q, Local *out) {
  Vec3 force[MAX_LOCAL_VECTORS];
  double kappa[MAX_LOCAL_VECTORS][MAX_LOCAL_VECTORS];
  for (int a = 0; a < it->nvec; a++) {
    force[a] = vec3_zero();
    for (int b = 0; b < it->nvec && out->tangent; b++) kappa[a][b] = 0;
    for (int r = 0; r < p->nrow; r++) force[a] = vec3_axpy(force[a], stress[r], q->along_vec[k][r][a]);
  }
  if (out->tangent) rows_add_geometric(p, it->force_rule, stress, zn, zk, kappa);
  local_motion_add_forces(it, k, force, kappa, out);
}

void rows_force(const Rows *p, const LocalMotion *it, int k, const Coords *zn, const Coords *zk, const double *stress,
                Vec3 *force) {
  const bool end = it->force_rule == FORCE_END;
  Vec3 yn[MAX_Y], at[MAX_Y], on[MAX_Y];
  AllFactors f = end ? values_at(zk) : all_factor_means(zn, zk);
  rows_interpolate(p, it->xk[k], at);
  if (!end) rows_interpolate(p, it->xn, yn);
  for (int i = 0; i < p->ny; i++) {
    if (!end) at[i] = vec3_mean(yn[i], at[i]);
    on[i] = vec3_zero();
  }
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    double c = stress[q->row] * q->c * factor_of(&f, q);
    on[q->i] = vec3_axpy(on[q->i], c, at[q->j]);
    on[q->j] = vec3_axpy(on[q->j], c, at[q->i]);
  }
  for (int a = 0; a < it->nvec; a++) force[a] = vec3_zero();
  for (int i = 0; i < p->ny; i++)
    for (int e = p->start[i]; e < p->start[i + 1]; e++)
      force[p->vec[e]] = vec3_axpy(force[p->vec[e]], p->coef[e], on[i]);
}

double rows_coord_tangent(const Rows *p, const LocalMotion *it, int k, int coord, const Coords *zn, const Coords *zk,
                          const double *lambda, double *dforce, double *dmoment) {
  Vec3 yn[MAX_Y], yk[MAX_Y], at[MAX_Y], g[MAX_ROWS][MAX_LOCAL_VECTORS], sum[MAX_LOCAL_VECTORS];
  bool end = it->force_rule == FORCE_END;
  double z0 = zn->z[coord], z1 = zk->z[coord];
  rows_interpolate(p, it->xn, yn);
  rows_interpolate(p, it->xk[k], yk);
  // d along / dz: the factors' rate, halved by the mean
  AllFactors turn = single_coordinate(coord, factor_rates(z1)),
             moment = single_coordinate(coord, end ? factor_rates(z1) : factor_secants(z0, z1));
  RowFactors second = end ? factor_curvatures(z1) : secant_rate(z0, z1);
  double part = end ? 1 : 0.5, dd = 0;
  for (int i = 0; i < p->ny; i++) at[i] = end ? yk[i] : vec3_mean(yn[i], yk[i]);
  for (int pass = 0; pass < 2; pass++) {
    row_gradient(p, pass ? yk : at, pass ? &moment : &turn, g, it->nvec);
    for (int a = 0; a < it->nvec; a++) {
      sum[a] = vec3_zero();
      for (int r = 0; r < p->nrow; r++) sum[a] = vec3_axpy(sum[a], part * lambda[r], g[r][a]);
    }
    on_unknowns(it, k, !pass, sum, pass ? dmoment : dforce);
  }
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    if (q->coord != coord) continue;
    double dots = vec3_dot(yk[q->i], yk[q->j]);
    if (!end) dots = 0.5 * (dots + vec3_dot(yn[q->i], yn[q->j]));
    dd += lambda[q->row] * q->c * second.f[q->factor] * dots;
  }
  return dd;
}
