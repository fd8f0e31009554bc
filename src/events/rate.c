// SPDX-License-Identifier: Apache-2.0
// The rate of a coordinate of a joint that reaches a value.
#include "mechanics/event.h"

typedef struct {
  EventText event;
  LimberId joint;
  const char *coordinate, *direction;
  const double *angle, *slide;
  double tolerance;
} RateEvent;

static double value(const EventCondition *c, const EventSample *s) { return s->joint.rate[c->coord]; }

static const char *prepare(const void *params, EventCondition *out) {
  const RateEvent *p = params;
  if (!p->angle == !p->slide) return "it needs either `angular_velocity` or `velocity`";
  if (!event_direction(p->direction, &out->direction)) return "`direction` is rising or falling";
  if (!(p->tolerance > 0)) return "`tolerance` must be positive";
  out->watch = WATCH_JOINT, out->id = p->joint, out->coordinate = p->coordinate, out->value = value;
  out->angle = p->angle, out->threshold = p->angle ? *p->angle : *p->slide;
  out->tolerance = p->tolerance * fmax(1, fabs(out->threshold));
  return NULL;
}

static const Field fields[] = {
    {"joint", FIELD_JOINT, 1, offsetof(RateEvent, joint), "", true, LIMBER_NONE, "a joint with a coordinate", NULL},
    {"coordinate", FIELD_TEXT, 1, offsetof(RateEvent, coordinate), "", false, 0,
     "coordinate of the joint, named as in limber describe; default: its first", NULL},
    {"angular_velocity", FIELD_OPTIONAL_REALS, 1, offsetof(RateEvent, angle), "rad s-1", false, 0,
     "value that the rate of an angle reaches", NULL},
    {"velocity", FIELD_OPTIONAL_REALS, 1, offsetof(RateEvent, slide), "m s-1", false, 0,
     "value that the rate of a slide reaches", NULL},
    EVENT_DIRECTION(RateEvent),
    {"tolerance", FIELD_REAL, 1, offsetof(RateEvent, tolerance), "", false, 1e-12,
     "distance from the value at which the step ends: of the value, or of 1 if that is more", NULL},
    EVENT_FIELDS(RateEvent),
};

const EventKind event_rate = {.name = "rate",
                              .help = "Happens where the rate of a coordinate of a joint reaches a value.",
                              .fields = FIELDS(fields, RateEvent),
                              .prepare = prepare};
