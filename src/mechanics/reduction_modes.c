// SPDX-License-Identifier: Apache-2.0
// Modes and static deflections of a mesh.
#include "mechanics/dense.h"
#include "mechanics/reduction_work.h"

#include <math.h>
#include <string.h>

static void make_rigid(ReductionWork *w, double *scratch) {
  for (int node = 0; node < w->m->nodes; node++) {
    if (w->interface[node] >= 0) continue;
    for (int c = 0; c < 6; c++) {
      Vec3 e = vec3(c % 3 == 0, c % 3 == 1, c % 3 == 2);
      Vec3 u = c < 3 ? e : vec3_cross(e, vec3_sub(w->m->at[node], w->m->at[0]));
      double v[3];
      vec3_to(u, v);
      for (int i = 0; i < 3; i++) w->rigid[6 * (w->place[node] + i) + c] = v[i];
    }
  }
  for (int k = 0; k < w->m->interfaces; k++)
    for (int c = 0; c < 6; c++) {
      Vec3 e = vec3(c % 3 == 0, c % 3 == 1, c % 3 == 2);
      double v[3];
      int at = w->place[w->m->nodes + k];
      if (w->m->interface[k].averages) break;
      vec3_to(c < 3 ? e : vec3_cross(e, vec3_sub(w->m->interface[k].at, w->m->at[0])), v);
      for (int i = 0; i < 3; i++) w->rigid[6 * (at + i) + c] = v[i];
      if (c >= 3) w->rigid[6 * (at + c) + c] = 1;
    }
  for (int c = 0; c < 6; c++)
    for (int b = 0; b <= c; b++)
      for (int again = 0; again < 2; again++) {
        reduction_mass_times(w, w->rigid, 6, scratch);
        double dot = 0;
        for (int i = 0; i < w->n; i++) dot += w->rigid[6 * i + b] * scratch[6 * i + c];
        for (int i = 0; i < w->n; i++)
          w->rigid[6 * i + c] =
              b < c ? w->rigid[6 * i + c] - dot * w->rigid[6 * i + b] : w->rigid[6 * i + c] / sqrt(dot);
      }
}

// x -= rigid (m_rigid^T x), or of forces x -= m_rigid (rigid^T x)
static void remove_rigid(const ReductionWork *w, const double *test, const double *subtracted, double *x, int columns) {
  double part[6 * 3 * REDUCED_POINTS];
  reduction_products(w->n, test, 6, x, columns, part);
  for (int i = 0; i < w->n; i++)
    for (int r = 0; r < 6; r++)
      reduction_subtract(&x[(size_t)i * (size_t)columns], &part[r * columns], subtracted[6 * i + r], columns);
}

// Interfaces that are clamped: C u = 0 of their unknowns. With A = K + shift M the displacements under a force f are
//   A^-1 f - A^-1 C^T (C A^-1 C^T)^-1 C A^-1 f.
typedef struct {
  int count;       // rows of C; 0: the body is free
  int *row;        // of each the one unknown that is clamped; -1: it is a mean over nodes, in `mean`
  double *mean;    // n x count: C^T; NULL: no interface averages
  double *push;    // n x count: A^-1 C^T
  double *inverse; // count x count
} Clamps;

// Block Lanczos of (K + shift M)^-1 M without rigid motions: blocks of STRIP vectors, orthonormal in the masses. Of a body
// with clamps that of the inverse under their constraint; the masses do not couple clamped unknowns with others.
enum { MOST_BLOCKS = 40 };
typedef struct {
  ReductionWork *w;
  const double *mass_rigid;
  const Clamps *clamps;
  int blocks;
  double *block[MOST_BLOCKS + 1], *y, *z;            // n x STRIP
  double h[MOST_BLOCKS][MOST_BLOCKS][STRIP * STRIP]; // of the blocks i <= j
  double next[STRIP * STRIP];                        // couples the last block with the next
} Lanczos;

// Column c of f: the unit force or moment at the frame of an interface.
static const char *load_frame(ReductionWork *w, int interface, int axis, double *f, int columns, int c) {
  const ReductionMesh *m = w->m;
  SpreadLoad s;
  if (!m->interface[interface].averages) {
    f[(size_t)(w->place[m->nodes + interface] + axis) * (size_t)columns + (size_t)c] = 1;
    return NULL;
  }
  const char *wrong = reduction_spread(w, interface, axis, &s);
  for (int i = 0; i < m->interface[interface].count && !wrong; i++) {
    double force[3];
    vec3_to(reduction_spread_force(w, &s, interface, i), force);
    for (int k = 0; k < 3; k++)
      f[(size_t)(w->place[m->interface[interface].node[i]] + k) * (size_t)columns + (size_t)c] = force[k];
  }
  return wrong;
}

