// SPDX-License-Identifier: Apache-2.0
// Responses of integration points: linear, by a law, by a potential, and of a cable that is reeled in.
// Equations: eq-scheme-stage (3.1), eq-decaying-step (4.1).
#include "mechanics/element.h"
#include "mechanics/hyper.h"
#include "mechanics/reel.h"

#include <math.h>
#include <string.h>

_Static_assert((int)HYPER_ROWS == (int)MAX_ROWS, "a potential has at most as many rows as a point");

static void find_strains(const ElementPoint *p, const ElementStep *q, const Vec3 *xn, Vec3 xk[][MAX_LOCAL_VECTORS],
                         double *en, double ek[][MAX_ROWS]) {
  rows_value(&p->rows, xn, no_coords, en);
  for (int k = 0; k < q->t->s; k++) rows_value(&p->rows, xk[k], no_coords, ek[k]);
}

// Strain energy of a point, and its stress: at most the root of energy times stiffness.
static void balance_strain(const ElementPoint *p, double energy, ElementBalance *balance) {
  double trace = 0;
  for (int r = 0; r < p->rows.nrow; r++) trace += p->stiffness[r * p->rows.nrow + r];
  balance->strain += energy, balance->rough += sqrt(fmax(0, 2 * energy * p->weight * trace));
}

static unsigned damper_losses(const ElementPoint *p) { return p->damping != 0 || p->damper ? LOSS_DAMPER : 0; }

static void given_stiffness(const ElementPoint *p, const double *e, double *c) {
  (void)e;
  for (int i = 0; i < p->rows.nrow * p->rows.nrow; i++) c[i] = p->weight * p->stiffness[i];
}

// ---- linear ----

static double linear_energy(const ElementPoint *p, const double *e) {
  double w = 0;
  int n = p->rows.nrow;
  for (int r = 0; r < n; r++)
    for (int q = 0; q < n; q++) w += e[r] * p->stiffness[r * n + q] * e[q];
  return 0.5 * p->weight * w;
}

static void linear_force(const ElementPoint *p, const double *e, double *force) {
  int n = p->rows.nrow;
  for (int r = 0; r < n; r++) {
    force[r] = 0;
    for (int q = 0; q < n; q++) force[r] += p->stiffness[r * n + q] * e[q];
  }
}

static void linear_stress(const ElementPoint *p, const ElementStep *q, const double *past, const double *en,
                          double ek[][MAX_ROWS], PointStress *out) {
  const Tableau *t = q->t;
  int n = p->rows.nrow;
  double damping = p->damping / q->h, own = q->recall->delta + q->recall->rate * damping;
  double before = q->recall->before * damping - q->recall->delta * q->recall->keep;
  out->c = p->stiffness, out->has_own = p->damper;
  for (int k = 0; k < t->s; k++) {
    double e[MAX_ROWS], rate[MAX_ROWS];
    for (int l = 0; l < t->s; l++) out->factor[k][l] = t->a[k][l] + (k == l ? own : 0);
    for (int r = 0; r < n; r++) {
      e[r] = t->b[k] * en[r] + (past ? before * past[r] : 0);
      for (int l = 0; l < t->s; l++) e[r] += out->factor[k][l] * (ek[l][r] - en[r]);
    }
    for (int r = 0; r < n; r++) {
      out->stress[k][r] = 0;
      for (int i = 0; i < n; i++) out->stress[k][r] += p->weight * p->stiffness[r * n + i] * e[i];
    }
    if (!p->damper) continue;
    for (int r = 0; r < n; r++)
      rate[r] = (q->recall->rate * (ek[k][r] - en[r]) + (past ? q->recall->before * past[r] : 0)) / q->h;
    for (int r = 0; r < n; r++)
      for (int i = 0; i < n; i++) {
        double viscous = p->damper[r] * p->stiffness[r * n + i] * p->damper[i];
        out->stress[k][r] += p->weight * viscous * rate[i];
        out->own[k][r * n + i] = q->recall->rate * viscous / q->h;
      }
  }
}

// Whether a linear point gives anything but its strain energy.
static bool has_losses(const ElementPoint *p, const ElementStep *q, const double *next) {
  bool any = p->damping != 0 || p->damper || q->recall->delta > 0 || next;
  for (int k = 0; k < q->t->s; k++) any = any || q->t->loss[k] != 0;
  return any;
}

