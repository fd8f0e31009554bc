// SPDX-License-Identifier: Apache-2.0
// Boxes of cells for the tests: nx x ny x nz bricks, each a hexahedron of 8 or 20 nodes or six tetrahedra, and nx x ny rectangles, each a
// quadrilateral or two triangles.
#ifndef LIMBER_TESTS_SOLID_H
#define LIMBER_TESTS_SOLID_H

#include "check_petsc.h"
#include "mechanics/cell.h"

#include <limber/limber.h>

typedef struct {
  CellShape shape;
  int n[3];
  double size[3];
  double distort; // inner nodes off their places, in parts of a brick
  bool fixed;     // the nodes at x = 0 are places of the ground
} Box;

typedef struct {
  LimberModel model;
  LimberElementId element;
  int m[3];           // nodes along the edges
  LimberNodeId *node; // by places
  LimberCellShape *shape;
  LimberNodeId *cell;
  int cells, nodes;
} BoxModel;

// Cells with nodes on their edges.
static inline bool box_has_edges(CellShape s) { return s == LIMBER_TETRAHEDRON_10 || s == LIMBER_HEXAHEDRON_20; }

// Hexahedra of 20 nodes have none in the middle of faces and cells: LIMBER_NO_NODE.
static inline LimberNodeId box_node(const BoxModel *b, int i, int j, int k) {
  return b->node[(k * b->m[1] + j) * b->m[0] + i];
}

static inline double box_noise(unsigned long i) { // in -1 .. 1, the same in every run
  unsigned long long x = (i + 1) * 6364136223846793005ull + 1442695040888963407ull;
  x ^= x >> 29, x *= 0x9E3779B97F4A7C15ull;
  return (double)(x >> 11) / 4503599627370496.0 - 1;
}

static inline void box_add(BoxModel *b, LimberCellShape shape, int nodes, const LimberNodeId *id) {
  b->shape[b->cells++] = shape;
  for (int a = 0; a < nodes; a++) b->cell[b->nodes++] = id[a];
}

// The six tetrahedra around the diagonal of a brick.
static inline void box_tetrahedra(BoxModel *b, const Box *q, int i, int j, int k, int step) {
  static const int way[6][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}};
  for (int t = 0; t < 6; t++) {
    int at[4][3] = {{i, j, k}, {i, j, k}, {i, j, k}, {i + step, j + step, k + step}};
    at[1][way[t][0]] += step, at[2][way[t][0]] += step, at[2][way[t][1]] += step;
    static const int edge[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    LimberNodeId id[10];
    for (int a = 0; a < 4; a++) id[a] = box_node(b, at[a][0], at[a][1], at[a][2]);
    for (int e = 0; e < 6 && step == 2; e++) {
      const int *u = at[edge[e][0]], *v = at[edge[e][1]];
      id[4 + e] = box_node(b, (u[0] + v[0]) / 2, (u[1] + v[1]) / 2, (u[2] + v[2]) / 2);
    }
    box_add(b, q->shape, step == 2 ? 10 : 4, id);
  }
}

static inline void box_hexahedron_20(BoxModel *b, int i, int j, int k) {
  static const int at[20][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2},
                                {0, 2, 2}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2},
                                {1, 2, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};
  LimberNodeId id[20];
  for (int a = 0; a < 20; a++) id[a] = box_node(b, i + at[a][0], j + at[a][1], k + at[a][2]);
  box_add(b, LIMBER_HEXAHEDRON_20, 20, id);
}

static inline void box_cells(BoxModel *b, const Box *q, int i, int j, int k) {
  LimberNodeId h[8];
  switch (q->shape) {
  case LIMBER_TETRAHEDRON: box_tetrahedra(b, q, i, j, k, 1); return;
  case LIMBER_TETRAHEDRON_10: box_tetrahedra(b, q, 2 * i, 2 * j, 2 * k, 2); return;
  case LIMBER_HEXAHEDRON_20: box_hexahedron_20(b, 2 * i, 2 * j, 2 * k); return;
  case LIMBER_HEXAHEDRON:
  case LIMBER_QUADRILATERAL:
  case LIMBER_TRIANGLE: break;
  }
  for (int a = 0; a < (q->shape == LIMBER_HEXAHEDRON ? 8 : 4); a++)
    h[a] = box_node(b, i + (a % 4 == 1 || a % 4 == 2), j + (a % 4 > 1), k + a / 4);
  if (q->shape == LIMBER_TRIANGLE) {
    box_add(b, q->shape, 3, (LimberNodeId[]){h[0], h[1], h[2]});
    box_add(b, q->shape, 3, (LimberNodeId[]){h[0], h[2], h[3]});
  } else box_add(b, q->shape, q->shape == LIMBER_HEXAHEDRON ? 8 : 4, h);
}

