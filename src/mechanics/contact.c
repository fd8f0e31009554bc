// SPDX-License-Identifier: Apache-2.0
// Equations: eq-contact-gap (22.1), eq-contact-pressure (22.2), eq-contact-damper (22.3), eq-contact-friction (22.4),
// eq-contact-stick (22.5).
#include "mechanics/contact.h"

#include <string.h>

// ---- scalars ----

double gap_beyond(double x, double a) {
  if (x > a) return x - a;
  return x < -a ? x + a : 0;
}

double gap_beyond_secant(double xn, double xk, double a, double *rate) {
  double en = gap_beyond(xn, a), ek = gap_beyond(xk, a), slope = ek != 0, d = xk - xn;
  *rate = 0;
  if (en * ek > 0) return 1;
  if ((en == 0 && ek == 0) || d == 0) return slope;
  double secant = (ek - en) / d;
  *rate = (slope - secant) / d;
  return secant;
}

// ln((1 + d)/(1 - e d)) - d (1 + e) falls from 0 to its least value and grows to infinity at d = 1/e: the root is
// bisected there.
double contact_damper(double e) {
  double low = 0, high = 1 / fmax(e, 0.01);
  if (e >= 1) return 0;
  e = fmax(e, 0.01);
  for (int i = 0; i < 200; i++) {
    double d = 0.5 * (low + high);
    if (log1p(d) - log1p(-e * d) < d * (1 + e)) low = d;
    else high = d;
  }
  return low;
}

double contact_energy(const ContactLaw *l, double gap) {
  if (l->hard) return 0;
  double d = gap < 0 ? -gap : 0;
  return l->hertz ? 0.4 * l->stiffness * d * d * sqrt(d) : 0.5 * l->stiffness * d * d;
}

// The divided difference of U between two depths, without cancellation, and its derivative by the second:
// (b^5 - a^5)/(b^2 - a^2) = (a^4 + a^3 b + a^2 b^2 + a b^3 + b^4)/(a + b) with the roots a, b of the depths.
static double depth_secant(const ContactLaw *l, double dn, double dk, double *rate) {
  if (!l->hertz) {
    *rate = 0.5 * l->stiffness;
    return 0.5 * l->stiffness * (dn + dk);
  }
  double a = sqrt(dn), b = sqrt(dk), sum = a + b, k = 0.4 * l->stiffness;
  *rate = 0;
  if (!(sum > 0)) return 0;
  double top = a * a * a * a + a * b * (a * a + a * b + b * b) + b * b * b * b;
  // by b, and d b = d(depth)/(2 b); the limit at b = 0 is left finite
  double by_b = ((a * a * a + 2 * a * a * b + 3 * a * b * b + 4 * b * b * b) * sum - top) / (sum * sum);
  *rate = b > 0 ? k * by_b / (2 * b) : 0;
  return k * top / sum;
}

// -(U_k - U_n)/(g_k - g_n) and its derivative by g_k.
static double contact_pressure(const ContactLaw *l, double gn, double gk, double *rate) {
  double dn = gn < 0 ? -gn : 0, dk = gk < 0 ? -gk : 0, by_depth, change = gn - gk, part, part_rate = 0;
  *rate = 0;
  if (dn == 0 && dk == 0) return 0;
  if ((dn > 0 && dk > 0) || change == 0) part = 1;
  else {
    part = (dk - dn) / change;
    part_rate = ((dk > 0 ? -1 : 0) + part) / change;
  }
  double n = depth_secant(l, dn, dk, &by_depth);
  *rate = (dk > 0 ? -by_depth : 0) * part + n * part_rate;
  return n * part;
}

// ---- vectors ----

static Vec3 vector_at(const ContactVector *y, const ContactPair *p, const Vec3 *const *x) {
  Vec3 sum = vec3_zero();
  for (int a = 0; a < p->nnode; a++) {
    const double *coef = y->coef[a];
    if (coef[0] != 0) sum = vec3_axpy(sum, coef[0], x[a][0]);
    for (int j = 1; j < 4 && p->node[a] != NODE_POINT; j++)
      if (coef[j] != 0) sum = vec3_axpy(sum, coef[j], x[a][j]);
  }
  return sum;
}

static void dot_products(const GapKind *kind, const Vec3 *y, double *p) {
  for (int m = 0; m < kind->nproduct; m++) p[m] = vec3_dot(y[0], y[kind->product[m]]);
}

// sum_m f_m d p_m / d y_i at the vectors y
static void find_gradient(const GapKind *kind, const double *f, const Vec3 *y, Vec3 *out) {
  for (int i = 0; i < kind->ny; i++) out[i] = vec3_zero();
  for (int m = 0; m < kind->nproduct; m++) {
    int b = kind->product[m];
    out[0] = vec3_axpy(out[0], f[m], y[b]), out[b] = vec3_axpy(out[b], f[m], y[0]);
  }
}

