// SPDX-License-Identifier: Apache-2.0
// A quantity that a probe records, or a formula of such, that reaches a value.
#include "events/reach.h"

static double value(const EventCondition *c, const EventSample *s) {
  (void)c;
  return s->formula;
}

static Reason prepare(const void *params, EventCondition *out) {
  const LimberProbeEvent *p = params;
  out->watch = WATCH_PROBE, out->formula = p->probe;
  return reach_value(p->direction, p->value, p->tolerance, value, out);
}

static const Field fields[] = {
    {"probe", FIELD_TEXT, 1, offsetof(LimberProbeEvent, probe), "", true, 0,
     "a column of a probe, such as tip.velocity.x, or a formula of columns", NULL},
    {"value", FIELD_REAL, 1, offsetof(LimberProbeEvent, value), UNIT_ANY, true, 0,
     "value that it reaches, in the unit of the column", NULL},
    EVENT_DIRECTION(LimberProbeEvent),
    REACH_TOLERANCE(LimberProbeEvent),
    EVENT_FIELDS(LimberProbeEvent),
};

const EventKind event_probe = {.name = "probe",
                               .help = "Happens when a quantity of a probe, or a formula of them, reaches a value.",
                               .fields = FIELDS(fields, LimberProbeEvent),
                               .prepare = prepare};
