// SPDX-License-Identifier: Apache-2.0
// A coordinate of a joint that reaches a value.
#include "events/reach.h"

static double value(const EventCondition *c, const EventSample *s) { return s->joint.coord[c->coord]; }

static Reason prepare(const void *params, EventCondition *out) {
  const LimberCoordinateEvent *p = params;
  return !p->angle == !p->slide ? reason(REASON_CONFLICT, "angle", "it needs either `angle` or `slide`")
                                : reach_of_coord(p, value, out);
}

static const Field fields[] = {
    REACH_JOINT,
    {"angle", FIELD_OPTIONAL_REALS, 1, offsetof(LimberCoordinateEvent, angle), "rad", false, 0,
     "value that an angle reaches", NULL},
    {"slide", FIELD_OPTIONAL_REALS, 1, offsetof(LimberCoordinateEvent, slide), "m", false, 0,
     "value that a slide reaches", NULL},
    EVENT_DIRECTION(LimberCoordinateEvent),
    REACH_TOLERANCE(LimberCoordinateEvent),
    EVENT_FIELDS(LimberCoordinateEvent),
};

const EventKind event_coordinate = {.name = "coordinate",
                                    .help =
                                        "Happens when a coordinate of a joint, an angle or a slide, reaches a value.",
                                    .fields = FIELDS(fields, LimberCoordinateEvent),
                                    .prepare = prepare};
