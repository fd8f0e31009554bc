// SPDX-License-Identifier: Apache-2.0
// The pendulum of Bauchau & Theron 1996 (multibody), section 4: what each way of enforcing a constraint does to the
// constraint and to the energy, and what Limber's kernel does.
//   m u'' + lambda u = m g,  C(u) = (u.u - R^2)/2 = 0;  u_1 at the end of the step, u_+ after the jump at its start
//   (i)    constant multiplier, eqs. (14)-(16), C(u_1) = 0
//   (ii)   the same with C(u_1) - C(u_n) + |u_+ - u_n|^2/2 = 0, eq. (21)
//   (iii)  linear multiplier, eqs. (24)-(26), C(u_1) = C(u_+) = 0
//   kernel all intervals k start at n: vhat_k = b_k v_n + sum_l a_kl (v_l - v_n), rows at the middle of the interval,
//          one multiplier per interval, C(u_k) = 0; a point (ambient velocity) or a frame (material velocity)
//   slip   the kernel's default: vhat_+ takes in y = mu u_n/m as well, with u_n.(v_+ - v_n) = 0, and before each step
//          u_n.v_n is brought down to rho_inf u_n.v_n
// usage: study_pendulum_constraint --check | DIRECTORY (which receives the tables)
#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef double complex Real; // residuals are differentiated by complex step
enum { MAX_UNKNOWNS = 10, MAX_SAMPLES = 512 };
static const double mass = 1, radius = 1, pi = 3.14159265358979323846;

// ---- the motion, exactly ----

typedef struct {
  const char *name;
  double degrees, omega0, gravity; // the angle from the lowest point; one of degrees, omega0 is zero
} Case;

static const Case swing = {"swing", 90, 0, 9.81};  // from the horizontal, at rest
static const Case spin = {"spin", 0, 20, 9.81};    // over the top six times in two seconds
static const Case top = {"top", 170, 0, 9.81};     // from near the top: the rod is pressed, lambda < 0
static const Case coarse = {"coarse", 0, 7, 9.81}; // taken with steps of 0.4 s
static const Case *const cases[] = {&swing, &spin, &top};
static const Case weightless = {"weightless", 0, 1, 0}; // steady rotation

// The amplitude am(x, k) of Jacobi and the quarter period K, by the arithmetic-geometric mean; kc^2 = 1 - k^2.
static double amplitude(double x, double k, double kc, double *quarter) {
  double a[16] = {1}, c[16] = {k}, b = kc;
  int n = 0;
  for (; n < 15 && fabs(c[n]) > 1e-17; n++) {
    a[n + 1] = (a[n] + b) / 2, c[n + 1] = (a[n] - b) / 2;
    b = sqrt(a[n] * b);
  }
  if (quarter) *quarter = pi / (2 * a[n]);
  double phi = ldexp(a[n] * x, n);
  for (; n > 0; n--) phi = (phi + asin(c[n] / a[n] * sin(phi))) / 2;
  return phi;
}

static double exact_angle(const Case *p, double t) {
  double w = sqrt(p->gravity / radius), half = p->degrees * pi / 360;
  if (p->omega0 != 0) {
    double k = 2 * w / p->omega0;
    return 2 * amplitude(p->omega0 * t / 2, k, sqrt(1 - k * k), NULL);
  }
  double k = sin(half), kc = cos(half), phi = amplitude(w * t, k, kc, NULL);
  return 2 * asin(k * cos(phi) / hypot(kc, k * cos(phi)));
}

static double exact_rate_squared(const Case *p, double theta) {
  return p->omega0 * p->omega0 + 2 * p->gravity / radius * (cos(theta) - cos(p->degrees * pi / 180));
}

// The pull of the pivot along the rod, with the mass centre at `arm` from it.
static double exact_tension(const Case *p, double arm, double t) {
  double theta = exact_angle(p, t);
  return mass * (arm * exact_rate_squared(p, theta) + p->gravity * cos(theta));
}

// The mean of |acceleration|^2 over [0, t].
static double exact_acceleration_squared(const Case *p, double t) {
  double sum = 0;
  int n = (int)(1000 * t);
  for (int i = 0; i < n; i++) {
    double theta = exact_angle(p, (i + 0.5) * t / n), normal = radius * exact_rate_squared(p, theta);
    sum += normal * normal + pow(p->gravity * sin(theta), 2);
  }
  return sum / n;
}

// The mean of (v.a)^2 over [0, t], v.a being the power of the weight over the mass.
static double exact_power_squared(const Case *p, double t) {
  double sum = 0;
  int n = (int)(1000 * t);
  for (int i = 0; i < n; i++) {
    double theta = exact_angle(p, (i + 0.5) * t / n);
    sum += pow(radius * p->gravity * sin(theta), 2) * exact_rate_squared(p, theta);
  }
  return sum / n;
}

// ---- one step ----

typedef struct {
  int s;
  double a[2][2], b[2], weight[2], inverse[2][2], loss[2];
  double rho; // rho_inf
} Tableau;

static const Tableau preserving = {1, {{0.5}}, {1}, {1}, {{2}}, {0}, 1};
// decaying A, and decaying C with rho_inf = 1/2, alpha = 1/3
static const Tableau decaying = {2, {{0.5, 0.5}, {-1. / 6, 1. / 6}}, {1, 0}, {1, 3}, {{1, -3}, {1, 3}}, {0, 1}, 0};
static const Tableau lightly = {
    2, {{0.5, 0.5}, {-1. / 6, 1. / 18}}, {1, 0}, {1, 3}, {{0.5, -4.5}, {1.5, 4.5}}, {0, 1. / 3}, 0.5};

