// SPDX-License-Identifier: Apache-2.0
// The part `events`: conditions, and what happens where they are met.
#include "input/yaml/components.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "mechanics/event.h"
#include "model/model.h"

CATALOGUE_KINDS(event_kind, event_kinds)

static Error ReadEvents(Reader *r, const Tree *list, SourceLocation at) {
  (void)at;
  return ReadComponents(r, &part_events, list, &r->events);
}

const Part part_events = {.key = "events",
                          .one = "event",
                          .form = PART_LIST,
                          .kind = event_kind,
                          .add = ModelAddEvent,
                          .named = true,
                          .scoped = true,
                          .read = ReadEvents};
