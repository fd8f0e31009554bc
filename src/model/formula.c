// SPDX-License-Identifier: Apache-2.0
#include "model/formula.h"

#include "base/limits.h"

#include <math.h>
#include <muParserDLL.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { // codes of muParser, which it names in its header for C++ only
  ENDS_EARLY = 2,
  ODD_PARENTHESIS = 7,
  OPEN_PARENTHESIS = 11,
  TOO_MANY = 14,
  TOO_FEW = 15,
};

typedef struct { // a name in a formula
  char *name;
  const double *source; // whose value it has
  muFloat_t value;      // where muParser reads it
} Variable;

struct Formula {
  muParserHandle_t parser;
  char *text;          // NULL: it could not be read
  Variable **variable; // in the order in which muParser asked for them
  int variables, room;
  FormulaName name;
  void *owner;
  FormulaMistake *mistake; // while it is created
  muFloat_t nothing;       // what an unknown name stands for until the mistake is told
};

// ---- formulae that are no longer needed ----

// muParser takes long to read a formula, and longer to make a parser: they wait here for the next formula of the same text.
enum { SPARES = 64 };
static _Atomic(Formula *) spare[SPARES];
static atomic_uint oldest;

static bool put_back(int i, Formula *f) {
  Formula *none = NULL;
  return atomic_compare_exchange_strong(&spare[i], &none, f);
}

static void free_variables(Formula *f) {
  for (int i = 0; i < f->variables; i++) {
    memory_free(&f->variable[i]->name);
    memory_free(&f->variable[i]);
  }
  f->variables = 0;
}

static void free_formula(Formula *f) {
  mupRelease(f->parser);
  free_variables(f);
  memory_free(&f->variable);
  memory_free(&f->text);
  memory_free(&f);
}

// One of that text, or, without one, that could not be read. NULL: there is none.
static Formula *take_spare(const char *text) {
  for (int i = 0; i < SPARES; i++) {
    Formula *f = atomic_exchange(&spare[i], NULL);
    if (f && (text ? f->text && !strcmp(f->text, text) : !f->text)) return f;
    if (f && !put_back(i, f)) free_formula(f);
  }
  return NULL;
}

// ---- names ----

static Variable *add_variable(Formula *f, const char *name) {
  Variable *v = NULL;
  if (f->variables == f->room) {
    f->room = f->room ? 2 * f->room : 8;
    if (MemoryResize((size_t)f->room * sizeof *f->variable, &f->variable)) return NULL;
  }
  if (MemoryNew(sizeof *v, &v) || MemoryNew(strlen(name) + 1, &v->name)) return NULL;
  strcpy(v->name, name);
  return f->variable[f->variables++] = v;
}

// muParser asks for each name that it meets. It never writes: assignments have been refused.
static muFloat_t *find_variable(const muChar_t *name, void *self) {
  Formula *f = self;
  const double *source = f->name ? f->name(f->owner, name) : NULL;
  Variable *v = source ? add_variable(f, name) : NULL;
  if (v) {
    v->source = source, v->value = *source;
    return &v->value;
  }
  if (f->mistake && !f->mistake->unknown[0]) snprintf(f->mistake->unknown, sizeof f->mistake->unknown, "%s", name);
  return &f->nothing;
}

// Asks for the names of a formula that has been read before. False: one is not known any more.
static bool find_variables(Formula *f, FormulaName name, void *owner) {
  for (int i = 0; i < f->variables; i++) {
    f->variable[i]->source = name ? name(owner, f->variable[i]->name) : NULL;
    if (!f->variable[i]->source) return false;
  }
  return true;
}

// ---- mistakes ----

// What this language leaves out of muParser's: assignments, texts, several values.
static bool is_refused(const char *text, FormulaMistake *m) {
  int depth = 0;
  for (const char *p = text; *p; p++) {
    const char *why = NULL;
    if (*p == '(') depth++;
    if (*p == ')') depth--;
    bool compares = p[0] == '=' && (p[1] == '=' || (p > text && strchr("=<>!", p[-1])));
    if (*p == '=' && !compares) why = "a formula assigns nothing; two values are compared by ==";
    else if (*p == '"' || *p == ';' || (unsigned char)*p < ' ' || (unsigned char)*p >= 0x7F)
      why = "this sign has no meaning in a formula";
    else if (*p == ',' && depth <= 0) why = "a decimal point is written '.'";
    if (!why) continue;
    snprintf(m->text, sizeof m->text, "%s", why);
    m->at = (size_t)(p - text);
    return true;
  }
  if (strlen(text) <= LIMIT_FORMULA) return false;
  snprintf(m->text, sizeof m->text, "a formula has at most %d characters", LIMIT_FORMULA);
  return true;
}

