// SPDX-License-Identifier: Apache-2.0
// Equations: eq-law-bristle (9.9), eq-law-bristle-work (9.10).
#include "mechanics/law.h"

#include <math.h>
#include <stddef.h>

bool friction_bears(const Friction *f) { return f->kinetic_coefficient > 0 || f->static_coefficient > 0; }

bool friction_acts(const Friction *f) { return f->kinetic > 0 || f->static_limit > 0 || friction_bears(f); }

static Reason friction_error(const Friction *f) {
  if (f->kinetic < 0 || f->static_limit < 0 || f->kinetic_coefficient < 0 || f->static_coefficient < 0)
    return reason(REASON_VALUE,
                  f->kinetic < 0               ? "kinetic"
                  : f->static_limit < 0        ? "static"
                  : f->kinetic_coefficient < 0 ? "kinetic_coefficient"
                                               : "static_coefficient",
                  "negative `friction` would create energy");
  if (f->stiffness < 0 || f->damping < 0 || f->radius < 0)
    return reason(REASON_VALUE,
                  f->stiffness < 0 ? "stiffness"
                  : f->damping < 0 ? "damping"
                                   : "radius",
                  "`stiffness`, `damping` and `radius` of `friction` must not be negative");
  if ((f->static_limit > 0 && f->static_limit < f->kinetic) ||
      (f->static_coefficient > 0 && f->static_coefficient < f->kinetic_coefficient))
    return reason(REASON_VALUE, f->static_limit > 0 && f->static_limit < f->kinetic ? "static" : "static_coefficient",
                  "`static` friction must not be less than `kinetic` friction");
  if (f->static_limit > 0 && !(f->kinetic > 0))
    return reason(REASON_CONFLICT, "static", "`static` friction needs a `kinetic` one");
  if (f->static_coefficient > 0 && !(f->kinetic_coefficient > 0))
    return reason(REASON_CONFLICT, "static_coefficient", "a `static_coefficient` needs a `kinetic_coefficient`");
  if (!friction_acts(f) && (f->stiffness > 0 || f->radius > 0))
    return reason(REASON_CONFLICT, f->stiffness > 0 ? "stiffness" : "radius",
                  "`friction` needs a `kinetic` force or a `kinetic_coefficient`");
  if (friction_bears(f) && !(f->stiffness > 0))
    return reason(
        REASON_CONFLICT, "kinetic_coefficient",
        "friction that grows with the reaction needs a `stiffness`: its usual limit over the displacement at which "
        "it "
        "begins to slide, such as 0.01 mm");
  return no_reason();
}

void friction_complete(Friction *f, double deflection) {
  if (!(f->static_limit > 0)) f->static_limit = f->kinetic;
  if (!(f->static_coefficient > 0)) f->static_coefficient = f->kinetic_coefficient;
  if (!(f->stiffness > 0)) f->stiffness = f->static_limit / deflection;
  if (!(f->damping > 0)) f->damping = 1e-2;
}

double friction_energy(const Friction *f, const Bristle *b) {
  return 0.5 * f->stiffness * b->deflection * b->deflection;
}

// The mean over t from 0 to 1 of min(L, a + r t), r > 0; by_a and by_r: its derivatives by a and r, and by_limit by L.
typedef struct {
  double value, by_a, by_r, by_limit;
} Mean;

static Mean clipped_mean(double limit, double a, double r) {
  if (a + r <= limit) return (Mean){a + 0.5 * r, 1, 0.5, 0};
  if (a >= limit) return (Mean){limit, 0, 0, 1};
  double part = (limit - a) / r; // of the way until the limit is reached
  return (Mean){limit - 0.5 * part * (limit - a), part, 0.5 * part * part, 1 - part};
}

