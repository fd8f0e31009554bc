// SPDX-License-Identifier: Apache-2.0
// Functions in space, points, interfaces and energy of a reduced body.
#include "base/mix.h"
#include "mechanics/dense.h"
#include "mechanics/reduction_work.h"

#include <math.h>
#include <string.h>

// ---- functions in space ----

// Masses of matrices are all in the points: they couple the nodes of interfaces with others.
static double inner_mass(const ReductionWork *w, int node) {
  return w->m->matrices || w->interface[node] < 0 ? w->mass[node] : 0;
}

// w->column = M f, of the inner nodes.
static const double *mass_times(const ReductionWork *w, const double *f, int columns, int c) {
  if (w->m->matrices) matrices_mass_times(w->m, f, columns, c, w->column);
  else
    for (int i = 0; i < w->m->nodes; i++) w->column[i] = inner_mass(w, i) * f[(size_t)i * (size_t)columns + (size_t)c];
  return w->column;
}

// Takes from f, a number for each node, its parts along the first `count` columns of q; returns its size in the masses.
static double orthogonalise(const ReductionWork *w, const double *q, int count, double *f) {
  double size = 0;
  for (int again = 0; again < 2; again++) {
    const double *mass = mass_times(w, f, 1, 0);
    double dot[REDUCED_POINTS] = {0};
    for (int i = 0; i < w->m->nodes; i++) reduction_subtract(dot, &q[(size_t)i * REDUCED_POINTS], -mass[i], count);
    for (int i = 0; i < w->m->nodes; i++) f[i] -= reduction_dot(dot, &q[(size_t)i * REDUCED_POINTS], count);
  }
  const double *mass = mass_times(w, f, 1, 0);
  for (int i = 0; i < w->m->nodes; i++) size += mass[i] * f[i];
  return sqrt(size);
}

static void put_function(const ReductionWork *w, const double *f, double size, double *q, int column) {
  for (int i = 0; i < w->m->nodes; i++) q[(size_t)i * REDUCED_POINTS + (size_t)column] = f[i] / size;
}

// Energy of the functions along all three axes: sum over elements f_a tr(K_ab) f_b.
static void function_energies(const ReductionWork *w, const double *f, int columns, double *h) {
  double k[3 * REDUCED_NODES][REDUCED_MATRIX], row[3 * REDUCED_POINTS * 4];
  memset(h, 0, (size_t)(columns * columns) * sizeof *h);
  if (w->m->matrices) matrices_energies(w->m, f, columns, h);
  for (int i = 0; !w->m->matrices && i < w->m->elements; i++) {
    const ReductionElement *e = &w->m->element[i];
    reduction_matrix(w, e, k);
    for (int a = 0; a < e->nnode; a++) {
      const double *fa = &f[(size_t)e->node[a] * (size_t)columns];
      for (int c = 0; c < columns; c++) row[c] = 0;
      for (int b = 0; b < e->nnode; b++) {
        double trace = k[3 * a][3 * b] + k[3 * a + 1][3 * b + 1] + k[3 * a + 2][3 * b + 2];
        reduction_subtract(row, &f[(size_t)e->node[b] * (size_t)columns], -trace, columns);
      }
      for (int c = 0; c < columns; c++) reduction_subtract(&h[c * columns], row, -fa[c], c + 1);
    }
  }
  for (int c = 0; c < columns; c++)
    for (int d = 0; d < c; d++) h[d * columns + c] = h[c * columns + d];
}

// A function with less weighted energy than this is left out; and what may be left out where there are more than
// REDUCED_POINTS. Where 0.05 is left out the lowest frequencies are up to 0.2 % too high (a bracket), with 0.09 up to 1 %
// (a housing on four feet).
static const double least_energy = 5e-4, most_energy = 0.1;
// A function that is large at the nodes of interfaces alone is left out: of a coarse mesh these have no other ones.
static const double least_inside = 0.05;

// Size in all masses and in those of the inner nodes.
static double size_of(const ReductionWork *w, const double *f, bool inner) {
  double sum = 0;
  for (int i = 0; i < w->m->nodes; i++) sum += (inner ? inner_mass(w, i) : w->mass[i]) * f[i] * f[i];
  return sqrt(sum);
}

