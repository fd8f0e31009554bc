// SPDX-License-Identifier: Apache-2.0
// g = sign l - offset, l = |y_0|: l_k - l_n = (y_k.y_k - y_n.y_n)/(l_n + l_k).
#include "mechanics/contact.h"

static void secant(const GapShape *s, const double *pn, const double *pk, GapSecant *out) {
  double ln = sqrt(pn[0]), lk = sqrt(pk[0]), sum = ln + lk;
  *out = (GapSecant){.gn = s->sign * ln - s->offset, .gk = s->sign * lk - s->offset};
  if (!(sum > 0) || !(lk > 0)) return;
  out->c[0] = s->sign / sum, out->dc[0][0] = -s->sign / (2 * lk * sum * sum), out->end[0] = s->sign / (2 * lk);
}

const GapKind gap_point_point = {
    .name = "point_point",
    .help = "Two spheres or points: the distance of their centres less their radii.",
    .ny = 1,
    .nproduct = 1,
    .product = {0},
    .is_distance = true,
    .secant = secant,
    .example = {.sign = 1, .offset = 1.6},
};
