// SPDX-License-Identifier: Apache-2.0
// Reductions of large meshes as a key and a value of numbers, which other processes find again.
#include "limber/version.h"
#include "mechanics/cell.h"
#include "model/adders.h"

#include <math.h>
#include <string.h>

enum {
  REDUCTION_FORM = 4, // counts changes of what is computed from the same input, or of the order of the numbers
  LEAST_NODES = 1000  // meshes with fewer are reduced in less than a second
};

bool is_reduction_kept(LimberModel m, const ReductionMesh *mesh) {
  return m->kept_values && mesh->nodes >= LEAST_NODES;
}

// Numbers that are counted, written or read one after the other.
typedef struct {
  double *at; // NULL: counted
  size_t count, room;
  bool reads, good;
} Numbers;

static void pass(Numbers *q, double *x, size_t n) {
  q->good = q->good && (!q->at || n <= q->room - q->count);
  if (q->good && q->at && q->reads) {
    memcpy(x, q->at + q->count, n * sizeof *x);
    for (size_t i = 0; i < n; i++) q->good = q->good && isfinite(x[i]);
  } else if (q->good && q->at) memcpy(q->at + q->count, x, n * sizeof *x);
  q->count += n;
}

static void pass_count(Numbers *q, int *x, int least, int most) {
  double number = *x;
  pass(q, &number, 1);
  if (!q->reads || !q->good) return;
  q->good = number >= least && number <= most && number == floor(number);
  if (q->good) *x = (int)number;
}

static void pass_vector(Numbers *q, Vec3 *x) {
  double v[3];
  vec3_to(*x, v);
  pass(q, v, 3);
  *x = vec3_of(v);
}

static void put(Numbers *q, double x) { pass(q, &x, 1); }

// ---- the key: all that the reduction depends on ----

static void pass_key(Numbers *q, const LimberReducedBody *p, const ReductionMesh *m) {
  const LimberMaterial *of = &p->material;
  const double head[] = {REDUCTION_FORM,
                         LIMBER_VERSION_MAJOR,
                         LIMBER_VERSION_MINOR,
                         LIMBER_VERSION_PATCH,
                         m->nodes,
                         p->mesh.cells,
                         m->interfaces,
                         m->modes,
                         of->E,
                         of->nu,
                         of->G,
                         of->density,
                         of->law,
                         p->hexahedra,
                         p->mesh.hexahedra != NULL};
  for (size_t i = 0; i < sizeof head / sizeof head[0]; i++) put(q, head[i]);
  const int *node = p->mesh.cell_node;
  for (int i = 0; i < 3 * m->nodes; i++) put(q, p->mesh.at[i]);
  for (int i = 0; i < p->mesh.cells; i++) {
    put(q, p->mesh.shape[i]);
    if (p->mesh.hexahedra) put(q, p->mesh.hexahedra[i]);
    for (int a = 0; a < cell_nodes(p->mesh.shape[i]); a++) put(q, *node++);
  }
  if (m->matrices) {
    put(q, m->elements);
    for (int i = 0; i < 2; i++) {
      const LimberMatrix *matrix = i ? p->mesh.mass : p->mesh.stiffness;
      put(q, matrix->count);
      for (int k = 0; k < matrix->count; k++)
        put(q, matrix->row[k]), put(q, matrix->column[k]), put(q, matrix->value[k]);
    }
  }
  for (int k = 0; k < m->interfaces; k++) {
    Vec3 at = m->interface[k].at;
    put(q, m->interface[k].count), put(q, m->interface[k].averages);
    pass_vector(q, &at);
    for (int i = 0; i < m->interface[k].count; i++) put(q, m->interface[k].node[i]);
  }
}

Error MakeReductionKey(Store *s, const LimberReducedBody *p, const ReductionMesh *m, KeptValue *out) {
  Numbers q = {.good = true};
  pass_key(&q, p, m);
  double *key;
  TRY(StoreAllocate(s, q.count * sizeof *key, &key));
  q = (Numbers){.at = key, .room = q.count, .good = true};
  pass_key(&q, p, m);
  *out = (KeptValue){.key = key, .key_size = q.count * sizeof *key};
  return 0;
}

