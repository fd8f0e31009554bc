// SPDX-License-Identifier: Apache-2.0
// Matrices of files between the nodes of a mesh (matrix.h), without amplitudes inside elements.
#include "input/importers/matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const BodyMatrices *of;
  const Mesh *m;
  Store *s;
  int size, inner; // unknowns; those that are condensed
  int *place;      // of each unknown: 3 node + direction, or -1 - its number among the inner ones
  char *wrong;
  size_t wrong_size;
} Placing;

static Error FindPlaces(Placing *p) {
  const Unknowns *u = p->of->unknowns;
  const FileMatrix *k = p->of->stiffness;
  int nodes = p->m->nodes, *seen;
  p->size = u ? u->count : 3 * nodes;
  TRY(StoreAllocate(p->s, (size_t)p->size * sizeof *p->place + 1, &p->place));
  if (!u && (k->size ? k->size : p->size) != p->size) {
    snprintf(p->wrong, p->wrong_size,
             "the stiffness has %d rows, and the mesh %d nodes with three directions each: give it the `unknowns`",
             k->size, nodes);
    return 0;
  }
  TRY(MemoryNew((size_t)nodes * sizeof *seen + 1, &seen));
  for (int i = 0; i < p->size && !*p->wrong; i++) {
    int node = u ? mesh_node(p->m, u->of[i].node) : i / 3, direction = u ? u->of[i].direction : i % 3;
    p->place[i] = node >= 0 ? 3 * node + direction : -1 - p->inner++;
    if (node >= 0 && seen[node] >> direction & 1)
      snprintf(p->wrong, p->wrong_size, "the unknown %ld.%d is there twice", p->m->node[node].number, direction + 1);
    if (node >= 0) seen[node] |= 1 << direction;
  }
  for (int i = 0; i < nodes && !*p->wrong; i++)
    if (seen[i] && seen[i] != 7)
      snprintf(p->wrong, p->wrong_size,
               "node %ld has no unknown in direction %d: the matrices must be those of the free body, without supports",
               p->m->node[i].number,
               !(seen[i] & 1)   ? 1
               : !(seen[i] & 2) ? 2
                                : 3);
  memory_free(&seen);
  return 0;
}

static bool is_inside(const Placing *p, const FileMatrix *m, const char *name) {
  for (int i = 0; i < m->count; i++)
    if (m->entry[i].row >= p->size || m->entry[i].column >= p->size) {
      snprintf(p->wrong, p->wrong_size, "the %s has an entry %d, %d, and there are %d unknowns", name,
               m->entry[i].row + 1, m->entry[i].column + 1, p->size);
      return false;
    }
  return true;
}

// ---- amplitudes inside elements ----

enum { MOST_INNER = 120, MOST_AROUND = 400 };

static int root_of(int *up, int i) {
  while (up[i] != i) up[i] = up[up[i]], i = up[i];
  return i;
}

typedef struct {
  int group, entry;
} InnerEntry;

static int compare_inner(const void *a, const void *b) {
  const InnerEntry *x = a, *y = b;
  return x->group != y->group ? (x->group > y->group) - (x->group < y->group)
                              : (x->entry > y->entry) - (x->entry < y->entry);
}

// Of inner unknowns that are coupled with each other: their matrix and that of their neighbours by them.
typedef struct {
  int inner, around, of_inner[MOST_INNER], of_around[MOST_AROUND];
  double k[MOST_INNER][MOST_INNER], b[MOST_INNER][MOST_AROUND];
} Group;

static int place_in(int *list, int *count, int most, int value) {
  int i = 0;
  while (i < *count && list[i] != value) i++;
  if (i == *count && i < most) list[(*count)++] = value;
  return i < most ? i : -1;
}

static bool gather(const Placing *p, const InnerEntry *e, int n, Group *g) {
  const FileMatrix *k = p->of->stiffness;
  memset(g, 0, sizeof *g);
  for (int i = 0; i < n; i++) {
    int a = p->place[k->entry[e[i].entry].row], b = p->place[k->entry[e[i].entry].column], r, c;
    double value = k->entry[e[i].entry].value;
    if (a >= 0) r = a, a = b, b = r; // a is inner
    r = place_in(g->of_inner, &g->inner, MOST_INNER, a);
    c = b < 0 ? place_in(g->of_inner, &g->inner, MOST_INNER, b) : place_in(g->of_around, &g->around, MOST_AROUND, b);
    if (r < 0 || c < 0) return false;
    if (b >= 0) g->b[r][c] += value;
    else {
      g->k[r][c] += value;
      if (r != c) g->k[c][r] += value;
    }
  }
  return true;
}

// b = L^-1 b with k = L L^T; false: k is not positive definite.
static bool eliminate(Group *g) {
  for (int j = 0; j < g->inner; j++) {
    double before = g->k[j][j];
    for (int l = 0; l < j; l++) g->k[j][j] -= g->k[j][l] * g->k[j][l];
    if (!(g->k[j][j] > 1e-12 * before)) return false;
    g->k[j][j] = sqrt(g->k[j][j]);
    for (int i = j + 1; i < g->inner; i++) {
      for (int l = 0; l < j; l++) g->k[i][j] -= g->k[i][l] * g->k[j][l];
      g->k[i][j] /= g->k[j][j];
    }
    for (int c = 0; c < g->around; c++) {
      for (int l = 0; l < j; l++) g->b[j][c] -= g->k[j][l] * g->b[l][c];
      g->b[j][c] /= g->k[j][j];
    }
  }
  return true;
}

