// SPDX-License-Identifier: Apache-2.0
// Frames side by side: motions, to the bit as node.c has them, inertia and loads on masses.
// Equations: eq-node-motion (1.1).
#include "mechanics/batch3.h"

typedef struct {
  Batch3 xn[4], u[MAX_STAGES], chord[MAX_STAGES][4], force[MAX_STAGES][4]; // forces on the vectors
  BatchMotion at[MAX_STAGES];
  Batch3 r[2 * MAX_STAGES];            // residual: of u, then of c
  Batch9 k[4][MAX_STAGES][MAX_STAGES]; // tangent: (u, u), (u, c), (c, u), (c, c)
} FrameBatchWork;
enum { UU, UC, CU, CC };

INLINE Batch9 matrix_of_columns(const Batch3 d[3]) {
  return (Batch9){{d[0].x, d[1].x, d[2].x}, {d[0].y, d[1].y, d[2].y}, {d[0].z, d[1].z, d[2].z}};
}

// a I + b c~ + d c c^T
INLINE Batch9 combine_cross(Batch3 c, BatchReal a, BatchReal b, BatchReal d) {
  BatchReal xx = d * c.x * c.x, yy = d * c.y * c.y, zz = d * c.z * c.z, xy = d * c.x * c.y, yz = d * c.y * c.z,
            zx = d * c.z * c.x, x = b * c.x, y = b * c.y, z = b * c.z;
  return (Batch9){{a + xx, xy - z, zx + y}, {xy + z, a + yy, yz - x}, {zx - y, yz + x, a + zz}};
}

INLINE void move_frame(ForceRule force_rule, const Batch3 xn[4], Batch3 u, Batch3 c, BatchMotion *m, Batch3 chord[4]) {
  const BatchReal two = batch_fill(2), four = batch_fill(4);
  BatchReal cc = batch3_dot(c, c), c0 = two - cc / batch_fill(8), f = batch_fill(1) / ((four - c0) * (four - c0));
  Batch9 r = combine_cross(c, f * (c0 * c0 - cc), two * f * c0, two * f);
  m->spin = combine_cross(c, two * f * c0, two * f, batch_fill(0.5) * f), m->c = c;
  m->x[0] = batch3_add(xn[0], u), chord[0] = u, m->rho[0] = batch3_zero();
  for (int j = 1; j < 4; j++) {
    Batch3 turned = batch9_apply(m->spin, xn[j]);
    m->x[j] = batch9_apply(r, xn[j]), chord[j] = batch3_cross(c, turned);
    m->rho[j] = force_rule == FORCE_CHORD ? turned : force_rule == FORCE_MEAN ? batch3_mean(xn[j], m->x[j]) : m->x[j];
  }
}

INLINE void move_frames(const FrameBatchStep *f, FrameBatchWork *w) {
  const int s = f->step.t->s, *node = f->step.node;
  const ForceRule force_rule = f->step.t->force_rule;
  const double *from[LANES];
  double *to[LANES];
  Batch3 q[2 * MAX_STAGES];
  for (int l = 0; l < LANES; l++) from[l] = f->unknown + 3 * (size_t)s * (size_t)f->from[l];
  batch_gather(from, 6 * s, &q[0].x);
  for (int l = 0; l < LANES; l++) from[l] = &f->step.xn[4 * (size_t)node[l]].x;
  batch_gather(from, 12, &w->xn[0].x);
  for (int k = 0; k < s; k++) {
    BatchReal part = batch_fill(force_rule == FORCE_CHORD ? 0 : force_rule == FORCE_MEAN ? 0.5 : 1);
    w->u[k] = q[k];
    move_frame(force_rule, w->xn, q[k], q[s + k], &w->at[k], w->chord[k]);
    for (int l = 0; l < LANES; l++) to[l] = &f->motion[(size_t)s * (size_t)node[l] + (size_t)k].x[0].x;
    batch_put(&w->at[k].x[0].x, 36, to);
    for (int l = 0; l < LANES; l++) to[l] += 36;
    batch_put(&w->chord[k][0].x, 12, to);
    for (int l = 0; l < LANES; l++) to[l] += 12;
    batch_put(&part, 1, to);
  }
}

