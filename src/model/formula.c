// SPDX-License-Identifier: Apache-2.0
// Reads formulae by recursive descent. Operators from the weakest: a ? b : c (right-associative), ||, &&, comparisons,
// + and -, * and /, a sign, ^ (right-associative). Every level of recursion leaves a value on the stack or counts in
// `depth`, and both are limited.
#include "model/formula.h"

#include "base/limits.h"
#include "base/tape_operations.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct TapeReader TapeReader;

struct TapeReader {
  const char *text, *at;
  bool (*find)(TapeReader *r, TapeStep *out); // what r->word means; false: nothing
  bool smooth;                                // accepts only what has derivatives
  FormulaName source;                         // for tape_read
  void *owner;
  const LimberFormula *formula; // for tape_read_smooth
  const char *const *name;
  int names;
  int depth, waiting; // levels of recursion, values on the stack
  int joined;         // the step at which the branches of the last choice meet
  Tape *out;
  FormulaMistake *mistake;
  char word[LIMIT_FORMULA + 1]; // the last name
};

// Characters of a name; '.' and '#' separate the parts of a result's name.
static const char name_signs[] = "0123456789_.#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

// ---- signs ----

static char next_sign(TapeReader *r) {
  while (*r->at == ' ') r->at++;
  return *r->at;
}

static bool take_sign(TapeReader *r, char sign) {
  if (next_sign(r) != sign) return false;
  r->at++;
  return true;
}

typedef struct {
  const char *sign;
  int rank, operation; // a higher rank binds more tightly
} TapeOperator;

static const TapeOperator *next_operator(TapeReader *r) {
  static const TapeOperator operators[] = {
      {"||", 1, OR},      {"&&", 2, AND},     {"<=", 3, LESS_OR_EQUAL}, {">=", 3, GREATER_OR_EQUAL},
      {"!=", 3, UNEQUAL}, {"==", 3, EQUAL},   {"<", 3, LESS},           {">", 3, GREATER},
      {"+", 4, ADD},      {"-", 4, SUBTRACT}, {"*", 5, MULTIPLY},       {"/", 5, DIVIDE}};
  next_sign(r);
  for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
    if (!strncmp(r->at, operators[i].sign, strlen(operators[i].sign))) return &operators[i];
  return NULL;
}

// ---- mistakes ----

// `text` has %.*s for the word.
static bool report_mistake(TapeReader *r, const char *at, const char *text, const char *word, size_t length) {
  FormulaMistake *m = r->mistake;
  if (m->text[0]) return false;
  snprintf(m->text, sizeof m->text, text, length < 60 ? (int)length : 60, word);
  m->at = (size_t)(at - r->text);
  return false;
}

static bool fail_at_end(TapeReader *r, const char *text) {
  size_t length = strlen(r->text);
  return report_mistake(r, r->text + (length ? length - 1 : 0), text, "", 0);
}

static bool fail_too_deep(TapeReader *r) {
  return report_mistake(r, r->at, "the formula is nested too deeply%.*s", "", 0);
}

static bool fail_not_smooth(TapeReader *r, const char *word, size_t length) {
  return report_mistake(r, word, "'%.*s' has no derivative everywhere: write a smooth formula", word, length);
}

// Reports what has no meaning at this place.
static bool fail_here(TapeReader *r) {
  size_t length = strspn(r->at, name_signs);
  if (!*r->at) return fail_at_end(r, "the formula ends too early%.*s");
  if (*r->at == ')' && !r->depth) return report_mistake(r, r->at, "this ')' closes nothing%.*s", "", 0);
  const TapeOperator *o = next_operator(r);
  if (!length) length = o ? strlen(o->sign) : 1;
  return report_mistake(r, r->at, "'%.*s' is not allowed here", r->at, length);
}

static bool fail_unknown(TapeReader *r, const char *at) {
  snprintf(r->mistake->unknown, sizeof r->mistake->unknown, "%.79s", r->word);
  return report_mistake(r, at, "nothing is called '%.*s'", r->word, strlen(r->word));
}

// Reports characters that no formula may contain.
static bool check_characters(TapeReader *r) {
  int depth = 0;
  for (const char *p = r->text; *p; p++) {
    if (*p == '(') depth++;
    if (*p == ')') depth--;
    bool compares = p[0] == '=' && (p[1] == '=' || (p > r->text && strchr("=<>!", p[-1])));
    if (*p == '=' && !compares)
      return report_mistake(r, p, "a formula cannot assign; compare two values with ==%.*s", "", 0);
    if (*p == '"' || *p == ';' || (unsigned char)*p < ' ' || (unsigned char)*p >= 0x7F)
      return report_mistake(r, p, "this sign has no meaning in a formula%.*s", "", 0);
    if (*p == ',' && depth <= 0) return report_mistake(r, p, "a decimal point is written '.'%.*s", "", 0);
  }
  if (strlen(r->text) <= LIMIT_FORMULA) return true;
  snprintf(r->mistake->text, sizeof r->mistake->text, "a formula has at most %d characters", LIMIT_FORMULA);
  return false;
}

// ---- steps ----

