// SPDX-License-Identifier: Apache-2.0
// Matrices of a body by pairs of nodes, from their entries, and whether they are those of a free body.
#include "mechanics/reduction.h"
#include "model/adders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int other, entry; // entry: of both matrices one after the other
} Neighbour;

static int compare_neighbours(const void *a, const void *b) {
  const Neighbour *x = a, *y = b;
  return x->other != y->other ? (x->other > y->other) - (x->other < y->other)
                              : (x->entry > y->entry) - (x->entry < y->entry);
}

typedef struct {
  const LimberMatrix *of[2];
  int nodes;
  int *start;       // of the neighbours of each node, nodes + 1
  Neighbour *entry; // each node itself comes first, with the entry -1
} Entries;

static bool valid_entries(const LimberMatrix *m, int nodes) {
  for (int i = 0; i < m->count; i++)
    if (m->row[i] < 0 || m->column[i] < 0 || m->row[i] / 3 >= nodes || m->column[i] / 3 >= nodes ||
        !isfinite(m->value[i]))
      return false;
  return true;
}

static void least_and_other(const LimberMatrix *m, int i, int *least, int *other) {
  int a = m->row[i] / 3, b = m->column[i] / 3;
  *least = a < b ? a : b, *other = a < b ? b : a;
}

static bool sort_entries(Entries *e, Allocator memory) {
  size_t all = (size_t)e->nodes;
  for (int k = 0; k < 2; k++) all += (size_t)e->of[k]->count;
  e->start = memory.allocate(memory.self, ((size_t)e->nodes + 2) * sizeof *e->start);
  e->entry = memory.allocate(memory.self, all * sizeof *e->entry);
  if (!e->start || !e->entry) return false;
  memset(e->start, 0, ((size_t)e->nodes + 2) * sizeof *e->start);
  for (int pass = 0; pass < 2; pass++) { // counted, then written
    for (int i = 0; i < e->nodes; i++) {
      if (pass) e->entry[e->start[i + 1]] = (Neighbour){i, -1};
      e->start[i + 2 - pass]++;
    }
    for (int k = 0, first = 0; k < 2; first += e->of[k++]->count)
      for (int i = 0; i < e->of[k]->count; i++) {
        int least, other;
        least_and_other(e->of[k], i, &least, &other);
        if (pass) e->entry[e->start[least + 1]] = (Neighbour){other, first + i};
        e->start[least + 2 - pass]++;
      }
    for (int i = 1; !pass && i <= e->nodes + 1; i++) e->start[i] += e->start[i - 1];
  }
  for (int i = 0; i < e->nodes; i++)
    qsort(e->entry + e->start[i], (size_t)(e->start[i + 1] - e->start[i]), sizeof *e->entry, compare_neighbours);
  return true;
}

// Adds an entry to the 3 x 3 matrix of the pair i <= j.
static void add_entry(const LimberMatrix *m, int at, int i, int j, double *block) {
  int row = m->row[at], column = m->column[at];
  if (row / 3 != i || column / 3 != j) row = m->column[at], column = m->row[at];
  block[3 * (row % 3) + column % 3] += m->value[at];
  if (i == j && row != column) block[3 * (column % 3) + row % 3] += m->value[at];
}

typedef struct {
  int *start, *first, *other;
  double *stiffness, *mass;
} Pairs;

static bool make_pairs(const Entries *e, Allocator memory, Pairs *out, double *mass_block) {
  int pairs = 0;
  for (int i = 0; i < e->nodes; i++)
    for (int k = e->start[i]; k < e->start[i + 1]; k++)
      pairs += k == e->start[i] || e->entry[k].other != e->entry[k - 1].other;
  size_t n = (size_t)pairs;
  out->start = memory.allocate(memory.self, ((size_t)e->nodes + 1) * sizeof *out->start);
  out->first = memory.allocate(memory.self, n * sizeof *out->first);
  out->other = memory.allocate(memory.self, n * sizeof *out->other);
  out->stiffness = memory.allocate(memory.self, 9 * n * sizeof *out->stiffness);
  out->mass = memory.allocate(memory.self, n * sizeof *out->mass);
  if (!out->start || !out->first || !out->other || !out->stiffness || !out->mass) return false;
  memset(out->stiffness, 0, 9 * n * sizeof *out->stiffness), memset(mass_block, 0, 9 * n * sizeof *mass_block);
  pairs = 0;
  for (int i = 0; i < e->nodes; i++) {
    out->start[i] = pairs;
    for (int k = e->start[i]; k < e->start[i + 1]; k++) {
      const Neighbour *q = &e->entry[k];
      if (k == e->start[i] || q->other != q[-1].other) out->first[pairs] = i, out->other[pairs++] = q->other;
      if (q->entry < 0) continue;
      int of = q->entry >= e->of[0]->count, at = q->entry - (of ? e->of[0]->count : 0);
      add_entry(e->of[of], at, i, q->other, (of ? mass_block : out->stiffness) + 9 * (size_t)(pairs - 1));
    }
  }
  out->start[e->nodes] = pairs;
  return true;
}

