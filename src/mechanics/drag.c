// SPDX-License-Identifier: Apache-2.0
// Equations: eq-water-drag (19.3), eq-water-friction (19.6).
#include "mechanics/drag.h"
#include "mechanics/element.h"

#include <math.h>

// |v| I + v v^T/|v|, the derivative of |v| v
static Mat3 square_slope(Vec3 v) {
  double size = vec3_norm(v);
  Mat3 out = mat3_scale(size, mat3_identity());
  return size > 0 ? mat3_axpy(out, 1 / size, mat3_outer(v, v)) : out;
}

// The part of a place at that depth that is in the water, and its derivative.
static double wet_part(const Drag *d, double depth, double *rate) {
  double part = d->width > 0 ? 0.5 + depth / d->width : 1;
  *rate = d->width > 0 && part > 0 && part < 1 ? 1 / d->width : 0;
  return fmin(1, fmax(0, part));
}

// Drag at the velocity v of a line along `along`, not normalised, where the depth changes by -part up.dy.
static void add_water(const Drag *d, double h, Vec3 v, Vec3 along, Vec3 up, double depth, double part, DragState *out) {
  double length = vec3_norm(along), wet_rate, wet = wet_part(d, depth, &wet_rate);
  Vec3 t = length > 0 ? vec3_scale(1 / length, along) : vec3_zero();
  double vt = vec3_dot(v, t), size = fabs(vt);
  Vec3 vc = vec3_axpy(v, -vt, t);
  Vec3 force = vec3_axpy(vec3_scale(d->across * vec3_norm(vc), vc), d->along * size * vt, t);
  Mat3 slope = square_slope(vc), across = mat3_axpy(mat3_identity(), -1, mat3_outer(t, t));
  Mat3 by_velocity = mat3_axpy(mat3_scale(d->across, mat3_mul(slope, across)), 2 * d->along * size, mat3_outer(t, t));
  // d v_c = -(t v^T + v_t I) dt
  Mat3 turned = mat3_axpy(mat3_outer(t, v), vt, mat3_identity());
  Mat3 by_t = mat3_scale(-d->across, mat3_mul(slope, turned));
  by_t = mat3_axpy(by_t, d->along * size, turned);
  by_t = mat3_axpy(by_t, d->along * size, mat3_outer(t, v));
  out->force = vec3_axpy(out->force, wet, force);
  out->by_place = mat3_axpy(out->by_place, wet / h, by_velocity);
  out->by_place = mat3_axpy(out->by_place, -part * wet_rate, mat3_outer(force, up));
  if (length > 0) out->by_along = mat3_axpy(out->by_along, wet / length, mat3_mul(by_t, across));
}

static void add_friction(const Drag *d, const Law *l, double h, Vec3 v, Vec3 up, double depth, double part,
                         DragState *out) {
  LawContact met = law_contact(l, depth);
  double v0 = d->friction_rate, normal = fmax(0, met.force);
  if (!(normal > 0)) return;
  Vec3 slip = vec3_axpy(v, -vec3_dot(v, up), up);
  double root = sqrt(vec3_dot(slip, slip) + v0 * v0), f = d->friction * normal / root;
  Mat3 plane = mat3_axpy(mat3_identity(), -1, mat3_outer(up, up));
  out->force = vec3_axpy(out->force, f, slip);
  out->by_place = mat3_axpy(out->by_place, f / h, mat3_axpy(plane, -1 / (root * root), mat3_outer(slip, slip)));
  out->by_place = mat3_axpy(out->by_place, -part * d->friction * met.stiffness / root, mat3_outer(slip, up));
}

void drag_evaluate(const ElementPoint *p, const DragStep *step, DragState *out) {
  const Drag *d = p->drag_of;
  const Vec3 *yn = step->yn, *yk = step->yk;
  bool ends = step->force_rule == FORCE_END;
  double h = step->h, part = ends ? 1 : 0.5, depth = ends ? step->ek[0] : 0.5 * (step->en[0] + step->ek[0]);
  Vec3 v = vec3_scale(1 / h, vec3_sub(yk[DRAG_PLACE], yn[DRAG_PLACE])), up = yk[DRAG_UP];
  Vec3 along = ends ? yk[DRAG_ALONG] : vec3_add(yn[DRAG_ALONG], yk[DRAG_ALONG]);
  if (d->across > 0 || d->along > 0) add_water(d, h, v, along, up, depth, part, out);
  if (d->friction > 0) add_friction(d, p->of, h, v, up, depth, part, out);
}

// The unknown block of the node whose position a vector is, or -1.
static int block_of(const LocalMotion *it, int vec) {
  for (int a = 0; a < it->nnode; a++)
    if (it->first[a] == vec) return it->block[a];
  return -1;
}

void drag_add(const Rows *p, double weight, const DragState *q, const LocalMotion *it, Local *out) {
  for (int e = p->start[DRAG_PLACE]; e < p->start[DRAG_PLACE + 1]; e++) {
    int block = block_of(it, p->vec[e]);
    double own = weight * p->coef[e];
    if (block < 0) continue;
    int row = local_at(out, block, 0);
    local_add_vec(out, row, vec3_scale(own, q->force));
    for (int i = DRAG_PLACE; i <= DRAG_ALONG && i < p->ny && out->tangent; i += DRAG_ALONG)
      for (int c = p->start[i]; c < p->start[i + 1]; c++) {
        int other = block_of(it, p->vec[c]);
        if (other >= 0)
          local_add_mat(out, row, local_at(out, other, 0), own * p->coef[c],
                        i == DRAG_PLACE ? q->by_place : q->by_along);
      }
  }
}