// ---- the value ----

static void pass_frame(Numbers *q, int points, ReductionFrame *f) {
  pass(q, &f->inertia.m, 1), pass_vector(q, &f->inertia.s), pass(q, &f->inertia.j.m[0][0], 9);
  pass_count(q, &f->ties, 1, REDUCED_TIES);
  for (int t = 0; t < f->ties && q->good; t++)
    pass(q, f->tie[t].weight, (size_t)points), pass(q, &f->tie[t].place, 1), pass_vector(q, &f->tie[t].along);
  for (int c = 0; c < 3 && q->good; c++) pass(q, f->mean[c], (size_t)points);
}

static void pass_head(Numbers *q, Reduction *r) {
  pass_count(q, &r->points, 6, REDUCED_POINTS);
  if (q->reads) r->rows = 3 * r->points - 6;
  pass(q, &r->mass, 1), pass(q, &r->whole_mass, 1);
  for (int a = 0; a < r->points && q->good; a++) pass_vector(q, &r->at[a]);
}

typedef struct {
  double *stiffness, *form, *function, *mode;
} Arrays;

static void pass_rest(Numbers *q, const ReductionMesh *m, Reduction *r, const Arrays *a) {
  size_t rows = (size_t)r->rows, points = (size_t)r->points;
  pass(q, a->stiffness, rows), pass(q, a->form, rows * (size_t)reduction_pairs(r->points));
  pass(q, a->function, (size_t)m->nodes * points), pass(q, a->mode, rows * 3 * points);
  for (int k = 0; k < m->interfaces && q->good; k++) pass_frame(q, r->points, &r->frame[k]);
}

// Its arrays as those that `pass` may write to, which it does not where it counts or writes numbers elsewhere.
static Arrays arrays_of(const Reduction *r) {
  union {
    const double *from;
    double *to;
  } p[4] = {{r->stiffness}, {r->form}, {r->function}, {r->mode}};
  return (Arrays){p[0].to, p[1].to, p[2].to, p[3].to};
}

Error KeepReduction(LimberModel m, Store *s, const ReductionMesh *mesh, const Reduction *of, KeptValue *v) {
  Reduction r = *of;
  Arrays a = arrays_of(of);
  Numbers q = {.good = true};
  pass_head(&q, &r), pass_rest(&q, mesh, &r, &a);
  double *value;
  TRY(StoreAllocate(s, q.count * sizeof *value, &value));
  q = (Numbers){.at = value, .room = q.count, .good = true};
  pass_head(&q, &r), pass_rest(&q, mesh, &r, &a);
  v->value = value, v->size = q.count * sizeof *value;
  m->kept_values->keep(v);
  return 0;
}

static bool is_sound(const Reduction *r) {
  bool good = r->mass > 0 && r->whole_mass > 0;
  for (int a = 0; a < r->rows; a++) good = good && r->stiffness[a] > 0;
  return good;
}

Error FindReduction(LimberModel m, const ReductionMesh *mesh, KeptValue *v, Reduction *out, bool *found) {
  Reduction r = {0};
  Arrays a;
  *found = m->kept_values->find(v);
  if (!*found) return 0;
  Numbers q = {.at = v->value, .room = v->size / sizeof(double), .reads = true, .good = v->size % sizeof(double) == 0};
  pass_head(&q, &r);
  if (q.good) {
    size_t rows = (size_t)r.rows, points = (size_t)r.points;
    TRY(ModelAllocate(m, rows * sizeof(double), &a.stiffness));
    TRY(ModelAllocate(m, rows * (size_t)reduction_pairs(r.points) * sizeof(double), &a.form));
    TRY(ModelAllocate(m, (size_t)mesh->nodes * points * sizeof(double), &a.function));
    TRY(ModelAllocate(m, rows * 3 * points * sizeof(double), &a.mode));
    r.stiffness = a.stiffness, r.form = a.form, r.function = a.function, r.mode = a.mode;
    pass_rest(&q, mesh, &r, &a);
  }
  memory_free(&v->value);
  *found = q.good && q.count == q.room && is_sound(&r);
  if (*found) *out = r;
  return 0;
}
