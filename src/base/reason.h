// SPDX-License-Identifier: Apache-2.0
// Why something cannot be as a user wrote it, as data: kinds return it, the model adds what it is about, and the reader
// of model files places its caret by the field. The text is for people; no code looks for words in it.
#ifndef LIMBER_BASE_REASON_H
#define LIMBER_BASE_REASON_H

#include <stddef.h>

typedef enum {
  REASON_NONE,     // nothing is wrong
  REASON_VALUE,    // a value is out of range, or not of the kind that is needed
  REASON_CONFLICT, // fields exclude each other, or one needs another
  REASON_GEOMETRY, // positions or directions do not allow it
  REASON_LIMIT,    // it is more than Limber takes
} ReasonCode;

enum { REASON_DEPTH = 3 };

typedef struct {
  ReasonCode code;
  const char *kind, *name;         // of the component, where it is known
  const char *field[REASON_DEPTH]; // the field, after the maps around it; NULL after the last
  const char *text;                // NULL: nothing is wrong
} Reason;

static inline Reason no_reason(void) { return (Reason){.code = REASON_NONE}; }

// Nothing is wrong where `text` is NULL.
static inline Reason reason(ReasonCode code, const char *field, const char *text) {
  return text ? (Reason){.code = code, .field = {field}, .text = text} : no_reason();
}

// A reason that a field within the map `field` gave.
static inline Reason reason_within(const char *field, Reason r) {
  for (int i = REASON_DEPTH - 1; i > 0; i--) r.field[i] = r.field[i - 1];
  r.field[0] = field;
  return r;
}

#endif