// Entry i of C x, with column c of x.
static double clamped(const Clamps *q, int n, int i, const double *x, int columns, int c) {
  double sum = 0;
  if (q->row[i] >= 0) return x[(size_t)q->row[i] * (size_t)columns + (size_t)c];
  for (int k = 0; k < n; k++)
    sum += q->mean[(size_t)k * (size_t)q->count + (size_t)i] * x[(size_t)k * (size_t)columns + (size_t)c];
  return sum;
}

static const char *make_clamps(ReductionWork *w, const bool *held, Clamps *out) {
  const ReductionMesh *m = w->m;
  int most = 6 * m->interfaces, n = 0;
  bool averages = false;
  out->row = reduction_take(w, (size_t)most, sizeof *out->row);
  if (w->failed) return reduction_no_memory;
  for (int k = 0; k < m->interfaces; k++)
    for (int i = 0; i < 6 && held[k]; i++) {
      averages = averages || m->interface[k].averages;
      out->row[n++] = m->interface[k].averages ? -1 : w->place[m->nodes + k] + i;
    }
  double *gram = reduction_numbers(w, (size_t)n, n), *value = reduction_numbers(w, (size_t)n, 1);
  double *axes = reduction_numbers(w, (size_t)n, n), *size = reduction_numbers(w, (size_t)n, 1);
  out->push = reduction_numbers(w, (size_t)w->n, n), out->inverse = reduction_numbers(w, (size_t)n, n);
  if (averages) out->mean = reduction_numbers(w, (size_t)w->n, n);
  if (w->failed) return reduction_no_memory;
  out->count = n;
  for (int k = 0, c = 0; k < m->interfaces; k++)
    for (int i = 0; i < 6 && held[k]; i++, c++) {
      const char *wrong = load_frame(w, k, i, out->push, n, c);
      if (wrong) return wrong;
    }
  if (averages) memcpy(out->mean, out->push, (size_t)w->n * (size_t)n * sizeof *out->mean);
  if (n) sparse_solve(&w->factor, out->push, n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) gram[i * n + k] = clamped(out, w->n, i, out->push, n, k);
  for (int i = 0; i < n; i++) size[i] = sqrt(gram[i * n + i]);
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++)
      gram[i * n + k] = gram[k * n + i] = 0.5 * (gram[i * n + k] + gram[k * n + i]) / (size[i] * size[k]);
  dense_eigen(n, gram, value, axes);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int a = 0; a < n; a++)
        out->inverse[i * n + k] += axes[i * n + a] * axes[k * n + a] / (value[a] * size[i] * size[k]);
  return !n || value[0] > 0 ? NULL : "its interfaces cannot be clamped all at once";
}

static void put_zeros(const Clamps *c, double *x) {
  for (int i = 0; i < c->count; i++)
    if (c->row[i] >= 0) memset(&x[(size_t)c->row[i] * STRIP], 0, STRIP * sizeof *x);
}

// Displacements x under forces get those that the clamps leave; the second pass takes the round-off of the first.
static void hold(const Clamps *c, int n, double *x) {
  double back[6 * REDUCED_INTERFACES * STRIP], open[6 * REDUCED_INTERFACES * STRIP];
  for (int again = 0; again < 2 && c->count; again++) {
    for (int i = 0; i < c->count; i++)
      for (int s = 0; s < STRIP; s++) open[i * STRIP + s] = clamped(c, n, i, x, STRIP, s);
    for (int i = 0; i < c->count; i++)
      for (int s = 0; s < STRIP; s++) {
        back[i * STRIP + s] = 0;
        for (int k = 0; k < c->count; k++) back[i * STRIP + s] += c->inverse[i * c->count + k] * open[k * STRIP + s];
      }
    reduction_combine(n, c->push, c->count, back, STRIP, -1, x);
  }
  put_zeros(c, x);
}

// Takes from y its parts along the blocks, and adds them to h.
static void project(Lanczos *l, double h[][MOST_BLOCKS][STRIP * STRIP], int column) {
  double part[STRIP * STRIP];
  int n = l->w->n;
  if (l->clamps->count) put_zeros(l->clamps, l->y);
  else remove_rigid(l->w, l->mass_rigid, l->w->rigid, l->y, STRIP);
  for (int b = 0; b < l->blocks; b++) {
    reduction_mass_times(l->w, l->y, STRIP, l->z);
    reduction_products(n, l->block[b], STRIP, l->z, STRIP, part);
    reduction_combine(n, l->block[b], STRIP, part, STRIP, -1, l->y);
    for (int k = 0; h && k < STRIP * STRIP; k++) h[b][column][k] += part[k];
  }
}

