// SPDX-License-Identifier: Apache-2.0
// g = y_0 . n - offset
#include "mechanics/contact.h"

static void secant(const GapShape *s, const double *pn, const double *pk, GapSecant *out) {
  *out = (GapSecant){.gn = pn[0] - s->offset, .gk = pk[0] - s->offset, .c = {1}, .end = {1}};
}

const GapKind gap_point_plane = {
    .name = "point_plane",
    .help = "A sphere or point and a plane: the distance of the centre from the plane less the radius.",
    .ny = 2,
    .nproduct = 1,
    .product = {1},
    .is_distance = true,
    .secant = secant,
    .example = {.sign = 1, .offset = 0.9},
};
