// SPDX-License-Identifier: Apache-2.0
// The sparse factor of cliques against the product with the matrix itself.
#include "check.h"
#include "mechanics/sparse_cholesky.h"

enum { SIDE = 11, NODES = SIDE * SIDE * SIDE + 2, CELLS = (SIDE - 1) * (SIDE - 1) * (SIDE - 1) };

typedef struct {
  CliqueMatrix m;
  int first[NODES + 1], start[CELLS + 1], node[10 * CELLS];
  Vec3 at[NODES];
  double diagonal;
} Lattice;

// Springs between all nodes of a cell, and the ground; node i has i % 4 unknowns, so that some have none.
static void matrix(void *self, int clique, double *k) {
  const Lattice *l = self;
  int n = 0, i = 0;
  for (int p = l->start[clique]; p < l->start[clique + 1]; p++) n += l->first[l->node[p] + 1] - l->first[l->node[p]];
  for (int p = l->start[clique]; p < l->start[clique + 1]; p++)
    for (int u = l->first[l->node[p]]; u < l->first[l->node[p] + 1]; u++, i++)
      for (int j = 0; j < n; j++) k[i * n + j] += i == j ? l->diagonal + n - 1 : -1 + 0.1 * ((i + j + clique) % 3);
}

// Nodes of a cube and two that cells all over have.
static void make(Lattice *l, double stretch) {
  int cell = 0, to = 0;
  for (int i = 0; i < NODES; i++) {
    l->first[i + 1] = l->first[i] + i % 4;
    l->at[i] = vec3(stretch * (i % SIDE), i / SIDE % SIDE, i / (SIDE * SIDE));
  }
  for (int i = 0; i < NODES - 2; i++) {
    int x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
    if (x == SIDE - 1 || y == SIDE - 1 || z == SIDE - 1) continue;
    for (int k = 0; k < 8; k++) l->node[to++] = i + k % 2 + SIDE * (k / 2 % 2) + SIDE * SIDE * (k / 4);
    if (cell % 7 == 0) l->node[to++] = NODES - 1;
    if (cell % 5 == 0) l->node[to++] = NODES - 2;
    l->start[++cell] = to;
  }
  l->m = (CliqueMatrix){.nodes = NODES,
                        .cliques = CELLS,
                        .first = l->first,
                        .at = l->at,
                        .wide = 2,
                        .start = l->start,
                        .node = l->node,
                        .matrix = matrix,
                        .self = l};
}

// to += A of
static void multiply(Lattice *l, const double *of, int columns, double *to) {
  double k[30 * 30];
  for (int c = 0; c < CELLS; c++) {
    int n = 0, unknown[30];
    for (int p = l->start[c]; p < l->start[c + 1]; p++)
      for (int u = l->first[l->node[p]]; u < l->first[l->node[p] + 1]; u++) unknown[n++] = u;
    memset(k, 0, sizeof k);
    matrix(l, c, k);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int d = 0; d < columns; d++) to[unknown[i] * columns + d] += k[i * n + j] * of[unknown[j] * columns + d];
  }
}

static Lattice lattice;
static _Alignas(64) char room[1 << 26];

static void *take(void *used, size_t size) {
  size_t *at = used;
  void *out = room + *at;
  *at += (size + 63) / 64 * 64;
  return *at > sizeof room ? NULL : out;
}

static double x[3 * NODES * 11], y[3 * NODES * 11];

TEST(solutions_are_those_of_the_matrix) {
  static const double stretches[] = {1, 0, 8}; // a cube, a plane of nodes on each other, a bar
  for (int s = 0; s < 3; s++) {
    size_t used = 0;
    SparseFactor f;
    double error = 0;
    memset(&lattice, 0, sizeof lattice), memset(y, 0, sizeof y);
    make(&lattice, stretches[s]);
    lattice.diagonal = 1;
    CHECK(sparse_analyse(&f, &lattice.m, (Allocator){take, &used}));
    CHECK(f.fronts > 10); // it was divided
    if (!CHECK(sparse_factorise(&f))) return;
    for (int i = 0; i < 11 * lattice.first[NODES]; i++) x[i] = sin(i);
    multiply(&lattice, x, 11, y);
    sparse_solve(&f, y, 11);
    for (int i = 0; i < 11 * lattice.first[NODES]; i++) error = fmax(error, fabs(y[i] - x[i]));
    CHECK_LE(error, 1e-12); // 4e-14
  }
}

TEST(a_matrix_that_is_not_positive_is_refused) {
  size_t used = 0;
  SparseFactor f;
  memset(&lattice, 0, sizeof lattice);
  make(&lattice, 1);
  lattice.diagonal = -3;
  CHECK(sparse_analyse(&f, &lattice.m, (Allocator){take, &used}));
  CHECK(!sparse_factorise(&f) && !f.failed);
}

CHECK_MAIN
