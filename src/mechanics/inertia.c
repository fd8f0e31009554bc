// SPDX-License-Identifier: Apache-2.0
#include "mechanics/inertia.h"

void inertia_add(Inertia *q, const Inertia *p) {
  q->m += p->m;
  q->s = vec3_add(q->s, p->s);
  q->j = mat3_add(q->j, p->j);
}

Inertia inertia_turned(const Inertia *q, Mat3 axes) {
  return (Inertia){q->m, mat3_apply(axes, q->s), mat3_mul(axes, mat3_mul(q->j, mat3_transpose(axes)))};
}

// Steiner: J = Jc + m (|xc|^2 I - xc xc^T)
Inertia inertia_of_body(double m, Vec3 xc, Mat3 jc) {
  Mat3 j = mat3_axpy(jc, m * vec3_dot(xc, xc), mat3_identity());
  return (Inertia){m, vec3_scale(m, xc), mat3_axpy(j, -m, mat3_outer(xc, xc))};
}

void inertia_ambient(const Inertia *q, double mass[4][4]) {
  double s[3], half = 0.5 * (q->j.m[0][0] + q->j.m[1][1] + q->j.m[2][2]);
  vec3_to(q->s, s);
  mass[0][0] = q->m;
  for (int i = 0; i < 3; i++) {
    mass[0][i + 1] = mass[i + 1][0] = s[i];
    for (int j = 0; j < 3; j++) mass[i + 1][j + 1] = (i == j) * half - q->j.m[i][j];
  }
}