static bool add_step(TapeReader *r, TapeStep step, int more) {
  r->out->step[r->out->count++] = step;
  r->waiting += more;
  return r->waiting <= LIMIT_FORMULA_DEPTH || fail_too_deep(r);
}

// An operation on constants becomes a constant.
static bool add_operation(TapeReader *r, int operation, int more) {
  if (!add_step(r, (TapeStep){.operation = operation}, more)) return false;
  int values = 1 - more, first = r->out->count - 1 - values;
  if (operation == SKIP || operation == SKIP_IF_ZERO || first < r->joined) return true;
  for (int i = 0; i < values; i++)
    if (r->out->step[first + i].operation != NUMBER) return true;
  r->out->step[first] =
      (TapeStep){.operation = NUMBER, .number = tape_value(&(Tape){values + 1, r->out->step + first})};
  r->out->count = first + 1;
  return true;
}

static bool add_number(TapeReader *r, double number) {
  return add_step(r, (TapeStep){.operation = NUMBER, .number = number}, 1);
}

// ---- values ----

static bool read_choice(TapeReader *r);
static bool read_signed(TapeReader *r);

static bool read_number(TapeReader *r) {
  const char *begin = r->at;
  char *end;
  size_t n = strspn(begin, "0123456789.");
  if (begin[n] == 'e' || begin[n] == 'E') {
    size_t sign = begin[n + 1] == '+' || begin[n + 1] == '-', digits = strspn(begin + n + 1 + sign, "0123456789");
    if (digits) n += 1 + sign + digits;
  }
  memcpy(r->word, begin, n), r->word[n] = 0;
  double value = strtod(r->word, &end);
  if (*end || !isfinite(value)) return report_mistake(r, begin, "'%.*s' is not a number", begin, n);
  r->at += n;
  return add_number(r, value);
}

// Functions of several values: each further value is combined with those before it.
static const struct {
  const char *name;
  int operation, most;
} several[] = {{"atan2", ATAN2, 2},
               {"sum", ADD, LIMIT_FORMULA},
               {"avg", ADD, LIMIT_FORMULA},
               {"min", MINIMUM, LIMIT_FORMULA},
               {"max", MAXIMUM, LIMIT_FORMULA}};
enum { SEVERAL = sizeof several / sizeof several[0] };

const char *formula_function(int i) {
  if (i < TAPE_FUNCTIONS) return tape_function(i);
  return i < TAPE_FUNCTIONS + SEVERAL ? several[i - TAPE_FUNCTIONS].name : NULL;
}

// Reads the arguments of a function with their parentheses.
static bool read_arguments(TapeReader *r, const char *function, int combine, int least, int most, int *count) {
  r->at++;
  for (*count = 0; *count == 0 || take_sign(r, ','); (*count)++) {
    if (next_sign(r) == ')' && !*count) break;
    if (!read_choice(r) || (*count && !add_operation(r, combine, -1))) return false;
  }
  if (next_sign(r) == ')' && *count < least)
    return report_mistake(r, r->at, "too few arguments for '%.*s'", function, strlen(function));
  if (*r->at == ')' && *count > most)
    return report_mistake(r, r->at, "too many arguments for '%.*s'", function, strlen(function));
  if (take_sign(r, ')')) return true;
  return *r->at ? fail_here(r) : fail_at_end(r, "a ')' is missing%.*s");
}

static bool read_function(TapeReader *r, int f, const char *word) {
  int ones = TAPE_FUNCTIONS, count;
  const char *name = formula_function(f);
  bool smooth = f < ones ? tape_function_is_smooth(f) : several[f - ones].operation <= ATAN2;
  if (r->smooth && !smooth) return fail_not_smooth(r, word, strlen(name));
  if (f < ones) return read_arguments(r, name, ADD, 1, 1, &count) && add_operation(r, FUNCTIONS + f, 0);
  int most = several[f - ones].most, least = most == 2 ? 2 : 1;
  if (!read_arguments(r, name, several[f - ones].operation, least, most, &count)) return false;
  return strcmp(name, "avg") || (add_number(r, count) && add_operation(r, DIVIDE, -1));
}

// Looks up a name, unless the formula contains it already.
static bool find_source(TapeReader *r, TapeStep *out) {
  size_t length = strlen(r->word);
  for (int i = 0; i < r->out->count; i++) {
    const TapeStep *s = &r->out->step[i];
    const char *name = r->text + s->which;
    if (s->operation != SOURCE || strspn(name, name_signs) != length || strncmp(name, r->word, length)) continue;
    return *out = *s, true;
  }
  *out = (TapeStep){.operation = SOURCE, .which = (int)(r->at - r->text) - (int)length};
  out->source = r->source ? r->source(r->owner, r->word) : NULL;
  return out->source;
}

static bool find_coordinate(TapeReader *r, TapeStep *out) {
  for (int i = 0; i < r->names; i++)
    if (!strcmp(r->name[i], r->word)) return *out = (TapeStep){.operation = NAME, .which = i}, true;
  for (int i = 0; i < r->formula->parameters; i++) {
    const LimberParameter *p = &r->formula->parameter[i];
    if (!strcmp(p->name, r->word)) return *out = (TapeStep){.operation = NUMBER, .number = p->value}, true;
  }
  return false;
}

