// SPDX-License-Identifier: Apache-2.0
// The contract of an event: a condition, which is a number of the state that reaches a threshold or a time, and
// actions, which switch joints and loads. A kind says what is watched and what number it is; whoever steps finds when
// it is reached.
#ifndef LIMBER_MECHANICS_EVENT_H
#define LIMBER_MECHANICS_EVENT_H

#include "base/field.h"
#include "limber/events.h"
#include "mechanics/rows.h"

typedef enum { WATCH_TIME, WATCH_EVENT, WATCH_JOINT, WATCH_NODE, WATCH_SECTION, WATCH_PROBE } EventWatch;

// What is watched, at the end of a step. Of a joint: coordinates, rates, and the force and moment on the last of its
// nodes over the step; of a node: position, velocity, angular velocity; of a place along an element: its section
// forces; of a formula of probes: its value.
typedef union {
  struct {
    double coord[MAX_COORDS], rate[MAX_COORDS], force[3], moment[3];
  } joint;
  struct {
    double position[3], velocity[3], angular[3];
  } node;
  double section[MAX_ROWS];
  double formula;
} EventSample;

typedef struct EventCondition EventCondition;
struct EventCondition {
  EventWatch watch;
  int id;                 // of the joint, node, element item or event
  const char *coordinate; // of a joint by name, NULL: its first ...
  int coord;              // ... and by number; or the row of a section force
  const char *formula;    // of probes
  bool angle;             // the coordinate must be an angle; else a slide
  double at;              // s: a time, or a delay; or a place along an element
  Vec3 axis;
  double threshold, tolerance; // of the value
  int direction;               // 1: the value must rise to the threshold, -1: fall, 0: either
  bool mean; // the value is the mean over a step, not that at its end; above the threshold it counts at once
  double (*value)(const EventCondition *c, const EventSample *s); // NULL: a time
};

typedef enum {
  ACTION_LOCK,
  ACTION_UNLOCK,
  ACTION_RELEASE,
  ACTION_ENGAGE,
  ACTION_BEGIN,
  ACTION_END,
  ACTIONS
} ActionKind;

typedef struct {
  const char *name, *help;
  FieldTable fields; // of a structure that begins with LimberEvent
  Reason (*prepare)(const void *params, EventCondition *out);
} EventKind;

extern const EventKind *const event_kinds[]; // ends with NULL

extern const FieldMore event_directions, event_action_fields;

#define EVENT_FIELDS(type) \
  {"do", \
   FIELD_MAPS, \
   1, \
   offsetof(type, event.action), \
   "", \
   true, \
   0, \
   "actions: a list of {lock: joint}, {unlock: joint}, {release: joint}, {engage: joint}, {begin: load}, {end: load}", \
   &event_action_fields}, \
  { \
    "repeat", FIELD_FLAG, 1, offsetof(type, event.repeat), "", false, 0, \
        "true: it may happen again; default: it happens once", NULL \
  }
#define EVENT_DIRECTION(type) \
  { \
    "direction", FIELD_WORD, 1, offsetof(type, direction), "", false, 0, \
        "rising or falling: from which side the value is reached; default: from either", &event_directions \
  }

#endif
