// SPDX-License-Identifier: Apache-2.0
// The position of a node along a direction that reaches a value.
#include "events/reach.h"

static double value(const EventCondition *c, const EventSample *s) {
  return vec3_dot(c->axis, vec3_of(s->node.position));
}

static Reason prepare(const void *params, EventCondition *out) { return reach_of_node(params, value, out); }

static const Field fields[] = {
    REACH_NODE,
    {"value", FIELD_REAL, 1, offsetof(LimberPositionEvent, value), "m", true, 0, "position along this direction", NULL},
    EVENT_DIRECTION(LimberPositionEvent),
    REACH_TOLERANCE(LimberPositionEvent),
    EVENT_FIELDS(LimberPositionEvent),
};

const EventKind event_position = {.name = "position",
                                  .help = "Happens when the position of a node along a direction reaches a value.",
                                  .fields = FIELDS(fields, LimberPositionEvent),
                                  .prepare = prepare};
