// SPDX-License-Identifier: Apache-2.0
// Events where a number of a node, of a coordinate of a joint or of a probe reaches a value: what their kinds share.
#ifndef LIMBER_EVENTS_REACH_H
#define LIMBER_EVENTS_REACH_H

#include "mechanics/event.h"

typedef double (*EventValue)(const EventCondition *c, const EventSample *s);
// What they share. NULL, or what is wrong.
Reason reach_value(LimberDirection direction, double threshold, double tolerance, EventValue value,
                   EventCondition *out);
Reason reach_of_node(const LimberPositionEvent *p, EventValue value, EventCondition *out);
Reason reach_of_coord(const LimberCoordinateEvent *p, EventValue value, EventCondition *out);

#define REACH_TOLERANCE(type) \
  { \
    "tolerance", FIELD_REAL, 1, offsetof(type, tolerance), "", false, 1e-12, \
        "largest distance from the value at the end of the step, relative to the value, or to 1 if that is larger", \
        NULL \
  }
#define REACH_NODE \
  {"node", FIELD_NODE, 1, offsetof(LimberPositionEvent, node), "", true, LIMBER_NONE, "node that moves", NULL}, { \
    "along", FIELD_REALS, 3, offsetof(LimberPositionEvent, along), "", true, 0, "direction, in ground axes", \
        &field_direction \
  }
#define REACH_JOINT \
  { \
      "joint", FIELD_JOINT, 1,           offsetof(LimberCoordinateEvent, joint), \
      "",      true,        LIMBER_NONE, "a joint with a coordinate", \
      NULL}, \
  { \
    "coordinate", FIELD_TEXT, 1, offsetof(LimberCoordinateEvent, coordinate), "", false, 0, \
        "coordinate of the joint, named as in limber describe; default: its first", NULL \
  }

#endif
