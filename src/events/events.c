// SPDX-License-Identifier: Apache-2.0
#include "mechanics/event.h"

#include <string.h>

#define EVENT(name, Name) extern const EventKind event_##name;
#include "events/events.def"
#undef EVENT

#define EVENT(name, Name) &event_##name,
const EventKind *const event_kinds[] = {
#include "events/events.def"
    NULL};
#undef EVENT

static const char *const directions[] = {"either", "rising", "falling", NULL};
static const char *direction_word(int i) { return directions[i]; } // of LimberDirection
const FieldMore event_directions = {NULL, direction_word};

static const Field action_fields[] = {
    {"lock", FIELD_JOINT, 1, offsetof(LimberEventAction, lock), "", false, LIMBER_NONE,
     "holds the coordinates of a joint, or the one that `coordinate` names, at their present values", NULL},
    {"unlock", FIELD_JOINT, 1, offsetof(LimberEventAction, unlock), "", false, LIMBER_NONE,
     "ends a lock; first of all events on a joint: it is locked at the start", NULL},
    {"release", FIELD_JOINT, 1, offsetof(LimberEventAction, release), "", false, LIMBER_NONE,
     "breaks a joint: it holds nothing any more, and its springs and dampers are gone", NULL},
    {"engage", FIELD_JOINT, 1, offsetof(LimberEventAction, engage), "", false, LIMBER_NONE,
     "joins what a joint ties, as it stands then; first of all events on a joint: it is released at the start", NULL},
    {"begin", FIELD_LOAD, 1, offsetof(LimberEventAction, begin), "", false, LIMBER_NONE,
     "lets a load or drive act, and the time of its function start at 0; first of all events on a load: it does not "
     "act before",
     NULL},
    {"end", FIELD_LOAD, 1, offsetof(LimberEventAction, end), "", false, LIMBER_NONE,
     "ends a load; a driven coordinate is free from then on", NULL},
    {"coordinate", FIELD_TEXT, 1, offsetof(LimberEventAction, coordinate), "", false, 0,
     "which coordinate is locked or unlocked; default: all of the joint", NULL},
};
static const FieldTable action_table = FIELDS(action_fields, LimberEventAction);
const FieldMore event_action_fields = {&action_table, NULL};
