// SPDX-License-Identifier: Apache-2.0
// A formula is not calculated with units. Its dimension shows by trial: if lengths are measured in a unit 1/s times as
// long, every parameter p becomes s^d p, where d is its power of m, and a formula of dimension m^e must become s^e times
// what it was. Where two factors s give the same e for every base unit the formula has this dimension, and it must be
// that of its field. Where they do not, plain numbers in the formula carry dimensions of their own, as in `R + 0.1`,
// which nobody can check; and what is a pure number may stand anywhere, as a plain number may. Angles are pure numbers.
#include "input/yaml/parameter_formula.h"

#include "input/yaml/kept.h"
#include "input/yaml/scope.h"

#include <math.h>
#include <string.h>

const double *formula_parameter(void *owner, const char *text) {
  FormulaParameters *f = owner;
  int found = scope_parameter(f->r, text);
  if (found < 0) return NULL;
  Parameter *p = &f->r->parameter[found];
  p->used = true;
  f->broken = f->broken || !p->good;
  f->crowded = f->crowded || f->names == MOST_PARAMETERS;
  if (f->crowded) return &p->value;
  f->value[f->names] = p->value, f->name[f->names] = p;
  return &f->value[f->names++];
}

// ---- the dimension ----

// The power of one base unit in the formula's dimension; false where there is none.
static bool find_power(Formula *formula, FormulaParameters *f, int base, double at_one, double *power) {
  static const double factor[2] = {1.25, 1.5};
  double found[2];
  bool present = false;
  *power = 0;
  for (int i = 0; i < f->names; i++) present = present || f->name[i]->dimension.power[base] != 0;
  if (!present) return true;
  for (int k = 0; k < 2; k++) {
    double before[MOST_PARAMETERS];
    for (int i = 0; i < f->names; i++) {
      before[i] = f->value[i];
      f->value[i] *= pow(factor[k], f->name[i]->dimension.power[base]);
    }
    found[k] = log(formula_value(formula) / at_one) / log(factor[k]);
    for (int i = 0; i < f->names; i++) f->value[i] = before[i];
  }
  if (!(fabs(found[0] - found[1]) < 1e-9)) return false;
  *power = rint(60 * found[0]) / 60;
  return fabs(*power - found[0]) < 1e-9;
}

// A parameter that is zero stands at 1 in the trials: zero has every dimension.
static bool find_dimension(Formula *formula, FormulaParameters *f, Dimension *out) {
  bool definite = !f->crowded;
  for (int i = 0; i < f->names; i++) {
    definite = definite && f->name[i]->definite;
    if (f->value[i] == 0) f->value[i] = 1;
  }
  double at_one = formula_value(formula);
  for (int b = 0; definite && b < RADIAN; b++) definite = find_power(formula, f, b, at_one, &out->power[b]);
  for (int i = 0; i < f->names; i++) f->value[i] = f->name[i]->value;
  return definite;
}

static void find_value(Formula *formula, FormulaParameters *f, NumberValue *out, bool *finite) {
  out->value = formula_value(formula);
  *finite = isfinite(out->value);
  if (!f->broken && *finite) out->definite = find_dimension(formula, f, &out->dimension);
}

// ---- formulae of readings before ----

typedef struct { // a parameter as it was in the last reading
  const char *name;
  double value;
  Dimension dimension;
  bool definite;
} KeptParameter;

typedef struct {
  Formula *formula;
  FormulaParameters f;
  KeptParameter *parameter;
  bool known; // `value` is that of the parameters as they were
  NumberValue value;
} KeptFormula;

typedef struct {
  Names parameters; // that may be names of parameters
  Names texts;      // of formulae
  KeptFormula **formula;
} KeptFormulae;

static Error DestroyKeptFormulae(void *data) {
  KeptFormulae *all = data;
  for (int i = 0; i < all->texts.count; i++) {
    formula_destroy(&all->formula[i]->formula);
    memory_free(&all->formula[i]);
  }
  memory_free(&all->formula);
  TRY(NamesDestroy(&all->texts));
  TRY(NamesDestroy(&all->parameters));
  return 0;
}
static const KeptKind kept_formulae = {sizeof(KeptFormulae), DestroyKeptFormulae};

Error IsKeptParameter(Reader *r, const char *name, bool *kept) {
  KeptFormulae *all;
  *kept = false;
  if (!r->kept) return 0;
  TRY(FindKept(r->kept, &kept_formulae, &all));
  *kept = names_find(&all->parameters, name);
  return 0;
}