typedef struct {
  double u[2], v[2]; // position and velocity of the mass centre; a frame's velocity is in its own axes
  double d[2], w;    // of a frame: its director from the pivot to the mass centre, its angular velocity
} State;

typedef struct Variant Variant;

typedef struct {
  const Variant *q;
  const State *n;
  double h, gravity;
} Step;

// Unknowns: the increments of all intervals, then the multipliers times h^2/m; of a frame, interval by interval. With
// slip the last one is mu h/m.
struct Variant {
  const char *name;
  const Tableau *t;
  bool frame, slip, keeps_constraint, never_gains;
  double arm, inertia; // pivot to mass centre; of a frame: moment of inertia about the mass centre
  int unknowns;
  void (*residual)(const Step *p, const Real *x, Real *r);
};

static Real dot(const Real *a, const Real *b) { return a[0] * b[0] + a[1] * b[1]; }
static Real cross(const Real *a, const Real *b) { return a[0] * b[1] - a[1] * b[0]; }
static double norm2(const double *a) { return a[0] * a[0] + a[1] * a[1]; }

// a turned by the angle with cosine cs[0] and sine cs[1]
static void turn(const Real *cs, const Real *a, Real *out) {
  out[0] = cs[0] * a[0] - cs[1] * a[1], out[1] = cs[1] * a[0] + cs[0] * a[1];
}

// Each row of balance is multiplied by h^2/m. The weight acts in the step, not in the jump.
static double weight(const Step *p, int i, double b) { return i == 1 ? b * p->gravity * p->h * p->h : 0; }

// C(u_n + x)
static Real constraint(const Step *p, const Real *x) {
  const double *u = p->n->u;
  return 0.5 * (norm2(u) - radius * radius) + u[0] * x[0] + u[1] * x[1] + 0.5 * dot(x, x);
}

// The inertial terms of (14), (15) and (24), (25), with (16) = (26) solved for the velocities.
static void paper_inertia(const Step *p, const Real *x, Real *r) {
  for (int i = 0; i < 2; i++) {
    Real v1 = (x[i] - 3 * x[2 + i]) / p->h, vp = (x[i] + 3 * x[2 + i]) / p->h;
    r[i] = p->h * (v1 - p->n->v[i]) + weight(p, i, 1);
    r[2 + i] = p->h * (vp - p->n->v[i]);
  }
}

// Eqs. (14) and (15)
static void constant_multiplier(const Step *p, const Real *x, Real *r) {
  paper_inertia(p, x, r);
  for (int i = 0; i < 2; i++) {
    r[i] += x[4] * (p->n->u[i] + (x[i] + x[2 + i]) / 2);
    r[2 + i] -= x[4] * (x[i] - x[2 + i]) / 6;
  }
}

static void variant_i(const Step *p, const Real *x, Real *r) {
  constant_multiplier(p, x, r);
  r[4] = constraint(p, x);
}

static void variant_ii(const Step *p, const Real *x, Real *r) {
  const Real none[2] = {0, 0};
  constant_multiplier(p, x, r);
  r[4] = constraint(p, x) - constraint(p, none) + 0.5 * dot(x + 2, x + 2);
}

// Eqs. (24) and (25) with x[4] = lambda_{n+1}^-, x[5] = lambda_n^+
static void variant_iii(const Step *p, const Real *x, Real *r) {
  paper_inertia(p, x, r);
  for (int i = 0; i < 2; i++) {
    r[i] += (p->n->u[i] + x[i] / 2) * (x[4] + x[5]) / 2;
    r[2 + i] -= (p->n->u[i] + x[2 + i] / 2) * (x[4] - x[5]) / 6;
  }
  r[4] = constraint(p, x), r[5] = constraint(p, x + 2);
}

// One component of v_k = v_n + sum_l a^-1_kl (vhat_l - b_l v_n)
static Real tableau_velocity(const Tableau *t, double vn, const Real *vhat, int k) {
  Real v = vn;
  for (int l = 0; l < t->s; l++) v += t->inverse[k][l] * (vhat[l] - t->b[l] * vn);
  return v;
}

static void point_velocity(const Step *p, const Real *x, int k, Real *v) {
  for (int i = 0; i < 2; i++) {
    Real vhat[2];
    for (int l = 0; l < p->q->t->s; l++) vhat[l] = x[2 * l + i] / p->h;
    if (p->q->slip) vhat[1] += x[6] * p->n->u[i] / p->h;
    v[i] = tableau_velocity(p->q->t, p->n->v[i], vhat, k);
  }
}

static void kernel_point(const Step *p, const Real *x, Real *r) {
  int s = p->q->t->s;
  for (int k = 0; k < s; k++) {
    Real v[2];
    point_velocity(p, x, k, v);
    for (int i = 0; i < 2; i++)
      r[2 * k + i] =
          p->h * (v[i] - p->n->v[i]) + weight(p, i, p->q->t->b[k]) + x[2 * s + k] * (p->n->u[i] + x[2 * k + i] / 2);
    r[2 * s + k] = constraint(p, x + 2 * k);
  }
}

static void kernel_slip(const Step *p, const Real *x, Real *r) {
  Real v[2];
  kernel_point(p, x, r);
  point_velocity(p, x, 1, v);
  r[6] = 0;
  for (int i = 0; i < 2; i++) r[6] += p->h * p->n->u[i] * (v[i] - p->n->v[i]);
}

// Before a step with slip: brings the velocity along the rod down to rho of it; returns the energy this takes.
static double project(double rho, State *n) {
  double before = norm2(n->v), f = (1 - rho) * (n->u[0] * n->v[0] + n->u[1] * n->v[1]) / norm2(n->u);
  for (int i = 0; i < 2; i++) n->v[i] -= f * n->u[i];
  return 0.5 * mass * (before - norm2(n->v));
}

