// SPDX-License-Identifier: Apache-2.0
// A time. The step before it ends there.
#include "mechanics/event.h"

typedef struct {
  EventText event;
  double at;
} TimeEvent;

static const char *prepare(const void *params, EventCondition *out) {
  const TimeEvent *p = params;
  out->watch = WATCH_TIME, out->at = p->at;
  return p->at >= 0 ? NULL : "`at` must be 0 or later";
}

static const Field fields[] = {
    {"at", FIELD_REAL, 1, offsetof(TimeEvent, at), "s", true, 0, "time", NULL},
    EVENT_FIELDS(TimeEvent),
};

const EventKind event_time = {
    .name = "time", .help = "Happens at a time.", .fields = FIELDS(fields, TimeEvent), .prepare = prepare};
