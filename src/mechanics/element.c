// SPDX-License-Identifier: Apache-2.0
// Energies, accounts and forces of elements; element_tangent.c has their residual and tangent.
#include "mechanics/element.h"

#include "base/limits.h"

#include <math.h>
#include <string.h>

_Static_assert(LIMBER_MOST_ELEMENTS <= INT_MAX / MAX_LOCAL_NODES, "the nodes of all elements are counted by an int");
const char element_too_many[] = "too many elements";

static const char *const measures[] = {"green", "stretch", NULL};
static const char *measure_word(int i) { return measures[i]; } // of LimberStrainMeasure
const FieldMore element_measures = {NULL, measure_word};

static const Field damping_fields[] = {
    {"ratio", FIELD_REAL, 1, offsetof(ElementDamping, ratio), "", false, 0,
     "of critical damping, for motions of the frequencies `at`", NULL},
    {"at", FIELD_ANY, 1, offsetof(ElementDamping, at), "Hz", false, 0,
     "one frequency: damping of the stiffness; two: damping of stiffness and mass (Rayleigh)", NULL},
    {"stiffness", FIELD_REAL, 1, offsetof(ElementDamping, stiffness), "s", false, 0,
     "in place of the ratio: viscous over elastic modulus, as a number in place of the map", NULL},
    {"mass", FIELD_REAL, 1, offsetof(ElementDamping, mass), "s-1", false, 0,
     "in place of the ratio: force over momentum, against the ground", NULL},
};
static const FieldTable damping_table = FIELDS(damping_fields, ElementDamping);
const FieldMore element_damping = {&damping_table, NULL};

int element_no_points(const void *data) {
  (void)data;
  return 0;
}

int element_one_point(const void *data) {
  (void)data;
  return 1;
}

void element_point(const ElementKind *kind, const void *data, int g, ElementPoint *p) {
  rows_begin(&p->rows);
  p->damping = 0, p->law = NULL, p->hyper = NULL, p->drag = NULL, p->reeled = false;
  kind->point(data, g, p);
}

void element_look(const ElementKind *kind, const void *data, double at, ElementLook *out) {
  memset(out, 0, sizeof *out);
  kind->look(data, at, out);
}

void element_point_position(const ElementKind *kind, const void *data, int g, double *weight, double *at) {
  ElementPoint p;
  element_point(kind, data, g, &p);
  *weight = p.weight, *at = p.at;
}

static double quadratic_energy(const ElementPoint *p, const double *e) {
  double w = 0;
  int n = p->rows.nrow;
  for (int r = 0; r < n; r++)
    for (int q = 0; q < n; q++) w += e[r] * p->stiffness[r * n + q] * e[q];
  return 0.5 * p->weight * w;
}

double element_energy(const ElementKind *kind, const void *data, const Vec3 *x) {
  double w = 0, e[MAX_ROWS];
  ElementPoint p;
  for (int g = 0; g < kind->points(data); g++) {
    element_point(kind, data, g, &p);
    rows_value(&p.rows, x, no_coords, e);
    w += p.reeled  ? p.weight * reel_energy(p.law, p.rows.nrow, e)
         : p.law   ? p.weight * law_energy(p.law, element_law_strain(&p, e))
         : p.hyper ? p.weight * hyper_energy(p.hyper, e)
                   : quadratic_energy(&p, e);
  }
  return w;
}

// The volume that the columns y of a deformation gradient span; of a sheet, its area along the normal that it had.
static double spanned_volume(const Rows *rows, const Vec3 *y, const Vec3 *before) {
  Vec3 area = vec3_cross(y[0], y[1]);
  return vec3_dot(area, rows->ny > 2 ? y[2] : before ? vec3_cross(before[0], before[1]) : area);
}

bool element_is_inverted(const ElementKind *kind, const void *data, const Vec3 *xn, const Vec3 *x) {
  ElementPoint p;
  for (int g = 0; g < kind->points(data); g++) {
    Vec3 y[MAX_Y], before[MAX_Y];
    element_point(kind, data, g, &p);
    if (p.reeled) {
      double e[MAX_ROWS];
      rows_value(&p.rows, x, no_coords, e);
      if (!(reel_left(p.rows.nrow, e) > 0)) return true;
      continue;
    }
    if (!p.hyper) return false;
    rows_interpolate(&p.rows, x, y);
    if (xn) rows_interpolate(&p.rows, xn, before);
    if (!(spanned_volume(&p.rows, y, xn ? before : NULL) > 0)) return true;
  }
  return false;
}

