// SPDX-License-Identifier: Apache-2.0
#include "mechanics/coord_formula.h"

#include <float.h>
#include <math.h>

double coord_formula_value(const Tape *f, const Coords *z) {
  Jet j;
  tape_evaluate(f, &z->z[1], &j);
  return j.value;
}

double coord_formula_rate(const Tape *f, const Coords *z, int coord) {
  Jet j;
  tape_evaluate(f, &z->z[1], &j);
  return j.d[coord - 1];
}

// What the rule leaves goes to c with the weights w_i = c_i^2 D_i/sum_j (c_j D_j)^2, D = z_k - z_n, unless it is round-off of the values.
static void close_secant(const Jet *n, const Jet *k, const Coords *zn, const Coords *zk, CoordSecant *out) {
  const CoordSecant s = *out;
  double rest = k->value - n->value, sum = 0, size = fabs(k->value) + fabs(n->value), d[MAX_COORDS];
  for (int i = 1; i < MAX_COORDS; i++) {
    d[i] = zk->z[i] - zn->z[i];
    double part = s.along[i] * d[i];
    rest -= part, sum += part * part;
    size += fabs(part) + fabs(s.along[i]) * (fabs(zk->z[i]) + fabs(zn->z[i]));
  }
  if (!(sum > 0) || !(fabs(rest) > 16 * DBL_EPSILON * size)) return;
  for (int i = 1; i < MAX_COORDS; i++) out->along[i] += rest * s.along[i] * s.along[i] * d[i] / sum;
  for (int j = 1; j < MAX_COORDS; j++) {
    double rest_rate = s.end[j] - s.along[j], sum_rate = 2 * s.along[j] * s.along[j] * d[j];
    for (int i = 1; i < MAX_COORDS; i++) {
      rest_rate -= s.tangent[i][j] * d[i];
      sum_rate += 2 * s.along[i] * s.tangent[i][j] * d[i] * d[i];
    }
    for (int i = 1; i < MAX_COORDS; i++) {
      double c = s.along[i], w = c * c * d[i] / sum;
      double rate = (2 * c * s.tangent[i][j] * d[i] + (i == j ? c * c : 0) - w * sum_rate) / sum;
      out->tangent[i][j] += w * rest_rate + rest * rate;
    }
  }
}

void coord_formula_secant(const Tape *f, ForceRule rule, const Coords *zn, const Coords *zk, CoordSecant *out) {
  static const double at[2] = {0.33998104358485626, 0.86113631159405257},
                      weight[2] = {0.65214515486254614, 0.34785484513745386};
  Jet k, n, j;
  *out = (CoordSecant){.end = {0}};
  tape_evaluate(f, &zk->z[1], &k);
  for (int i = 0; i < TAPE_NAMES; i++) out->end[i + 1] = k.d[i];
  if (rule == FORCE_END) {
    for (int i = 0; i < TAPE_NAMES; i++) {
      out->along[i + 1] = k.d[i];
      for (int l = 0; l < TAPE_NAMES; l++) out->tangent[i + 1][l + 1] = k.dd[i][l];
    }
    return;
  }
  for (int g = 0; g < 4; g++) {
    double s = 0.5 + 0.5 * (g % 2 ? 1 : -1) * at[g / 2], w = 0.5 * weight[g / 2], x[TAPE_NAMES];
    for (int i = 0; i < TAPE_NAMES; i++) x[i] = zn->z[i + 1] + s * (zk->z[i + 1] - zn->z[i + 1]);
    tape_evaluate(f, x, &j);
    for (int i = 0; i < TAPE_NAMES; i++) {
      out->along[i + 1] += w * j.d[i];
      for (int l = 0; l < TAPE_NAMES; l++) out->tangent[i + 1][l + 1] += w * s * j.dd[i][l];
    }
  }
  tape_evaluate(f, &zn->z[1], &n);
  close_secant(&n, &k, zn, zk, out);
}
