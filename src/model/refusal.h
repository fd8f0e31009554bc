// SPDX-License-Identifier: Apache-2.0
// A message that explains why something is refused; "": it is not. A function that may refuse fills its caller's.
#ifndef LIMBER_MODEL_REFUSAL_H
#define LIMBER_MODEL_REFUSAL_H

#include "model/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { REFUSAL_SIZE = 9000 }; // two paths and a sentence

typedef struct {
  char text[REFUSAL_SIZE];
} Refusal;

PRINTF_LIKE(2, 3) static inline void refuse(Refusal *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(r->text, sizeof r->text, format, args);
  va_end(args);
}

// Appends to the message.
PRINTF_LIKE(2, 3) static inline void refuse_also(Refusal *r, const char *format, ...) {
  size_t used = strlen(r->text);
  va_list args;
  va_start(args, format);
  vsnprintf(r->text + used, sizeof r->text - used, format, args);
  va_end(args);
}

// Cuts the message after its first line; the others say what a command can do about it.
static inline void refusal_cut(Refusal *r) { r->text[strcspn(r->text, "\n")] = 0; }

static inline bool is_refused(const Refusal *r) { return r->text[0] != 0; }

#endif
