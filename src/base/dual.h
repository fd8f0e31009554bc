// SPDX-License-Identifier: Apache-2.0
// Numbers with their derivatives by a few unknowns (forward differentiation): exact tangents of formulae that are too
// long to differentiate by hand.
#ifndef LIMBER_BASE_DUAL_H
#define LIMBER_BASE_DUAL_H

#include "base/vec3.h"

enum { DUAL_UNKNOWNS = 21 };

typedef struct {
  double v, d[DUAL_UNKNOWNS];
} Dual;

typedef struct {
  Dual x[3];
} DualVec;

static inline Dual dual(double v) { return (Dual){.v = v}; }

// f(a) with f' at a
static inline Dual dual_chain(Dual a, double f, double slope) {
  a.v = f;
  for (int i = 0; i < DUAL_UNKNOWNS; i++) a.d[i] *= slope;
  return a;
}

// f(a, b) with its derivatives by a and b
static inline Dual dual_chain2(Dual a, Dual b, double f, double by_a, double by_b) {
  a.v = f;
  for (int i = 0; i < DUAL_UNKNOWNS; i++) a.d[i] = by_a * a.d[i] + by_b * b.d[i];
  return a;
}

static inline Dual dual_axpy(Dual a, double s, Dual b) { return dual_chain2(a, b, a.v + s * b.v, 1, s); }
static inline Dual dual_add(Dual a, Dual b) { return dual_axpy(a, 1, b); }
static inline Dual dual_sub(Dual a, Dual b) { return dual_axpy(a, -1, b); }
static inline Dual dual_scale(double s, Dual a) { return dual_chain(a, s * a.v, s); }
static inline Dual dual_mul(Dual a, Dual b) { return dual_chain2(a, b, a.v * b.v, b.v, a.v); }

static inline DualVec dual_vec(Vec3 a) { return (DualVec){{dual(a.x), dual(a.y), dual(a.z)}}; }
static inline Vec3 dual_vec_value(const DualVec *a) { return vec3(a->x[0].v, a->x[1].v, a->x[2].v); }

static inline DualVec dual_vec_axpy(DualVec a, double s, const DualVec *b) {
  for (int i = 0; i < 3; i++) a.x[i] = dual_axpy(a.x[i], s, b->x[i]);
  return a;
}

// a + s b
static inline DualVec dual_vec_add_scaled(DualVec a, Dual s, const DualVec *b) {
  for (int i = 0; i < 3; i++) a.x[i] = dual_add(a.x[i], dual_mul(s, b->x[i]));
  return a;
}

static inline Dual dual_dot(const DualVec *a, const DualVec *b) {
  Dual sum = dual_mul(a->x[0], b->x[0]);
  for (int i = 1; i < 3; i++) sum = dual_add(sum, dual_mul(a->x[i], b->x[i]));
  return sum;
}

#endif
