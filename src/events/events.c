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
     "locks the coordinates of a joint, or the one that `coordinate` names, at their present values", NULL},
    {"unlock", FIELD_JOINT, 1, offsetof(LimberEventAction, unlock), "", false, LIMBER_NONE,
     "ends a lock; if this is the first event of a joint, the joint is locked at the start", NULL},
    {"release", FIELD_JOINT, 1, offsetof(LimberEventAction, release), "", false, LIMBER_NONE,
     "breaks a joint: its constraints, springs and dampers no longer act", NULL},
    {"engage", FIELD_JOINT, 1, offsetof(LimberEventAction, engage), "", false, LIMBER_NONE,
     "connects the bodies of a joint as they are at that time; if this is the first event of a joint, the joint is "
     "released at the start",
     NULL},
    {"begin", FIELD_LOAD, 1, offsetof(LimberEventAction, begin), "", false, LIMBER_NONE,
     "starts a load or drive, with the time of its function at 0; if this is the first event of a load, the load does "
     "not act before",
     NULL},
    {"end", FIELD_LOAD, 1, offsetof(LimberEventAction, end), "", false, LIMBER_NONE,
     "ends a load; a driven coordinate is then free", NULL},
    {"coordinate", FIELD_TEXT, 1, offsetof(LimberEventAction, coordinate), "", false, 0,
     "which coordinate is locked or unlocked; default: all of the joint", NULL},
};
static const FieldTable action_table = FIELDS(action_fields, LimberEventAction);
const FieldMore event_action_fields = {&action_table, NULL};