// A turn c = 4 tan(phi/4): cosine and sine of half of it and of the whole; returns tau.
static Real rotation(Real c, Real half[2], Real whole[2]) {
  Real c0 = 2 - c * c / 8;
  half[0] = c0 / (4 - c0), half[1] = c / (4 - c0);
  turn(half, half, whole);
  return 2 / (4 - c0);
}

// v_k (2) and w_k in the frame's axes, from vhat = ((R_n + R_k)/2)^T u/h and what = c/h
static void frame_velocity(const Step *p, const Real *x, int k, Real *v) {
  Real vhat[3][2] = {{0}}, back[2] = {p->n->d[0], -p->n->d[1]}, half[2], whole[2], then[2], now[2];
  for (int l = 0; l < p->q->t->s; l++) {
    rotation(-x[5 * l + 2], half, whole);
    turn(back, x + 5 * l, then);
    turn(whole, then, now);
    for (int i = 0; i < 2; i++) vhat[i][l] = (then[i] + now[i]) / (2 * p->h);
    vhat[2][l] = x[5 * l + 2] / p->h;
  }
  for (int i = 0; i < 2; i++) v[i] = tableau_velocity(p->q->t, p->n->v[i], vhat[i], k);
  v[2] = tableau_velocity(p->q->t, p->n->w, vhat[2], k);
}

// Per interval u (2), c, and the force lambda of the pivot (2); p = m v, d the director, l the arm:
//   force   (R_k p_k - R_n p_n)/h + lambda = m g
//   moment  J (w_k - w_n)/h + (u/h) x tau R_h (p_n + p_k)/2 - l tau d_h x lambda = 0
//   pivot   r_n + u - l d_k = 0
static void kernel_frame(const Step *p, const Real *x, Real *r) {
  Real dn[2] = {p->n->d[0], p->n->d[1]}, vn[2] = {p->n->v[0], p->n->v[1]}, then[2];
  double l = p->q->arm;
  turn(dn, vn, then);
  for (int k = 0; k < p->q->t->s; k++) {
    const Real *xk = x + 5 * k;
    Real *rk = r + 5 * k, v[3], half[2], whole[2], dk[2], dh[2], now[2], carried[2];
    Real tau = rotation(xk[2], half, whole);
    frame_velocity(p, x, k, v);
    Real mean[2] = {(vn[0] + v[0]) / 2, (vn[1] + v[1]) / 2};
    turn(whole, dn, dk);
    turn(half, dn, dh);
    turn(dk, v, now);
    turn(dh, mean, carried);
    for (int i = 0; i < 2; i++) {
      rk[i] = p->h * (now[i] - then[i]) + xk[3 + i] + weight(p, i, p->q->t->b[k]);
      rk[3 + i] = p->n->u[i] + xk[i] - l * dk[i];
    }
    rk[2] = p->h * p->q->inertia / mass * (v[2] - p->n->w) + tau * (p->h * cross(xk, carried) - l * cross(dh, xk + 3));
  }
}

// The rod is uniform, 1.5 m long: its angle moves as that of a point at 1 m.
enum { FIRST, SECOND, THIRD, LITERAL, SLIP, PRESERVING, ROD, VARIANTS };
static const Variant variants[VARIANTS] = {
    {"i", &decaying, false, false, true, false, 1, 0, 5, variant_i},
    {"ii", &decaying, false, false, false, true, 1, 0, 5, variant_ii},
    {"iii", &decaying, false, false, true, true, 1, 0, 6, variant_iii},
    {"kernel_literal", &decaying, false, false, true, true, 1, 0, 6, kernel_point},
    {"kernel_slip", &decaying, false, true, true, true, 1, 0, 7, kernel_slip},
    {"kernel_preserving", &preserving, false, false, true, true, 1, 0, 3, kernel_point},
    {"kernel_rod", &decaying, true, false, true, true, 0.75, 0.1875, 10, kernel_frame},
};
static const Variant light_literal = {"light_literal", &lightly, false, false, true, true, 1, 0, 6, kernel_point};
static const Variant light_slip = {"light_slip", &lightly, false, true, true, true, 1, 0, 7, kernel_slip};
static const Variant light_rod = {"light_rod", &lightly, true, false, true, true, 0.75, 0.1875, 10, kernel_frame};