// Whether the inner unknowns are amplitudes inside elements, which a translation of the nodes around leaves alone, and
// not displacements of a node.
static bool are_amplitudes(const Group *g) {
  for (int r = 0; r < g->inner; r++)
    for (int d = 0; d < 3; d++) {
      double sum = 0, all = 0;
      for (int c = 0; c < g->around; c++) {
        all += fabs(g->b[r][c]);
        if (g->of_around[c] % 3 == d) sum += g->b[r][c];
      }
      if (fabs(sum) > 1e-6 * all) return false;
    }
  return true;
}

// The stiffness of the other unknowns, K_aa - K_ai K_ii^-1 K_ia. The mass of amplitudes is neglected: that of the body
// is all at the nodes.
static Error Condense(Placing *p, FileMatrix *out) {
  const FileMatrix *k = p->of->stiffness;
  InnerEntry *entry;
  Group *g;
  int *up, n = 0;
  TRY(StoreAllocate(p->s, (size_t)p->inner * sizeof *up, &up));
  TRY(StoreAllocate(p->s, (size_t)k->count * sizeof *entry, &entry));
  TRY(StoreAllocate(p->s, sizeof *g, &g));
  for (int i = 0; i < p->inner; i++) up[i] = i;
  for (int pass = 0; pass < 2; pass++) // what is coupled; then its entries
    for (int i = 0; i < k->count; i++) {
      int a = p->place[k->entry[i].row], b = p->place[k->entry[i].column];
      if ((a >= 0 && b >= 0) || k->entry[i].value == 0) continue;
      if (pass) entry[n++] = (InnerEntry){root_of(up, -1 - (a < 0 ? a : b)), i};
      else if (a < 0 && b < 0) up[root_of(up, -1 - a)] = root_of(up, -1 - b);
    }
  if (n) qsort(entry, (size_t)n, sizeof *entry, compare_inner);
  for (int i = 0, to; i < n; i = to) {
    for (to = i; to < n && entry[to].group == entry[i].group;) to++;
    if (!gather(p, entry + i, to - i, g) || !are_amplitudes(g) || !eliminate(g)) {
      const MatrixEntry *first = &k->entry[entry[i].entry];
      snprintf(p->wrong, p->wrong_size, "the matrices have node %ld, which is not in the mesh",
               p->of->unknowns->of[p->place[first->row] < 0 ? first->row : first->column].node);
      return 0;
    }
    for (int r = 0; r < g->around; r++)
      for (int c = 0; c <= r; c++) {
        double sum = 0;
        for (int l = 0; l < g->inner; l++) sum += g->b[l][r] * g->b[l][c];
        TRY(MatrixAdd(p->s, out, (MatrixEntry){g->of_around[r], g->of_around[c], -sum}));
      }
  }
  return 0;
}

// ---- all ----

// Entry at places a and b: in ground axes, in SI.
static Error Turn(Placing *p, FileMatrix *out, int a, int b, double value) {
  Vec3 x = mat3_column(p->of->axes, a % 3), y = mat3_column(p->of->axes, b % 3);
  Mat3 block = mat3_scale(value, mat3_outer(x, y));
  if (a / 3 == b / 3 && a != b) block = mat3_axpy(block, value, mat3_outer(y, x));
  for (int r = 0; r < 3; r++)
    for (int c = a / 3 == b / 3 ? r : 0; c < 3; c++)
      if (block.m[r][c] != 0) TRY(MatrixAdd(p->s, out, (MatrixEntry){a - a % 3 + r, b - b % 3 + c, block.m[r][c]}));
  return 0;
}

static Error Place(Placing *p, const FileMatrix *of, const FileMatrix *more, LimberMatrix *out) {
  FileMatrix all = {0};
  for (int i = 0; i < of->count; i++) {
    int a = p->place[of->entry[i].row], b = p->place[of->entry[i].column];
    if (a >= 0 && b >= 0 && of->entry[i].value != 0) TRY(Turn(p, &all, a, b, p->of->factor * of->entry[i].value));
  }
  for (int i = 0; i < more->count; i++)
    TRY(Turn(p, &all, more->entry[i].row, more->entry[i].column, p->of->factor * more->entry[i].value));
  int *row, *column;
  double *value;
  TRY(StoreAllocate(p->s, (size_t)all.count * sizeof *row + 1, &row));
  TRY(StoreAllocate(p->s, (size_t)all.count * sizeof *column + 1, &column));
  TRY(StoreAllocate(p->s, (size_t)all.count * sizeof *value + 1, &value));
  for (int i = 0; i < all.count; i++)
    row[i] = all.entry[i].row, column[i] = all.entry[i].column, value[i] = all.entry[i].value;
  *out = (LimberMatrix){all.count, row, column, value};
  return 0;
}

Error PlaceMatrices(const BodyMatrices *of, const Mesh *m, Store *s, LimberMatrix *stiffness, LimberMatrix *mass,
                    char *wrong, size_t size) {
  Placing p = {.of = of, .m = m, .s = s, .wrong = wrong, .wrong_size = size};
  FileMatrix condensed = {0}, none = {0};
  *wrong = 0;
  TRY(FindPlaces(&p));
  if (*wrong || !is_inside(&p, of->stiffness, "stiffness") || !is_inside(&p, of->mass, "mass")) return 0;
  if (p.inner) TRY(Condense(&p, &condensed));
  if (*wrong) return 0;
  TRY(Place(&p, of->stiffness, &condensed, stiffness));
  return Place(&p, of->mass, &none, mass);
}
