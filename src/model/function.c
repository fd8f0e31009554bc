// SPDX-License-Identifier: Apache-2.0
// Functions of time in a model. A function refers only to earlier ones, so there are no cycles.
#include "base/limits.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- building ----

static Error CopyList(LimberModel m, size_t bytes, void *at) {
  void *copy, *list;
  memcpy(&list, at, sizeof list);
  TRY(ModelAllocate(m, bytes, &copy));
  if (bytes) memcpy(copy, list, bytes);
  memcpy(at, &copy, sizeof copy);
  return 0;
}

typedef struct { // where a formula finds its names
  const double *clock;
  const LimberFormula *formula;
} Asked;

static const double *find_name(void *owner, const char *name) {
  const Asked *a = owner;
  if (!strcmp(name, "t")) return a->clock;
  for (int i = 0; i < a->formula->parameters; i++)
    if (!strcmp(a->formula->parameter[i].name, name)) return &a->formula->parameter[i].value;
  return NULL;
}

// Copies and reads the formula; `error`: what is wrong with it.
static Error TakeFormula(LimberModel m, const char *field, LimberFormula *f, Formula **out, char *error, size_t size) {
  FormulaMistake mistake;
  Asked *asked;
  *out = NULL;
  if (!f->text) return 0;
  TRY(ModelCopyString(m, f->text, &f->text));
  TRY(CopyList(m, (size_t)f->parameters * sizeof *f->parameter, &f->parameter));
  for (int i = 0; i < f->parameters; i++)
    TRY(ModelCopyString(m, f->parameter[i].name, (const char **)&f->parameter[i].name));
  if (!m->clock) TRY(ModelAllocate(m, sizeof *m->clock, &m->clock));
  *m->clock = 0;
  TRY(ModelAllocate(m, sizeof *asked, &asked));
  *asked = (Asked){m->clock, f};
  TRY(FormulaCreate(f->text, find_name, asked, out, &mistake));
  if (*error) return 0;
  if (!*out) snprintf(error, size, "its `%s`: %s", field, mistake.text);
  else if (!isfinite(formula_value(*out))) snprintf(error, size, "its `%s` is not a finite number at t = 0", field);
  return 0;
}

// Copies what the fields of a function point at.
static Error TakeFields(LimberModel m, ModelFunction *f, const char **wrong, char *error, size_t size) {
  int formulae = 0;
  for (int i = 0; i < f->kind->fields.count; i++) {
    const Field *field = &f->kind->fields.field[i];
    void *at = (char *)f->params + field->offset;
    if (field->type == FIELD_LIST) TRY(CopyList(m, (size_t) * (const int *)f->params * sizeof(double), at));
    if (field->type == FIELD_FORMULA) TRY(TakeFormula(m, field->name, at, &f->formula[formulae++], error, size));
    if (*error && !*wrong) *wrong = field->name;
    if (field->type != FIELD_FUNCTIONS) continue;
    int count = *(const int *)((const char *)at + sizeof(LimberFunctionId *));
    TRY(CopyList(m, (size_t)count * sizeof(LimberFunctionId), at));
    for (int k = 0; k < count; k++) {
      int of = (*(const LimberFunctionId **)at)[k].index;
      if (of >= 0 && of < m->functions.count) f->size += model_function(m, of)->size;
      if (f->size > LIMIT_FUNCTION_PARTS)
        f->size = LIMIT_FUNCTION_PARTS,
        snprintf(error, size, "it consists of more than %d functions", LIMIT_FUNCTION_PARTS);
      if (of < 0 || of >= m->functions.count)
        snprintf(error, size, "its `%s` are not functions of the model", field->name);
    }
    if (*error && !*wrong) *wrong = field->name;
  }
  return 0;
}