INLINE void add_fields(const FrameBatchStep *f, FrameBatchWork *w) {
  for (int i = 0; i < f->nfield; i++) {
    BatchReal first[4];
    batch_gather(f->field[i].first, 4, first);
    for (int k = 0; k < f->step.t->s; k++) {
      Vec3 g = f->field[i].acceleration[k];
      Batch3 a = {batch_fill(g.x), batch_fill(g.y), batch_fill(g.z)};
      for (int j = 0; j < 4; j++) w->force[k][j] = batch3_axpy(w->force[k][j], first[j], a);
    }
  }
}

// ---- ambient ----

INLINE void add_ambient_inertia(const FrameBatchStep *f, FrameBatchWork *w) {
  const int s = f->step.t->s;
  const double *from[LANES];
  BatchReal mass[4][4];
  Batch3 acc0[4], turned[MAX_STAGES][4];
  for (int l = 0; l < LANES; l++) from[l] = f->mass[f->step.node[l]][0];
  batch_gather(from, 16, mass[0]);
  for (int k = 0; k < s; k++) {
    for (int l = 0; l < LANES; l++) from[l] = &f->rates[l].acc0[k][0].x;
    batch_gather(from, 12, &acc0[0].x);
    for (int j = 0; j < 4; j++) {
      Batch3 acc = acc0[j];
      for (int l = 0; l < s; l++) acc = batch3_axpy(acc, batch_fill(f->rates[0].rate[k][l]), w->chord[l][j]);
      for (int i = 0; i < 4; i++) w->force[k][i] = batch3_axpy(w->force[k][i], mass[i][j], acc);
    }
  }
  if (!f->step.tangent) return;
  for (int l = 0; l < s; l++)
    for (int i = 0; i < 4; i++) {
      const Batch3 *x = w->at[l].x;
      turned[l][i] = batch3_axpy(batch3_axpy(batch3_scale(mass[i][1], x[1]), mass[i][2], x[2]), mass[i][3], x[3]);
    }
  for (int k = 0; k < s; k++) {
    const Batch3 *rho = w->at[k].rho;
    Batch3 lever = batch3_axpy(batch3_axpy(batch3_scale(mass[1][0], rho[1]), mass[2][0], rho[2]), mass[3][0], rho[3]);
    for (int l = 0; l < s; l++) {
      BatchReal rate = batch_fill(f->rates[0].rate[k][l]);
      Batch9 both = batch9_outer(batch9_outer(batch9_outer(batch9_zero(), turned[l][1], rho[1]), turned[l][2], rho[2]),
                                 turned[l][3], rho[3]);
      both = batch9_shift(both, -batch9_trace(both)); // sum rho~ turned~
      w->k[UU][k][l] = batch9_shift(batch9_zero(), rate * mass[0][0]);
      w->k[UC][k][l] = batch9_scale(-rate, batch9_mul(batch9_cross(turned[l][0]), w->at[l].spin));
      w->k[CU][k][l] = batch9_cross(batch3_scale(rate, lever));
      w->k[CC][k][l] = batch9_scale(-rate, batch9_mul(both, w->at[l].spin));
    }
  }
}

// ---- material ----

typedef struct {
  BatchReal m;
  Batch3 s;
  Batch9 j;
} BatchInertia;
_Static_assert(sizeof(BatchInertia) == 13 * sizeof(BatchReal) && sizeof(Inertia) == 13 * sizeof(double), "as Inertia");

INLINE Batch3 linear_momentum(const BatchInertia *b, Batch3 v, Batch3 w) {
  return batch3_add(batch3_scale(b->m, v), batch3_cross(w, b->s));
}
INLINE Batch3 angular_momentum(const BatchInertia *b, Batch3 v, Batch3 w) {
  return batch3_add(batch3_cross(b->s, v), batch9_apply(b->j, w));
}

typedef struct { // of node.c; axes[k] at the ends
  Batch9 rn, axes[MAX_STAGES];
  Batch3 gone[MAX_STAGES], vn[2], vk[MAX_STAGES][2];
  Batch9 dv_du[MAX_STAGES], dv_dc[MAX_STAGES], dw_dc;
} Velocity;