bool element_is_damped(const ElementKind *kind, const void *data) {
  ElementPoint p;
  bool damped = false;
  for (int g = 0; g < (kind->slips ? element_points(kind, data) : 1) && !damped; g++) {
    element_point(kind, data, g, &p);
    damped = p.law ? law_takes(p.law) : p.damping != 0;
  }
  return damped;
}

int element_memory(const ElementKind *kind, const void *data) {
  ElementPoint p;
  int count = element_points(kind, data), sum = 0;
  if (count == 0) return 0;
  element_point(kind, data, 0, &p);
  if (!kind->slips) return count * p.rows.nrow;
  for (int g = 0; g < count; g++) {
    element_point(kind, data, g, &p);
    sum += p.rows.nrow;
  }
  return sum;
}

// What is remembered at point g. All points of a kind have as many rows, but for those of slips.
static const double *past_of(const ElementKind *kind, const void *data, const ElementStep *step, const ElementPoint *p,
                             int g) {
  const double *past = step->past;
  if (!past || !kind->slips) return past ? past + g * p->rows.nrow : NULL;
  for (int i = 0; i < g; i++) {
    ElementPoint before;
    element_point(kind, data, i, &before);
    past += before.rows.nrow;
  }
  return past;
}

void element_set_friction(const ElementKind *kind, const void *data, int g, const Vec3 *xn, ElementPoint *p, Law *own) {
  if (!kind->slips || g < kind->points(data)) return;
  *own = *p->law;
  kind->friction(data, g, xn, own);
  p->law = own;
}

static void law_balance(const ElementPoint *p, const ElementStep *q, const double *past, const double *en,
                        double ek[][MAX_ROWS], double *next, ElementBalance *balance) {
  double z[MAX_STAGES];
  LawState s;
  if (p->reeled) {
    ReelState reel;
    reel_evaluate(p->law, q->t, q->h, q->recall, past ? past[0] : 0, p->rows.nrow, en, ek, &reel);
    s = reel.law;
  }
  for (int k = 0; k < q->t->s; k++) z[k] = element_law_strain(p, ek[k]);
  if (!p->reeled) law_evaluate(p->law, q->t, q->h, q->recall, past ? past[0] : 0, element_law_strain(p, en), z, &s);
  balance->damped += p->weight * s.damped, balance->lost += p->weight * s.lost, balance->memory += p->weight * s.memory;
  balance->strain += p->weight * (p->reeled ? reel_energy(p->law, p->rows.nrow, ek[0]) : law_energy(p->law, z[0]));
  for (int r = 0; r < p->rows.nrow && next; r++) next[r] = r ? 0 : s.next;
}

// Strain energy of a point, and its stress: at most the root of energy times stiffness.
static void balance_strain(const ElementPoint *p, double energy, ElementBalance *balance) {
  double trace = 0;
  for (int r = 0; r < p->rows.nrow; r++) trace += p->stiffness[r * p->rows.nrow + r];
  balance->strain += energy, balance->rough += sqrt(fmax(0, 2 * energy * p->weight * trace));
}

static void hyper_balance(const ElementPoint *p, const ElementStep *q, const double *past, const double *en,
                          double ek[][MAX_ROWS], double *next, ElementBalance *balance) {
  double at[MAX_STAGES][HYPER_ROWS], unused[HYPER_ROWS], lost = 0;
  HyperState s;
  for (int k = 0; k < q->t->s; k++) memcpy(at[k], ek[k], sizeof at[k]);
  hyper_evaluate(p->hyper, p->stiffness, p->damping, q->t, q->h, q->recall, past, en, at, &s);
  balance->memory += p->weight * hyper_remember(p->hyper, q->recall, en, at[0], next ? next : unused, &lost);
  balance->damped += p->weight * s.damped, balance->lost += p->weight * (s.lost + lost);
  balance_strain(p, p->weight * hyper_energy(p->hyper, at[0]), balance);
}

static void linear_balance(const ElementPoint *p, const ElementStep *q, const double *past, const double *en,
                           double ek[][MAX_ROWS], double *next, ElementBalance *balance) {
  const Recall *m = q->recall;
  int n = p->rows.nrow;
  double d[MAX_ROWS];
  balance_strain(p, quadratic_energy(p, ek[0]), balance);
  for (int k = 0; k < q->t->s; k++) {
    if (p->damping == 0 && q->t->loss[k] == 0) continue;
    for (int r = 0; r < n; r++) d[r] = ek[k][r] - en[r];
    double jump = quadratic_energy(p, d);
    balance->lost += q->t->loss[k] * jump, balance->damped += q->t->weight[k] * 2 * p->damping * jump / q->h;
  }
  for (int r = 0; r < n; r++) d[r] = ek[0][r] - en[r];
  if (next) memcpy(next, d, (size_t)n * sizeof *d);
  if (!(m->delta > 0)) return;
  balance->memory += m->delta * quadratic_energy(p, d);
  for (int r = 0; r < n && past; r++) d[r] -= m->keep * past[r];
  balance->lost +=
      m->delta * (quadratic_energy(p, d) + (past ? (1 - m->keep * m->keep) * quadratic_energy(p, past) : 0));
}

