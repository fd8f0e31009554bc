// SPDX-License-Identifier: Apache-2.0
// Frames side by side: motions, to the bit as node.c has them, inertia and loads on masses.
#include "mechanics/lane3.h"

typedef struct {
  Lane3 xn[4], u[MAX_INTERVALS], chord[MAX_INTERVALS][4], force[MAX_INTERVALS][4]; // forces on the vectors
  LaneMotion at[MAX_INTERVALS];
  Lane3 r[2 * MAX_INTERVALS];               // residual: of u, then of c
  Lane9 k[4][MAX_INTERVALS][MAX_INTERVALS]; // tangent: (u, u), (u, c), (c, u), (c, c)
} Work;
enum { UU, UC, CU, CC };

INLINE Lane9 columns(const Lane3 d[3]) {
  return (Lane9){{d[0].x, d[1].x, d[2].x}, {d[0].y, d[1].y, d[2].y}, {d[0].z, d[1].z, d[2].z}};
}

// a I + b c~ + d c c^T
INLINE Lane9 combined(Lane3 c, Lanes a, Lanes b, Lanes d) {
  Lanes xx = d * c.x * c.x, yy = d * c.y * c.y, zz = d * c.z * c.z, xy = d * c.x * c.y, yz = d * c.y * c.z,
        zx = d * c.z * c.x, x = b * c.x, y = b * c.y, z = b * c.z;
  return (Lane9){{a + xx, xy - z, zx + y}, {xy + z, a + yy, yz - x}, {zx - y, yz + x, a + zz}};
}

INLINE void move(ForcePlace place, const Lane3 xn[4], Lane3 u, Lane3 c, LaneMotion *m, Lane3 chord[4]) {
  const Lanes two = lanes_of(2), four = lanes_of(4);
  Lanes cc = lane3_dot(c, c), c0 = two - cc / lanes_of(8), f = lanes_of(1) / ((four - c0) * (four - c0));
  Lane9 r = combined(c, f * (c0 * c0 - cc), two * f * c0, two * f);
  m->spin = combined(c, two * f * c0, two * f, lanes_of(0.5) * f), m->c = c;
  m->x[0] = lane3_add(xn[0], u), chord[0] = u, m->rho[0] = lane3_zero();
  for (int j = 1; j < 4; j++) {
    Lane3 turned = lane9_apply(m->spin, xn[j]);
    m->x[j] = lane9_apply(r, xn[j]), chord[j] = lane3_cross(c, turned);
    m->rho[j] = place == FORCE_CHORD ? turned : place == FORCE_MEAN ? lane3_mean(xn[j], m->x[j]) : m->x[j];
  }
}

INLINE void move_frames(const FrameStep *f, Work *w) {
  const int s = f->step.t->s, *node = f->step.node;
  const ForcePlace place = f->step.t->place;
  const double *from[LANES];
  double *to[LANES];
  Lane3 q[2 * MAX_INTERVALS];
  for (int l = 0; l < LANES; l++) from[l] = f->unknown + 3 * (size_t)s * (size_t)f->from[l];
  lanes_gather(from, 6 * s, &q[0].x);
  for (int l = 0; l < LANES; l++) from[l] = &f->step.xn[4 * (size_t)node[l]].x;
  lanes_gather(from, 12, &w->xn[0].x);
  for (int k = 0; k < s; k++) {
    Lanes part = lanes_of(place == FORCE_CHORD ? 0 : place == FORCE_MEAN ? 0.5 : 1);
    w->u[k] = q[k];
    move(place, w->xn, q[k], q[s + k], &w->at[k], w->chord[k]);
    for (int l = 0; l < LANES; l++) to[l] = &f->motion[(size_t)s * (size_t)node[l] + (size_t)k].x[0].x;
    lanes_put(&w->at[k].x[0].x, 36, to);
    for (int l = 0; l < LANES; l++) to[l] += 36;
    lanes_put(&w->chord[k][0].x, 12, to);
    for (int l = 0; l < LANES; l++) to[l] += 12;
    lanes_put(&part, 1, to);
  }
}