// The way is taken to be positive: `sign` turns the other into it.
void friction_evaluate(const Friction *f, bool at_end, double h, double reaction, const Bristle *b, double s,
                       FrictionStep *out) {
  double arm = f->radius > 0 ? f->radius : 1, sign = s < 0 ? -1 : 1, way = sign * s, k = f->stiffness;
  bool slid = b->slips == BRISTLE_SLIDES;
  double coefficient = arm * (slid ? f->kinetic_coefficient : f->static_coefficient);
  double limit = (slid ? f->kinetic : f->static_limit) + coefficient * reaction, most = limit / k;
  double old = sign * b->deflection, x = fmin(fmax(old, -most), most), end = fmin(x + way, most);
  double x_by_limit = old > most ? 1 : old < -most ? -1 : 0, damper = f->damping * k / h, damps = damper * way;
  Mean mean = clipped_mean(limit, k * x + damps, k * way), bare = clipped_mean(limit, k * x, k * way);
  double by_limit;
  if (at_end) {
    bool sticks = k * (x + way) + damps < limit;
    out->force = sign * (sticks ? k * (x + way) + damps : limit);
    out->by_way = sticks ? k + damper : 0, by_limit = sticks ? x_by_limit : 1;
  } else {
    out->force = sign * mean.value, out->by_way = k * mean.by_r + damper * mean.by_a;
    by_limit = mean.by_limit + mean.by_a * x_by_limit;
  }
  out->by_reaction = sign * coefficient * by_limit;
  out->taken = way * fmax(mean.value - bare.value, 0) + limit * fmax(way - (end - x), 0) +
               0.5 * k * (fabs(old) - fabs(x)) * (fabs(old) + fabs(x));
  // a load that comes at once bends the damper beyond it for some steps, but not the bristle
  bool at_limit = k * (x + (at_end ? 1 : 0.5) * way) + damps > limit && x + way > 0.9 * most;
  double slips = x + way > most || (at_limit && b->slips != BRISTLE_STICKS) ? BRISTLE_SLIDES : BRISTLE_AT_LIMIT;
  out->next = (Bristle){sign * end, way == 0 ? b->slips : x + way > most || at_limit ? slips : BRISTLE_STICKS};
}

// Equations: eq-law-cable (9.6).

int law_side(const Law *l) { return l->side == LIMBER_SIDE_ABOVE ? 1 : l->side == LIMBER_SIDE_BELOW ? -1 : 0; }

Reason law_error(const Law *l) {
  if (l->stiffness < 0) return reason(REASON_VALUE, "stiffness", "a negative `stiffness` has no equilibrium");
  if (l->damping < 0) return reason(REASON_VALUE, "damping", "negative `damping` would create energy");
  Reason friction = friction_error(&l->friction);
  if (friction.text) return reason_within("friction", friction);
  if (l->clearance < 0) return reason(REASON_VALUE, "clearance", "`clearance` must not be negative");
  if (l->limit_stiffness < 0) return reason(REASON_VALUE, "limit_stiffness", "`limit_stiffness` must not be negative");
  if (l->limits && !(l->limits[0] < l->limits[1]))
    return reason(REASON_VALUE, "limits", "the first of `limits` must be less than the second");
  if (l->limits && !(l->limit_stiffness > 0))
    return reason(REASON_CONFLICT, "limits", "`limits` need a `limit_stiffness`");
  if (l->table && l->stiffness > 0)
    return reason(REASON_CONFLICT, "stiffness", "give `stiffness` or `table`, not both");
  if (l->table && (l->clearance > 0 || l->side))
    return reason(REASON_CONFLICT, "table",
                  "a `table` already gives the force everywhere: leave out `clearance` and `side`");
  if (l->table && l->pairs < 2) return reason(REASON_CONFLICT, "table", "a `table` needs two or more rows");
  for (int i = 1; l->table && i < l->pairs; i++)
    if (!(l->table[2 * i - 2] < l->table[2 * i]))
      return reason(REASON_VALUE, "table", "the first numbers of the `table` must increase");
  return no_reason();
}

unsigned law_losses(const Law *l) {
  return (l->damping != 0 ? LOSS_DAMPER : 0) | (l->slip_force != 0 || friction_acts(&l->friction) ? LOSS_FRICTION : 0);
}

bool law_acts(const Law *l) {
  return l->stiffness != 0 || l->table || (l->limit_stiffness != 0 && l->limits) || law_losses(l);
}

static double positive_part(double x) { return x > 0 ? x : 0; }

// How far z is past the clearance, with its sign; how far past a limit.
static double spring_elongation(const Law *l, double z) {
  double x = z - l->rest;
  if (x * law_side(l) < 0) return 0;
  return x > 0 ? positive_part(x - l->clearance) : -positive_part(-x - l->clearance);
}
static double past_limit(const Law *l, double z) {
  return l->limits ? positive_part(z - l->limits[1]) - positive_part(l->limits[0] - z) : 0;
}

// ---- tables: straight between their pairs, and on beyond the first and the last ----

static int find_segment(const Law *l, double x) {
  int i = 0;
  while (i + 2 < l->pairs && l->table[2 * i + 2] <= x) i++;
  return i;
}

static double segment_slope(const Law *l, int i) {
  const double *p = &l->table[2 * i];
  return (p[3] - p[1]) / (p[2] - p[0]);
}

static double segment_force(const Law *l, int i, double x) {
  return l->table[2 * i + 1] + segment_slope(l, i) * (x - l->table[2 * i]);
}