// y as the next block of orthonormal vectors, and its coefficients by them. A vector that depends on others becomes 0.
static void normalise(Lanczos *l, double size, double *coefficients) {
  double gram[STRIP * STRIP], value[STRIP], axes[STRIP * STRIP], turn[STRIP * STRIP];
  int n = l->w->n;
  reduction_mass_times(l->w, l->y, STRIP, l->z);
  reduction_products(n, l->y, STRIP, l->z, STRIP, gram);
  dense_eigen(STRIP, gram, value, axes);
  for (int i = 0; i < STRIP; i++)
    for (int k = 0; k < STRIP; k++) {
      bool kept = value[k] > size * size;
      turn[i * STRIP + k] = kept ? axes[i * STRIP + k] / sqrt(value[k]) : 0;
      coefficients[k * STRIP + i] = kept ? axes[i * STRIP + k] * sqrt(value[k]) : 0;
    }
  memset(l->z, 0, (size_t)n * STRIP * sizeof *l->z);
  reduction_combine(n, l->y, STRIP, turn, STRIP, 1, l->z);
  memcpy(l->y, l->z, (size_t)n * STRIP * sizeof *l->y);
}

// The next block; false: no memory.
static bool append(Lanczos *l, double size) {
  double again[STRIP * STRIP];
  double *block = l->block[l->blocks] = reduction_numbers(l->w, (size_t)l->w->n, STRIP);
  if (!block) return false;
  normalise(l, size, l->next);
  project(l, NULL, 0);
  normalise(l, 1e-6, again);
  memcpy(block, l->y, (size_t)l->w->n * STRIP * sizeof *block);
  l->blocks++;
  return true;
}

// Values and vectors within the blocks but the last, descending; whether the first `modes` have converged.
static bool ritz(const Lanczos *l, int modes, double *a, double *value, double *vector) {
  int blocks = l->blocks - 1, n = STRIP * blocks;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) a[i * n + j] = a[j * n + i] = l->h[i / STRIP][j / STRIP][i % STRIP * STRIP + j % STRIP];
  dense_eigen(n, a, value, vector);
  for (int k = n - 1; k >= n - modes; k--) {
    double error = 0;
    if (k < 0 || !(value[k] > 0)) return false;
    for (int i = 0; i < STRIP; i++) {
      double part = 0;
      for (int j = 0; j < STRIP; j++) part += l->next[i * STRIP + j] * vector[(n - STRIP + j) * n + k];
      error += part * part;
    }
    if (sqrt(error) > 1e-7 * value[k]) return false;
  }
  return true;
}

// The lowest modes, n x modes unless x is NULL, and squares of their angular frequencies.
static const char *find_modes(ReductionWork *w, const double *mass_rigid, const Clamps *clamps, int modes, double *x,
                              double *square) {
  size_t most = MOST_BLOCKS * STRIP, n = (size_t)w->n;
  Lanczos *l = reduction_take(w, 1, sizeof *l);
  double *a = reduction_numbers(w, most, (int)most), *value = reduction_numbers(w, most, 1);
  double *vector = reduction_numbers(w, most, (int)most), *y = reduction_numbers(w, n, STRIP);
  double *z = reduction_numbers(w, n, STRIP);
  unsigned long long seed = 1;
  if (w->failed) return reduction_no_memory;
  l->w = w, l->mass_rigid = mass_rigid, l->clamps = clamps, l->y = y, l->z = z;
  for (size_t i = 0; i < n * STRIP; i++) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    y[i] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
  }
  project(l, NULL, 0);
  if (!append(l, 0)) return reduction_no_memory;
  for (bool found = false; !found;) {
    double size = 0;
    if (l->blocks == MOST_BLOCKS) return "its modes were not found";
    reduction_mass_times(w, l->block[l->blocks - 1], STRIP, y);
    sparse_solve(&w->factor, y, STRIP);
    hold(clamps, w->n, y);
    project(l, l->h, l->blocks - 1);
    project(l, l->h, l->blocks - 1);
    for (int i = 0; i < STRIP; i++) size = fmax(size, l->h[0][0][i * STRIP + i]);
    if (!append(l, 1e-12 * size)) return reduction_no_memory;
    found = ritz(l, modes, a, value, vector);
  }
  int columns = STRIP * (l->blocks - 1);
  for (int k = 0; k < modes; k++) square[k] = 1 / value[columns - 1 - k] - w->shift;
  for (int b = 0; x && b < l->blocks - 1; b++) {
    for (int i = 0; i < STRIP; i++)
      for (int k = 0; k < modes; k++) a[i * modes + k] = vector[(b * STRIP + i) * columns + columns - 1 - k];
    reduction_combine(w->n, l->block[b], STRIP, a, modes, 1, x);
  }
  return NULL;
}