// Gauss with row exchange; false if singular.
static bool solve(int n, double a[MAX_UNKNOWNS][MAX_UNKNOWNS], double *b) {
  for (int i = 0; i < n; i++) {
    int p = i;
    for (int r = i + 1; r < n; r++)
      if (fabs(a[r][i]) > fabs(a[p][i])) p = r;
    if (!(fabs(a[p][i]) > 1e-300)) return false;
    for (int j = 0; j < n; j++) {
      double t = a[i][j];
      a[i][j] = a[p][j], a[p][j] = t;
    }
    double t = b[i];
    b[i] = b[p], b[p] = t;
    for (int r = i + 1; r < n; r++) {
      double f = a[r][i] / a[i][i];
      for (int j = i; j < n; j++) a[r][j] -= f * a[i][j];
      b[r] -= f * b[i];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
  return true;
}

// Newton to round-off: until the increment vanishes or, being small, shrinks no more. False if that does not happen.
static bool newton(const Step *p, double *x) {
  const double tiny = 1e-100;
  double before = INFINITY;
  int n = p->q->unknowns;
  for (int it = 0; it < 40; it++) {
    Real z[MAX_UNKNOWNS], r[MAX_UNKNOWNS];
    double a[MAX_UNKNOWNS][MAX_UNKNOWNS], dx[MAX_UNKNOWNS], size = 0;
    for (int j = 0; j < n; j++) z[j] = x[j];
    for (int j = 0; j < n; j++) {
      z[j] = x[j] + I * tiny;
      p->q->residual(p, z, r);
      for (int i = 0; i < n; i++) a[i][j] = cimag(r[i]) / tiny;
      z[j] = x[j];
    }
    for (int i = 0; i < n; i++) dx[i] = -creal(r[i]);
    if (!solve(n, a, dx)) return false;
    for (int i = 0; i < n; i++) x[i] += dx[i], size = fmax(size, fabs(dx[i]));
    if (!isfinite(size)) return false;
    if (size < 1e-17 || (size < 1e-12 && size > before / 2)) return true;
    before = size;
  }
  return false;
}

// What a step tells besides the new state.
typedef struct {
  double tension, ends[2]; // of the step; of (iii) also lambda_n^+ R and lambda_{n+1}^- R
  double dissipated;       // by the proof: sum_k loss_k |v_k - v_n|^2/2
  double projected;        // of a slip: the energy the projection took
  double impulse;          // of a slip: the pull that takes the velocity of the projection in one step
  double unproved;         // of (i): lambda |u_+ - u_n|^2/2, eq. (20)
} Report;

static bool advance(const Case *c, const Variant *q, double h, State *state, Report *out) {
  State now = *state, *n = &now;
  Step p = {q, n, h, c->gravity};
  *out = (Report){0};
  if (q->slip) {
    out->impulse = (1 - q->t->rho) * mass * (n->u[0] * n->v[0] + n->u[1] * n->v[1]) / (radius * h);
    out->projected = project(q->t->rho, n);
  }
  double x[MAX_UNKNOWNS] = {0}, scale = mass / (h * h); // the jump and the multipliers start at zero
  Real v[3] = {0}, z[MAX_UNKNOWNS], dn[2] = {n->d[0], n->d[1]}, vn[2] = {n->v[0], n->v[1]}, first[2] = {vn[0], vn[1]};
  if (q->frame) turn(dn, vn, first), x[2] = h * n->w;
  x[0] = h * creal(first[0]), x[1] = h * creal(first[1]);
  if (!newton(&p, x)) return false;
  for (int i = 0; i < MAX_UNKNOWNS; i++) z[i] = x[i];

  State next = *n;
  for (int k = q->t->s - 1; k >= 0; k--) {
    q->frame ? frame_velocity(&p, z, k, v) : point_velocity(&p, z, k, v);
    double dv[2] = {creal(v[0]) - n->v[0], creal(v[1]) - n->v[1]}, dw = q->frame ? creal(v[2]) - n->w : 0;
    out->dissipated += 0.5 * q->t->loss[k] * (mass * norm2(dv) + q->inertia * dw * dw);
  }
  for (int i = 0; i < 2; i++) next.u[i] += x[i], next.v[i] = creal(v[i]); // of interval 0, the step
  out->tension = scale * radius * x[2 * q->t->s];
  if (q->frame) {
    Real half[2], whole[2], d[2];
    rotation(z[2], half, whole);
    turn(half, dn, d);
    out->tension = scale * creal(dot(d, z + 3));
    turn(whole, dn, d);
    next.d[0] = creal(d[0]), next.d[1] = creal(d[1]), next.w = creal(v[2]);
  }
  if (q->residual == variant_i) out->unproved = 0.5 * out->tension / radius * norm2(x + 2);
  if (q->residual == variant_iii) {
    out->ends[0] = scale * radius * x[5], out->ends[1] = scale * radius * x[4];
    out->tension = (out->ends[0] + out->ends[1]) / 2;
  }
  *state = next;
  return true;
}

// ---- a run ----

static State start(const Case *c, const Variant *q) {
  double cs = cos(c->degrees * pi / 180), sn = sin(c->degrees * pi / 180), v = q->arm * c->omega0;
  State n = {{q->arm * sn, -q->arm * cs}, {v * cs, v * sn}, {sn, -cs}, c->omega0};
  if (q->frame) n.v[0] = 0, n.v[1] = v;
  return n;
}

// C/R^2; the mass centre of a frame is measured from the pivot, so that the length of its director counts too.
static double violation(const Variant *q, const State *n) { return 0.5 * (norm2(n->u) / (q->arm * q->arm) - 1); }

// zero at rest at the lowest point
static double energy(const Case *c, const Variant *q, const State *n) {
  double spin2 = q->frame ? q->inertia * n->w * n->w : 0;
  return 0.5 * (mass * norm2(n->v) + spin2) + mass * c->gravity * (n->u[1] + q->arm);
}

// u.v/R, zero in the exact motion
static double radial_velocity(const Variant *q, const State *n) {
  return q->frame ? n->v[0] : (n->u[0] * n->v[0] + n->u[1] * n->v[1]) / radius;
}

typedef struct {
  double t, violation, energy; // at t; the energy as a relative error
  double tension, ends[2];     // at t - h/2
} Sample;

// Energies in units of the first; violations in units of R^2. The window is [0, t_window].
typedef struct {
  double kept, gain, step_gain, ledger; // at the end; greatest over the run; in one step; greatest gap of the account
  double worst, last, rise, drift;      // greatest |C|, C at the end, greatest increase in a step, C/t of the window
  double tension_min, tension_error;    // the error is a mean over the window
  double radial, position;    // greatest |u.v|/R over the run, greatest error of the angle's point in the window
  double jumped, projected;   // lost in the jumps, and by the projections of a slip
  double impulse, pull_error; // means over the window: of a slip's |impulse|; as tension_error, of both together
  double stopped;             // where Newton failed, or 0
  int samples;
  Sample sample[MAX_SAMPLES];
} Result;

// Runs to t_end from the state n; a sample is taken every `every` seconds, or none if 0.
static Result run_from(State n, const Case *c, const Variant *q, double h, double t_end, double t_window,
                       double every) {
  Result r = {.tension_min = INFINITY};
  double e0 = energy(c, q, &n), e = e0, viol = violation(q, &n), error = 0, pull = 0, impulse = 0;
  int steps = (int)lround(t_end / h), window = (int)lround(t_window / h), skip = (int)lround(every / h);
  for (int i = 1; i <= steps; i++) {
    Report s;
    if (!advance(c, q, h, &n, &s)) {
      r.stopped = i * h;
      break;
    }
    double e1 = energy(c, q, &n), viol1 = violation(q, &n);
    r.gain = fmax(r.gain, (e1 - e0) / e0), r.step_gain = fmax(r.step_gain, (e1 - e) / e0);
    r.ledger = fmax(r.ledger, fabs(e1 - e + s.dissipated + s.projected + s.unproved) / e0);
    r.jumped += s.dissipated / e0, r.projected += s.projected / e0;
    r.rise = fmax(r.rise, viol1 - viol), r.worst = fmax(r.worst, fabs(viol1));
    r.radial = fmax(r.radial, fabs(radial_velocity(q, &n)));
    r.tension_min = fmin(r.tension_min, s.tension);
    if (i <= window) {
      double theta = exact_angle(c, i * h), *at = q->frame ? n.d : n.u;
      r.position = fmax(r.position, hypot(at[0] - radius * sin(theta), at[1] + radius * cos(theta)));
      double exact = exact_tension(c, q->arm, (i - 0.5) * h);
      error += fabs(s.tension - exact), pull += fabs(s.tension + s.impulse - exact);
      impulse += fabs(s.impulse);
    }
    if (i == window) {
      r.drift = viol1 / t_window, r.tension_error = error / window;
      r.pull_error = pull / window, r.impulse = impulse / window;
    }
    if (skip && i % skip == 0 && r.samples < MAX_SAMPLES)
      r.sample[r.samples++] = (Sample){i * h, viol1, (e1 - e0) / e0, s.tension, {s.ends[0], s.ends[1]}};
    e = e1, viol = viol1;
  }
  r.kept = e / e0, r.last = viol;
  return r;
}

static Result run(const Case *c, const Variant *q, double h, double t_end, double t_window, double every) {
  return run_from(start(c, q), c, q, h, t_end, t_window, every);
}

// The part of the energy lost in some turns of a weightless pendulum by steps of omega h = phi.
static double lost(const Variant *q, double phi, double turns) {
  Result r = run(&weightless, q, phi, phi * round(2 * pi * turns / phi), 0, 0);
  return r.stopped ? NAN : 1 - r.kept;
}

// The same in one turn of a frame from the discrete equilibrium of a turn phi a step: v = l sin(phi)/h, w = 4 tan(phi/4)/h.
static double lost_in_equilibrium(const Variant *q, double phi) {
  State n = start(&weightless, q);
  n.v[1] = q->arm * sin(phi) / phi, n.w = 4 * tan(phi / 4) / phi;
  Result r = run_from(n, &weightless, q, phi, phi * round(2 * pi / phi), 0, 0);
  return r.stopped ? NAN : fabs(1 - r.kept);
}

// ---- claims ----

static int passed, failed;

__attribute__((format(printf, 3, 4))) static void claim(bool ok, const char *name, const char *measured, ...) {
  va_list args;
  ok ? passed++ : failed++;
  printf("%s %s: ", ok ? "ok  " : "FAIL", name);
  va_start(args, measured);
  vprintf(measured, args);
  va_end(args);
  putchar('\n');
}

// The run went to its end and its account of the energy is closed.
static bool sound(const Result *r) { return r->stopped == 0 && r->ledger < 1e-13; }
static bool never_gained(const Result *r) { return sound(r) && r->gain < 1e-12 && r->step_gain < 1e-12; }

static double order(double coarser, double finer) { return log2(fabs(coarser / finer)); }

static void claims_of_the_reference(void) {
  double quarter, worst = 0;
  amplitude(0, sin(pi / 4), cos(pi / 4), &quarter);
  double period = 4 * quarter / sqrt(9.81), back = exact_angle(&swing, 10 * period) - pi / 2;
  // K(1/sqrt 2) = Gamma(1/4)^2/(4 sqrt pi)
  double off = quarter / (pow(tgamma(0.25), 2) / (4 * sqrt(pi))) - 1;
  claim(fabs(off) < 1e-14 && fabs(back) < 1e-6, "the reference has the period of the elliptic integral",
        "%.12f s, off by %.1e, after ten periods by %.1e rad", period, off, back);
  for (int i = 0; i < 3; i++)
    for (double t = 0.1; t < 10; t += 0.37) {
      double e = 1e-3, rate = (exact_angle(cases[i], t - 2 * e) - 8 * exact_angle(cases[i], t - e) +
                               8 * exact_angle(cases[i], t + e) - exact_angle(cases[i], t + 2 * e)) /
                              (12 * e);
      double expected = exact_rate_squared(cases[i], exact_angle(cases[i], t));
      worst = fmax(worst, fabs(rate * rate - expected) / (1 + expected));
    }
  claim(worst < 1e-7, "the reference keeps its energy", "rate off by %.1e", worst);
  const Tableau *tableaux[] = {&preserving, &decaying, &lightly};
  for (int i = worst = 0; i < 3; i++)
    for (int k = 0; k < tableaux[i]->s; k++)
      for (int l = 0; l < tableaux[i]->s; l++) {
        const Tableau *t = tableaux[i];
        double m = t->weight[k] * t->a[k][l] + t->weight[l] * t->a[l][k] - (k == 0 && l == 0), unit = 0;
        for (int j = 0; j < t->s; j++) unit += t->a[k][j] * t->inverse[j][l];
        worst = fmax(worst, fmax(fabs(m - (k == l) * t->loss[k]), fabs(unit - (k == l))));
      }
  claim(worst < 1e-15, "the tableaux meet the condition of the energy theorem", "to %.1e", worst);
}

static void claims_of_the_paper(double t_end) {
  Result a = run(&top, &variants[FIRST], 0.02, t_end, 2, 0), b = run(&top, &variants[FIRST], 0.01, t_end, 2, 0);
  claim(sound(&a) && sound(&b) && fmax(a.worst, b.worst) < 1e-12, "(i) keeps the constraint", "|C| < %.1e",
        fmax(a.worst, b.worst));
  claim(b.tension_min < 0 && b.gain > 1e-9 && fabs(order(a.gain, b.gain) - 3) < 0.3,
        "(i) gains energy while the rod is pressed, by O(h^3)", "%.2e at h = 0.02, %.2e at 0.01, order %.2f", a.gain,
        b.gain, order(a.gain, b.gain));
  claim(fmax(a.ledger, b.ledger) < 1e-13, "(i) meets the energy statement (20)", "to %.1e", fmax(a.ledger, b.ledger));
  Result big = run(&coarse, &variants[FIRST], 0.4, t_end, 2, 0);
  claim(sound(&big) && big.gain > 1, "(i) more than doubles the energy at a coarse step", "gain %.0f %%",
        100 * big.gain);

  for (int i = 0; i < 3; i++) {
    double h = i == 1 ? 0.005 : 0.01, expected = -pow(h, 3) / 72 * exact_acceleration_squared(cases[i], 2);
    a = run(cases[i], &variants[SECOND], h, t_end, 2, 0), b = run(cases[i], &variants[SECOND], h / 2, t_end, 2, 0);
    claim(never_gained(&a) && never_gained(&b), "(ii) never gains energy", "%s, gain %.1e", cases[i]->name,
          fmax(a.gain, b.gain));
    claim(a.drift < 0 && fmax(a.rise, b.rise) < 1e-15 && fabs(a.drift / expected - 1) < 0.1 &&
              fabs(order(a.drift, b.drift) - 3) < 0.3,
          "(ii) shortens the pendulum by h^3 |a|^2/72 a second", "%s, drift %.3e /s, expected %.3e, order %.2f",
          cases[i]->name, a.drift, expected, order(a.drift, b.drift));
  }

  for (int i = 0; i < 3; i++) {
    a = run(cases[i], &variants[THIRD], 0.01, t_end, 2, 0);
    claim(never_gained(&a) && a.worst < 1e-12, "(iii) keeps the constraint and never gains energy",
          "%s, |C| < %.1e, gain %.1e", cases[i]->name, a.worst, a.gain);
  }
  Report s = {0}, t;
  double apart = 0;
  for (int i = 0; i < 3; i++) {
    State third = start(cases[i], &variants[THIRD]), point = start(cases[i], &variants[LITERAL]);
    for (int j = 0; j < 500; j++) {
      advance(cases[i], &variants[THIRD], 0.01, &third, &s);
      advance(cases[i], &variants[LITERAL], 0.01, &point, &t);
      apart = fmax(apart, hypot(third.u[0] - point.u[0], third.u[1] - point.u[1]));
      apart = fmax(apart, 1e-2 * fabs(s.tension - t.tension));
    }
  }
  claim(apart < 1e-11, "the kernel's point with the literal jump is (iii)", "after 500 steps they agree to %.1e",
        apart);

  State n = start(&weightless, &variants[THIRD]);
  for (int i = 0; i < 3; i++) advance(&weightless, &variants[THIRD], 1e-3, &n, &s);
  claim(fabs(s.ends[0] / s.tension - 4) < 0.02 && fabs(s.ends[1] / s.tension + 2) < 0.02,
        "the multiplier of (iii) runs from 4 T to -2 T within a step of steady rotation",
        "%.3f T to %.3f T, T = %.4f N", s.ends[0] / s.tension, s.ends[1] / s.tension, s.tension);
}

static void claims_of_the_kernel(double t_end) {
  for (int v = LITERAL; v < VARIANTS; v++)
    for (int i = 0; i < 3; i++) {
      Result r = run(cases[i], &variants[v], 0.01, t_end, 2, 0);
      claim(never_gained(&r) && r.worst < 1e-12, "the kernel keeps the constraint and never gains energy",
            "%s, %s, |C| < %.1e, gain %.1e, account closed to %.1e", variants[v].name, cases[i]->name, r.worst, r.gain,
            r.ledger);
    }
  const double expected[VARIANTS] = {3, 3, 1, 1, 2, 2, 2};
  for (int v = 0; v < VARIANTS; v++) {
    Result a = run(&swing, &variants[v], 0.005, 2, 2, 0), b = run(&swing, &variants[v], 0.0025, 2, 2, 0);
    double o = order(a.position, b.position);
    claim(fabs(o - expected[v]) < 0.1 * expected[v], "order of convergence", "%s %.2f, error %.1e m at h = 0.005",
          variants[v].name, o, a.position);
  }

  State n = start(&weightless, &variants[LITERAL]);
  Report s = {0};
  double phi = 0.02, e = 0, e1 = energy(&weightless, &variants[LITERAL], &n);
  for (int i = 0; i < 3; i++) {
    advance(&weightless, &variants[LITERAL], phi, &n, &s);
    e = e1, e1 = energy(&weightless, &variants[LITERAL], &n);
  }
  double each = (1 - e1 / e) / (e * 2 * phi * phi); // omega^2 = 2 E
  claim(fabs(each - 1) < 0.1, "the literal jump of a point burns (omega h)^2 of the energy in each step",
        "%.3f (omega h)^2", each);
  double point = lost(&variants[LITERAL], 0.05, 1), light = lost(&light_literal, 0.05, 1);
  claim(light > 1.5 * point, "and more the less the scheme dissipates elsewhere",
        "one turn, omega h = 0.05: rho_inf = 0 burns %.1f %%, rho_inf = 0.5 %.1f %%", 100 * point, 100 * light);
  double a = lost(&variants[ROD], 0.1, 1), b = lost(&variants[ROD], 0.05, 1), ten = lost(&variants[ROD], 0.05, 10);
  claim(b > 0 && b < 1e-6 && fabs(order(a, b) - 4) < 0.4, "material velocity loses O((omega h)^4)",
        "one turn, omega h = 0.05: %.2e, order %.2f", b, order(a, b));
  claim(fabs(ten / b - 1) < 0.1, "once and no more", "ten turns: %.2e", ten);
  double least = lost_in_equilibrium(&variants[ROD], 0.2);
  claim(least < 1e-12, "and nothing when started in the discrete equilibrium", "one turn, omega h = 0.2: %.1e", least);
}

// The kernel's default for a point on a link.
static void claims_of_the_slip(double t_end) {
  const Variant *const both[] = {&variants[SLIP], &light_slip};
  for (int v = 0; v < 2; v++) {
    const Variant *q = both[v];
    double alpha = (1 - q->t->rho) / (1 + q->t->rho), jumped = 0, apart = 0, steady = 0;
    for (int i = 0; i < 3; i++) {
      Result a = run(cases[i], q, 0.01, t_end, 2, 0), b = run(cases[i], q, 0.005, t_end, 2, 0);
      claim(never_gained(&a) && never_gained(&b) && fmax(a.worst, b.worst) < 1e-12,
            "the slip keeps the constraint and never gains energy", "%s, %s, |C| < %.1e, account closed to %.1e",
            q->name, cases[i]->name, fmax(a.worst, b.worst), fmax(a.ledger, b.ledger));
      claim(fabs(order(a.position, b.position) - 2) < 0.1, "the slip is of second order", "%s, %s, %.2f", q->name,
            cases[i]->name, order(a.position, b.position));
      double e0 = mass * (0.5 * pow(radius * cases[i]->omega0, 2) +
                          cases[i]->gravity * radius * (1 - cos(cases[i]->degrees * pi / 180)));
      double rate = (1 - b.kept) / t_end, expected = alpha * mass * pow(0.005, 3) / 8 *
                                                     exact_power_squared(cases[i], t_end) / (radius * radius * e0);
      claim(fabs(rate / expected - 1) < 0.1 && fabs(order(1 - a.kept, 1 - b.kept) - 3) < 0.1,
            "the slip loses alpha m h^3 (v.a)^2/(8 R^2) a second", "%s, %s, %.3e /s, expected %.3e, order %.2f",
            q->name, cases[i]->name, rate, expected, order(1 - a.kept, 1 - b.kept));
      claim(fabs(order(a.impulse, b.impulse) - 1) < 0.1 && fabs(order(a.pull_error, b.pull_error) - 2) < 0.1,
            "its multiplier lacks the impulse of the projection, O(h), and with it is of second order",
            "%s, %s, %.3f N of order %.2f, then off by %.3f N of order %.2f", q->name, cases[i]->name, b.impulse,
            order(a.impulse, b.impulse), b.pull_error, order(a.pull_error, b.pull_error));
      jumped = fmax(jumped, fmax(a.jumped, b.jumped));
      State slips = start(cases[i], q), keeps = slips;
      for (int j = 0; j < 500; j++) {
        Report s, t;
        advance(cases[i], q, 0.01, &slips, &s);
        project(q->t->rho, &keeps);
        advance(cases[i], &variants[PRESERVING], 0.01, &keeps, &t);
        apart = fmax(apart, hypot(slips.u[0] - keeps.u[0], slips.u[1] - keeps.u[1]));
      }
    }
    claim(jumped < 1e-20 && apart < 1e-11, "nothing of a rigid pendulum jumps: a preserving step after the projection",
          "%s, %.0e lost in jumps, after 500 steps apart by %.1e", q->name, jumped, apart);
    for (int i = 0; i < 3; i++)
      for (int turns = 1; turns <= 10; turns += 9)
        steady = fmax(steady, fabs(lost(q, (const double[]){0.05, 0.2, 0.5}[i], turns)));
    claim(steady < 1e-13, "steady rotation costs the slip nothing", "%s, ten turns, omega h up to 0.5: %.1e", q->name,
          steady);
  }
}

// ---- tables ----

static FILE *table(const char *directory, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *f = fopen(path, "w");
  if (!f) fprintf(stderr, "cannot write %s\n", path);
  return f;
}

static const double sizes[] = {0.02, 0.01, 0.005};

static void write_samples(FILE *f, const Case *c, double h, const Result *r) {
  fputs("t", f);
  for (int v = 0; v < VARIANTS; v++)
    fprintf(f, ",%s_constraint,%s_energy,%s_tension", variants[v].name, variants[v].name, variants[v].name);
  fputs(",iii_first_multiplier,iii_last_multiplier,exact_tension,exact_rod_tension\n", f);
  for (int i = 0; i < r->samples; i++) {
    fprintf(f, "%.10g", r[0].sample[i].t);
    for (int v = 0; v < VARIANTS; v++) {
      const Sample *s = &r[v].sample[i];
      if (i < r[v].samples) fprintf(f, ",%.3g,%.4g,%.4g", s->violation, s->energy, s->tension);
      else fputs(",,,", f);
    }
    const double middle = r->sample[i].t - h / 2, *ends = r[THIRD].sample[i].ends;
    fprintf(f, ",%.4g,%.4g,%.4g,%.4g\n", ends[0], ends[1], exact_tension(c, radius, middle),
            exact_tension(c, variants[ROD].arm, middle));
  }
}

static void write_summary_line(FILE *f, const Case *c, const Variant *q, double h, const Result *r,
                               const Result *coarser) {
  double expected = -pow(h, 3) / 72 * exact_acceleration_squared(c, 2);
  fprintf(f, "%s,%s,%g,%s,%.4g,%.2e,%.4e,", c->name, q->name, h, r->tension_min < 0 ? "yes" : "no", r->tension_min,
          r->worst, r->drift);
  if (!q->keeps_constraint) fprintf(f, "%.4e", expected);
  fputc(',', f);
  if (!q->keeps_constraint && coarser) fprintf(f, "%.3f", order(coarser->drift, r->drift));
  fprintf(f, ",%.3e,%.2e,%.4e,%.1e,%.2e,%.3e,%.3e,", r->last, r->gain, 1 - r->kept, r->ledger, r->radial,
          r->tension_error, r->position);
  if (coarser && coarser->position < radius / 2) fprintf(f, "%.2f", order(coarser->position, r->position));
  fputc(',', f);
  if (r->stopped) fprintf(f, "%g", r->stopped);
  if (q->slip) fprintf(f, ",%.4e,%.3e\n", r->projected, r->pull_error);
  else fputs(",,\n", f);
  if (q->keeps_constraint)
    claim(r->worst < 1e-12, "the constraint is kept for 100 s", "%s, %s, h = %g: %.1e", c->name, q->name, h, r->worst);
  if (q->never_gains)
    claim(never_gained(r), "energy never grows in 100 s", "%s, %s, h = %g: %.1e", c->name, q->name, h, r->gain);
}

static bool write_runs(const char *directory) {
  static Result r[3][VARIANTS];
  FILE *f = table(directory, "summary.csv"), *g;
  if (!f) return false;
  fputs("case,variant,h,multiplier_negative,least_tension,greatest_violation,drift_per_s,drift_expected,drift_order,"
        "violation_at_100_s,greatest_energy_gain,energy_lost_at_100_s,account_gap,greatest_radial_velocity,"
        "tension_error_2_s,position_error_2_s,position_order,stopped_at,lost_by_projection_at_100_s,"
        "tension_error_with_projection_2_s\n",
        f);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      char name[64];
      for (int v = 0; v < VARIANTS; v++) r[k][v] = run(cases[i], &variants[v], sizes[k], 100, 2, 2);
      snprintf(name, sizeof name, "history_%s_%g.csv", cases[i]->name, sizes[k]);
      if (!(g = table(directory, name))) return false;
      write_samples(g, cases[i], sizes[k], r[k]);
      fclose(g);
    }
    for (int v = 0; v < VARIANTS; v++)
      for (int k = 0; k < 3; k++)
        write_summary_line(f, cases[i], &variants[v], sizes[k], &r[k][v], k ? &r[k - 1][v] : NULL);
  }
  for (int v = 0; v < VARIANTS; v++) {
    r[0][v] = run(&coarse, &variants[v], 0.4, 100, 2, 0);
    write_summary_line(f, &coarse, &variants[v], 0.4, &r[0][v], NULL);
  }
  fclose(f);
  for (int i = 0; i < 3; i += 2) { // the first seconds of swing and top, every step
    for (int v = 0; v < VARIANTS; v++) r[0][v] = run(cases[i], &variants[v], 0.02, 2.4, 2.4, 0.02);
    if (!(g = table(directory, i ? "start_top.csv" : "start_swing.csv"))) return false;
    write_samples(g, cases[i], 0.02, r[0]);
    fclose(g);
  }
  return true;
}

