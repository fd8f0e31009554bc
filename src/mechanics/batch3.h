// SPDX-License-Identifier: Apache-2.0
// Arithmetic of elements side by side, for files named *_batch.c alone: its functions pass vectors and are all inlined.
#ifndef LIMBER_MECHANICS_BATCH3_H
#define LIMBER_MECHANICS_BATCH3_H

#include "mechanics/batch.h"

#include <string.h>

// ---- vectors and matrices of R^3 in lanes ----

typedef struct {
  BatchReal x, y, z;
} Batch3;

typedef struct { // rows
  Batch3 x, y, z;
} Batch9;

#ifdef NARROW_BATCH
INLINE BatchReal batch_fill(double a) { return (BatchReal){a, a, a, a}; }
#else
INLINE BatchReal batch_fill(double a) { return (BatchReal){a, a, a, a, a, a, a, a}; }
#endif
INLINE BatchReal batch_load(const double *a) {
  BatchReal out;
  memcpy(&out, a, sizeof out);
  return out;
}
INLINE Batch3 batch3_zero(void) { return (Batch3){batch_fill(0), batch_fill(0), batch_fill(0)}; }
INLINE Batch3 batch3_add(Batch3 a, Batch3 b) { return (Batch3){a.x + b.x, a.y + b.y, a.z + b.z}; }
INLINE Batch3 batch3_sub(Batch3 a, Batch3 b) { return (Batch3){a.x - b.x, a.y - b.y, a.z - b.z}; }
INLINE Batch3 batch3_scale(BatchReal s, Batch3 a) { return (Batch3){s * a.x, s * a.y, s * a.z}; }
INLINE Batch3 batch3_axpy(Batch3 a, BatchReal s, Batch3 b) {
  return (Batch3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
INLINE Batch3 batch3_mean(Batch3 a, Batch3 b) { return batch3_scale(batch_fill(0.5), batch3_add(a, b)); }
INLINE BatchReal batch3_dot(Batch3 a, Batch3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
INLINE Batch3 batch3_cross(Batch3 a, Batch3 b) {
  return (Batch3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

INLINE Batch9 batch9_zero(void) { return (Batch9){batch3_zero(), batch3_zero(), batch3_zero()}; }
INLINE Batch9 batch9_add(Batch9 a, Batch9 b) {
  return (Batch9){batch3_add(a.x, b.x), batch3_add(a.y, b.y), batch3_add(a.z, b.z)};
}
INLINE Batch9 batch9_sub(Batch9 a, Batch9 b) {
  return (Batch9){batch3_sub(a.x, b.x), batch3_sub(a.y, b.y), batch3_sub(a.z, b.z)};
}
INLINE Batch9 batch9_scale(BatchReal s, Batch9 a) {
  return (Batch9){batch3_scale(s, a.x), batch3_scale(s, a.y), batch3_scale(s, a.z)};
}
INLINE Batch9 batch9_axpy(Batch9 a, BatchReal s, Batch9 b) {
  return (Batch9){batch3_axpy(a.x, s, b.x), batch3_axpy(a.y, s, b.y), batch3_axpy(a.z, s, b.z)};
}
INLINE Batch9 batch9_cross(Batch3 a) {
  return (Batch9){{batch_fill(0), -a.z, a.y}, {a.z, batch_fill(0), -a.x}, {-a.y, a.x, batch_fill(0)}};
}
INLINE Batch9 batch9_transpose(Batch9 a) {
  return (Batch9){{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}
// a + p q^T
INLINE Batch9 batch9_outer(Batch9 a, Batch3 p, Batch3 q) {
  return (Batch9){batch3_axpy(a.x, p.x, q), batch3_axpy(a.y, p.y, q), batch3_axpy(a.z, p.z, q)};
}
// a + s I
INLINE Batch9 batch9_shift(Batch9 a, BatchReal s) {
  a.x.x += s, a.y.y += s, a.z.z += s;
  return a;
}
INLINE BatchReal batch9_trace(Batch9 a) { return a.x.x + a.y.y + a.z.z; }
INLINE Batch3 batch9_apply(Batch9 a, Batch3 v) {
  return (Batch3){batch3_dot(a.x, v), batch3_dot(a.y, v), batch3_dot(a.z, v)};
}
INLINE Batch3 batch9_row(Batch3 r, Batch9 b) {
  return batch3_axpy(batch3_axpy(batch3_scale(r.x, b.x), r.y, b.y), r.z, b.z);
}
INLINE Batch9 batch9_mul(Batch9 a, Batch9 b) {
  return (Batch9){batch9_row(a.x, b), batch9_row(a.y, b), batch9_row(a.z, b)};
}

// ---- between lanes and memory ----

typedef double Half __attribute__((vector_size(4 * sizeof(double))));
enum { HALF = 4 };

INLINE Half half_load(const double *a) {
  Half out;
  memcpy(&out, a, sizeof out);
  return out;
}
INLINE void half_store(const Half *a, double *to) { memcpy(to, a, sizeof *a); }

INLINE void half_transpose(Half a[HALF]) {
#if defined(__has_builtin) && __has_builtin(__builtin_shufflevector)
  Half p = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6), q = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
  Half r = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6), s = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
  a[0] = __builtin_shufflevector(p, r, 0, 1, 4, 5), a[1] = __builtin_shufflevector(q, s, 0, 1, 4, 5);
  a[2] = __builtin_shufflevector(p, r, 2, 3, 6, 7), a[3] = __builtin_shufflevector(q, s, 2, 3, 6, 7);
#else
  Half b[HALF] = {a[0], a[1], a[2], a[3]};
  for (int i = 0; i < HALF; i++) a[i] = (Half){b[0][i], b[1][i], b[2][i], b[3][i]};
#endif
}

// `count` numbers from a place for each lane.
INLINE void batch_gather(const double *const from[LANES], int count, BatchReal *out) {
  double *to = (double *)out;
  for (int i = 0; i < count / HALF * HALF; i += HALF)
    for (int part = 0; part < LANES; part += HALF) {
      Half a[HALF] = {half_load(from[part] + i), half_load(from[part + 1] + i), half_load(from[part + 2] + i),
                      half_load(from[part + 3] + i)};
      half_transpose(a);
      for (int j = 0; j < HALF; j++) half_store(&a[j], to + LANES * (i + j) + part);
    }
  for (int i = count / HALF * HALF; i < count; i++)
    for (int l = 0; l < LANES; l++) to[LANES * i + l] = from[l][i];
}

// The way back: `count` numbers to a place for each lane, or added to what is there; NULL: to none.
INLINE void batch_store(const BatchReal *in, int count, bool add, double *const to[LANES]) {
  const double *from = (const double *)in;
  for (int i = 0; i < count / HALF * HALF; i += HALF)
    for (int part = 0; part < LANES; part += HALF) {
      Half a[HALF] = {half_load(from + LANES * i + part), half_load(from + LANES * (i + 1) + part),
                      half_load(from + LANES * (i + 2) + part), half_load(from + LANES * (i + 3) + part)};
      half_transpose(a);
      for (int l = 0; l < HALF; l++) {
        if (!to[part + l]) continue;
        if (add) a[l] += half_load(to[part + l] + i);
        half_store(&a[l], to[part + l] + i);
      }
    }
  for (int i = count / HALF * HALF; i < count; i++)
    for (int l = 0; l < LANES; l++)
      if (to[l]) to[l][i] = add ? to[l][i] + from[LANES * i + l] : from[LANES * i + l];
}
INLINE void batch_put(const BatchReal *in, int count, double *const to[LANES]) { batch_store(in, count, false, to); }
INLINE void batch_scatter(const BatchReal *in, int count, double *const to[LANES]) { batch_store(in, count, true, to); }

// Adds a block of `count` numbers to the tangent.
INLINE void batch_add_block(const BatchStep *step, const int *slot, const BatchReal *block, int count) {
  double *to[LANES];
  for (int l = 0; l < LANES; l++)
    to[l] = slot[l] == NO_SLOT ? NULL
                               : step->value[slot[l] < 0] + (size_t)count * (size_t)(slot[l] < 0 ? ~slot[l] : slot[l]);
  batch_scatter(block, count, to);
}

// ---- frames ----

typedef struct { // a frame over a stage, as NodeMotion begins
  Batch3 x[4], rho[4];
  Batch9 spin;
  Batch3 c;
} BatchMotion;
_Static_assert(sizeof(BatchMotion) == 36 * sizeof(BatchReal) && offsetof(NodeMotion, chord) == 36 * sizeof(double),
               "as NodeMotion");
enum { BATCH_MOTION_VECTORS = 12 }; // vectors

// sum_j rho_j x f_j
INLINE Batch3 batch_moment(const BatchMotion *m, const Batch3 f[4]) {
  return batch3_add(batch3_add(batch3_cross(m->rho[1], f[1]), batch3_cross(m->rho[2], f[2])),
                    batch3_cross(m->rho[3], f[3]));
}

// How the lever vectors of a frame turn under forces f_j on its directors, or sum_j f_j~ d rho_j/dc, negative; from
// sum = sum_j f_j d_j^T with the directors at the end, or at t_n if rho_j = tau G d_j of these, and the moment of the
// forces. Of the mean or the end of the directors that is part (sum_j f_j~ d_j~) spin; else rotation.c has it.
INLINE Batch9 batch_turn_derivative(ForceRule force_rule, const BatchMotion *m, Batch9 sum, Batch3 moment) {
  Batch9 both = batch9_shift(batch9_transpose(sum), -batch9_trace(sum)); // sum f~ d~
  if (force_rule != FORCE_CHORD)
    return batch9_scale(batch_fill(force_rule == FORCE_MEAN ? 0.5 : 1), batch9_mul(both, m->spin));
  Batch3 c = m->c, axial = {sum.y.z - sum.z.y, sum.z.x - sum.x.z, sum.x.y - sum.y.x}; // sum f x d
  BatchReal tau = batch_fill(2) / (batch_fill(2) + batch3_dot(c, c) / batch_fill(8));
  BatchReal half = batch_fill(0.5) * tau * tau, part = batch_fill(0.25) * half;
  Batch3 a = batch3_axpy(batch3_scale(batch_fill(0.25) * tau, moment), -part, axial); // sum f x a of rotation.c
  Batch9 out = batch9_scale(half, both);
  out = batch9_outer(out, batch3_scale(batch_fill(-1), a), c);
  out = batch9_axpy(out, part, batch9_mul(batch9_cross(c), sum));
  return batch9_axpy(out, -part, batch9_cross(batch9_apply(sum, c)));
}
INLINE Batch9 batch_lever_derivative(ForceRule force_rule, const Batch3 xn[4], const BatchMotion *m,
                                     const Batch3 f[4]) {
  Batch9 sum = batch9_zero();
  for (int j = 1; j < 4; j++) sum = batch9_outer(sum, f[j], force_rule == FORCE_CHORD ? xn[j] : m->x[j]);
  return batch_turn_derivative(force_rule, m, sum, force_rule == FORCE_CHORD ? batch_moment(m, f) : batch3_zero());
}

// Between the unknowns of two nodes in a block of s x s, stored by columns.
INLINE void batch_put_block(Batch9 m, int s, int k, int l, BatchReal *block) {
  BatchReal *c0 = block + 3 * s * 3 * l + 3 * k, *c1 = c0 + 3 * s, *c2 = c1 + 3 * s;
  c0[0] = m.x.x, c0[1] = m.y.x, c0[2] = m.z.x;
  c1[0] = m.x.y, c1[1] = m.y.y, c1[2] = m.z.y;
  c2[0] = m.x.z, c2[1] = m.y.z, c2[2] = m.z.z;
}

#endif
