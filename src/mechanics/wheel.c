// SPDX-License-Identifier: Apache-2.0
#include "mechanics/wheel.h"

Vec3 wheel_axis(const Wheel *w, const Vec3 *x) {
  return vec3_axpy(vec3_axpy(vec3_scale(w->axis.x, x[1]), w->axis.y, x[2]), w->axis.z, x[3]);
}

// f times the change of n with the unknowns of stage k.
static void add_axis_tangent(const Wheel *w, const NodeMotion *m, int k, double f, Local *out) {
  int at = local_at(out, 1, k);
  if (out->tangent) local_add_mat(out, at, at, -f, mat3_mul(mat3_cross(wheel_axis(w, m->x)), m->spin));
}

void wheel_add(const Wheel *w, int stages, double h, WheelMomentum p, const Vec3 *xn, const NodeMotion *m, Local *out) {
  for (int k = 0; k < stages; k++) {
    double pk = k == 0 ? p.end : p.start;
    Vec3 change = vec3_axpy(vec3_scale(pk, wheel_axis(w, m[k].chord)), pk - p.start, wheel_axis(w, xn));
    local_add_vec(out, local_at(out, 1, k), vec3_scale(1 / h, change));
    add_axis_tangent(w, &m[k], k, pk / h, out);
  }
}

void wheel_add_at_end(const Wheel *w, WheelMomentum p, double torque, const VectorVelocity *v, const NodeMotion *m,
                      Local *out) {
  Vec3 rate[4];
  for (int i = 0; i < 4; i++) rate[i] = vec3_axpy(v->start[i], v->slope, m->chord[i]);
  Vec3 moment = vec3_axpy(vec3_scale(p.end, wheel_axis(w, rate)), torque, wheel_axis(w, m->x));
  local_add_vec(out, local_at(out, 1, 0), moment);
  add_axis_tangent(w, m, 0, p.end * v->slope + torque, out);
}

void wheel_add_rotation(const Wheel *w, double p, double torque, Vec3 omega, const NodeMotion *m, Local *out) {
  Vec3 n = wheel_axis(w, m->x);
  int at = local_at(out, 1, 0);
  local_add_vec(out, at, vec3_axpy(vec3_scale(p, vec3_cross(omega, n)), torque, n));
  add_axis_tangent(w, m, 0, torque, out);
  if (out->tangent) local_add_mat(out, at, at, -p, mat3_mul(mat3_cross(omega), mat3_mul(mat3_cross(n), m->spin)));
}

double wheel_energy(const Wheel *w, double p, double turn) {
  return 0.5 * p * p / w->inertia + (w->driven ? p * turn : 0);
}

double wheel_work(const Wheel *w, double h, WheelMomentum p, double angle, const double turn[2]) {
  double reaction = -(p.end - p.start) * angle / h;
  return wheel_energy(w, p.end, turn[1]) - wheel_energy(w, p.start, turn[0]) + reaction;
}