// The mass of each pair is the same in all directions.
static const char *take_masses(const Pairs *p, int nodes, const double *block, const int *number, char *text,
                               size_t size) {
  for (int k = 0; k < p->start[nodes]; k++)
    p->mass[k] = (block[9 * (size_t)k] + block[9 * (size_t)k + 4] + block[9 * (size_t)k + 8]) / 3;
  for (int i = 0; i < nodes; i++)
    if (!(p->mass[p->start[i]] > 0)) {
      snprintf(text, size, "the mass matrix has no positive mass at node %d", number[i]);
      return text;
    }
  for (int k = 0; k < p->start[nodes]; k++) {
    int i = p->first[k], j = p->other[k];
    double most = sqrt(p->mass[p->start[i]] * p->mass[p->start[j]]), off = 0;
    for (int r = 0; r < 9; r++) off = fmax(off, fabs(block[9 * (size_t)k + (size_t)r] - (r % 4 ? 0 : p->mass[k])));
    if (off > 1e-6 * most) {
      snprintf(text, size,
               "the mass matrix between the nodes %d and %d differs between directions or couples them: a reduced body "
               "needs the mass of a solid, which is the same in all directions",
               number[i], number[j]);
      return text;
    }
    if (i != j && fabs(p->mass[k]) > most * (1 + 1e-9)) {
      snprintf(text, size, "the mass matrix is not positive between the nodes %d and %d", number[i], number[j]);
      return text;
    }
  }
  return NULL;
}

// The stiffness times the six rigid motions is zero but for round-off.
static const char *check_rigid(const Pairs *p, int nodes, const Vec3 *at, const int *number, Vec3 *force, Vec3 *sum,
                               char *text, size_t size) {
  double worst = 0, extent = 0;
  int where = 0;
  for (int i = 0; i < nodes; i++) extent = fmax(extent, vec3_norm(vec3_sub(at[i], at[0])));
  for (int motion = 0; motion < 6; motion++) {
    Vec3 e = vec3(motion % 3 == 0, motion % 3 == 1, motion % 3 == 2);
    memset(force, 0, (size_t)nodes * sizeof *force), memset(sum, 0, (size_t)nodes * sizeof *sum);
    for (int k = 0; k < p->start[nodes]; k++) {
      Mat3 block;
      memcpy(block.m, &p->stiffness[9 * (size_t)k], sizeof block.m);
      for (int side = 0; side < (p->first[k] == p->other[k] ? 1 : 2); side++) {
        int i = side ? p->other[k] : p->first[k], j = side ? p->first[k] : p->other[k];
        Vec3 u = motion < 3 ? e : vec3_scale(1 / extent, vec3_cross(e, vec3_sub(at[j], at[0])));
        Vec3 f = side ? mat3_apply_transpose(block, u) : mat3_apply(block, u);
        force[i] = vec3_add(force[i], f), sum[i].x += vec3_norm(f);
      }
    }
    double most = 0;
    for (int i = 0; i < nodes; i++) most = fmax(most, sum[i].x);
    for (int i = 0; i < nodes; i++)
      if (vec3_norm(force[i]) > worst * most) worst = vec3_norm(force[i]) / most, where = i;
  }
  if (worst <= 1e-8) return NULL;
  snprintf(
      text, size,
      "the stiffness matrix resists a rigid motion, most at node %d, by %.1e of its entries: it must be that of the "
      "free body, without supports, on the nodes as they are here, with 10 digits or more",
      number[where], worst);
  return text;
}

const char *model_make_matrices(const LimberMatrix *stiffness, const LimberMatrix *mass, int nodes, const Vec3 *at,
                                const int *number, Allocator memory, Allocator scratch, ReductionMatrices *out,
                                char *text, size_t size) {
  Entries e = {.of = {stiffness, mass}, .nodes = nodes};
  Pairs p;
  if (!valid_entries(stiffness, nodes) || !valid_entries(mass, nodes) ||
      stiffness->count > INT_MAX / 2 - mass->count - nodes)
    return "its matrices have an entry that is no finite number, or of a node that is not there";
  double *block = scratch.allocate(scratch.self, 9 * ((size_t)stiffness->count + (size_t)mass->count + (size_t)nodes) *
                                                     sizeof *block);
  Vec3 *force = scratch.allocate(scratch.self, 2 * (size_t)nodes * sizeof *force);
  if (!block || !force || !sort_entries(&e, scratch) || !make_pairs(&e, memory, &p, block))
    return "not enough memory for its matrices";
  *out = (ReductionMatrices){p.start, p.first, p.other, p.stiffness, p.mass};
  const char *wrong = take_masses(&p, nodes, block, number, text, size);
  return wrong ? wrong : check_rigid(&p, nodes, at, number, force, force + nodes, text, size);
}
