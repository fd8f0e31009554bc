// SPDX-License-Identifier: Apache-2.0
// What is looked for in a text before it is parsed: bytes that are no text, and what the parser would take too long for.
#ifndef LIMBER_INPUT_YAML_CHECK_TEXT_H
#define LIMBER_INPUT_YAML_CHECK_TEXT_H

#include <stddef.h>

typedef struct {
  size_t at;      // byte
  char text[100]; // what is wrong; "": nothing is
} TextMistake;

TextMistake check_text(const char *text, size_t length);

#endif