// Energies of n functions, the last three of them linear in space, become those of the others, n - 3, without the linear
// parts, which leaves the least energy.
static void relax_linear(int n, double *h) {
  for (int k = n - 1; k >= n - 3; k--)
    for (int i = 0; i < k; i++) {
      double part = h[i * n + k] / h[k * n + k];
      for (int j = 0; j < k; j++) h[i * n + j] -= part * h[k * n + j];
    }
  for (int i = 0; i < n - 3; i++) memmove(&h[i * (n - 3)], &h[i * n], (size_t)(n - 3) * sizeof *h);
}

// The functions of the reduced body, orthonormal in the masses of the inner nodes: `points` columns of q, nodes x
// REDUCED_POINTS. After those that are linear in space come the principal axes of the energy of all components of the
// deflections v, largest first.
static const char *choose_functions(ReductionWork *w, const double *v, int count, double *q, int *points) {
  const ReductionMesh *m = w->m;
  int columns = 3 * count + 3, own = 3 * count, n = 0;
  double *f = reduction_numbers(w, (size_t)m->nodes, columns), *h = reduction_numbers(w, (size_t)columns, columns);
  double *axes = reduction_numbers(w, (size_t)columns, columns), *value = reduction_numbers(w, (size_t)columns, 1);
  double *next = reduction_numbers(w, (size_t)m->nodes, 1), *axis = reduction_numbers(w, (size_t)columns, 1);
  if (w->failed) return reduction_no_memory;
  for (int i = 0; i < m->nodes; i++) {
    double *at = &f[(size_t)i * (size_t)columns];
    for (int k = 0; k < count; k++) vec3_to(reduction_value(w, v, count, k, i), &at[3 * k]);
    vec3_to(vec3_sub(m->at[i], m->at[0]), &at[own]);
  }
  for (; n < 4; n++) {
    for (int i = 0; i < m->nodes; i++) next[i] = n ? f[(size_t)i * (size_t)columns + (size_t)(own + n - 1)] : 1;
    double size = orthogonalise(w, q, n, next);
    if (!(size > 0)) return "its nodes besides the interfaces lie in one plane";
    put_function(w, next, size, q, n);
  }
  function_energies(w, f, columns, h);
  relax_linear(columns, h);
  dense_eigen(own, h, value, axes); // ascending
  for (int k = own - 1; k >= 0 && value[k] > least_energy; k--) {
    if (n == REDUCED_POINTS && value[k] > most_energy)
      return "96 points are too few for its interfaces and modes, so that low frequencies would be too high: give it "
             "fewer `modes` or `interfaces`, or split the body";
    if (n == REDUCED_POINTS) break;
    for (int c = 0; c < own; c++) axis[c] = axes[c * own + k];
    for (int i = 0; i < m->nodes; i++) next[i] = reduction_dot(&f[(size_t)i * (size_t)columns], axis, own);
    double before = size_of(w, next, true), size = orthogonalise(w, q, n, next);
    if (size > 1e-6 * before && size > least_inside * size_of(w, next, false)) put_function(w, next, size, q, n++);
  }
  *points = n - n % 2; // the rows come in sixes
  return n < 6 ? "its mesh is too coarse" : NULL;
}

// ---- axes in a space ----

// A number between -1 and 1 of an arbitrary vector.
static double arbitrary(int vector, int component) {
  return 2 * random_unit(random_mix(((uint64_t)vector << 32) + (uint64_t)component + 0x9E3779B97F4A7C15u)) - 1;
}

// Axes of a space of n dimensions: row k of b has the parts of k arbitrary vectors along a basis. Each becomes a unit vector normal
// to those before. The axes do not depend on the basis, whose signs, and turns between equal eigenvalues, are those of
// round-off, and they change smoothly with the space.
static void settle_axes(int n, double *b) {
  for (int k = 0; k < n; k++) {
    double *own = &b[k * n];
    for (int again = 0; again < 2; again++)
      for (int i = 0; i < k; i++) reduction_subtract(own, &b[i * n], reduction_dot(own, &b[i * n], n), n);
    double size = sqrt(reduction_dot(own, own, n));
    for (int c = 0; c < n; c++) own[c] /= size;
  }
}

// Turns the functions that are not linear in space to such axes.
static const char *settle_functions(ReductionWork *w, double *q, int points) {
  enum { LINEAR = 4 };
  int n = points - LINEAR;
  double *b = reduction_numbers(w, (size_t)n, n), turned[REDUCED_POINTS];
  if (!b) return reduction_no_memory;
  for (int c = 0; c < n; c++) {
    const double *mass = mass_times(w, q, REDUCED_POINTS, LINEAR + c);
    for (int i = 0; i < w->m->nodes; i++)
      for (int k = 0; k < n; k++) b[k * n + c] += mass[i] * arbitrary(k, i);
  }
  settle_axes(n, b);
  for (int i = 0; i < w->m->nodes; i++) {
    double *f = &q[(size_t)i * REDUCED_POINTS + LINEAR];
    for (int k = 0; k < n; k++) turned[k] = reduction_dot(&b[k * n], f, n);
    memcpy(f, turned, (size_t)n * sizeof *f);
  }
  return NULL;
}

