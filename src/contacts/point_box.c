// SPDX-License-Identifier: Apache-2.0
// A point and a box of half sizes a_i along the axes d_i: r^2 = sum e_i^2, e_i = max(|x_i| - a_i, 0), x_i = y.d_i. Within the box the
// distance is zero.
#include "mechanics/contact.h"

static void secant(const GapShape *s, const double *pn, const double *pk, GapSecant *out) {
  double en[3], ek[3], qn = 0, qk = 0;
  for (int i = 0; i < 3; i++) {
    en[i] = gap_beyond(pn[i], s->size[i]), ek[i] = gap_beyond(pk[i], s->size[i]);
    qn += en[i] * en[i], qk += ek[i] * ek[i];
  }
  double rn = sqrt(qn), rk = sqrt(qk), sum = rn + rk;
  *out = (GapSecant){.gn = s->sign * rn - s->offset, .gk = s->sign * rk - s->offset};
  if (!(sum > 0)) return;
  for (int i = 0; i < 3; i++) {
    double rate, slope = gap_beyond_secant(pn[i], pk[i], s->size[i], &rate), f = s->sign / sum;
    out->c[i] = f * (en[i] + ek[i]) * slope;
    out->dc[i][i] = f * ((ek[i] != 0) * slope + (en[i] + ek[i]) * rate);
    for (int l = 0; l < 3 && rk > 0; l++) out->dc[i][l] -= out->c[i] / sum * ek[l] / rk;
    if (rk > 0) out->end[i] = s->sign * ek[i] / rk;
  }
}

const GapKind gap_point_box = {
    .name = "point_box",
    .help = "A sphere or point and a box with rounded edges.",
    .ny = 4,
    .nproduct = 3,
    .product = {1, 2, 3},
    .is_distance = true,
    .secant = secant,
    .example = {.size = {0.3, 0.2, 0.4}, .sign = 1, .offset = 0.8},
};