static void linear_balance(const ElementPoint *p, const ElementStep *q, const double *past, const Vec3 *xn,
                           Vec3 xk[][MAX_LOCAL_VECTORS], double *next, ElementBalance *balance) {
  const Recall *m = q->recall;
  int n = p->rows.nrow;
  double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS], d[MAX_ROWS];
  if (!has_losses(p, q, next)) {
    rows_value(&p->rows, xk[0], no_coords, ek[0]);
    balance_strain(p, linear_energy(p, ek[0]), balance);
    return;
  }
  find_strains(p, q, xn, xk, en, ek);
  balance_strain(p, linear_energy(p, ek[0]), balance);
  for (int k = 0; k < q->t->s; k++) {
    if (p->damping == 0 && !p->damper && q->t->loss[k] == 0) continue;
    for (int r = 0; r < n; r++) d[r] = ek[k][r] - en[r];
    double jump = linear_energy(p, d);
    balance->lost += q->t->loss[k] * jump, balance->damped += q->t->weight[k] * 2 * p->damping * jump / q->h;
    if (!p->damper) continue;
    for (int r = 0; r < n; r++) d[r] *= p->damper[r];
    balance->damped += q->t->weight[k] * 2 * linear_energy(p, d) / q->h;
  }
  for (int r = 0; r < n; r++) d[r] = ek[0][r] - en[r];
  if (next) memcpy(next, d, (size_t)n * sizeof *d);
  if (!(m->delta > 0)) return;
  balance->memory += m->delta * linear_energy(p, d);
  for (int r = 0; r < n && past; r++) d[r] -= m->keep * past[r];
  balance->lost += m->delta * (linear_energy(p, d) + (past ? (1 - m->keep * m->keep) * linear_energy(p, past) : 0));
}

const PointResponse response_linear = {.energy = linear_energy,
                                       .force = linear_force,
                                       .stiffness = given_stiffness,
                                       .stress = linear_stress,
                                       .balance = linear_balance,
                                       .losses = damper_losses};

// ---- a law of the sum of all rows ----

static const double one[MAX_ROWS * MAX_ROWS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                                1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

void element_point_law(ElementPoint *p, const LawTable *law, const void *of) {
  p->response = &response_law, p->law = law, p->of = of;
}

static double energy_by_law(const ElementPoint *p, const double *e) {
  return p->weight * p->law->energy(p->of, element_law_strain(p, e));
}

static void force_by_law(const ElementPoint *p, const double *e, double *force) {
  double f = p->law->force(p->of, element_law_strain(p, e));
  for (int r = 0; r < p->rows.nrow; r++) force[r] = f;
}

// The slope over a small increment, which a kink does not hide.
static void stiffness_by_law(const ElementPoint *p, const double *e, double *c) {
  double z = element_law_strain(p, e);
  for (int i = 0; i < p->rows.nrow * p->rows.nrow; i++)
    c[i] = p->weight * 1e6 * (p->law->force(p->of, z + 1e-6) - p->law->force(p->of, z));
}

static void evaluate_law(const ElementPoint *p, const ElementStep *q, const double *past, const double *en,
                         double ek[][MAX_ROWS], LawState *out) {
  double z[MAX_STAGES];
  for (int k = 0; k < q->t->s; k++) z[k] = element_law_strain(p, ek[k]);
  law_table_evaluate(p->law, p->of, q->t, q->h, q->recall, past ? past[0] : 0, element_law_strain(p, en), z, out);
}

static void stress_by_law(const ElementPoint *p, const ElementStep *q, const double *past, const double *en,
                          double ek[][MAX_ROWS], PointStress *out) {
  LawState s;
  evaluate_law(p, q, past, en, ek, &s);
  out->c = one, out->has_own = false;
  for (int k = 0; k < q->t->s; k++) {
    for (int r = 0; r < p->rows.nrow; r++) out->stress[k][r] = p->weight * s.force[k];
    for (int l = 0; l < q->t->s; l++) out->factor[k][l] = s.tangent[k][l];
  }
}

static void add_law_state(const ElementPoint *p, const LawState *s, double energy, double *next,
                          ElementBalance *balance) {
  balance->damped += p->weight * s->damped, balance->lost += p->weight * s->lost;
  balance->memory += p->weight * s->memory, balance->strain += energy;
  for (int r = 0; r < p->rows.nrow && next; r++) next[r] = r ? 0 : s->next;
}

static void balance_by_law(const ElementPoint *p, const ElementStep *q, const double *past, const Vec3 *xn,
                           Vec3 xk[][MAX_LOCAL_VECTORS], double *next, ElementBalance *balance) {
  double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS];
  LawState s;
  find_strains(p, q, xn, xk, en, ek);
  evaluate_law(p, q, past, en, ek, &s);
  add_law_state(p, &s, energy_by_law(p, ek[0]), next, balance);
}

static unsigned losses_by_law(const ElementPoint *p) { return p->law->losses ? p->law->losses(p->of) : 0; }

// A one-sided law has a damper with a kink: of it the spring alone.
static void output_by_law(const ElementPoint *p, const double *e, double *force) {
  if (p->law->one_sided && p->law->one_sided(p->of)) force_by_law(p, e, force);
}

static const Law *contact_by_law(const ElementPoint *p) { return p->law->contact ? p->law->contact(p->of) : NULL; }

const PointResponse response_law = {.energy = energy_by_law,
                                    .force = force_by_law,
                                    .stiffness = stiffness_by_law,
                                    .stress = stress_by_law,
                                    .balance = balance_by_law,
                                    .losses = losses_by_law,
                                    .output_force = output_by_law,
                                    .contact = contact_by_law};

// ---- a potential of all rows ----

static double energy_of_potential(const ElementPoint *p, const double *e) { return p->weight * hyper_energy(p->of, e); }

static void force_of_potential(const ElementPoint *p, const double *e, double *force) {
  hyper_stress(p->of, e, force, NULL);
}