static const double same_value = 1e-9; // eigenvalues that differ by a smaller part are equal but for round-off

// The same of `count` modes of n numbers, in rows: of those with equal values.
static const char *settle_modes(ReductionWork *w, int count, const double *value, double *mode, int n) {
  double *b = reduction_numbers(w, (size_t)count, count), *turned = reduction_numbers(w, (size_t)count, n);
  if (w->failed) return reduction_no_memory;
  for (int from = 0, to; from < count; from = to) {
    for (to = from + 1; to < count && value[to] - value[to - 1] <= same_value * value[to];) to++;
    int some = to - from;
    for (int k = 0; k < some; k++)
      for (int c = 0; c < some; c++) {
        b[k * some + c] = 0;
        for (int a = 0; a < n; a++) b[k * some + c] += arbitrary(k, a) * mode[(from + c) * n + a];
      }
    settle_axes(some, b);
    memset(turned, 0, (size_t)(some * n) * sizeof *turned);
    for (int k = 0; k < some; k++)
      for (int c = 0; c < some; c++) reduction_subtract(&turned[k * n], &mode[(from + c) * n], -b[k * some + c], n);
    memcpy(&mode[from * n], turned, (size_t)(some * n) * sizeof *mode);
  }
  return NULL;
}

// ---- points ----

// From functions to those of points of equal masses: an orthogonal matrix whose first column is the same everywhere.
static void make_points(ReductionWork *w, double *q, Reduction *out) {
  const ReductionMesh *m = w->m;
  int p = out->points;
  double all = 0, turn[REDUCED_POINTS * REDUCED_POINTS], row[REDUCED_POINTS];
  for (int i = 0; i < m->nodes; i++) all += inner_mass(w, i);
  out->mass = all / p;
  for (int i = 0; i < m->nodes; i++) out->whole_mass += w->mass[i];
  for (int a = 0; a < p; a++)
    for (int k = 0; k < p; k++)
      turn[a * p + k] = sqrt((k ? 2.0 : 1.0) / p) * cos(M_PI * (a + 0.5) * k / p) * sqrt(out->mass);
  for (int i = 0; i < m->nodes; i++) {
    double *f = &q[(size_t)i * REDUCED_POINTS];
    for (int a = 0; a < p; a++) row[a] = reduction_dot(&turn[a * p], f, p);
    memcpy(f, row, (size_t)p * sizeof *f);
  }
  for (int a = 0; a < p; a++) {
    Vec3 sum = vec3_zero();
    const double *mass = mass_times(w, q, REDUCED_POINTS, a);
    for (int i = 0; i < m->nodes; i++) sum = vec3_axpy(sum, mass[i] / out->mass, vec3_sub(m->at[i], m->at[0]));
    out->at[a] = vec3_add(m->at[0], sum);
  }
}

// Centre and axes of an interface, as functions of the points.
static void make_frame(const ReductionWork *w, const ReductionInterface *f, const double *q, Reduction *out,
                       ReductionFrame *frame) {
  const ReductionMesh *m = w->m;
  Vec3 centre = vec3_zero();
  double second[9] = {0}, axes[9], value[3];
  for (int i = 0; i < f->count; i++) centre = vec3_axpy(centre, 1.0 / f->count, vec3_sub(m->at[f->node[i]], f->at));
  for (int i = 0; i < f->count; i++) {
    double d[3], mass = w->mass[f->node[i]] - inner_mass(w, f->node[i]);
    Vec3 x = vec3_sub(m->at[f->node[i]], f->at);
    vec3_to(vec3_sub(x, centre), d);
    for (int r = 0; r < 9; r++) second[r] += d[r / 3] * d[r % 3] / f->count;
    Inertia own = {mass, vec3_scale(mass, x),
                   mat3_scale(mass, mat3_axpy(mat3_scale(vec3_dot(x, x), mat3_identity()), -1, mat3_outer(x, x)))};
    inertia_add(&frame->inertia, &own);
  }
  dense_eigen(3, second, value, axes);
  frame->ties = 1;
  frame->tie[0] = (ReductionTie){.place = 1, .along = centre};
  for (int i = 0; i < f->count; i++)
    for (int a = 0; a < out->points; a++)
      frame->tie[0].weight[a] += q[(size_t)f->node[i] * REDUCED_POINTS + (size_t)a] / f->count;
  for (int k = 2; k >= 0; k--) {
    Vec3 axis = vec3(axes[k], axes[3 + k], axes[6 + k]);
    if (k == 0 && !(value[0] > 1e-6 * value[2])) break; // a plane
    ReductionTie *t = &frame->tie[frame->ties++];
    *t = (ReductionTie){.along = axis};
    for (int i = 0; i < f->count; i++) {
      double along = vec3_dot(axis, vec3_sub(vec3_sub(m->at[f->node[i]], f->at), centre)) / (f->count * value[k]);
      for (int a = 0; a < out->points; a++) t->weight[a] += along * q[(size_t)f->node[i] * REDUCED_POINTS + (size_t)a];
    }
  }
}