INLINE void add_fields(const FrameStep *f, Work *w) {
  for (int i = 0; i < f->nfield; i++) {
    Lanes first[4];
    lanes_gather(f->field[i].first, 4, first);
    for (int k = 0; k < f->step.t->s; k++) {
      Vec3 g = f->field[i].acceleration[k];
      Lane3 a = {lanes_of(g.x), lanes_of(g.y), lanes_of(g.z)};
      for (int j = 0; j < 4; j++) w->force[k][j] = lane3_axpy(w->force[k][j], first[j], a);
    }
  }
}

// ---- ambient ----

INLINE void ambient(const FrameStep *f, Work *w) {
  const int s = f->step.t->s;
  const double *from[LANES];
  Lanes mass[4][4];
  Lane3 acc0[4], turned[MAX_INTERVALS][4];
  for (int l = 0; l < LANES; l++) from[l] = f->mass[f->step.node[l]][0];
  lanes_gather(from, 16, mass[0]);
  for (int k = 0; k < s; k++) {
    for (int l = 0; l < LANES; l++) from[l] = &f->rates[l].acc0[k][0].x;
    lanes_gather(from, 12, &acc0[0].x);
    for (int j = 0; j < 4; j++) {
      Lane3 acc = acc0[j];
      for (int l = 0; l < s; l++) acc = lane3_axpy(acc, lanes_of(f->rates[0].rate[k][l]), w->chord[l][j]);
      for (int i = 0; i < 4; i++) w->force[k][i] = lane3_axpy(w->force[k][i], mass[i][j], acc);
    }
  }
  if (!f->step.tangent) return;
  for (int l = 0; l < s; l++)
    for (int i = 0; i < 4; i++) {
      const Lane3 *x = w->at[l].x;
      turned[l][i] = lane3_axpy(lane3_axpy(lane3_scale(mass[i][1], x[1]), mass[i][2], x[2]), mass[i][3], x[3]);
    }
  for (int k = 0; k < s; k++) {
    const Lane3 *rho = w->at[k].rho;
    Lane3 arm = lane3_axpy(lane3_axpy(lane3_scale(mass[1][0], rho[1]), mass[2][0], rho[2]), mass[3][0], rho[3]);
    for (int l = 0; l < s; l++) {
      Lanes rate = lanes_of(f->rates[0].rate[k][l]);
      Lane9 both = lane9_outer(lane9_outer(lane9_outer(lane9_zero(), turned[l][1], rho[1]), turned[l][2], rho[2]),
                               turned[l][3], rho[3]);
      both = lane9_shift(both, -lane9_trace(both)); // sum rho~ turned~
      w->k[UU][k][l] = lane9_shift(lane9_zero(), rate * mass[0][0]);
      w->k[UC][k][l] = lane9_scale(-rate, lane9_mul(lane9_cross(turned[l][0]), w->at[l].spin));
      w->k[CU][k][l] = lane9_cross(lane3_scale(rate, arm));
      w->k[CC][k][l] = lane9_scale(-rate, lane9_mul(both, w->at[l].spin));
    }
  }
}

// ---- material ----

typedef struct {
  Lanes m;
  Lane3 s;
  Lane9 j;
} Body;
_Static_assert(sizeof(Body) == 13 * sizeof(Lanes) && sizeof(Inertia) == 13 * sizeof(double), "as Inertia");

INLINE Lane3 momentum(const Body *b, Lane3 v, Lane3 w) { return lane3_add(lane3_scale(b->m, v), lane3_cross(w, b->s)); }
INLINE Lane3 angular(const Body *b, Lane3 v, Lane3 w) { return lane3_add(lane3_cross(b->s, v), lane9_apply(b->j, w)); }

typedef struct { // of node.c; axes[k] at the ends
  Lane9 rn, axes[MAX_INTERVALS];
  Lane3 gone[MAX_INTERVALS], vn[2], vk[MAX_INTERVALS][2];
  Lane9 dv_du[MAX_INTERVALS], dv_dc[MAX_INTERVALS], dw_dc;
} Velocity;

