// SPDX-License-Identifier: Apache-2.0
// Equations: eq-law-bristle (9.9), eq-law-bristle-work (9.10).
#include "mechanics/friction.h"

#include <math.h>
#include <stddef.h>

bool friction_bears(const Friction *f) { return f->kinetic_coefficient > 0 || f->static_coefficient > 0; }

bool friction_acts(const Friction *f) { return f->kinetic > 0 || f->static_limit > 0 || friction_bears(f); }

Reason friction_error(const Friction *f) {
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
