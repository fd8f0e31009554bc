// SPDX-License-Identifier: Apache-2.0
// A time. The step before it ends there.
#include "mechanics/event.h"

static Reason prepare(const void *params, EventCondition *out) {
  const LimberTimeEvent *p = params;
  out->watch = WATCH_TIME, out->at = p->at;
  return p->at >= 0 ? no_reason() : reason(REASON_VALUE, "at", "`at` must be 0 or later");
}

static const Field fields[] = {
    {"at", FIELD_REAL, 1, offsetof(LimberTimeEvent, at), "s", true, 0, "time", NULL},
    EVENT_FIELDS(LimberTimeEvent),
};

const EventKind event_time = {
    .name = "time", .help = "Happens at a given time.", .fields = FIELDS(fields, LimberTimeEvent), .prepare = prepare};