// Motions of the rigid body, w->rigid, and the forces m rigid; NULL: no memory.
static double *find_rigid(ReductionWork *w) {
  double *out = reduction_numbers(w, (size_t)w->n, 6), *scratch = reduction_numbers(w, (size_t)w->n, 6);
  w->rigid = reduction_numbers(w, (size_t)w->n, 6);
  if (w->failed) return NULL;
  make_rigid(w, scratch);
  reduction_mass_times(w, w->rigid, 6, out);
  return out;
}

const char *reduction_held_modes(ReductionWork *w, const bool *held, int count, double *value) {
  Clamps clamps = {0};
  const char *wrong = make_clamps(w, held, &clamps);
  const double *mass_rigid = wrong || clamps.count ? NULL : find_rigid(w);
  if (!wrong && w->failed) wrong = reduction_no_memory;
  return wrong ? wrong : find_modes(w, mass_rigid, &clamps, count, NULL, value);
}

// The first `count` of deflections with the energies `gram`, n x n, made orthonormal, as columns of c, n x n and zeroed;
// the number of those that are independent.
static int orthonormal_deflections(int count, int n, const double *gram, double *c) {
  int kept = 0;
  for (int k = 0; k < count; k++) {
    double own = gram[k * n + k];
    if (!(own > 0)) continue;
    c[k * n + kept] = 1 / sqrt(own);
    for (int again = 0; again < 2; again++)
      for (int l = 0; l < kept; l++) {
        double dot = 0;
        for (int i = 0; i < count; i++)
          for (int j = 0; j < count; j++) dot += c[i * n + l] * gram[i * n + j] * c[j * n + kept];
        for (int i = 0; i < count; i++) c[i * n + kept] -= dot * c[i * n + l];
      }
    double size = 0;
    for (int i = 0; i < count; i++)
      for (int j = 0; j < count; j++) size += c[i * n + kept] * gram[i * n + j] * c[j * n + kept];
    for (int i = 0; i < count; i++) c[i * n + kept] *= size > 1e-8 ? 1 / sqrt(size) : 0;
    if (size > 1e-8) kept++;
  }
  return kept;
}

// Deflections under forces and moments at each interface, orthonormal in the strain energy, and modes, whose energy falls
// with their frequency from 1 for the lowest, so that many modes do not displace what low ones need; `*count` of them in
// v, n x count.
const char *reduction_vectors(ReductionWork *w, double **v, int *count) {
  const ReductionMesh *m = w->m;
  int modes = m->modes, loads = 6 * m->interfaces, all = modes + loads, kept = 0;
  if (modes > w->n - 6) return "its mesh has too few nodes for so many `modes`";
  double *mass_rigid = find_rigid(w), *x = reduction_numbers(w, (size_t)w->n, modes), square[REDUCED_MODES];
  double *y = reduction_numbers(w, (size_t)w->n, all), *f = reduction_numbers(w, (size_t)w->n, loads);
  double *t = reduction_numbers(w, (size_t)w->n, all), *gram = reduction_numbers(w, (size_t)all, all),
         *c = reduction_numbers(w, (size_t)all, all);
  if (w->failed) return reduction_no_memory;
  if (modes > 0) {
    const char *wrong = find_modes(w, mass_rigid, &(Clamps){0}, modes, x, square);
    if (wrong) return wrong;
  }
  for (int k = 0; k < m->interfaces; k++)
    for (int i = 0; i < 6; i++) {
      const char *wrong = load_frame(w, k, i, f, loads, 6 * k + i);
      if (wrong) return wrong;
    }
  if (loads) {
    remove_rigid(w, w->rigid, mass_rigid, f, loads);
    sparse_solve(&w->factor, f, loads);
    remove_rigid(w, mass_rigid, w->rigid, f, loads);
  }
  for (int i = 0; i < w->n; i++)
    for (int k = 0; k < all; k++)
      t[(size_t)i * (size_t)all + (size_t)k] =
          k < loads ? f[(size_t)i * (size_t)loads + (size_t)k] : x[(size_t)i * (size_t)modes + (size_t)(k - loads)];
  reduction_stiffness_times(w, t, all, y);
  reduction_products(w->n, t, all, y, all, gram);
  kept = orthonormal_deflections(loads, all, gram, c);
  for (int k = loads; k < all; k++, kept++)
    c[k * all + kept] = pow(square[0] / square[k - loads], 0.25) / sqrt(gram[k * all + k]);
  for (int i = 0; i < all; i++) memmove(&c[i * kept], &c[i * all], (size_t)kept * sizeof *c);
  memset(y, 0, (size_t)w->n * (size_t)kept * sizeof *y);
  reduction_combine(w->n, t, all, c, kept, 1, y);
  *v = y, *count = kept;
  return kept ? NULL : "it has neither `interfaces` nor `modes`";
}
