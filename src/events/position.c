// SPDX-License-Identifier: Apache-2.0
// The position of a node along a direction that reaches a value.
#include "mechanics/event.h"

typedef struct {
  EventText event;
  LimberId node;
  double along[3], value, tolerance;
  const char *direction;
} PositionEvent;

static double value(const EventCondition *c, const EventSample *s) {
  return vec3_dot(c->axis, vec3_of(s->node.position));
}

static const char *prepare(const void *params, EventCondition *out) {
  const PositionEvent *p = params;
  Vec3 axis = vec3_of(p->along);
  double length = vec3_norm(axis);
  if (!event_direction(p->direction, &out->direction)) return "`direction` is rising or falling";
  if (!(p->tolerance > 0)) return "`tolerance` must be positive";
  out->watch = WATCH_NODE, out->id = p->node, out->value = value, out->threshold = p->value;
  out->tolerance = p->tolerance * fmax(1, fabs(p->value));
  if (!(length > 0)) return "`along` must not be zero";
  out->axis = vec3_scale(1 / length, axis);
  return NULL;
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(PositionEvent, node), "", true, LIMBER_NONE, "that moves", NULL},
    {"along", FIELD_REALS, 3, offsetof(PositionEvent, along), "", true, 0, "direction, in ground axes",
     &field_direction},
    {"value", FIELD_REAL, 1, offsetof(PositionEvent, value), "m", true, 0, "of the position along it", NULL},
    EVENT_DIRECTION(PositionEvent),
    {"tolerance", FIELD_REAL, 1, offsetof(PositionEvent, tolerance), "", false, 1e-12,
     "distance from the value at which the step ends: of the value, or of 1 if that is more", NULL},
    EVENT_FIELDS(PositionEvent),
};

const EventKind event_position = {.name = "position",
                                  .help = "Happens where the position of a node along a direction reaches a value.",
                                  .fields = FIELDS(fields, PositionEvent),
                                  .prepare = prepare};