void gap_evaluate(const GapKind *kind, const GapShape *shape, const Vec3 *y, GapSecant *out) {
  double value[CONTACT_PRODUCTS];
  dot_products(kind, y, value);
  kind->secant(shape, value, value, out);
}

static void find_gap(const ContactPair *p, const Vec3 *const *x, Vec3 *y, GapSecant *out) {
  for (int i = 0; i < p->kind->ny; i++) y[i] = vector_at(&p->y[i], p, x);
  gap_evaluate(p->kind, &p->shape, y, out);
}

double contact_gap(const ContactPair *p, const Vec3 *const *x) {
  Vec3 y[CONTACT_Y];
  GapSecant gap;
  find_gap(p, x, y, &gap);
  return gap.gk;
}

double contact_gap_rate(const ContactPair *p, const Vec3 *const *x, const Vec3 *const *rate, Vec3 *normal) {
  Vec3 y[CONTACT_Y], w[CONTACT_Y];
  double sum = 0;
  GapSecant gap;
  find_gap(p, x, y, &gap);
  find_gradient(p->kind, gap.end, y, w);
  for (int i = 0; i < p->kind->ny; i++) sum += vec3_dot(w[i], vector_at(&p->y[i], p, rate));
  double length = vec3_norm(w[0]);
  *normal = length > 0 ? vec3_scale(1 / length, w[0]) : vec3_zero();
  return sum;
}

void contact_gap_gradient(const ContactPair *p, const Vec3 *const *x, Vec3 (*out)[4]) {
  Vec3 y[CONTACT_Y], w[CONTACT_Y];
  GapSecant gap;
  find_gap(p, x, y, &gap);
  find_gradient(p->kind, gap.end, y, w);
  for (int a = 0; a < CONTACT_NODES; a++)
    for (int j = 0; j < 4; j++) out[a][j] = vec3_zero();
  for (int i = 0; i < p->kind->ny; i++)
    for (int a = 0; a < p->nnode; a++)
      for (int j = 0; j < node_vectors(p->node[a]); j++) out[a][j] = vec3_axpy(out[a][j], p->y[i].coef[a][j], w[i]);
}

// ---- a step ----

static Vec3 slip_of(const ContactPair *p, const ContactMotion *m) {
  Vec3 sum = vec3_zero();
  for (int a = 0; a < p->nnode; a++)
    for (int j = 0; j < node_vectors(p->node[a]) && p->node[a] != NODE_FIXED; j++)
      sum = vec3_axpy(sum, p->slip.coef[a][j], m->motion[a]->chord[j]);
  return vec3_axpy(sum, -vec3_dot(sum, p->normal), p->normal);
}

static void add_regularised(const ContactPair *p, double h, double pressure, Vec3 s, PairStep *out) {
  double v = p->law.slip_speed * h, root = sqrt(vec3_dot(s, s) + v * v), f = p->law.friction / root;
  out->by_pressure = vec3_scale(-f, s);
  out->traction = vec3_scale(pressure, out->by_pressure);
  Mat3 m = mat3_axpy(mat3_identity(), -1 / (root * root), mat3_outer(s, s));
  out->by_slip = mat3_scale(-f * pressure, m);
  out->friction = -vec3_dot(out->traction, s);
}

// The projection of shear - grip s on the disc of radius mu N: where the traction is the shear, Coulomb's law is met.
static void add_coulomb(const ContactPair *p, double pressure, Vec3 s, PairStep *out) {
  double most = p->law.friction * pressure;
  Vec3 shear = vec3_axpy(p->shear, -vec3_dot(p->shear, p->normal), p->normal), trial = vec3_axpy(shear, -p->grip, s);
  double size = vec3_norm(trial);
  if (size <= most) {
    out->traction = trial, out->by_slip = mat3_scale(-p->grip, mat3_identity());
  } else {
    Vec3 t = vec3_scale(1 / size, trial);
    out->traction = vec3_scale(most, t), out->by_pressure = vec3_scale(p->law.friction, t);
    out->by_slip = mat3_scale(-most / size * p->grip, mat3_axpy(mat3_identity(), -1, mat3_outer(t, t)));
  }
  out->unsettled = pressure > 0 && p->grip > 0 ? vec3_norm(vec3_sub(out->traction, shear)) / p->grip : 0;
  out->friction = -vec3_dot(out->traction, s);
}