Error ModelAddFunction(LimberModel m, const char *kind, const char *name, const void *params, int *id) {
  ModelFunction f = {.size = 1}, *to;
  char error[400] = "";
  const char *field = NULL;
  if (id) *id = LIMBER_NONE;
  for (int i = 0; function_kinds[i]; i++)
    if (!strcmp(function_kinds[i]->name, kind)) f.kind = function_kinds[i];
  if (!f.kind) {
    TRY(ModelReportError(m, NULL, "'%s': there is no function of the kind '%s'", shown_name(name), kind));
    return 0;
  }
  Reason wrong = f.kind->check ? f.kind->check(params) : no_reason();
  if (!wrong.text) {
    TRY(ModelAllocate(m, f.kind->fields.size, &f.params));
    memcpy(f.params, params, f.kind->fields.size);
    TRY(TakeFields(m, &f, &field, error, sizeof error));
    if (*error) wrong = reason(REASON_VALUE, field, error);
  }
  if (wrong.text) {
    for (int i = 0; i < FUNCTION_FORMULAS; i++) formula_destroy(&f.formula[i]);
    return ModelReportReason(m, "function", name ? name : kind, wrong);
  }
  TRY(ModelCopyString(m, name, &f.name));
  if (id) *id = m->functions.count;
  TRY(ArrayAdd(&m->functions, sizeof *to, &to));
  *to = f;
  return 0;
}

void model_forget_formulae(LimberModel m) {
  for (int i = 0; i < m->functions.count; i++)
    for (int k = 0; k < FUNCTION_FORMULAS; k++) formula_destroy(&((ModelFunction *)m->functions.data)[i].formula[k]);
}

// ---- evaluating ----

typedef struct {
  FunctionHost host; // must come first
  Model model;
  const ModelFunction *function;
} Host;

static Signal amplitude_at(Model m, int function, double t, bool rate);

static Signal evaluate_other(const FunctionHost *host, int function, double t) {
  return amplitude_at(((const Host *)host)->model, function, t, host->rate);
}

static double formula_at(const FunctionHost *host, int i, double t) {
  const Host *h = (const Host *)host;
  *h->model->clock = t;
  return formula_value(h->function->formula[i]);
}

static Signal amplitude_at(Model m, int function, double t, bool rate) {
  if (function == LIMBER_NONE) return (Signal){1, 0};
  const ModelFunction *f = model_function(m, function);
  const Host host = {{evaluate_other, formula_at, rate}, m, f};
  return f->kind->at(f->params, &host.host, t);
}

double model_amplitude(Model m, int function, double t) { return amplitude_at(m, function, t, false).value; }
double model_amplitude_rate(Model m, int function, double t) { return amplitude_at(m, function, t, true).rate; }

bool model_amplitude_set(Model m, int function) {
  if (function == LIMBER_NONE) return false;
  const ModelFunction *f = model_function(m, function);
  bool set = f->kind == &function_signal;
  for (int i = 0; i < f->kind->fields.count; i++) {
    if (f->kind->fields.field[i].type != FIELD_FUNCTIONS) continue;
    const LimberCombination *c = f->params;
    for (int k = 0; k < c->count; k++) set = set || model_amplitude_set(m, c->of[k].index);
  }
  return set;
}

int LimberModelSetSignal(LimberModel m, LimberFunctionId function, double value) {
  ENSURE(m, ERROR_ARGUMENT, "LimberModelSetSignal is given NULL for the model");
  ENSURE(function.index >= 0 && function.index < m->functions.count, ERROR_ARGUMENT, "no function %d", function.index);
  const ModelFunction *f = model_function(m, function.index);
  ENSURE(f->kind == &function_signal, ERROR_ARGUMENT, "the function '%s' is a %s, and only a signal can be set",
         shown_name(f->name), f->kind->name);
  ENSURE(isfinite(value), ERROR_ARGUMENT, "the signal '%s' is set to %g", shown_name(f->name), value);
  ((LimberSignal *)f->params)->value = value;
  return 0;
}

bool model_amplitude_constant(Model m, int function) {
  return function == LIMBER_NONE || model_function(m, function)->kind == &function_constant;
}
