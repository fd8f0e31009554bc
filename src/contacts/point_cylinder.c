// SPDX-License-Identifier: Apache-2.0
// A point and an axis a of half length L: r^2 = y.y - p^2 + e^2 with p = y.a and e = max(|p| - L, 0). Squares change by the mean times
// the change, r by the change of r^2 over the sum: r_k - r_n = (r_k^2 - r_n^2)/(r_n + r_k).
#include "mechanics/contact.h"

static double distance(const GapShape *s, const double *p, double *e) {
  *e = gap_beyond(p[1], s->size[0]);
  return sqrt(fmax(p[0] - p[1] * p[1] + *e * *e, 0));
}

static void secant(const GapShape *s, const double *pn, const double *pk, GapSecant *out) {
  double en, ek, rn = distance(s, pn, &en), rk = distance(s, pk, &ek), sum = rn + rk, slope_rate;
  *out = (GapSecant){.gn = s->sign * rn - s->offset, .gk = s->sign * rk - s->offset};
  if (!(sum > 0) || !(rk > 0)) return;
  double slope = gap_beyond_secant(pn[1], pk[1], s->size[0], &slope_rate), slope_end = ek != 0;
  double along = -(pn[1] + pk[1]) + (en + ek) * slope, f = s->sign / sum;
  double along_rate = -1 + slope_end * slope + (en + ek) * slope_rate;
  // d r_k / d p
  double r0 = 1 / (2 * rk), r1 = (-pk[1] + ek * slope_end) / rk;
  out->c[0] = f, out->c[1] = f * along;
  out->dc[0][0] = -f / sum * r0, out->dc[0][1] = -f / sum * r1;
  out->dc[1][0] = -f / sum * r0 * along, out->dc[1][1] = -f / sum * r1 * along + f * along_rate;
  out->end[0] = s->sign * r0, out->end[1] = s->sign * r1;
}

const GapKind gap_point_cylinder = {
    .name = "point_cylinder",
    .help = "A sphere or point and a rod with round ends, or the inside of a pipe: the distance from the axis.",
    .ny = 2,
    .nproduct = 2,
    .product = {0, 1},
    .is_distance = true,
    .secant = secant,
    .example = {.size = {0.4}, .sign = 1, .offset = 1.2},
};
