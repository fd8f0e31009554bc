// SPDX-License-Identifier: Apache-2.0
// A delay after another event.
#include "mechanics/event.h"

static Reason prepare(const void *params, EventCondition *out) {
  const LimberAfterEvent *p = params;
  out->watch = WATCH_EVENT, out->id = p->other.index, out->at = p->delay;
  return p->delay >= 0 ? no_reason() : reason(REASON_VALUE, "delay", "`delay` must not be negative");
}

static const Field fields[] = {
    {"event", FIELD_EVENT, 1, offsetof(LimberAfterEvent, other), "", true, LIMBER_NONE, "an event listed above", NULL},
    {"delay", FIELD_REAL, 1, offsetof(LimberAfterEvent, delay), "s", false, 0, "time after that event", NULL},
    EVENT_FIELDS(LimberAfterEvent),
};

const EventKind event_after = {.name = "after",
                               .help = "Happens together with another event, or some time after it.",
                               .fields = FIELDS(fields, LimberAfterEvent),
                               .prepare = prepare};