INLINE void velocities(const FrameStep *f, const Work *w, Velocity *q) {
  const Tableau *t = f->step.t;
  const double h = f->step.h, *from[LANES];
  Lane3 v[4], carry, dv[MAX_INTERVALS], dw[MAX_INTERVALS];
  for (int l = 0; l < LANES; l++) from[l] = &f->v[4 * (size_t)f->step.node[l]].x;
  lanes_gather(from, 12, &v[0].x);
  for (int l = 0; l < LANES; l++) from[l] = &f->carry[l]->x;
  lanes_gather(from, 3, &carry.x);
  q->rn = columns(w->xn + 1);
  Lane9 rn_t = lane9_transpose(q->rn);
  q->vn[0] = lane3_sub(v[0], lane9_apply(rn_t, carry)), q->vn[1] = v[1];
  q->dw_dc = lane9_scale(lanes_of(1 / h), rn_t);
  for (int l = 0; l < t->s; l++) {
    Lane3 gone = lane3_axpy(lane3_scale(lanes_of(1 / h), w->u[l]), lanes_of(-t->b[l]), carry);
    q->axes[l] = columns(w->at[l].x + 1), q->gone[l] = gone;
    Lane9 rl_t = lane9_transpose(q->axes[l]);
    Lane3 mean = lane3_mean(lane9_apply(rn_t, gone), lane9_apply(rl_t, gone));
    dv[l] = lane3_axpy(mean, lanes_of(-t->b[l]), q->vn[0]);
    dw[l] = lane3_axpy(lane9_apply(q->dw_dc, w->at[l].c), lanes_of(-t->b[l]), q->vn[1]);
    if (!f->step.tangent) continue;
    q->dv_du[l] = lane9_scale(lanes_of(0.5 / h), lane9_add(rn_t, rl_t));
    q->dv_dc[l] = lane9_scale(lanes_of(0.5), lane9_mul(rl_t, lane9_mul(lane9_cross(gone), w->at[l].spin)));
  }
  for (int k = 0; k < t->s; k++) {
    q->vk[k][0] = q->vn[0], q->vk[k][1] = q->vn[1];
    for (int l = 0; l < t->s; l++) {
      q->vk[k][0] = lane3_axpy(q->vk[k][0], lanes_of(t->inverse[k][l]), dv[l]);
      q->vk[k][1] = lane3_axpy(q->vk[k][1], lanes_of(t->inverse[k][l]), dw[l]);
    }
  }
}

// d(tau G v)/dc, `turned` = tau G v (rotation.c)
INLINE Lane9 turned_derivative(Lane3 c, Lane3 v, Lane3 turned) {
  Lanes tau = lanes_of(2) / (lanes_of(2) + lane3_dot(c, c) / lanes_of(8));
  Lanes half = lanes_of(0.5) * tau * tau, part = lanes_of(0.25) * half;
  Lane3 a = lane3_axpy(lane3_scale(lanes_of(-0.25) * tau, turned), -part, v);
  Lane9 out = lane9_shift(lane9_cross(lane3_scale(-half, v)), part * lane3_dot(c, v));
  return lane9_outer(lane9_outer(out, a, c), lane3_scale(part, c), v);
}

// What comes through the velocities: d p = m dv - s~ dw, d h = s~ dv + J dw.
INLINE void velocity_columns(const FrameStep *f, const Body *b, const Velocity *q, int l, Work *w) {
  const Tableau *t = f->step.t;
  Lane9 first = lane9_cross(b->s);
  Lane9 dp_du = lane9_scale(b->m, q->dv_du[l]), dh_du = lane9_mul(first, q->dv_du[l]);
  Lane9 dp_dc = lane9_sub(lane9_scale(b->m, q->dv_dc[l]), lane9_mul(first, q->dw_dc));
  Lane9 dh_dc = lane9_add(lane9_mul(first, q->dv_dc[l]), lane9_mul(b->j, q->dw_dc));
  for (int k = 0; k < t->s; k++) {
    Lanes part = lanes_of(t->inverse[k][l]);
    Lane9 turn = lane9_scale(part * lanes_of(1 / f->step.h), q->axes[k]);
    Lane9 arm = lane9_mul(lane9_cross(lane3_scale(lanes_of(0.5) * part, q->gone[k])), lane9_mul(w->at[k].spin, q->rn));
    w->k[UU][k][l] = lane9_mul(turn, dp_du);
    w->k[UC][k][l] = lane9_mul(turn, dp_dc);
    w->k[CU][k][l] = lane9_add(lane9_mul(turn, dh_du), lane9_mul(arm, dp_du));
    w->k[CC][k][l] = lane9_add(lane9_mul(turn, dh_dc), lane9_mul(arm, dp_dc));
  }
}