// Mean displacement and rotation of an interface.
static const char *make_average(ReductionWork *w, const ReductionInterface *f, const double *q, int points,
                                ReductionFrame *frame) {
  Vec3 centre;
  Mat3 j;
  const double *weight = reduction_weights(w, f, &centre, &j);
  if (!weight) return reduction_no_memory;
  double scale = 2 / (j.m[0][0] + j.m[1][1] + j.m[2][2]); // sum weight x.x = 1/scale
  frame->ties = 1;
  frame->tie[0] = (ReductionTie){.place = 1, .along = vec3_sub(centre, f->at)};
  for (int i = 0; i < f->count; i++) {
    double x[3];
    vec3_to(vec3_sub(w->m->at[f->node[i]], centre), x);
    for (int a = 0; a < points; a++) {
      double part = weight[i] * q[(size_t)f->node[i] * REDUCED_POINTS + (size_t)a];
      frame->tie[0].weight[a] += part;
      for (int c = 0; c < 3; c++) frame->mean[c][a] += scale * x[c] * part;
    }
  }
  return NULL;
}

// Whether the points can move all interfaces as they like.
static const char *check_ties(ReductionWork *w, const Reduction *r) {
  const ReductionMesh *m = w->m;
  int n = 0, columns = 3 * r->points;
  double *row = reduction_numbers(w, (size_t)(m->interfaces * REDUCED_TIES * 3), columns);
  if (!row) return reduction_no_memory;
  for (int k = 0; k < m->interfaces; k++) {
    const ReductionFrame *f = &r->frame[k];
    for (int t = 0; t < 3 * f->ties; t++, n++)
      for (int a = 0; a < r->points; a++) row[n * columns + 3 * a + t % 3] = f->tie[t / 3].weight[a];
    for (int c = 0; c < 3 && m->interface[k].averages; c++, n++)
      for (int a = 0; a < r->points; a++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        row[n * columns + 3 * a + i] = f->mean[j][a], row[n * columns + 3 * a + j] = -f->mean[i][a];
      }
  }
  for (int k = 0; k < n; k++) {
    double *own = &row[k * columns], before = sqrt(reduction_dot(own, own, columns));
    for (int again = 0; again < 2; again++)
      for (int b = 0; b < k; b++)
        reduction_subtract(own, &row[b * columns], reduction_dot(own, &row[b * columns], columns), columns);
    double size = sqrt(reduction_dot(own, own, columns));
    if (!(size > 1e-5 * before))
      return "its points cannot move all interfaces: give it fewer `interfaces`, or split the body";
    for (int a = 0; a < columns; a++) own[a] /= size;
  }
  return NULL;
}

// ---- energy ----

// With the nodes of the interfaces, over the mass of the body.
static void reduced_mass(const ReductionWork *w, const double *q, const Reduction *r, double *m) {
  int n = 3 * r->points;
  for (int a = 0; a < r->points; a++)
    for (int b = 0; b < r->points; b++) {
      double sum = a == b ? r->mass : 0;
      for (int i = 0; i < w->m->nodes; i++)
        if (w->interface[i] >= 0 && !w->m->matrices)
          sum += w->mass[i] * q[(size_t)i * REDUCED_POINTS + (size_t)a] * q[(size_t)i * REDUCED_POINTS + (size_t)b];
      for (int c = 0; c < 3; c++) m[(3 * a + c) * n + 3 * b + c] = sum / r->whole_mass;
    }
}