static bool read_name(TapeReader *r) {
  const char *begin = r->at;
  size_t length = strspn(begin, name_signs);
  TapeStep step;
  memcpy(r->word, begin, length), r->word[length] = 0;
  r->at += length;
  if (!strcmp(r->word, "pi") || !strcmp(r->word, "_pi")) return add_number(r, acos(-1.0));
  if (!strcmp(r->word, "_e")) return add_number(r, exp(1.0));
  if (next_sign(r) == '(')
    for (int f = 0; formula_function(f); f++)
      if (!strcmp(formula_function(f), r->word)) return read_function(r, f, begin);
  r->at = begin + length;
  return r->find(r, &step) ? add_step(r, step, 1) : fail_unknown(r, begin);
}

static bool read_value(TapeReader *r) {
  char c = next_sign(r);
  if (c == '(') {
    r->at++;
    if (!read_choice(r)) return false;
    if (take_sign(r, ')')) return true;
    return *r->at ? fail_here(r) : fail_at_end(r, "a ')' is missing%.*s");
  }
  if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)r->at[1]))) return read_number(r);
  return c && strchr(name_signs, c) ? read_name(r) : fail_here(r);
}

// ---- operations ----

static bool read_power(TapeReader *r) {
  if (!read_value(r)) return false;
  return !take_sign(r, '^') || (read_signed(r) && add_operation(r, POWER, -1));
}

static bool read_signed(TapeReader *r) {
  bool minus = false;
  for (char c = next_sign(r); c == '-' || c == '+'; c = next_sign(r)) r->at++, minus = minus != (c == '-');
  return read_power(r) && (!minus || add_operation(r, NEGATE, 0));
}

static bool read_operations(TapeReader *r, int lowest) {
  if (!read_signed(r)) return false;
  for (const TapeOperator *o; (o = next_operator(r)) && o->rank >= lowest;) {
    if (r->smooth && o->operation > ATAN2) return fail_not_smooth(r, r->at, strlen(o->sign));
    r->at += strlen(o->sign);
    if (!read_operations(r, o->rank + 1) || !add_operation(r, o->operation, -1)) return false;
  }
  return true;
}

// a ? b : c. The step before b skips b, and the step after b skips c.
static bool read_branches(TapeReader *r) {
  int begin = r->out->count, between;
  if (r->smooth) return fail_not_smooth(r, r->at, 1);
  r->at++;
  if (!add_operation(r, SKIP_IF_ZERO, -1) || !read_choice(r)) return false;
  if (!take_sign(r, ':')) return *r->at ? fail_here(r) : fail_at_end(r, "a ':' is missing after '?'%.*s");
  between = r->out->count;
  if (!add_operation(r, SKIP, -1) || !read_choice(r)) return false;
  r->out->step[begin].which = between - begin;
  r->out->step[between].which = r->out->count - between - 1;
  r->joined = r->out->count;
  return true;
}

static bool read_choice(TapeReader *r) {
  if (++r->depth > LIMIT_FORMULA_DEPTH) return fail_too_deep(r);
  if (!read_operations(r, 1)) return false;
  if (next_sign(r) == '?' && !read_branches(r)) return false;
  r->depth--;
  return true;
}

// ---- formulae ----

size_t tape_room(const char *text) {
  size_t length = strlen(text); // each step takes at least one character
  return length < LIMIT_FORMULA ? length : LIMIT_FORMULA;
}

static bool read_text(TapeReader *r) {
  r->out->count = 0;
  *r->mistake = (FormulaMistake){.text = ""};
  r->at = r->text;
  if (!check_characters(r) || !read_choice(r)) return false;
  return !next_sign(r) || fail_here(r);
}

// False after a mistake.
static bool tape_read(const char *text, FormulaName name, void *owner, Tape *out, FormulaMistake *mistake) {
  TapeReader r = {.text = text, .out = out, .mistake = mistake, .find = find_source, .source = name, .owner = owner};
  return read_text(&r);
}

bool tape_read_smooth(const LimberFormula *f, int names, const char *const *name, Tape *out, FormulaMistake *mistake) {
  TapeReader r = {.text = f->text, .out = out, .mistake = mistake, .find = find_coordinate, .smooth = true};
  r.formula = f, r.name = name, r.names = names;
  return read_text(&r);
}

struct Formula {
  Tape tape;
  TapeStep step[];
};

Error FormulaCreate(const char *text, FormulaName name, void *owner, Formula **out, FormulaMistake *mistake) {
  Formula *f;
  *out = NULL;
  TRY(MemoryNew(sizeof *f + tape_room(text) * sizeof *f->step, &f));
  f->tape.step = f->step;
  if (!tape_read(text, name, owner, &f->tape, mistake)) memory_free(&f);
  *out = f;
  return 0;
}

void formula_destroy(Formula **formula) { memory_free(formula); }

double formula_value(const Formula *f) { return tape_value(&f->tape); }
