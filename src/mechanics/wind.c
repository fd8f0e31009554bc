// SPDX-License-Identifier: Apache-2.0
#include "mechanics/wind.h"

#include <stddef.h>

static DualVec mean_at(const Wind *w, double factor, const DualVec *place) {
  DualVec v = dual_vec(vec3_scale(factor, w->velocity)), up = dual_vec(w->up);
  if (w->exponent == 0) return v;
  Dual height = dual_dot(place, &up);
  height.v -= w->origin;
  double part = fmax(0, height.v / w->reference), p = pow(part, w->exponent);
  Dual grown = dual_chain(height, p, part > 0 ? w->exponent * p / height.v : 0);
  for (int i = 0; i < 3; i++) v.x[i] = dual_mul(v.x[i], grown);
  return v;
}

// ---- a box of turbulence ----

// Along an axis of points: those on both sides of the place q, in distances from the first one, the part of the second,
// and the derivative of that part by q.
typedef struct {
  int low, high;
  double part, slope;
} Between;

static Between between(double q, int count) {
  if (count < 2 || !(q > 0)) return (Between){0, 0, 0, 0};
  if (q >= count - 1) return (Between){count - 1, count - 1, 0, 0};
  int low = (int)q;
  return (Between){low, low + 1, q - low, 1};
}

static Between between_times(double q, int steps, bool periodic) {
  if (!(fabs(q) < 1e15) || (!periodic && !(q >= 0 && q <= steps - 1))) return (Between){0, 0, NAN, NAN};
  if (!periodic) return between(q, steps);
  q -= steps * floor(q / steps);
  int low = q < steps ? (int)q : 0; // round-off may leave the whole period
  return (Between){low, (low + 1) % steps, q < steps ? q - low : 0, 1};
}

// The velocity in the axes of the box and its derivatives by time, place across and height, in distances of points.
static void interpolate(const WindBox *b, const Between q[3], Vec3 *value, Vec3 by[3]) {
  Vec3 corner[2][2][2];
  for (int t = 0; t < 2; t++)
    for (int k = 0; k < 2; k++)
      for (int j = 0; j < 2; j++) {
        size_t time = (size_t)(t ? q[0].high : q[0].low), row = (size_t)(k ? q[2].high : q[2].low),
               column = (size_t)(j ? q[1].high : q[1].low);
        const double *v = b->velocity + 3 * ((time * (size_t)b->count[1] + row) * (size_t)b->count[0] + column);
        corner[t][k][j] = vec3(v[0], v[1], v[2]);
      }
  *value = by[0] = by[1] = by[2] = vec3_zero();
  for (int t = 0; t < 2; t++)
    for (int k = 0; k < 2; k++)
      for (int j = 0; j < 2; j++) {
        double w[3] = {t ? q[0].part : 1 - q[0].part, j ? q[1].part : 1 - q[1].part, k ? q[2].part : 1 - q[2].part};
        double s[3] = {t ? q[0].slope : -q[0].slope, j ? q[1].slope : -q[1].slope, k ? q[2].slope : -q[2].slope};
        *value = vec3_axpy(*value, w[0] * w[1] * w[2], corner[t][k][j]);
        by[0] = vec3_axpy(by[0], s[0] * w[1] * w[2], corner[t][k][j]);
        by[1] = vec3_axpy(by[1], w[0] * s[1] * w[2], corner[t][k][j]);
        by[2] = vec3_axpy(by[2], w[0] * w[1] * s[2], corner[t][k][j]);
      }
}

static Vec3 in_ground(const WindBox *b, Vec3 v) {
  return vec3_axpy(vec3_axpy(vec3_scale(v.x, b->along), v.y, b->across), v.z, b->up);
}

static void add_box(const WindBox *b, double time, const DualVec *place, DualVec *v) {
  Vec3 arm = vec3_sub(dual_vec_value(place), b->origin), value, by[3];
  double x = vec3_dot(arm, b->along), y = vec3_dot(arm, b->across), z = vec3_dot(arm, b->up);
  const Between q[3] = {between_times((time + b->lead - x / b->speed) / b->step, b->steps, b->periodic),
                        between(y / b->spacing[0] + 0.5 * (b->count[0] - 1), b->count[0]),
                        between((z - b->bottom) / b->spacing[1], b->count[1])};
  interpolate(b, q, &value, by);
  value = in_ground(b, value);
  for (int k = 0; k < 3; k++) by[k] = in_ground(b, by[k]);
  Mat3 slope = mat3_scale(-1 / (b->speed * b->step), mat3_outer(by[0], b->along));
  slope = mat3_axpy(slope, 1 / b->spacing[0], mat3_outer(by[1], b->across));
  slope = mat3_axpy(slope, 1 / b->spacing[1], mat3_outer(by[2], b->up));
  const double own[3] = {value.x, value.y, value.z};
  for (int i = 0; i < 3; i++) {
    v->x[i].v += own[i];
    for (int d = 0; d < DUAL_UNKNOWNS; d++)
      for (int k = 0; k < 3; k++) v->x[i].d[d] += slope.m[i][k] * place->x[k].d[d];
  }
}

DualVec wind_at(const Wind *w, double time, double factor, const DualVec *place) {
  DualVec v = mean_at(w, factor, place);
  if (w->box) add_box(w->box, time, place, &v);
  return v;
}

bool wind_reaches(const WindBox *b, Vec3 place) {
  Vec3 arm = vec3_sub(place, b->origin);
  double y = vec3_dot(arm, b->across), z = vec3_dot(arm, b->up) - b->bottom;
  return fabs(y) <= 0.5 * (b->count[0] - 1) * b->spacing[0] * (1 + 1e-12) &&
         fabs(z - 0.5 * (b->count[1] - 1) * b->spacing[1]) <= 0.5 * (b->count[1] - 1) * b->spacing[1] * (1 + 1e-12);
}

bool wind_box_axes(WindBox *b, Vec3 direction, Vec3 up) {
  b->up = vec3_norm(up) > 0 ? vec3_unit(up) : vec3(0, 0, 1);
  Vec3 along = vec3_axpy(direction, -vec3_dot(direction, b->up), b->up);
  double size = vec3_norm(along);
  if (!(size > 1e-9 * vec3_norm(direction)) || !(size < HUGE_VAL)) return false;
  b->along = vec3_scale(1 / size, along);
  b->across = vec3_cross(b->up, b->along);
  return true;
}