// What places and stresses of the mesh are made of.
static const char *keep_field(const ReductionWork *w, const double *q, const double *modes, Allocator memory,
                              Reduction *out) {
  size_t p = (size_t)out->points, rows = (size_t)out->rows, nodes = (size_t)w->m->nodes;
  double *function = memory.allocate(memory.self, nodes * p * sizeof *function);
  double *mode = memory.allocate(memory.self, rows * 3 * p * sizeof *mode);
  if (!function || !mode) return reduction_no_memory;
  for (size_t i = 0; i < nodes; i++) memcpy(&function[i * p], &q[i * REDUCED_POINTS], p * sizeof *q);
  memcpy(mode, modes + 6 * 3 * p, rows * 3 * p * sizeof *mode);
  out->function = function, out->mode = mode;
  return NULL;
}

// Stiffness between the points; and the forms of their strains, by modes in rows.
static bool find_stiffness(ReductionWork *w, const double *q, int points, double *k) {
  return w->m->matrices ? matrices_stiffness(w, q, points, k) : reduction_stiffness(w, q, points, k);
}

static const char *find_forms(ReductionWork *w, const double *q, const double *mode, const double *stiffness,
                              Reduction *out, double *form) {
  if (w->m->matrices) return matrices_forms(w, q, out->points, mode, stiffness, &out->work, form);
  return reduction_forms(w, q, out->points, mode, stiffness, NULL, form) ? NULL : reduction_no_memory;
}

static const char *make_energy(ReductionWork *w, const double *q, Allocator memory, Reduction *out) {
  int p = out->points, n = 3 * p, rows = n - 6, pairs = reduction_pairs(p);
  double *k = reduction_numbers(w, (size_t)n, n), *m = reduction_numbers(w, (size_t)n, n),
         *mode = reduction_numbers(w, (size_t)n, n), *value = reduction_numbers(w, (size_t)n, 1);
  double *form = memory.allocate(memory.self, (size_t)rows * (size_t)pairs * sizeof *form);
  double *stiffness = memory.allocate(memory.self, (size_t)rows * sizeof *stiffness);
  if (w->failed || !form || !stiffness) return reduction_no_memory;
  if (!find_stiffness(w, q, p, k)) return reduction_no_memory;
  reduced_mass(w, q, out, m);
  if (!dense_eigen_pair(n, k, m, value, mode)) return "its modes were not found";
  if (!(value[6] > 1e-12 * value[n - 1])) return "its stiffness has more than six motions without energy";
  memcpy(stiffness, value + 6, (size_t)rows * sizeof *stiffness);
  double *turned = reduction_numbers(w, (size_t)n, n); // modes by rows
  if (w->failed) return reduction_no_memory;
  for (int a = 0; a < n; a++)
    for (int c = 0; c < n; c++) turned[a * n + c] = mode[c * n + a];
  const char *wrong = settle_modes(w, rows, stiffness, turned + 6 * n, n);
  if (!wrong) wrong = find_forms(w, q, turned + 6 * n, stiffness, out, form);
  if (wrong) return wrong;
  out->rows = rows, out->stiffness = stiffness, out->form = form;
  return keep_field(w, q, turned, memory, out);
}

const char *reduction_compute(const ReductionMesh *m, double most_work, Allocator memory, Allocator scratch,
                              Reduction *out) {
  ReductionWork w = {.m = m, .memory = scratch};
  double *v = NULL, *q = NULL;
  int count = 0;
  memset(out, 0, sizeof *out);
  const char *wrong = reduction_prepare(&w, most_work, &out->work);
  if (!wrong) wrong = reduction_vectors(&w, &v, &count);
  if (!wrong) q = reduction_numbers(&w, (size_t)m->nodes, REDUCED_POINTS);
  if (!wrong) wrong = q ? choose_functions(&w, v, count, q, &out->points) : reduction_no_memory;
  if (!wrong) wrong = settle_functions(&w, q, out->points);
  if (wrong) return wrong;
  make_points(&w, q, out);
  for (int k = 0; k < m->interfaces; k++) {
    if (!m->interface[k].averages) make_frame(&w, &m->interface[k], q, out, &out->frame[k]);
    else if ((wrong = make_average(&w, &m->interface[k], q, out->points, &out->frame[k]))) return wrong;
  }
  wrong = check_ties(&w, out);
  return wrong ? wrong : make_energy(&w, q, memory, out);
}