// Whether a linear point gives anything but its strain energy.
static bool has_losses(const ElementPoint *p, const ElementStep *q, const double *next) {
  bool any = p->damping != 0 || q->recall->delta > 0 || next;
  for (int k = 0; k < q->t->s; k++) any = any || q->t->loss[k] != 0;
  return any;
}

// weight R.(y_1 - y_n)
static double drag_work(const ElementPoint *p, const ElementStep *q, const Vec3 *xn, double en, const Vec3 *x,
                        double e) {
  Vec3 yn[MAX_Y], y[MAX_Y];
  DragState s;
  rows_interpolate(&p->rows, xn, yn);
  rows_interpolate(&p->rows, x, y);
  drag_evaluate(p->drag, p->law, q->h, q->t->force_rule, yn, en, y, e, &s);
  return p->weight * q->t->weight[0] * vec3_dot(s.force, vec3_sub(y[DRAG_PLACE], yn[DRAG_PLACE]));
}

void element_balance(const ElementKind *kind, const void *data, const ElementStep *step, const Vec3 *xn,
                     Vec3 xk[][MAX_LOCAL_VECTORS], double *next, ElementBalance *balance) {
  ElementPoint p;
  for (int g = 0; g < element_points(kind, data); g++) {
    double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS];
    Law own;
    element_point(kind, data, g, &p);
    element_set_friction(kind, data, g, xn, &p, &own);
    const double *past = past_of(kind, data, step, &p, g);
    if (!p.law && !p.hyper && !has_losses(&p, step, next)) {
      rows_value(&p.rows, xk[0], no_coords, ek[0]);
      balance_strain(&p, quadratic_energy(&p, ek[0]), balance);
      continue;
    }
    rows_value(&p.rows, xn, no_coords, en);
    for (int k = 0; k < step->t->s; k++) rows_value(&p.rows, xk[k], no_coords, ek[k]);
    if (p.law) law_balance(&p, step, past, en, ek, next, balance);
    else if (p.hyper) hyper_balance(&p, step, past, en, ek, next, balance);
    else linear_balance(&p, step, past, en, ek, next, balance);
    if (p.drag) balance->damped += drag_work(&p, step, xn, en[0], xk[0], ek[0][0]);
    if (next) next += p.rows.nrow;
  }
}

void element_forces(const ElementKind *kind, const void *data, int g, const Vec3 *x, double *strain, double *force) {
  ElementPoint p;
  element_point(kind, data, g, &p);
  int n = p.rows.nrow;
  rows_value(&p.rows, x, no_coords, strain);
  for (int r = 0; r < n && p.law; r++) force[r] = law_force(p.law, element_law_strain(&p, strain));
  if (p.reeled) reel_force(p.law, n, strain, force);
  if (p.hyper) hyper_stress(p.hyper, strain, force, NULL);
  if (p.law || p.hyper) return;
  for (int r = 0; r < n; r++) {
    force[r] = 0;
    for (int q = 0; q < n; q++) force[r] += p.stiffness[r * n + q] * strain[q];
  }
}

// A one-sided law has a damper with a kink: of it the spring alone.
void element_step_forces(const ElementKind *kind, const void *data, const ElementStep *step, int g, const Vec3 *xn,
                         Vec3 xk[][MAX_LOCAL_VECTORS], double *strain, double *force) {
  const Tableau *t = step->t;
  double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS];
  PointStress at;
  ElementPoint p;
  Law own;
  element_point(kind, data, g, &p);
  element_set_friction(kind, data, g, xn, &p, &own);
  const double *past = past_of(kind, data, step, &p, g);
  rows_value(&p.rows, xn, no_coords, en);
  for (int k = 0; k < t->s; k++) rows_value(&p.rows, xk[k], no_coords, ek[k]);
  element_point_stress(&p, step, past, en, ek, &at);
  for (int r = 0; r < p.rows.nrow; r++) {
    strain[r] = t->b[0] * en[r], force[r] = at.stress[0][r] / p.weight;
    for (int l = 0; l < t->s; l++) strain[r] += t->a[0][l] * (ek[l][r] - en[r]);
  }
  for (int r = 0; r < p.rows.nrow && p.law && p.law->side; r++)
    force[r] = law_force(p.law, element_law_strain(&p, strain));
  if (p.reeled) reel_force(p.law, p.rows.nrow, strain, force);
}
