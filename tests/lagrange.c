// SPDX-License-Identifier: Apache-2.0
#include "lagrange.h"

#include <math.h>
#include <string.h>

enum { N = LAGRANGE_COORDS, POINTS = 6 * LAGRANGE_BODIES };

typedef struct {
  Vec3 p[POINTS];
} Points;

typedef struct { // q, q', work; or their rates
  double q[N], v[N], work;
} State;

typedef struct {
  double q2[N], tau;
  Vec3 acceleration[POINTS];
} Forces;

void lagrange_inertia(const LagrangeBody *b, double inertia[3]) {
  for (int i = 0; i < 3; i++) {
    double s = b->arm[(i + 1) % 3], t = b->arm[(i + 2) % 3];
    inertia[i] = b->mass / 3 * (s * s + t * t);
  }
}

static Points points_at(const Mechanism *m, const double *q) {
  Pose pose[LAGRANGE_BODIES] = {{mat3_identity(), vec3_zero()}, {mat3_identity(), vec3_zero()}};
  Points out;
  m->places(m, q, pose);
  for (int b = 0; b < LAGRANGE_BODIES; b++)
    for (int i = 0; i < 6; i++)
      out.p[6 * b + i] =
          vec3_axpy(pose[b].x, (i % 2 ? -1 : 1) * m->body[b].arm[i / 2], mat3_column(pose[b].axes, i / 2));
  return out;
}

// The first two derivatives of p(q + s d) at s = 0.
static void along(const Mechanism *m, const double *q, const double *d, Points *first, Points *second) {
  static const double one[4] = {0, 3.0 / 4, -3.0 / 20, 1.0 / 60}, two[4] = {-49.0 / 18, 3.0 / 2, -3.0 / 20, 1.0 / 90};
  const double step = 1e-2;
  memset(first, 0, sizeof *first), memset(second, 0, sizeof *second);
  for (int i = -3; i <= 3; i++) {
    double at[N], a = one[i < 0 ? -i : i] * (i < 0 ? -1 : 1) / step, b = two[i < 0 ? -i : i] / (step * step);
    for (int c = 0; c < m->ncoord; c++) at[c] = q[c] + i * step * d[c];
    Points p = points_at(m, at);
    for (int k = 0; k < POINTS; k++) {
      first->p[k] = vec3_axpy(first->p[k], a, p.p[k]);
      second->p[k] = vec3_axpy(second->p[k], b, p.p[k]);
    }
  }
}

// a x = b, positive definite; x takes the place of b.
static void solve(int n, double a[N][N], double *b) {
  for (int i = 0; i < n; i++)
    for (int k = i + 1; k < n; k++) {
      double f = a[k][i] / a[i][i];
      for (int j = i; j < n; j++) a[k][j] -= f * a[i][j];
      b[k] -= f * b[i];
    }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
}

// J and the mass matrix sum m J^T J.
static void masses(const Mechanism *m, const double *q, Points *jacobian, double mass[N][N]) {
  Points unused;
  for (int i = 0; i < m->ncoord; i++) {
    double d[N] = {0};
    d[i] = 1;
    along(m, q, d, &jacobian[i], &unused);
  }
  for (int i = 0; i < m->ncoord; i++)
    for (int j = 0; j < m->ncoord; j++) {
      mass[i][j] = 0;
      for (int k = 0; k < POINTS; k++)
        mass[i][j] += m->body[k / 6].mass / 6 * vec3_dot(jacobian[i].p[k], jacobian[j].p[k]);
    }
}

// The free x, where x of the driven coordinate is known: sum_j mass_ij x_j = right_i in the rows of the free ones.
static void solve_free(const Mechanism *m, double mass[N][N], const double *right, double *x) {
  double a[N][N], b[N];
  int n = 0, free[N];
  for (int i = 0; i < m->ncoord; i++)
    if (i != m->driven) free[n++] = i;
  for (int i = 0; i < n; i++) {
    b[i] = right[free[i]] - mass[free[i]][m->driven] * x[m->driven];
    for (int j = 0; j < n; j++) a[i][j] = mass[free[i]][free[j]];
  }
  solve(n, a, b);
  for (int i = 0; i < n; i++) x[free[i]] = b[i];
}