static void read_mistake(muParserHandle_t p, const char *text, FormulaMistake *m) {
  const char *token = mupGetErrorToken(p);
  int at = mupGetErrorPos(p), code = mupGetErrorCode(p);
  m->at = at >= 0 && (size_t)at < strlen(text) ? (size_t)at : 0;
  if ((code == ENDS_EARLY || code == OPEN_PARENTHESIS) && *text) m->at = strlen(text) - 1;
  switch (code) {
  case ENDS_EARLY: snprintf(m->text, sizeof m->text, "the formula ends too early"); break;
  case OPEN_PARENTHESIS: snprintf(m->text, sizeof m->text, "a ')' is missing"); break;
  case ODD_PARENTHESIS: snprintf(m->text, sizeof m->text, "this ')' closes nothing"); break;
  case TOO_MANY: snprintf(m->text, sizeof m->text, "too much is given to '%s'", token); break;
  case TOO_FEW: snprintf(m->text, sizeof m->text, "too little is given to '%s'", token); break;
  default: snprintf(m->text, sizeof m->text, "'%.60s' cannot stand here", *token ? token : text + m->at);
  }
}

// A name is a word; '.' and '#' divide names of results.
static const char name_signs[] = "0123456789_.#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

// Where a name stands as a whole word.
static size_t find_name(const char *text, const char *name) {
  size_t length = strlen(name);
  for (const char *p = text; *p;) {
    size_t n = strspn(p, name_signs);
    if (n == length && !strncmp(p, name, n)) return (size_t)(p - text);
    p += n ? n : 1;
  }
  const char *part = strstr(text, name); // behind a number, as in 2x
  return part ? (size_t)(part - text) : 0;
}

const char *formula_function(int i) {
  static const char *const names[] = {"sin",  "cos",   "tan",   "asin",  "acos", "atan",  "atan2", "sinh", "cosh",
                                      "tanh", "asinh", "acosh", "atanh", "log2", "log10", "log",   "ln",   "exp",
                                      "sqrt", "sign",  "rint",  "abs",   "sum",  "avg",   "min",   "max",  NULL};
  return names[i];
}

// ---- formulae ----

static Error CreateParser(Formula **out) {
  Formula *f = NULL;
  TRY(MemoryNew(sizeof *f, &f));
  f->parser = mupCreate(muBASETYPE_FLOAT);
  ENSURE(f->parser, ERROR_LIBRARY, "muParser gives no parser");
  mupDefineNameChars(f->parser, name_signs);
  mupDefineConst(f->parser, "pi", 3.14159265358979323846);
  mupSetVarFactory(f->parser, find_variable, f);
  *out = f;
  return 0;
}

Error FormulaCreate(const char *text, FormulaName name, void *owner, Formula **out, FormulaMistake *mistake) {
  Formula *f = take_spare(text);
  *out = f;
  *mistake = (FormulaMistake){.text = ""};
  if (f && find_variables(f, name, owner)) return 0;
  if (!f) f = take_spare(NULL);
  if (!f) TRY(CreateParser(&f));
  if (!formula_change(f, text, name, owner, mistake)) formula_destroy(&f);
  else {
    TRY(MemoryResize(strlen(text) + 1, &f->text));
    strcpy(f->text, text);
  }
  *out = f;
  return 0;
}

bool formula_change(Formula *f, const char *text, FormulaName name, void *owner, FormulaMistake *mistake) {
  int values = 0;
  *mistake = (FormulaMistake){.text = ""};
  memory_free(&f->text);
  if (is_refused(text, mistake)) return false;
  f->name = name, f->owner = owner, f->mistake = mistake;
  mupErrorReset(f->parser);
  mupClearVar(f->parser);
  free_variables(f);
  mupSetExpr(f->parser, text);
  mupEvalMulti(f->parser, &values);
  if (mistake->unknown[0]) snprintf(mistake->text, sizeof mistake->text, "nothing is called '%s'", mistake->unknown);
  else if (mupError(f->parser)) read_mistake(f->parser, text, mistake);
  if (mistake->unknown[0]) mistake->at = find_name(text, mistake->unknown);
  f->mistake = NULL;
  return !mistake->text[0];
}

void formula_destroy(Formula **formula) {
  Formula *f = *formula;
  *formula = NULL;
  if (!f) return;
  for (int i = 0; i < SPARES; i++)
    if (put_back(i, f)) return;
  f = atomic_exchange(&spare[atomic_fetch_add(&oldest, 1) % SPARES], f);
  if (f) free_formula(f);
}

double formula_value(Formula *f) {
  for (int i = 0; i < f->variables; i++) f->variable[i]->value = *f->variable[i]->source;
  double value = mupEval(f->parser);
  return mupError(f->parser) ? NAN : value;
}

const char *formula_library(void) {
  static char text[40];
  muParserHandle_t p = mupCreate(muBASETYPE_FLOAT);
  snprintf(text, sizeof text, "%s", p ? mupGetVersion(p) : "?");
  text[strcspn(text, " ")] = 0;
  if (p) mupRelease(p);
  return text;
}