static double table_work(const Law *l, double from, double to) {
  if (to < from) return -table_work(l, to, from);
  int first = find_segment(l, from), last = find_segment(l, to);
  double sum = 0;
  for (int i = first; i <= last; i++) {
    double low = i == first ? from : l->table[2 * i], high = i == last ? to : l->table[2 * i + 2];
    sum += 0.5 * (segment_force(l, i, low) + segment_force(l, i, high)) * (high - low);
  }
  return sum;
}

double law_energy(const Law *l, double z) {
  double x = spring_elongation(l, z), y = past_limit(l, z), table = l->table ? table_work(l, 0, z - l->rest) : 0;
  return 0.5 * l->stiffness * x * x + 0.5 * l->limit_stiffness * y * y + table;
}

double law_force(const Law *l, double z) {
  double x = z - l->rest, table = l->table ? segment_force(l, find_segment(l, x), x) : 0;
  return l->stiffness * spring_elongation(l, z) + l->limit_stiffness * past_limit(l, z) + table;
}

bool law_meets(const Law *l) { return l->limits || (l->stiffness > 0 && (l->clearance > 0 || l->side)); }

LawContact law_contact(const Law *l, double z) {
  double x = l->clearance > 0 || l->side ? spring_elongation(l, z) : 0, y = past_limit(l, z);
  return (LawContact){l->stiffness * x + l->limit_stiffness * y,
                      0.5 * l->stiffness * x * x + 0.5 * l->limit_stiffness * y * y,
                      (x != 0 ? l->stiffness : 0) + (y != 0 ? l->limit_stiffness : 0)};
}

double law_stiffness(const Law *l, double z) {
  double x = z - l->rest;
  bool engaged = (fabs(x) > l->clearance || l->clearance == 0) && x * law_side(l) >= 0;
  return (engaged ? l->stiffness : 0) + (past_limit(l, z) != 0 ? l->limit_stiffness : 0) +
         (l->table ? segment_slope(l, find_segment(l, x)) : 0);
}

// The divided difference of x^2/2, x a piecewise linear function with slopes 0 and 1: (x0 + x1)/2 times that of x;
// `rate` is its derivative by z1. Within one piece there is nothing to divide, so nothing is lost to round-off.
static double half_square(double x0, double x1, double d, double *rate) {
  double slope1 = x1 != 0, part;
  if (x0 * x1 > 0) part = 1;
  else if ((x0 == 0 && x1 == 0) || d == 0) part = slope1;
  else part = (x1 - x0) / d;
  *rate = 0.5 * slope1 * part + (d != 0 ? 0.5 * (x0 + x1) * (slope1 - part) / d : 0);
  return 0.5 * (x0 + x1) * part;
}

static double table_secant(const Law *l, double x0, double x1, double *rate) {
  int i0 = find_segment(l, x0), i1 = find_segment(l, x1);
  double f1 = segment_force(l, i1, x1), d = x1 - x0;
  *rate = 0.5 * segment_slope(l, i1);
  if (i0 == i1) return 0.5 * (segment_force(l, i0, x0) + f1);
  double f = table_work(l, x0, x1) / d;
  *rate = (f1 - f) / d;
  return f;
}

double law_secant(const Law *l, double z0, double z1, double *rate) {
  double d = z1 - z0, r[3] = {0, 0, 0};
  double f = l->stiffness * half_square(spring_elongation(l, z0), spring_elongation(l, z1), d, &r[0]);
  f += l->limit_stiffness * half_square(past_limit(l, z0), past_limit(l, z1), d, &r[1]);
  if (l->table) f += table_secant(l, z0 - l->rest, z1 - l->rest, &r[2]);
  *rate = l->stiffness * r[0] + l->limit_stiffness * r[1] + r[2];
  return f;
}

// c D/h, D the change of z or, of a one-sided spring, of its stretch; and its derivative by z.
static double damper_force(const Law *l, double h, double zn, double z, double *rate) {
  double x = spring_elongation(l, z);
  *rate = l->side && x == 0 ? 0 : l->damping / h;
  return l->damping * (l->side ? x - spring_elongation(l, zn) : z - zn) / h;
}

// F v/sqrt(v^2 + v0^2) at the rate v = d/h, and its derivative by d.
static double slip_force(const Law *l, double h, double d, double *rate) {
  double v0 = l->slip_rate > 0 ? l->slip_rate : 1e-3, x = d / (v0 * h), root = sqrt(x * x + 1);
  *rate = l->slip_force / (v0 * h * root * root * root);
  return l->slip_force * x / root;
}