static void stress_of_potential(const ElementPoint *p, const ElementStep *q, const double *past, const double *en,
                                double ek[][MAX_ROWS], PointStress *out) {
  HyperState s;
  hyper_evaluate(p->of, p->stiffness, p->damping, q->t, q->h, q->recall, past, en, ek, &s);
  out->c = out->k, out->has_own = true;
  memcpy(out->k, s.k, sizeof out->k);
  memcpy(out->factor, s.factor, sizeof out->factor);
  for (int k = 0; k < q->t->s; k++) {
    memcpy(out->own[k], s.own[k], sizeof out->own[k]);
    for (int r = 0; r < p->rows.nrow; r++) out->stress[k][r] = p->weight * s.stress[k][r];
  }
}

static void balance_of_potential(const ElementPoint *p, const ElementStep *q, const double *past, const Vec3 *xn,
                                 Vec3 xk[][MAX_LOCAL_VECTORS], double *next, ElementBalance *balance) {
  double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS], unused[HYPER_ROWS], lost = 0;
  HyperState s;
  find_strains(p, q, xn, xk, en, ek);
  hyper_evaluate(p->of, p->stiffness, p->damping, q->t, q->h, q->recall, past, en, ek, &s);
  balance->memory += p->weight * hyper_remember(p->of, q->recall, en, ek[0], next ? next : unused, &lost);
  balance->damped += p->weight * s.damped, balance->lost += p->weight * (s.lost + lost);
  balance_strain(p, p->weight * hyper_energy(p->of, ek[0]), balance);
}

// The volume that the columns y of a deformation gradient span; of a sheet, its area along the normal that it had.
static double spanned_volume(const Rows *rows, const Vec3 *y, const Vec3 *before) {
  Vec3 area = vec3_cross(y[0], y[1]);
  return vec3_dot(area, rows->ny > 2 ? y[2] : before ? vec3_cross(before[0], before[1]) : area);
}

// J <= 0
static bool has_no_volume(const ElementPoint *p, const Vec3 *xn, const Vec3 *x) {
  Vec3 y[MAX_Y], before[MAX_Y];
  rows_interpolate(&p->rows, x, y);
  if (xn) rows_interpolate(&p->rows, xn, before);
  return !(spanned_volume(&p->rows, y, xn ? before : NULL) > 0);
}

const PointResponse response_hyper = {.energy = energy_of_potential,
                                      .force = force_of_potential,
                                      .stiffness = given_stiffness,
                                      .stress = stress_of_potential,
                                      .balance = balance_of_potential,
                                      .losses = damper_losses,
                                      .inverted = has_no_volume};

// ---- a cable that is reeled in ----

static double reeled_energy(const ElementPoint *p, const double *e) {
  return p->weight * reel_energy(p->of, p->rows.nrow, e);
}

static void reeled_force(const ElementPoint *p, const double *e, double *force) {
  reel_force(p->of, p->rows.nrow, e, force);
}

static void reeled_stress(const ElementPoint *p, const ElementStep *q, const double *past, const double *en,
                          double ek[][MAX_ROWS], PointStress *out) {
  ReelState s;
  int n = p->rows.nrow;
  reel_evaluate(p->of, q->t, q->h, q->recall, past ? past[0] : 0, n, en, ek, &s);
  out->c = one, out->has_own = true;
  for (int k = 0; k < q->t->s; k++) {
    for (int r = 0; r < n; r++) out->stress[k][r] = p->weight * (s.law.force[k] + (k ? 0 : s.more[r]));
    for (int l = 0; l < q->t->s; l++) out->factor[k][l] = s.law.tangent[k][l];
    memset(out->own[k], 0, sizeof out->own[k]);
  }
  for (int r = 0; r < n; r++)
    for (int i = 0; i < n; i++) out->own[0][r * n + i] = s.tangent[r][i];
}

static void reeled_balance(const ElementPoint *p, const ElementStep *q, const double *past, const Vec3 *xn,
                           Vec3 xk[][MAX_LOCAL_VECTORS], double *next, ElementBalance *balance) {
  double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS];
  ReelState s;
  find_strains(p, q, xn, xk, en, ek);
  reel_evaluate(p->of, q->t, q->h, q->recall, past ? past[0] : 0, p->rows.nrow, en, ek, &s);
  add_law_state(p, &s.law, reeled_energy(p, ek[0]), next, balance);
}

static bool is_reeled_in(const ElementPoint *p, const Vec3 *xn, const Vec3 *x) {
  double e[MAX_ROWS];
  (void)xn;
  rows_value(&p->rows, x, no_coords, e);
  return !(reel_left(p->rows.nrow, e) > 0);
}

const PointResponse response_reel = {
    .energy = reeled_energy,
    .force = reeled_force,
    .stiffness = stiffness_by_law,
    .stress = reeled_stress,
    .balance = reeled_balance,
    .losses = losses_by_law,
    .output_force = reeled_force,
    .contact = contact_by_law,
    .inverted = is_reeled_in,
    .inverted_help = "All of the cable is reeled in: end the motion of its winch before, or give it more `length`."};