// The spring has the deflection x at t_n, and x + s at the end while it sticks: its mean force K (x + s/2) works the
// change of K x^2/2. Where it slips, the force is mu N along t, and of the energy that is left the spring keeps at most
// that of its limit.
static void add_stick(const ContactPair *p, double h, double pressure, Vec3 s, PairStep *out) {
  double k = p->law.stick, half = k * (0.5 + p->law.stick_damping / h), most = p->law.friction * pressure;
  Vec3 x = vec3_axpy(p->deflection, -vec3_dot(p->deflection, p->normal), p->normal);
  Vec3 f = vec3_axpy(vec3_scale(k, x), half, s);
  double size = vec3_norm(f), before = 0.5 * k * vec3_dot(p->deflection, p->deflection);
  if (size <= most) {
    out->traction = vec3_scale(-1, f), out->by_slip = mat3_scale(-half, mat3_identity());
    out->deflection = vec3_add(x, s);
  } else {
    Vec3 t = vec3_scale(1 / size, f);
    double limit = most / k, left = vec3_dot(x, x) + 2 * limit * vec3_dot(t, s);
    out->traction = vec3_scale(-most, t), out->by_pressure = vec3_scale(-p->law.friction, t);
    out->by_slip = mat3_scale(-most / size * half, mat3_axpy(mat3_identity(), -1, mat3_outer(t, t)));
    out->deflection = vec3_scale(fmin(limit, sqrt(fmax(left, 0))), t);
  }
  if (p->law.hard ? out->pressure == 0 : out->gap.gk >= 0) out->deflection = vec3_zero();
  out->stored = 0.5 * k * vec3_dot(out->deflection, out->deflection);
  out->friction = before - out->stored - vec3_dot(out->traction, s);
}

static void find_step(const ContactPair *p, double h, const ContactMotion *m, PairStep *out) {
  const Vec3 *xk[CONTACT_NODES];
  Vec3 yn[CONTACT_Y];
  double pn[CONTACT_PRODUCTS], pk[CONTACT_PRODUCTS], rate;
  *out = (PairStep){.pressure = 0};
  for (int a = 0; a < p->nnode; a++) xk[a] = p->node[a] == NODE_FIXED ? m->xn[a] : m->motion[a]->x;
  for (int i = 0; i < p->kind->ny; i++) {
    yn[i] = vector_at(&p->y[i], p, m->xn), out->yk[i] = vector_at(&p->y[i], p, xk);
    out->mean[i] = vec3_mean(yn[i], out->yk[i]);
  }
  dot_products(p->kind, yn, pn), dot_products(p->kind, out->yk, pk);
  p->kind->secant(&p->shape, pn, pk, &out->gap);
  if (p->law.hard) {
    out->pressure = contact_hard_pressure(p, out->gap.gn, out->gap.gk);
    out->rate = out->pressure > 0 ? -p->penalty : 0;
  } else {
    out->elastic = contact_pressure(&p->law, out->gap.gn, out->gap.gk, &rate);
    double factor = 1 + p->law.loss * (out->gap.gn - out->gap.gk) / h;
    out->pressure = factor > 0 ? out->elastic * factor : 0;
    out->rate = factor > 0 ? rate * factor - out->elastic * p->law.loss / h : 0;
  }
  // at first touch without penetration N is no measure of the impact: its friction is that of the impulse
  if (!(p->law.friction > 0) || (p->law.hard && contact_apart(&p->law, out->gap.gn))) return;
  Vec3 s = slip_of(p, m);
  if (p->law.stick > 0) add_stick(p, h, out->pressure, s, out);
  else if (p->law.hard) add_coulomb(p, out->pressure, s, out);
  else add_regularised(p, h, out->pressure, s, out);
  Mat3 across = mat3_axpy(mat3_identity(), -1, mat3_outer(p->normal, p->normal));
  out->by_slip = mat3_mul(out->by_slip, across);
}

void contact_balance(const ContactPair *p, double h, const ContactMotion *m, ContactBalance *out) {
  PairStep s;
  find_step(p, h, m, &s);
  *out = (ContactBalance){.gn = s.gap.gn,
                          .gk = s.gap.gk,
                          .pressure = s.pressure,
                          .impact = (s.pressure - s.elastic) * (s.gap.gn - s.gap.gk),
                          .friction = s.friction,
                          .stored = s.stored,
                          .traction = s.traction,
                          .unsettled = s.unsettled,
                          .deflection = s.deflection};
}

void contact_evaluate(const ContactPair *p, double h, const ContactMotion *m, const int *block, PairStep *s,
                      Local *out) {
  Vec3 w[CONTACT_Y];
  find_step(p, h, m, s);
  find_gradient(p->kind, s->gap.c, s->mean, w);
  for (int a = 0; a < p->nnode; a++) {
    Vec3 f[4];
    if (p->node[a] == NODE_FIXED) continue;
    for (int j = 0; j < node_vectors(p->node[a]); j++) {
      f[j] = vec3_zero();
      for (int i = 0; i < p->kind->ny; i++) f[j] = vec3_axpy(f[j], -s->pressure * p->y[i].coef[a][j], w[i]);
      if (p->law.friction > 0) f[j] = vec3_axpy(f[j], -p->slip.coef[a][j], s->traction);
    }
    node_add_force(out, p->node[a], block[a], m->motion[a], 0, f);
  }
}