Error KeepParameter(Reader *r, const char *name) {
  KeptFormulae *all;
  const char *copy;
  if (!r->kept) return 0;
  TRY(FindKept(r->kept, &kept_formulae, &all));
  if (all->parameters.count > LIMIT_KEPT_FORMULAE) return 0;
  TRY(StoreText(&r->kept->store, name, strlen(name), &copy));
  return NamesAdd(&all->parameters, copy, 0, (SourceLocation){0, 0, 0});
}

// Lists the parameters of a formula anew, with their values. False: one of them is no more. `same`: all are as they were.
static bool find_parameters(Reader *r, KeptFormula *k, bool *same) {
  FormulaParameters *f = &k->f;
  *same = k->known;
  f->r = r, f->broken = false;
  for (int i = 0; i < f->names; i++) {
    const KeptParameter *old = &k->parameter[i];
    const Name *name = names_find(&r->let, old->name);
    if (!name) return false;
    Parameter *p = &r->parameter[name->id];
    f->name[i] = p, f->value[i] = p->value;
    f->broken = f->broken || !p->good;
    *same = *same && p->good && p->definite == old->definite && !memcmp(&p->value, &old->value, sizeof p->value) &&
            !memcmp(&p->dimension, &old->dimension, sizeof p->dimension);
  }
  for (int i = 0; i < f->names; i++) f->name[i]->used = true;
  return true;
}

static Error KeepFormula(Reader *r, const char *text, KeptFormulae *all, KeptFormula **out) {
  InputFile *kept = r->kept;
  FormulaMistake mistake;
  KeptFormula *k;
  *out = NULL;
  TRY(MemoryNew(sizeof *k, &k));
  k->f.r = r;
  TRY(FormulaCreate(text, formula_parameter, &k->f, &k->formula, &mistake));
  if (!k->formula || k->f.crowded) {
    formula_destroy(&k->formula);
    memory_free(&k);
    return 0;
  }
  TRY(StoreAllocate(&kept->store, (size_t)k->f.names * sizeof *k->parameter, &k->parameter));
  for (int i = 0; i < k->f.names; i++)
    TRY(StoreText(&kept->store, k->f.name[i]->name, strlen(k->f.name[i]->name), &k->parameter[i].name));
  TRY(StoreText(&kept->store, text, strlen(text), &text));
  TRY(MemoryResize((size_t)(all->texts.count + 1) * sizeof *all->formula, &all->formula));
  all->formula[all->texts.count] = k;
  TRY(NamesAdd(&all->texts, text, all->texts.count, (SourceLocation){0, 0, 0}));
  *out = k;
  return 0;
}

static void evaluate_kept(KeptFormula *k, bool same, NumberValue *out, bool *finite) {
  *finite = true;
  if (same) *out = k->value;
  else find_value(k->formula, &k->f, out, finite);
  k->known = *finite && !k->f.broken;
  k->value = *out;
  for (int i = 0; i < k->f.names && !same; i++) {
    const Parameter *p = k->f.name[i];
    k->parameter[i].value = p->value, k->parameter[i].dimension = p->dimension, k->parameter[i].definite = p->definite;
  }
}

Error EvaluateFormula(Reader *r, const char *text, FormulaParameters *f, NumberValue *out, bool *finite,
                      FormulaMistake *mistake) {
  bool keep = r->kept && !r->scope; // a text means something else in each instance
  KeptFormulae *all = NULL;
  if (keep) TRY(FindKept(r->kept, &kept_formulae, &all));
  const Name *name = keep ? names_find(&all->texts, text) : NULL;
  KeptFormula *k = name ? all->formula[name->id] : NULL;
  Formula *formula;
  bool same = false;
  *mistake = (FormulaMistake){.text = ""};
  *finite = false;
  if (keep && !k && all->texts.count < LIMIT_KEPT_FORMULAE) TRY(KeepFormula(r, text, all, &k));
  if (k && find_parameters(r, k, &same)) {
    evaluate_kept(k, same, out, finite);
    *f = k->f;
    return 0;
  }
  f->r = r, f->names = 0, f->crowded = f->broken = false;
  TRY(FormulaCreate(text, formula_parameter, f, &formula, mistake));
  if (formula) find_value(formula, f, out, finite);
  formula_destroy(&formula);
  return 0;
}
