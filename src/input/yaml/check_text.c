// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/check_text.h"

#include "base/limits.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Bytes of the character of UTF-8 at s, 0: none; control characters are none but for tab and ends of lines.
static size_t character_bytes(const unsigned char *s, size_t n) {
  static const struct {
    unsigned char mask, head;
    unsigned least;
  } forms[] = {{0x80, 0x00, 0x20}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
  if (*s == '\t' || *s == '\n' || *s == '\r') return 1;
  for (size_t k = 0; k < 4 && k < n; k++) {
    if ((s[0] & forms[k].mask) != forms[k].head) continue;
    unsigned code = s[0] & (unsigned char)~forms[k].mask;
    for (size_t i = 1; i <= k; i++) {
      if ((s[i] & 0xC0) != 0x80) return 0;
      code = code << 6 | (s[i] & 0x3F);
    }
    bool surrogate = code >= 0xD800 && code < 0xE000, control = code >= 0x7F && code < 0xA0 && code != 0x85;
    return code < forms[k].least || code > 0x10FFFF || surrogate || control ? 0 : k + 1;
  }
  return 0;
}

typedef struct { // of what the parser of YAML (libfyaml) would look at again and again
  size_t blanks; // in one piece, up to here
  size_t tag;    // characters since a '!' that may begin a tag; 0: none
  size_t line;   // characters of a line that begins with '%'; 0: of another
  int brackets;  // that are open; those in texts and quotes are counted as well
  bool comment, begins;
} Cost;

// Counts one character more. Brackets in quotes are few, so that quotes need not be known here.
static void count_cost(Cost *c, char s, char before) {
  bool blank = s == ' ' || s == '\t' || s == '\n' || s == '\r';
  c->blanks = blank ? c->blanks + 1 : 0;
  if (s == '\n') c->comment = false;
  else if (s == '#' && (c->begins || before == ' ' || before == '\t')) c->comment = true;
  c->line = s == '\n' ? 0 : c->line || (c->begins && s == '%') ? c->line + 1 : 0;
  c->tag = s == '!' || c->tag ? c->tag + 1 : 0;
  if (blank || strchr(",[]{}", s)) c->tag = 0;
  if (!c->comment && (s == '[' || s == '{')) c->brackets++;
  if (!c->comment && (s == ']' || s == '}') && c->brackets) c->brackets--;
  c->begins = s == '\n';
}

static void find_excess(const Cost *c, char *text, size_t size) {
  if (c->blanks > LIMIT_BLANKS)
    snprintf(text, size, "more than %d blanks and ends of lines in one piece", LIMIT_BLANKS);
  else if (c->line > LIMIT_TAG)
    snprintf(text, size, "a directive, a line that begins with '%%', has at most %d characters", LIMIT_TAG);
  else if (c->tag > LIMIT_TAG)
    snprintf(text, size, "a tag, a word that begins with '!', has at most %d characters", LIMIT_TAG);
  else if (c->brackets > LIMIT_BRACKETS) snprintf(text, size, "more than %d brackets are open", LIMIT_BRACKETS);
}

TextMistake check_text(const char *text, size_t length) {
  Cost cost = {.begins = true};
  TextMistake m = {.text = ""};
  for (size_t n; m.at < length; m.at += n) {
    n = character_bytes((const unsigned char *)text + m.at, length - m.at);
    if (n) count_cost(&cost, text[m.at], m.at ? text[m.at - 1] : '\n'), find_excess(&cost, m.text, sizeof m.text);
    else snprintf(m.text, sizeof m.text, "this is no text: byte %02X cannot stand here", (unsigned char)text[m.at]);
    if (m.text[0]) return m;
  }
  return m;
}
