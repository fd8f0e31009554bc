// SPDX-License-Identifier: Apache-2.0
// Why something is refused, in words for people; "" where nothing is. A function that may refuse fills one of its caller.
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

// Adds words to those that it has.
PRINTF_LIKE(2, 3) static inline void refuse_also(Refusal *r, const char *format, ...) {
  size_t used = strlen(r->text);
  va_list args;
  va_start(args, format);
  vsnprintf(r->text + used, sizeof r->text - used, format, args);
  va_end(args);
}

// Leaves out the lines after the first, which say what a command may do about it.
static inline void refusal_cut(Refusal *r) { r->text[strcspn(r->text, "\n")] = 0; }

static inline bool is_refused(const Refusal *r) { return r->text[0] != 0; }

#endif
