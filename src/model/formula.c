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

struct Formula {
  muParserHandle_t parser;
  FormulaName name;
  void *owner;
  FormulaMistake *mistake; // while it is created
  muFloat_t nothing;       // what an unknown name stands for until the mistake is told
};

// A parser of muParser takes longer to make than a formula to read: those that are no longer needed wait here for the next.
enum { SPARE_PARSERS = 64 };
static _Atomic(muParserHandle_t) spare[SPARE_PARSERS];

static muParserHandle_t take_parser(void) {
  for (int i = 0; i < SPARE_PARSERS; i++) {
    muParserHandle_t parser = atomic_exchange(&spare[i], NULL);
    if (parser) return parser;
  }
  return NULL;
}

static void release_parser(muParserHandle_t parser) {
  mupClearVar(parser);
  for (int i = 0; i < SPARE_PARSERS && parser; i++) {
    muParserHandle_t none = NULL;
    if (atomic_compare_exchange_strong(&spare[i], &none, parser)) return;
  }
  mupRelease(parser);
}

// muParser asks for each name that it meets. It never writes: assignments have been refused.
static muFloat_t *find_variable(const muChar_t *name, void *self) {
  Formula *f = self;
  const double *value = f->name ? f->name(f->owner, name) : NULL;
  if (value) return (muFloat_t *)value;
  if (f->mistake && !f->mistake->unknown[0]) snprintf(f->mistake->unknown, sizeof f->mistake->unknown, "%s", name);
  return &f->nothing;
}

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

Error FormulaCreate(const char *text, FormulaName name, void *owner, Formula **out, FormulaMistake *mistake) {
  Formula *f = NULL;
  *out = NULL;
  TRY(MemoryNew(sizeof *f, &f));
  f->parser = take_parser();
  if (!f->parser) {
    f->parser = mupCreate(muBASETYPE_FLOAT);
    ENSURE(f->parser, ERROR_LIBRARY, "muParser gives no parser");
    mupDefineNameChars(f->parser, name_signs);
    mupDefineConst(f->parser, "pi", 3.14159265358979323846);
  }
  mupSetVarFactory(f->parser, find_variable, f);
  if (!formula_change(f, text, name, owner, mistake)) formula_destroy(&f);
  *out = f;
  return 0;
}

bool formula_change(Formula *f, const char *text, FormulaName name, void *owner, FormulaMistake *mistake) {
  int values = 0;
  *mistake = (FormulaMistake){.text = ""};
  if (is_refused(text, mistake)) return false;
  f->name = name, f->owner = owner, f->mistake = mistake;
  mupErrorReset(f->parser);
  mupClearVar(f->parser);
  mupSetExpr(f->parser, text);
  mupEvalMulti(f->parser, &values);
  if (mistake->unknown[0]) snprintf(mistake->text, sizeof mistake->text, "nothing is called '%s'", mistake->unknown);
  else if (mupError(f->parser)) read_mistake(f->parser, text, mistake);
  if (mistake->unknown[0]) mistake->at = find_name(text, mistake->unknown);
  f->mistake = NULL;
  return !mistake->text[0];
}

void formula_destroy(Formula **formula) {
  if (!*formula) return;
  release_parser((*formula)->parser);
  memory_free(formula);
}

double formula_value(Formula *formula) {
  double value = mupEval(formula->parser);
  return mupError(formula->parser) ? NAN : value;
}

const char *formula_library(void) {
  static char text[40];
  muParserHandle_t p = mupCreate(muBASETYPE_FLOAT);
  snprintf(text, sizeof text, "%s", p ? mupGetVersion(p) : "?");
  text[strcspn(text, " ")] = 0;
  if (p) mupRelease(p);
  return text;
}
