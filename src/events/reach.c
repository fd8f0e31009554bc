// SPDX-License-Identifier: Apache-2.0
#include "events/reach.h"

Reason reach_value(LimberDirection direction, double threshold, double tolerance, EventValue value,
                   EventCondition *out) {
  if (!(tolerance > 0)) return reason(REASON_VALUE, "tolerance", "`tolerance` must be positive");
  out->direction = direction == LIMBER_RISING ? 1 : direction == LIMBER_FALLING ? -1 : 0;
  out->value = value, out->threshold = threshold, out->tolerance = tolerance * fmax(1, fabs(threshold));
  return no_reason();
}

Reason reach_of_node(const LimberPositionEvent *p, EventValue value, EventCondition *out) {
  Vec3 axis = vec3_of(p->along);
  double length = vec3_norm(axis);
  Reason error = reach_value(p->direction, p->value, p->tolerance, value, out);
  if (error.text) return error;
  if (!(length > 0)) return reason(REASON_VALUE, "along", "`along` must not be zero");
  out->watch = WATCH_NODE, out->id = p->node.index, out->axis = vec3_scale(1 / length, axis);
  return no_reason();
}

Reason reach_of_coord(const LimberCoordinateEvent *p, EventValue value, EventCondition *out) {
  out->watch = WATCH_JOINT, out->id = p->joint.index, out->coordinate = p->coordinate, out->angle = p->angle;
  return reach_value(p->direction, p->angle ? *p->angle : *p->slide, p->tolerance, value, out);
}
