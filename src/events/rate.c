// SPDX-License-Identifier: Apache-2.0
// The rate of a coordinate of a joint that reaches a value.
#include "events/reach.h"

static double value(const EventCondition *c, const EventSample *s) { return s->joint.rate[c->coord]; }

static Reason prepare(const void *params, EventCondition *out) {
  const LimberCoordinateEvent *p = params;
  return !p->angle == !p->slide
             ? reason(REASON_CONFLICT, "angular_velocity", "it needs either `angular_velocity` or `velocity`")
             : reach_of_coord(p, value, out);
}

static const Field fields[] = {
    REACH_JOINT,
    {"angular_velocity", FIELD_OPTIONAL_REALS, 1, offsetof(LimberCoordinateEvent, angle), "rad s-1", false, 0,
     "value that the rate of an angle reaches", NULL},
    {"velocity", FIELD_OPTIONAL_REALS, 1, offsetof(LimberCoordinateEvent, slide), "m s-1", false, 0,
     "value that the rate of a slide reaches", NULL},
    EVENT_DIRECTION(LimberCoordinateEvent),
    REACH_TOLERANCE(LimberCoordinateEvent),
    EVENT_FIELDS(LimberCoordinateEvent),
};

const EventKind event_rate = {.name = "rate",
                              .help = "Happens when the rate of a coordinate of a joint reaches a value.",
                              .fields = FIELDS(fields, LimberCoordinateEvent),
                              .prepare = prepare};
