// SPDX-License-Identifier: Apache-2.0
// Warnings about what a model may be but is seldom meant to be. Each is silent where there is doubt.
#ifndef LIMBER_INPUT_LINT_LINT_H
#define LIMBER_INPUT_LINT_LINT_H

#include "input/yaml/reader.h"

// Places in the file of all items, joints and loads, by their ids.
typedef struct {
  Place *item, *joint, *load, *section;
} Places;

Error NoteOddities(Reader *r); // of a model without mistakes

Error NoteLooseParts(Reader *r, const Places *at); // odd_loose.c
Error NoteOddTimes(Reader *r, const Places *at);   // odd_time.c
Error NoteTurning(Reader *r, const Places *at);    // odd_turn.c

Error Odd(Reader *r, Place at, const char *format, ...) PRINTF_LIKE(3, 4);

#endif