INLINE void material_velocities(const FrameBatchStep *f, const FrameBatchWork *w, Velocity *q) {
  const Tableau *t = f->step.t;
  const double h = f->step.h, *from[LANES];
  Batch3 v[4], centre_velocity, dv[MAX_STAGES], dw[MAX_STAGES];
  for (int l = 0; l < LANES; l++) from[l] = &f->v[4 * (size_t)f->step.node[l]].x;
  batch_gather(from, 12, &v[0].x);
  for (int l = 0; l < LANES; l++) from[l] = &f->centre_velocity[l]->x;
  batch_gather(from, 3, &centre_velocity.x);
  q->rn = matrix_of_columns(w->xn + 1);
  Batch9 rn_t = batch9_transpose(q->rn);
  q->vn[0] = batch3_sub(v[0], batch9_apply(rn_t, centre_velocity)), q->vn[1] = v[1];
  q->dw_dc = batch9_scale(batch_fill(1 / h), rn_t);
  for (int l = 0; l < t->s; l++) {
    Batch3 gone = batch3_axpy(batch3_scale(batch_fill(1 / h), w->u[l]), batch_fill(-t->b[l]), centre_velocity);
    q->axes[l] = matrix_of_columns(w->at[l].x + 1), q->gone[l] = gone;
    Batch9 rl_t = batch9_transpose(q->axes[l]);
    Batch3 mean = batch3_mean(batch9_apply(rn_t, gone), batch9_apply(rl_t, gone));
    dv[l] = batch3_axpy(mean, batch_fill(-t->b[l]), q->vn[0]);
    dw[l] = batch3_axpy(batch9_apply(q->dw_dc, w->at[l].c), batch_fill(-t->b[l]), q->vn[1]);
    if (!f->step.tangent) continue;
    q->dv_du[l] = batch9_scale(batch_fill(0.5 / h), batch9_add(rn_t, rl_t));
    q->dv_dc[l] = batch9_scale(batch_fill(0.5), batch9_mul(rl_t, batch9_mul(batch9_cross(gone), w->at[l].spin)));
  }
  for (int k = 0; k < t->s; k++) {
    q->vk[k][0] = q->vn[0], q->vk[k][1] = q->vn[1];
    for (int l = 0; l < t->s; l++) {
      q->vk[k][0] = batch3_axpy(q->vk[k][0], batch_fill(t->inverse[k][l]), dv[l]);
      q->vk[k][1] = batch3_axpy(q->vk[k][1], batch_fill(t->inverse[k][l]), dw[l]);
    }
  }
}

// d(tau G v)/dc, `turned` = tau G v (rotation.c)
INLINE Batch9 turned_derivative(Batch3 c, Batch3 v, Batch3 turned) {
  BatchReal tau = batch_fill(2) / (batch_fill(2) + batch3_dot(c, c) / batch_fill(8));
  BatchReal half = batch_fill(0.5) * tau * tau, part = batch_fill(0.25) * half;
  Batch3 a = batch3_axpy(batch3_scale(batch_fill(-0.25) * tau, turned), -part, v);
  Batch9 out = batch9_shift(batch9_cross(batch3_scale(-half, v)), part * batch3_dot(c, v));
  return batch9_outer(batch9_outer(out, a, c), batch3_scale(part, c), v);
}

// What comes through the velocities: d p = m dv - s~ dw, d h = s~ dv + J dw.
INLINE void velocity_columns(const FrameBatchStep *f, const BatchInertia *b, const Velocity *q, int l,
                             FrameBatchWork *w) {
  const Tableau *t = f->step.t;
  Batch9 first = batch9_cross(b->s);
  Batch9 dp_du = batch9_scale(b->m, q->dv_du[l]), dh_du = batch9_mul(first, q->dv_du[l]);
  Batch9 dp_dc = batch9_sub(batch9_scale(b->m, q->dv_dc[l]), batch9_mul(first, q->dw_dc));
  Batch9 dh_dc = batch9_add(batch9_mul(first, q->dv_dc[l]), batch9_mul(b->j, q->dw_dc));
  for (int k = 0; k < t->s; k++) {
    BatchReal part = batch_fill(t->inverse[k][l]);
    Batch9 turn = batch9_scale(part * batch_fill(1 / f->step.h), q->axes[k]);
    Batch9 lever =
        batch9_mul(batch9_cross(batch3_scale(batch_fill(0.5) * part, q->gone[k])), batch9_mul(w->at[k].spin, q->rn));
    w->k[UU][k][l] = batch9_mul(turn, dp_du);
    w->k[UC][k][l] = batch9_mul(turn, dp_dc);
    w->k[CU][k][l] = batch9_add(batch9_mul(turn, dh_du), batch9_mul(lever, dp_du));
    w->k[CC][k][l] = batch9_add(batch9_mul(turn, dh_dc), batch9_mul(lever, dp_dc));
  }
}