// ---- as a table ----

static double energy_of(const void *of, double z) { return law_energy(of, z); }
static double force_of(const void *of, double z) { return law_force(of, z); }
static double stiffness_of(const void *of, double z) { return law_stiffness(of, z); }
static double secant_of(const void *of, double z0, double z1, double *rate) { return law_secant(of, z0, z1, rate); }
static double damper_of(const void *of, double h, double zn, double z, double *rate) {
  return damper_force(of, h, zn, z, rate);
}
static double friction_of(const void *of, double h, double d, double *rate) { return slip_force(of, h, d, rate); }
static bool is_one_sided(const void *of) { return ((const Law *)of)->side; }
static unsigned losses_of(const void *of) { return law_losses(of); }
static const Law *contact_of(const void *of) { return law_meets(of) ? of : NULL; }

const LawTable law_table = {energy_of,   force_of,     stiffness_of, secant_of, damper_of,
                            friction_of, is_one_sided, losses_of,    contact_of};

// ---- over a step ----

static double table_damper(const LawTable *l, const void *of, double h, double zn, double z, double *rate) {
  *rate = 0;
  return l->damper ? l->damper(of, h, zn, z, rate) : 0;
}

static double table_friction(const LawTable *l, const void *of, double h, double d, double *rate) {
  *rate = 0;
  return l->friction ? l->friction(of, h, d, rate) : 0;
}

// The rate at the end of the step is that of the parabola through this step and the last; a one-sided damper, which has
// a kink, takes that of this step alone. What they take is found from the mean rate.
static void evaluate_end(const LawTable *l, const void *of, double h, const Recall *m, double past, double zn, double z,
                         LawState *out) {
  bool side = l->one_sided && l->one_sided(of);
  double d = z - zn, way = m->rate * d + m->before * past, damps, rubs, unused;
  double damping = table_damper(l, of, h, zn, side ? z : zn + way, &damps);
  double slip = table_friction(l, of, h, way, &rubs);
  out->force[0] = l->force(of, z) + damping + slip;
  out->damper = damping, out->friction = slip;
  out->tangent[0][0] = l->stiffness(of, z) + (side ? 1 : m->rate) * damps + m->rate * rubs;
  out->damped = (table_damper(l, of, h, zn, z, &unused) + table_friction(l, of, h, d, &unused)) * d;
  out->next = d;
}

// What is remembered of the step: its increment, shortened where the stiffness grew.
static void remember_increment(const Recall *m, double k, double now, double d, LawState *out) {
  double less = fmin(k, now);
  out->next = now > k ? d * sqrt(k / now) : d;
  out->memory = 0.5 * m->delta * less * d * d;
  out->lost += 0.5 * m->delta * (k - less) * d * d;
}

void law_table_evaluate(const LawTable *l, const void *of, const Tableau *t, double h, const Recall *m, double past,
                        double zn, const double *zk, LawState *out) {
  *out = (LawState){.damped = 0};
  if (t->force_rule == FORCE_END) {
    evaluate_end(l, of, h, m, past, zn, zk[0], out);
    return;
  }
  double k = fmax(l->stiffness(of, zn), 0);
  for (int i = 0; i < t->s; i++) {
    double d = zk[i] - zn, damps = table_damper(l, of, h, zn, zk[i], &out->tangent[i][i]);
    out->force[i] = damps;
    if (i == 0) out->damper = damps;
    for (int j = 0; j < t->s; j++) {
      double a = t->a[i][j] - (i == 0 && j == 0 ? 0.5 : 0);
      out->force[i] += k * a * (zk[j] - zn), out->tangent[i][j] += k * a;
    }
    out->damped += t->weight[i] * damps * d;
    out->lost += 0.5 * k * t->loss[i] * d * d;
  }
  double d = zk[0] - zn, spring_rate, rate, rubs = table_friction(l, of, h, d, &rate);
  out->friction = rubs;
  out->force[0] += l->secant(of, zn, zk[0], &spring_rate) + rubs + k * m->delta * (d - m->keep * past);
  out->tangent[0][0] += spring_rate + rate + k * m->delta;
  out->damped += t->weight[0] * rubs * d;
  out->lost += k * recall_loss(m, d, past);
  if (m->delta > 0) remember_increment(m, k, fmax(l->stiffness(of, zk[0]), 0), d, out);
}

void law_evaluate(const Law *l, const Tableau *t, double h, const Recall *m, double past, double zn, const double *zk,
                  LawState *out) {
  law_table_evaluate(&law_table, l, t, h, m, past, zn, zk, out);
}
