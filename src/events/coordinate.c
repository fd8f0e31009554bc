// SPDX-License-Identifier: Apache-2.0
// A coordinate of a joint that reaches a value.
#include "mechanics/event.h"

typedef struct {
  EventText event;
  LimberId joint;
  const char *coordinate, *direction;
  const double *angle, *slide;
  double tolerance;
} CoordinateEvent;

static double value(const EventCondition *c, const EventSample *s) { return s->joint.coord[c->coord]; }

static const char *prepare(const void *params, EventCondition *out) {
  const CoordinateEvent *p = params;
  if (!p->angle == !p->slide) return "it needs either `angle` or `slide`";
  if (!event_direction(p->direction, &out->direction)) return "`direction` is rising or falling";
  if (!(p->tolerance > 0)) return "`tolerance` must be positive";
  out->watch = WATCH_JOINT, out->id = p->joint, out->coordinate = p->coordinate, out->value = value;
  out->angle = p->angle, out->threshold = p->angle ? *p->angle : *p->slide;
  out->tolerance = p->tolerance * fmax(1, fabs(out->threshold));
  return NULL;
}

static const Field fields[] = {
    {"joint", FIELD_JOINT, 1, offsetof(CoordinateEvent, joint), "", true, LIMBER_NONE, "a joint with a coordinate",
     NULL},
    {"coordinate", FIELD_TEXT, 1, offsetof(CoordinateEvent, coordinate), "", false, 0,
     "coordinate of the joint, named as in limber describe; default: its first", NULL},
    {"angle", FIELD_OPTIONAL_REALS, 1, offsetof(CoordinateEvent, angle), "rad", false, 0, "value that an angle reaches",
     NULL},
    {"slide", FIELD_OPTIONAL_REALS, 1, offsetof(CoordinateEvent, slide), "m", false, 0, "value that a slide reaches",
     NULL},
    EVENT_DIRECTION(CoordinateEvent),
    {"tolerance", FIELD_REAL, 1, offsetof(CoordinateEvent, tolerance), "", false, 1e-12,
     "distance from the value at which the step ends: of the value, or of 1 if that is more", NULL},
    EVENT_FIELDS(CoordinateEvent),
};

const EventKind event_coordinate = {.name = "coordinate",
                                    .help =
                                        "Happens where a coordinate of a joint reaches a value: an angle or a slide.",
                                    .fields = FIELDS(fields, CoordinateEvent),
                                    .prepare = prepare};
