// SPDX-License-Identifier: Apache-2.0
// A section force of an element, of either sign, over the step that ends.
#include "mechanics/event.h"

static double value(const EventCondition *c, const EventSample *s) { return fabs(s->section[c->coord]); }

static Reason prepare(const void *params, EventCondition *out) {
  const LimberSectionForceEvent *p = params;
  out->watch = WATCH_SECTION, out->id = p->element.index, out->coordinate = p->component, out->value = value;
  out->at = p->at, out->direction = 1, out->mean = true, out->threshold = p->value;
  out->tolerance = 1e-9 * p->value;
  if (!(p->at >= 0 && p->at <= 1))
    return reason(REASON_VALUE, "at", "`at` must be between 0, the start of the element, and 1, its end");
  return p->value > 0 ? no_reason() : reason(REASON_VALUE, "value", "`value` must be positive");
}

static const Field fields[] = {
    {"element", FIELD_ELEMENT, 1, offsetof(LimberSectionForceEvent, element), "", true, LIMBER_NONE,
     "element with section forces", NULL},
    {"at", FIELD_REAL, 1, offsetof(LimberSectionForceEvent, at), "", false, 0,
     "position along the element, 0 to 1 of its length", NULL},
    {"component", FIELD_TEXT, 1, offsetof(LimberSectionForceEvent, component), "", false, 0,
     "which of its forces, named as in the results; default: the first", NULL},
    {"value", FIELD_REAL, 1, offsetof(LimberSectionForceEvent, value), UNIT_ANY, true, 0,
     "magnitude of that force at which it happens", NULL},
    EVENT_FIELDS(LimberSectionForceEvent),
};

const EventKind event_section_force = {.name = "section_force",
                                       .help =
                                           "Happens when a force in an element, such as N of a beam, reaches a value.",
                                       .fields = FIELDS(fields, LimberSectionForceEvent),
                                       .prepare = prepare};