// How far a node is off its place along d; the nodes on edges stay in their middle.
static inline double box_off(const Box *q, const BoxModel *b, const int *index, int d) {
  int half = box_has_edges(q->shape) ? 2 : 1;
  double sum = 0;
  for (int end = -1; end <= 1; end += 2) {
    bool inner = true;
    unsigned long at = 0;
    for (int k = 2; k >= 0; k--) {
      int i = index[k] + end * (index[k] % half);
      inner = inner && (b->m[k] == 1 || (i > 0 && i < b->m[k] - 1));
      at = at * (unsigned long)b->m[k] + (unsigned long)i;
    }
    if (inner && b->m[d] > 1)
      sum += 0.5 * q->distort * q->size[d] * half / (b->m[d] - 1) * box_noise(3 * at + (unsigned)d);
  }
  return sum;
}

static inline int BoxNodes(const Box *q, BoxModel *b) {
  bool flat = cell_dimension(q->shape) == 2;
  int half = box_has_edges(q->shape) ? 2 : 1;
  for (int d = 0; d < 3; d++) b->m[d] = flat && d == 2 ? 1 : half * q->n[d] + 1;
  b->node = malloc((size_t)(b->m[0] * b->m[1] * b->m[2]) * sizeof *b->node);
  for (int k = 0, at = 0; k < b->m[2]; k++)
    for (int j = 0; j < b->m[1]; j++)
      for (int i = 0; i < b->m[0]; i++, at++) {
        int index[3] = {i, j, k};
        double x[3] = {0};
        b->node[at] = LIMBER_NO_NODE;
        if (q->shape == LIMBER_HEXAHEDRON_20 && i % 2 + j % 2 + k % 2 > 1) continue;
        for (int d = 0; d < 3; d++)
          if (b->m[d] > 1) x[d] = q->size[d] * index[d] / (b->m[d] - 1) + box_off(q, b, index, d);
        if (q->fixed && i == 0) PetscCall(LimberModelAddFixed(b->model, NULL, x, NULL, &b->node[at]));
        else PetscCall(LimberModelAddPoint(b->model, NULL, x, &b->node[at]));
      }
  return 0;
}

static inline LimberPlaneState plane_state(const char *plane) {
  return plane && !strcmp(plane, "strain") ? LIMBER_PLANE_STRAIN : LIMBER_PLANE_STRESS;
}

// A model of the box, of a material with E, nu, density; membranes have the thickness size[2]; with "shell"
// for a `plane` hexahedra are a solid-shell, with "enhanced" enhanced.
static inline int BoxCreate(const Box *q, const LimberMaterial *material, const char *plane, BoxModel *b) {
  bool flat = cell_dimension(q->shape) == 2;
  int most = 6 * q->n[0] * q->n[1] * (flat ? 1 : q->n[2]);
  *b = (BoxModel){0};
  PetscCall(LimberModelCreate(&b->model));
  PetscCall(BoxNodes(q, b));
  b->shape = malloc((size_t)most * sizeof *b->shape), b->cell = malloc(20 * (size_t)most * sizeof *b->cell);
  for (int k = 0; k < (flat ? 1 : q->n[2]); k++)
    for (int j = 0; j < q->n[1]; j++)
      for (int i = 0; i < q->n[0]; i++) box_cells(b, q, i, j, k);
  LimberCells cells = {b->shape, b->cell, b->cells, NULL};
  LimberHexahedra how = plane && !strcmp(plane, "enhanced") ? LIMBER_HEXAHEDRA_ENHANCED : LIMBER_HEXAHEDRA_AS_MESHED;
  if (flat)
    PetscCall(LimberModelAddMembrane(
        b->model, "box", &(LimberMembrane){cells, *material, q->size[2], plane_state(plane), 0, 0}, &b->element));
  else if (plane && !strcmp(plane, "shell"))
    PetscCall(LimberModelAddSolidShell(b->model, "box", &(LimberSolidShell){cells, *material, {0}, 0, 0}, &b->element));
  else PetscCall(LimberModelAddSolid(b->model, "box", &(LimberSolid){cells, *material, how, 0, 0}, &b->element));
  CHECK_STR(limber_model_diagnostics(b->model), "");
  return 0;
}

static inline int BoxDestroy(BoxModel *b) {
  PetscCall(LimberModelDestroy(&b->model));
  free(b->node), free(b->shape), free(b->cell);
  return 0;
}

#endif
