// SPDX-License-Identifier: Apache-2.0
// The residual and tangent of one item (an element, a joint, a node's inertia), on its own unknowns.
// Unknowns come in blocks of 3 for each stage: block i, stage k, component a stands at 3 s i + 3 k + a.
#ifndef LIMBER_MECHANICS_LOCAL_H
#define LIMBER_MECHANICS_LOCAL_H

#include "base/vec3.h"
#include "mechanics/tableau.h"

enum {
  MAX_LOCAL_NODES = 10,
  MAX_LOCAL_VECTORS = 40,
  MAX_LOCAL_BLOCKS = 22,
  MAX_LOCAL = 3 * MAX_STAGES * MAX_LOCAL_BLOCKS,
};

typedef struct {
  int s, n;     // stages, unknowns
  bool tangent; // it is wanted; k is not to be read otherwise
  double r[MAX_LOCAL];
  double k[MAX_LOCAL * MAX_LOCAL]; // row-major n x n
} Local;

static inline void local_begin(Local *l, int s, int nblock, bool tangent) {
  l->s = s, l->n = 3 * s * nblock, l->tangent = tangent;
  for (int i = 0; i < l->n; i++) l->r[i] = 0;
  for (int i = 0; i < l->n * l->n && tangent; i++) l->k[i] = 0;
}

static inline void local_clear(Local *l, int s, int nblock) { local_begin(l, s, nblock, true); }

static inline int local_at(const Local *l, int block, int stage) { return 3 * (l->s * block + stage); }

static inline void local_add_vec(Local *l, int row, Vec3 f) {
  l->r[row] += f.x, l->r[row + 1] += f.y, l->r[row + 2] += f.z;
}

static inline void local_add_mat(Local *l, int row, int col, double f, Mat3 m) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) l->k[(row + i) * l->n + col + j] += f * m.m[i][j];
}

static inline void local_add_diag(Local *l, int row, int col, double f) {
  for (int i = 0; i < 3; i++) l->k[(row + i) * l->n + col + i] += f;
}

#endif