INLINE void add_material_inertia(const FrameBatchStep *f, FrameBatchWork *w) {
  const int s = f->step.t->s;
  const BatchReal rate = batch_fill(1 / f->step.h);
  const double *from[LANES];
  BatchInertia b;
  Velocity q;
  for (int l = 0; l < LANES; l++) from[l] = &f->body[f->step.node[l]].m;
  batch_gather(from, 13, &b.m);
  material_velocities(f, w, &q);
  for (int l = 0; l < s && f->step.tangent; l++) velocity_columns(f, &b, &q, l, w);
  Batch3 pn = linear_momentum(&b, q.vn[0], q.vn[1]), hn = angular_momentum(&b, q.vn[0], q.vn[1]);
  Batch3 p_before = batch9_apply(q.rn, pn), h_before = batch9_apply(q.rn, hn);
  for (int k = 0; k < s; k++) {
    const Batch9 spin = w->at[k].spin;
    Batch3 pk = linear_momentum(&b, q.vk[k][0], q.vk[k][1]), hk = angular_momentum(&b, q.vk[k][0], q.vk[k][1]);
    Batch3 mean = batch9_apply(q.rn, batch3_mean(pn, pk)), rotated_momentum = batch9_apply(spin, mean);
    Batch3 p_now = batch9_apply(q.axes[k], pk), h_now = batch9_apply(q.axes[k], hk);
    w->r[k] = batch3_scale(rate, batch3_sub(p_now, p_before));
    w->r[s + k] =
        batch3_add(batch3_scale(rate, batch3_sub(h_now, h_before)), batch3_cross(q.gone[k], rotated_momentum));
    if (!f->step.tangent) continue;
    Batch9 turn = batch9_mul(batch9_cross(q.gone[k]), turned_derivative(w->at[k].c, mean, rotated_momentum));
    w->k[UC][k][k] = batch9_axpy(w->k[UC][k][k], -rate, batch9_mul(batch9_cross(p_now), spin));
    w->k[CU][k][k] = batch9_axpy(w->k[CU][k][k], -rate, batch9_cross(rotated_momentum));
    w->k[CC][k][k] = batch9_axpy(batch9_add(w->k[CC][k][k], turn), -rate, batch9_mul(batch9_cross(h_now), spin));
  }
}

// ---- all ----

INLINE void add_all(const FrameBatchStep *f, const FrameBatchWork *w) {
  const BatchStep *step = &f->step;
  const int s = step->t->s, size = 9 * s * s;
  double *to[LANES];
  for (int l = 0; l < LANES; l++)
    to[l] = step->block[l] < 0 ? NULL : step->residual + 3 * (size_t)s * (size_t)step->block[l];
  batch_scatter(&w->r[0].x, 6 * s, to);
  for (int i = 0; i < 4 && step->tangent; i++) {
    BatchReal block[9 * MAX_STAGES * MAX_STAGES];
    for (int k = 0; k < s; k++)
      for (int l = 0; l < s; l++) batch_put_block(w->k[i][k][l], s, k, l, block);
    batch_add_block(step, step->slot + BATCH_WIDTH * i, block, size);
  }
}

TARGET_CLONES static void evaluate_batch(const FrameBatchStep *f) {
  const int s = f->step.t->s;
  const ForceRule force_rule = f->step.t->force_rule;
  FrameBatchWork w;
  move_frames(f, &w);
  if (!f->inertia) return;
  for (int k = 0; k < s; k++) {
    w.r[k] = w.r[s + k] = batch3_zero();
    for (int j = 0; j < 4; j++) w.force[k][j] = batch3_zero();
  }
  if (f->material) add_material_inertia(f, &w);
  else add_ambient_inertia(f, &w);
  add_fields(f, &w);
  for (int k = 0; k < s; k++) {
    w.r[k] = batch3_add(w.r[k], w.force[k][0]);
    w.r[s + k] = batch3_add(w.r[s + k], batch_moment(&w.at[k], w.force[k]));
    if (f->step.tangent)
      w.k[CC][k][k] = batch9_add(w.k[CC][k][k], batch_lever_derivative(force_rule, w.xn, &w.at[k], w.force[k]));
  }
  add_all(f, &w);
}

// The versions for many machines have names of their own that a library would show.
#ifdef NARROW_BATCH
void frames_evaluate_narrow(const FrameBatchStep *f) { evaluate_batch(f); }
#else
void frames_evaluate(const FrameBatchStep *f) {
  if (batch_lanes(f->filled) < BATCH_WIDTH) frames_evaluate_narrow(f);
  else evaluate_batch(f);
}
#endif
