// SPDX-License-Identifier: Apache-2.0
// Precedence as muParser has it: + and -, * and /, a sign, ^ from the right.
#include "model/tape_read.h"

#include "base/tape_operations.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const LimberFormula *formula;
  const char *at, *const *name;
  int names, depth, waiting; // values that wait at a step
  Tape *out;
  char *error;
  size_t size;
} TapeReader;

static bool fail(TapeReader *r, const char *text, const char *word, int length) {
  if (!*r->error) snprintf(r->error, r->size, text, length, word);
  return false;
}

// All of a character of UTF-8.
static bool fail_here(TapeReader *r) {
  int length = *r->at != 0;
  while ((r->at[length] & 0xc0) == 0x80) length++;
  return fail(r, "'%.*s' cannot stand here", r->at, length);
}

static char next_sign(TapeReader *r) {
  while (*r->at == ' ') r->at++;
  return *r->at;
}

static bool take_sign(TapeReader *r, char sign) {
  if (next_sign(r) != sign) return false;
  r->at++;
  return true;
}

static bool add_step(TapeReader *r, int operation, double number, int more) {
  if (r->out->count == TAPE_STEPS) return fail(r, "it has too many operations%.*s", "", 0);
  r->out->step[r->out->count++] = (TapeStep){operation, number};
  r->waiting += more;
  return r->waiting <= TAPE_DEPTH || fail(r, "its parentheses are nested too deep%.*s", "", 0);
}

static bool read_sum(TapeReader *r);
static bool read_signed(TapeReader *r, bool (*read)(TapeReader *r));

static bool read_number(TapeReader *r) {
  char text[64], *end;
  size_t n = strspn(r->at, "0123456789.");
  if (r->at[n] == 'e' || r->at[n] == 'E') {
    size_t sign = r->at[n + 1] == '+' || r->at[n + 1] == '-', digits = strspn(r->at + n + 1 + sign, "0123456789");
    if (digits) n += 1 + sign + digits;
  }
  if (n >= sizeof text) return fail(r, "'%.*s': a number of too many digits", r->at, 20);
  memcpy(text, r->at, n), text[n] = 0;
  double value = strtod(text, &end);
  if (*end) return fail(r, "'%.*s' is no number", r->at, (int)n);
  r->at += n;
  return add_step(r, NUMBER, value, 1);
}

static bool is_word(const char *text, const char *word, int length) {
  return !strncmp(text, word, (size_t)length) && !text[length];
}

static bool read_function(TapeReader *r, const char *word, int length) {
  bool two = length == 5 && !strncmp(word, "atan2", 5);
  int f = 0;
  while (tape_function(f) && !is_word(tape_function(f), word, length)) f++;
  if (!two && !tape_function(f))
    return fail(r, "'%.*s' has no derivative everywhere: write a smooth formula", word, length);
  if (!take_sign(r, '(') || !read_sum(r)) return fail(r, "'%.*s' needs values in parentheses", word, length);
  if (two && (!take_sign(r, ',') || !read_sum(r))) return fail(r, "'%.*s' needs two values", word, length);
  if (!take_sign(r, ')')) return fail(r, "a ')' is missing after '%.*s'", word, length);
  return two ? add_step(r, ATAN2, 0, -1) : add_step(r, FUNCTIONS + f, 0, 0);
}

static bool read_name(TapeReader *r) {
  const char *word = r->at;
  while (*r->at && (isalnum((unsigned char)*r->at) || strchr("_.#", *r->at))) r->at++;
  int length = (int)(r->at - word);
  for (int i = 0; i < r->names; i++)
    if (is_word(r->name[i], word, length)) return r->out->used[i] = true, add_step(r, NAME, i, 1);
  for (int i = 0; i < r->formula->parameters; i++)
    if (is_word(r->formula->parameter[i].name, word, length))
      return add_step(r, NUMBER, r->formula->parameter[i].value, 1);
  if (is_word("pi", word, length) || is_word("_pi", word, length)) return add_step(r, NUMBER, acos(-1.0), 1);
  if (is_word("_e", word, length)) return add_step(r, NUMBER, exp(1.0), 1);
  if (next_sign(r) == '(') return read_function(r, word, length);
  return fail(r, "nothing is called '%.*s'", word, length);
}

static bool read_value(TapeReader *r) {
  char c = next_sign(r);
  if (c == '(') {
    r->at++;
    if (!read_sum(r)) return false;
    return take_sign(r, ')') || fail(r, "a ')' is missing%.*s", "", 0);
  }
  if (isdigit((unsigned char)c) || c == '.') return read_number(r);
  if (isalpha((unsigned char)c) || c == '_') return read_name(r);
  return c ? fail_here(r) : fail(r, "the formula ends too early%.*s", "", 0);
}

static bool read_power(TapeReader *r) {
  if (!read_value(r)) return false;
  return !take_sign(r, '^') || (read_signed(r, read_power) && add_step(r, POWER, 0, -1));
}

static bool read_signed(TapeReader *r, bool (*read)(TapeReader *r)) {
  bool minus = false;
  for (char c = next_sign(r); c == '-' || c == '+'; c = next_sign(r)) r->at++, minus = minus != (c == '-');
  return read(r) && (!minus || add_step(r, NEGATE, 0, 0));
}

static bool read_product(TapeReader *r) {
  if (!read_signed(r, read_power)) return false;
  for (char c = next_sign(r); c == '*' || c == '/'; c = next_sign(r)) {
    r->at++;
    if (!read_signed(r, read_power) || !add_step(r, c == '*' ? MULTIPLY : DIVIDE, 0, -1)) return false;
  }
  return true;
}

static bool read_sum(TapeReader *r) {
  if (++r->depth > TAPE_DEPTH) return fail(r, "its parentheses are nested too deep%.*s", "", 0);
  if (!read_product(r)) return false;
  for (char c = next_sign(r); c == '+' || c == '-'; c = next_sign(r)) {
    r->at++;
    if (!read_product(r) || !add_step(r, c == '+' ? ADD : SUBTRACT, 0, -1)) return false;
  }
  r->depth--;
  return true;
}

bool tape_read(const LimberFormula *f, int names, const char *const *name, Tape *out, char *error, size_t size) {
  TapeReader r = {.formula = f, .at = f->text, .name = name, .names = names, .out = out, .error = error, .size = size};
  *error = 0, out->count = 0;
  for (int i = 0; i < TAPE_NAMES; i++) out->used[i] = false;
  if (!read_sum(&r)) return false;
  return !next_sign(&r) || fail_here(&r);
}
