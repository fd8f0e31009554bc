// SPDX-License-Identifier: Apache-2.0
// Frequencies of a reduced body next to those of its mesh.
#include "mechanics/dense.h"
#include "mechanics/reduction_work.h"

#include <math.h>
#include <string.h>

void reduction_inertia(const ReductionMesh *m, Inertia *out) {
  const ReductionMatrices *q = m->matrices;
  *out = (Inertia){0, {0, 0, 0}, {{{0}}}};
  for (int p = 0; q && p < q->start[m->nodes]; p++) {
    Vec3 x = m->at[q->first[p]], y = m->at[q->other[p]];
    double mass = q->mass[p] * (q->first[p] == q->other[p] ? 0.5 : 1);
    Mat3 j = mat3_scale(2 * vec3_dot(x, y), mat3_identity());
    j = mat3_axpy(mat3_axpy(j, -1, mat3_outer(x, y)), -1, mat3_outer(y, x));
    Inertia own = {2 * mass, vec3_scale(mass, vec3_add(x, y)), mat3_scale(mass, j)};
    inertia_add(out, &own);
  }
  for (int i = 0; !q && i < m->elements; i++)
    for (int a = 0; a < m->element[i].nnode; a++) {
      Inertia own;
      Vec3 x = m->at[m->element[i].node[a]];
      m->element[i].kind->inertia(m->element[i].data, a, &own);
      own.s = vec3_scale(own.m, x);
      own.j = mat3_scale(own.m, mat3_axpy(mat3_scale(vec3_dot(x, x), mat3_identity()), -1, mat3_outer(x, x)));
      inertia_add(out, &own);
    }
}

// The reduced body as a linear problem: unknowns are the displacements of its points, and of each rigid interface that
// is not held the displacement and rotation of its frame; under the constraints of its ties. A frame that averages has
// no mass: unless it is held, it only follows.
typedef struct {
  const Reduction *r;
  const bool *held;
  int n, ties;         // unknowns; rows of the constraints
  double *k, *m, *tie; // n x n, n x n, ties x n
} BodyMatrices;

static int first_of_frame(const BodyMatrices *q, int interface) {
  int at = 3 * q->r->points;
  for (int k = 0; k < interface; k++) at += q->held[k] || q->r->source.interface[k].averages ? 0 : 6;
  return at;
}

// The strains as their rows have them, linearised: sum_A lambda_A de_A de_A.
static void add_strains(const BodyMatrices *q) {
  const Reduction *r = q->r;
  int pairs = reduction_pairs(r->points);
  for (int a = 0; a < r->rows; a++) {
    double de[3 * REDUCED_POINTS] = {0}, x[3], y[3];
    const double *form = &r->form[(size_t)a * (size_t)pairs];
    for (int i = 1, pair = 0; i < r->points; i++)
      for (int j = i; j < r->points; j++, pair++) {
        vec3_to(vec3_sub(r->at[i], r->at[0]), x), vec3_to(vec3_sub(r->at[j], r->at[0]), y);
        for (int c = 0; c < 3; c++) {
          de[3 * i + c] += form[pair] * y[c], de[3 * j + c] += form[pair] * x[c];
          de[c] -= form[pair] * (x[c] + y[c]);
        }
      }
    for (int i = 0; i < 3 * r->points; i++)
      reduction_subtract(&q->k[i * q->n], de, -r->stiffness[a] * de[i], 3 * r->points);
  }
}

// A frame's kinetic energy at the velocity v and the angular velocity w: m v.v/2 + v . (w x s) + w . j w/2.
static void add_frame_mass(const BodyMatrices *q, int interface) {
  const Inertia *own = &q->r->frame[interface].inertia;
  int at = first_of_frame(q, interface);
  for (int c = 0; c < 3; c++) {
    Vec3 e = vec3(c == 0, c == 1, c == 2);
    double cross[3];
    vec3_to(vec3_cross(e, own->s), cross); // of the velocity, by w along c
    q->m[(at + c) * q->n + at + c] = own->m;
    for (int i = 0; i < 3; i++) {
      q->m[(at + i) * q->n + at + 3 + c] = q->m[(at + 3 + c) * q->n + at + i] = cross[i];
      q->m[(at + 3 + i) * q->n + at + 3 + c] = own->j.m[i][c];
    }
  }
}