static Forces forces_at(const Mechanism *m, double t, const State *s) {
  Points jacobian[N], c, unused;
  Forces f = {.q2 = {0}};
  double mass[N][N], right[N] = {0};
  masses(m, s->q, jacobian, mass);
  along(m, s->q, s->v, &unused, &c);
  for (int i = 0; i < m->ncoord; i++)
    for (int k = 0; k < POINTS; k++)
      right[i] += m->body[k / 6].mass / 6 * vec3_dot(jacobian[i].p[k], vec3_sub(m->gravity, c.p[k]));
  f.q2[m->driven] = -m->amplitude * m->omega * m->omega * sin(m->omega * t + m->phase);
  solve_free(m, mass, right, f.q2);
  f.tau = -right[m->driven];
  for (int j = 0; j < m->ncoord; j++) f.tau += mass[m->driven][j] * f.q2[j];
  for (int k = 0; k < POINTS; k++) {
    f.acceleration[k] = c.p[k];
    for (int j = 0; j < m->ncoord; j++) f.acceleration[k] = vec3_axpy(f.acceleration[k], f.q2[j], jacobian[j].p[k]);
  }
  return f;
}

static State rates_at(const Mechanism *m, double t, const State *s) {
  Forces f = forces_at(m, t, s);
  State out = {.work = f.tau * s->v[m->driven]};
  memcpy(out.q, s->v, sizeof out.q), memcpy(out.v, f.q2, sizeof out.v);
  return out;
}

// s + f d, with the driven coordinate as it is at t
static State moved(const Mechanism *m, double t, const State *s, double f, const State *d) {
  State out = *s;
  for (int i = 0; i < m->ncoord; i++) out.q[i] += f * d->q[i], out.v[i] += f * d->v[i];
  out.work += f * d->work;
  out.q[m->driven] = m->amplitude * (sin(m->omega * t + m->phase) - sin(m->phase));
  out.v[m->driven] = m->amplitude * m->omega * cos(m->omega * t + m->phase);
  return out;
}

static State step(const Mechanism *m, double t, double h, State s) {
  State sum, k[4], at;
  k[0] = rates_at(m, t, &s);
  at = moved(m, t + h / 2, &s, h / 2, &k[0]), k[1] = rates_at(m, t + h / 2, &at);
  at = moved(m, t + h / 2, &s, h / 2, &k[1]), k[2] = rates_at(m, t + h / 2, &at);
  at = moved(m, t + h, &s, h, &k[2]), k[3] = rates_at(m, t + h, &at);
  sum = moved(m, t, &s, h / 6, &k[0]);
  sum = moved(m, t, &sum, h / 3, &k[1]);
  sum = moved(m, t, &sum, h / 3, &k[2]);
  return moved(m, t + h, &sum, h / 6, &k[3]);
}

static LagrangeSample sample(const Mechanism *m, double t, const State *s) {
  Forces f = forces_at(m, t, s);
  Points p = points_at(m, s->q);
  LagrangeSample out = {.z = s->q[m->driven], .tau = f.tau, .work = s->work};
  m->places(m, s->q, out.pose);
  for (int k = 0; k < POINTS; k++) {
    Vec3 force = vec3_scale(m->body[k / 6].mass / 6, vec3_sub(f.acceleration[k], m->gravity));
    Vec3 arm = vec3_sub(p.p[k], out.pose[k / 6].x);
    out.force[k / 6] = vec3_add(out.force[k / 6], force);
    out.moment[k / 6] = vec3_add(out.moment[k / 6], vec3_cross(arm, force));
  }
  return out;
}

// Places and rates at t = 0, just after z set off.
static State state_at_start(const Mechanism *m) {
  State s = {.work = 0}, none = {.work = 0};
  Points jacobian[N];
  double mass[N][N], momentum[N] = {0};
  memcpy(s.q, m->start, sizeof s.q), memcpy(s.v, m->rate, sizeof s.v);
  s.q[m->driven] = s.v[m->driven] = 0;
  masses(m, s.q, jacobian, mass);
  for (int i = 0; i < m->ncoord; i++)
    for (int j = 0; j < m->ncoord; j++) momentum[i] += mass[i][j] * s.v[j];
  s = moved(m, 0, &s, 0, &none);
  solve_free(m, mass, momentum, s.v);
  return s;
}

void lagrange_velocities(const Mechanism *m, Vec3 velocity[LAGRANGE_BODIES]) {
  Points first, unused;
  along(m, m->start, m->rate, &first, &unused);
  for (int b = 0; b < LAGRANGE_BODIES; b++) velocity[b] = vec3_mean(first.p[6 * b], first.p[6 * b + 1]);
}

void lagrange_run(const Mechanism *m, double dt, int count, LagrangeSample *out) {
  State s = state_at_start(m);
  for (int i = 0; i <= count; i++) {
    out[i] = sample(m, i * dt, &s);
    s = step(m, i * dt, dt, s);
  }
}