static bool write_rotation(const char *directory) {
  FILE *f = table(directory, "rotation.csv");
  if (!f) return false;
  fputs("omega_h,literal,literal_expected,light_literal,slip,light_slip,rod,light_rod,rod_equilibrium,preserving\n", f);
  for (int i = 0; i <= 20; i++) {
    double phi = 2 * pi / round(2 * pi / (0.01 * pow(50, i / 20.)));
    fprintf(f, "%.6f,%.4e,%.4e,%.4e,%.1e,%.1e,%.4e,%.4e,%.1e,%.1e\n", phi, lost(&variants[LITERAL], phi, 1),
            1 - 1 / (1 + 2 * pi * phi), lost(&light_literal, phi, 1), fabs(lost(&variants[SLIP], phi, 1)),
            fabs(lost(&light_slip, phi, 1)), lost(&variants[ROD], phi, 1), lost(&light_rod, phi, 1),
            lost_in_equilibrium(&variants[ROD], phi), fabs(lost(&variants[PRESERVING], phi, 1)));
  }
  return !fclose(f);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s --check | DIRECTORY\n", argv[0]);
    return 2;
  }
  bool check = !strcmp(argv[1], "--check");
  double t_end = check ? 5 : 20;
  claims_of_the_reference();
  claims_of_the_paper(t_end);
  claims_of_the_kernel(t_end);
  claims_of_the_slip(t_end);
  if (!check && !(write_runs(argv[1]) && write_rotation(argv[1]))) return 2;
  printf("%d passed, %d failed\n", passed, failed);
  if (failed) fprintf(stderr, "the study's own claims do not hold\n");
  return failed > 0;
}