INLINE void material(const FrameStep *f, Work *w) {
  const int s = f->step.t->s;
  const Lanes rate = lanes_of(1 / f->step.h);
  const double *from[LANES];
  Body b;
  Velocity q;
  for (int l = 0; l < LANES; l++) from[l] = &f->body[f->step.node[l]].m;
  lanes_gather(from, 13, &b.m);
  velocities(f, w, &q);
  for (int l = 0; l < s && f->step.tangent; l++) velocity_columns(f, &b, &q, l, w);
  Lane3 pn = momentum(&b, q.vn[0], q.vn[1]), hn = angular(&b, q.vn[0], q.vn[1]);
  Lane3 p_before = lane9_apply(q.rn, pn), h_before = lane9_apply(q.rn, hn);
  for (int k = 0; k < s; k++) {
    const Lane9 spin = w->at[k].spin;
    Lane3 pk = momentum(&b, q.vk[k][0], q.vk[k][1]), hk = angular(&b, q.vk[k][0], q.vk[k][1]);
    Lane3 mean = lane9_apply(q.rn, lane3_mean(pn, pk)), carried = lane9_apply(spin, mean);
    Lane3 p_now = lane9_apply(q.axes[k], pk), h_now = lane9_apply(q.axes[k], hk);
    w->r[k] = lane3_scale(rate, lane3_sub(p_now, p_before));
    w->r[s + k] = lane3_add(lane3_scale(rate, lane3_sub(h_now, h_before)), lane3_cross(q.gone[k], carried));
    if (!f->step.tangent) continue;
    Lane9 turn = lane9_mul(lane9_cross(q.gone[k]), turned_derivative(w->at[k].c, mean, carried));
    w->k[UC][k][k] = lane9_axpy(w->k[UC][k][k], -rate, lane9_mul(lane9_cross(p_now), spin));
    w->k[CU][k][k] = lane9_axpy(w->k[CU][k][k], -rate, lane9_cross(carried));
    w->k[CC][k][k] = lane9_axpy(lane9_add(w->k[CC][k][k], turn), -rate, lane9_mul(lane9_cross(h_now), spin));
  }
}

// ---- all ----

INLINE void add_all(const FrameStep *f, const Work *w) {
  const LaneStep *step = &f->step;
  const int s = step->t->s, size = 9 * s * s;
  double *to[LANES];
  for (int l = 0; l < LANES; l++)
    to[l] = step->block[l] < 0 ? NULL : step->residual + 3 * (size_t)s * (size_t)step->block[l];
  lanes_scatter(&w->r[0].x, 6 * s, to);
  for (int i = 0; i < 4 && step->tangent; i++) {
    Lanes block[9 * MAX_INTERVALS * MAX_INTERVALS];
    for (int k = 0; k < s; k++)
      for (int l = 0; l < s; l++) lane_put_block(w->k[i][k][l], s, k, l, block);
    lanes_add_block(step, step->place + LANES * i, block, size);
  }
}

MANY_MACHINES static void evaluate(const FrameStep *f) {
  const int s = f->step.t->s;
  const ForcePlace place = f->step.t->place;
  Work w;
  move_frames(f, &w);
  if (!f->inertia) return;
  for (int k = 0; k < s; k++) {
    w.r[k] = w.r[s + k] = lane3_zero();
    for (int j = 0; j < 4; j++) w.force[k][j] = lane3_zero();
  }
  if (f->material) material(f, &w);
  else ambient(f, &w);
  add_fields(f, &w);
  for (int k = 0; k < s; k++) {
    w.r[k] = lane3_add(w.r[k], w.force[k][0]);
    w.r[s + k] = lane3_add(w.r[s + k], lane_moment(&w.at[k], w.force[k]));
    if (f->step.tangent) w.k[CC][k][k] = lane9_add(w.k[CC][k][k], lane_turning_arms(place, w.xn, &w.at[k], w.force[k]));
  }
  add_all(f, &w);
}

// The versions for many machines have names of their own that a library would show.
void frames_evaluate(const FrameStep *f) { evaluate(f); }
