// SPDX-License-Identifier: Apache-2.0
// Arithmetic of elements side by side, for files named *_lanes.c alone: its functions pass vectors and are all inlined.
#ifndef LIMBER_MECHANICS_LANE3_H
#define LIMBER_MECHANICS_LANE3_H

#include "mechanics/lanes.h"

#include <string.h>

// ---- vectors and matrices of R^3 in lanes ----

typedef struct {
  Lanes x, y, z;
} Lane3;

typedef struct { // rows
  Lane3 x, y, z;
} Lane9;

INLINE Lanes lanes_of(double a) { return (Lanes){a, a, a, a, a, a, a, a}; }
INLINE Lanes lanes_load(const double *a) {
  Lanes out;
  memcpy(&out, a, sizeof out);
  return out;
}
INLINE Lane3 lane3_zero(void) { return (Lane3){lanes_of(0), lanes_of(0), lanes_of(0)}; }
INLINE Lane3 lane3_add(Lane3 a, Lane3 b) { return (Lane3){a.x + b.x, a.y + b.y, a.z + b.z}; }
INLINE Lane3 lane3_sub(Lane3 a, Lane3 b) { return (Lane3){a.x - b.x, a.y - b.y, a.z - b.z}; }
INLINE Lane3 lane3_scale(Lanes s, Lane3 a) { return (Lane3){s * a.x, s * a.y, s * a.z}; }
INLINE Lane3 lane3_axpy(Lane3 a, Lanes s, Lane3 b) { return (Lane3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
INLINE Lane3 lane3_mean(Lane3 a, Lane3 b) { return lane3_scale(lanes_of(0.5), lane3_add(a, b)); }
INLINE Lanes lane3_dot(Lane3 a, Lane3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
INLINE Lane3 lane3_cross(Lane3 a, Lane3 b) {
  return (Lane3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

INLINE Lane9 lane9_zero(void) { return (Lane9){lane3_zero(), lane3_zero(), lane3_zero()}; }
INLINE Lane9 lane9_add(Lane9 a, Lane9 b) {
  return (Lane9){lane3_add(a.x, b.x), lane3_add(a.y, b.y), lane3_add(a.z, b.z)};
}
INLINE Lane9 lane9_sub(Lane9 a, Lane9 b) {
  return (Lane9){lane3_sub(a.x, b.x), lane3_sub(a.y, b.y), lane3_sub(a.z, b.z)};
}
INLINE Lane9 lane9_scale(Lanes s, Lane9 a) {
  return (Lane9){lane3_scale(s, a.x), lane3_scale(s, a.y), lane3_scale(s, a.z)};
}
INLINE Lane9 lane9_axpy(Lane9 a, Lanes s, Lane9 b) {
  return (Lane9){lane3_axpy(a.x, s, b.x), lane3_axpy(a.y, s, b.y), lane3_axpy(a.z, s, b.z)};
}
INLINE Lane9 lane9_cross(Lane3 a) {
  return (Lane9){{lanes_of(0), -a.z, a.y}, {a.z, lanes_of(0), -a.x}, {-a.y, a.x, lanes_of(0)}};
}
INLINE Lane9 lane9_transpose(Lane9 a) {
  return (Lane9){{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}
// a + p q^T
INLINE Lane9 lane9_outer(Lane9 a, Lane3 p, Lane3 q) {
  return (Lane9){lane3_axpy(a.x, p.x, q), lane3_axpy(a.y, p.y, q), lane3_axpy(a.z, p.z, q)};
}
// a + s I
INLINE Lane9 lane9_shift(Lane9 a, Lanes s) {
  a.x.x += s, a.y.y += s, a.z.z += s;
  return a;
}
INLINE Lanes lane9_trace(Lane9 a) { return a.x.x + a.y.y + a.z.z; }
INLINE Lane3 lane9_apply(Lane9 a, Lane3 v) { return (Lane3){lane3_dot(a.x, v), lane3_dot(a.y, v), lane3_dot(a.z, v)}; }
INLINE Lane3 lane9_row(Lane3 r, Lane9 b) { return lane3_axpy(lane3_axpy(lane3_scale(r.x, b.x), r.y, b.y), r.z, b.z); }
INLINE Lane9 lane9_mul(Lane9 a, Lane9 b) { return (Lane9){lane9_row(a.x, b), lane9_row(a.y, b), lane9_row(a.z, b)}; }

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
INLINE void lanes_gather(const double *const from[LANES], int count, Lanes *out) {
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
INLINE void lanes_out(const Lanes *in, int count, bool add, double *const to[LANES]) {
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
INLINE void lanes_put(const Lanes *in, int count, double *const to[LANES]) { lanes_out(in, count, false, to); }
INLINE void lanes_scatter(const Lanes *in, int count, double *const to[LANES]) { lanes_out(in, count, true, to); }

// Adds a block of `count` numbers to the tangent.
INLINE void lanes_add_block(const LaneStep *step, const int *place, const Lanes *block, int count) {
  double *to[LANES];
  for (int l = 0; l < LANES; l++)
    to[l] = place[l] == NO_PLACE
                ? NULL
                : step->value[place[l] < 0] + (size_t)count * (size_t)(place[l] < 0 ? ~place[l] : place[l]);
  lanes_scatter(block, count, to);
}

// ---- frames ----

typedef struct { // a frame over an interval, as NodeMotion begins
  Lane3 x[4], rho[4];
  Lane9 spin;
  Lane3 c;
} LaneMotion;
_Static_assert(sizeof(LaneMotion) == 36 * sizeof(Lanes) && offsetof(NodeMotion, chord) == 36 * sizeof(double),
               "as NodeMotion");
enum { LANE_MOTION = 12 }; // vectors

// sum_j rho_j x f_j
INLINE Lane3 lane_moment(const LaneMotion *m, const Lane3 f[4]) {
  return lane3_add(lane3_add(lane3_cross(m->rho[1], f[1]), lane3_cross(m->rho[2], f[2])), lane3_cross(m->rho[3], f[3]));
}

// How the arms of a frame turn under forces f_j on its directors, or sum_j f_j~ d rho_j/dc, negative. Of the mean or the end of
// the directors that is part (sum_j f_j~ d_j~) spin; else rho_j = tau G d_j at t_n, whose derivative rotation.c has.
INLINE Lane9 lane_turning_arms(ForcePlace place, const Lane3 xn[4], const LaneMotion *m, const Lane3 f[4]) {
  Lane9 sum = lane9_zero();
  for (int j = 1; j < 4; j++) sum = lane9_outer(sum, f[j], place == FORCE_CHORD ? xn[j] : m->x[j]);
  Lane9 both = lane9_shift(lane9_transpose(sum), -lane9_trace(sum)); // sum f~ d~
  if (place != FORCE_CHORD) return lane9_scale(lanes_of(place == FORCE_MEAN ? 0.5 : 1), lane9_mul(both, m->spin));
  Lane3 c = m->c, axial = {sum.y.z - sum.z.y, sum.z.x - sum.x.z, sum.x.y - sum.y.x}; // sum f x d
  Lanes tau = lanes_of(2) / (lanes_of(2) + lane3_dot(c, c) / lanes_of(8));
  Lanes half = lanes_of(0.5) * tau * tau, part = lanes_of(0.25) * half;
  Lane3 a = lane3_axpy(lane3_scale(lanes_of(0.25) * tau, lane_moment(m, f)), -part, axial); // sum f x a of rotation.c
  Lane9 out = lane9_scale(half, both);
  out = lane9_outer(out, lane3_scale(lanes_of(-1), a), c);
  out = lane9_axpy(out, part, lane9_mul(lane9_cross(c), sum));
  return lane9_axpy(out, -part, lane9_cross(lane9_apply(sum, c)));
}

// Between the unknowns of two nodes in a block of s x s, stored by columns.
INLINE void lane_put_block(Lane9 m, int s, int k, int l, Lanes *block) {
  Lanes *c0 = block + 3 * s * 3 * l + 3 * k, *c1 = c0 + 3 * s, *c2 = c1 + 3 * s;
  c0[0] = m.x.x, c0[1] = m.y.x, c0[2] = m.z.x;
  c1[0] = m.x.y, c1[1] = m.y.y, c1[2] = m.z.y;
  c2[0] = m.x.z, c2[1] = m.y.z, c2[2] = m.z.z;
}

#endif