// sum_a weight_a u_a - place u - rotation x along = 0
static void add_ties(BodyMatrices *q, int interface) {
  const ReductionFrame *f = &q->r->frame[interface];
  int at = first_of_frame(q, interface);
  for (int t = 0; t < f->ties; t++)
    for (int c = 0; c < 3; c++) {
      double *row = &q->tie[q->ties++ * q->n];
      for (int a = 0; a < q->r->points; a++) row[3 * a + c] = f->tie[t].weight[a];
      if (q->held[interface]) continue;
      row[at + c] = -f->tie[t].place;
      for (int i = 0; i < 3; i++) {
        double v[3];
        vec3_to(vec3_cross(vec3(i == 0, i == 1, i == 2), f->tie[t].along), v);
        row[at + 3 + i] = -v[c];
      }
    }
}

// The mean rotation of a held interface is zero: d_i . dG_j - d_j . dG_i = 0.
static void add_rotation(BodyMatrices *q, int interface) {
  const ReductionFrame *f = &q->r->frame[interface];
  for (int c = 0; c < 3; c++) {
    double *row = &q->tie[q->ties++ * q->n];
    int i = (c + 1) % 3, j = (c + 2) % 3;
    for (int a = 0; a < q->r->points; a++) row[3 * a + i] = f->mean[j][a], row[3 * a + j] = -f->mean[i][a];
  }
}

// a = t^T x t, with the first `free` columns of t, n x n.
static void restrict_matrix(int n, int free, const double *x, const double *t, double *scratch, double *a) {
  memset(scratch, 0, (size_t)(n * n) * sizeof *scratch);
  reduction_combine(n, x, n, t, n, 1, scratch);
  for (int i = 0; i < free; i++)
    for (int j = 0; j < free; j++) {
      a[i * free + j] = 0;
      for (int k = 0; k < n; k++) a[i * free + j] += t[k * n + i] * scratch[k * n + j];
    }
}

// How many values were found; -1: no memory, or no modes.
static int body_modes(ReductionWork *w, const Reduction *r, const bool *held, int count, double *value) {
  BodyMatrices q = {.r = r, .held = held};
  bool free = true;
  q.n = first_of_frame(&q, r->source.interfaces);
  size_t n = (size_t)q.n;
  q.k = reduction_numbers(w, n, q.n), q.m = reduction_numbers(w, n, q.n);
  q.tie = reduction_numbers(w, 3 * REDUCED_TIES * REDUCED_INTERFACES, q.n);
  double *gram = reduction_numbers(w, n, q.n), *t = reduction_numbers(w, n, q.n), *all = reduction_numbers(w, n, 1);
  double *a = reduction_numbers(w, n, q.n), *b = reduction_numbers(w, n, q.n), *c = reduction_numbers(w, n, q.n);
  if (w->failed) return -1;
  add_strains(&q);
  for (int i = 0; i < 3 * r->points; i++) q.m[i * q.n + i] = r->mass;
  for (int k = 0; k < r->source.interfaces; k++) {
    bool averages = r->source.interface[k].averages;
    if (held[k]) free = false;
    if (held[k] || !averages) add_ties(&q, k);
    if (held[k] && averages) add_rotation(&q, k);
    if (!held[k] && !averages) add_frame_mass(&q, k);
  }
  reduction_products(q.ties, q.tie, q.n, q.tie, q.n, gram);
  dense_eigen(q.n, gram, all, t); // the first q.n - q.ties: motions that keep the ties
  int left = q.n - q.ties, rigid = free ? 6 : 0;
  if (left <= rigid) return 0;
  restrict_matrix(q.n, left, q.k, t, c, a);
  restrict_matrix(q.n, left, q.m, t, c, b);
  if (!dense_eigen_pair(left, a, b, all, c)) return -1;
  if (count > left - rigid) count = left - rigid;
  memcpy(value, all + rigid, (size_t)count * sizeof *value);
  return count;
}

const char *reduction_compare(const Reduction *r, int sets, ReductionModes *modes, double most_work,
                              Allocator scratch) {
  ReductionWork w = {.m = &r->source, .memory = scratch};
  double work;
  const char *wrong = reduction_prepare(&w, most_work, &work);
  for (int i = 0; i < sets && !wrong; i++) {
    ReductionModes *s = &modes[i];
    s->count = body_modes(&w, r, s->held, s->count, s->body);
    if (s->count < 0) return w.failed ? reduction_no_memory : "modes of the reduced body were not found";
    wrong = s->count ? reduction_held_modes(&w, s->held, s->count, s->mesh) : NULL;
  }
  return wrong;
}
