// SPDX-License-Identifier: Apache-2.0
#include "study/gradients.h"

#include "analyses/read_changed.h"
#include "gradient/gradient.h"
#include "quantities/ledger.h"
#include "study/run.h"

#include <string.h>

enum { CHANGE = 400 }; // characters of a change

// The variable of the plan that changes a field which is no number of `let`; -1: none.
static int find_variable(const Plan *p, const char *path, size_t length) {
  for (int i = 0; i < p->variables; i++) {
    const char *own = p->variable[i].path;
    if (strlen(own) == length && !memcmp(own, path, length) && strncmp(own, "let.", 4)) return i;
  }
  return -1;
}

// What `limber gradient` is given for a parameter of the plan, where `change` is what the plan changes in a run.
static const char *parameter_text(const Plan *p, int parameter, const char *const *change) {
  const char *text = p->gradients.parameter[parameter].text;
  int variable = find_variable(p, text, strlen(text));
  return variable < 0 ? text : change[variable];
}

// ---- the plan and its model ----

static Error CheckQuantity(const Plan *p, int i, const Input *in, Diagnostics *d) {
  const PlanName *name = &p->gradients.quantity[i];
  GradientQuantity q;
  Refusal wrong = {.text = ""};
  if (parse_quantity(name->text, &q, &wrong)) {
    GradientAnalysis analysis = gradient_analysis(q.of);
    bool column = analysis == IN_RUN || analysis == IN_EQUILIBRIUM;
    if (column && !study_channel_unit(in, q.column)) TRY(PlanReportColumn(p, q.column, name->at, in, d));
  }
  for (int k = 0; k < i && !is_refused(&wrong); k++)
    if (!strcmp(p->gradients.quantity[k].text, name->text)) refuse(&wrong, "'%s' is listed twice", name->text);
  if (is_refused(&wrong)) TRY(DiagnosticsAdd(d, DIAGNOSTIC_ERROR, name->at, "%s", wrong.text));
  return 0;
}

static Error CheckParameter(const Plan *p, int i, const Input *in, const char *const *change, GradientParameter *all,
                            Diagnostics *d) {
  const PlanName *name = &p->gradients.parameter[i];
  Refusal wrong = {.text = ""};
  size_t length = strcspn(name->text, "=");
  if (name->text[length] && find_variable(p, name->text, length) >= 0)
    refuse(&wrong, "'%.*s' varies: write it without a value", (int)length, name->text);
  else if (!parse_parameter(in, parameter_text(p, i, change), &all[i], &wrong)) all[i].path[0] = 0;
  for (int k = 0; k < i && !is_refused(&wrong); k++)
    if (!strcmp(all[k].path, all[i].path)) refuse(&wrong, "the parameter '%s' is listed twice", all[i].path);
  if (is_refused(&wrong)) TRY(DiagnosticsAdd(d, DIAGNOSTIC_ERROR, name->at, "%s", wrong.text));
  return 0;
}

// The changes of the first run.
static Error FirstChanges(const Plan *p, char (**text)[CHANGE], const char ***change) {
  double *value;
  TRY(MemoryNew((size_t)(p->variables + 1) * sizeof **text, text));
  TRY(MemoryNew((size_t)(p->variables + 1) * sizeof **change, change));
  TRY(MemoryNew((size_t)(p->variables + 1) * sizeof *value, &value));
  plan_values(p, 0, value);
  for (int i = 0; i < p->variables; i++) {
    plan_change(p, i, value[i], (*text)[i], CHANGE);
    (*change)[i] = (*text)[i];
  }
  memory_free(&value);
  return 0;
}

Error StudyGradientsCheck(const Plan *p, const Input *in, Diagnostics *d) {
  const PlanGradients *g = &p->gradients;
  GradientParameter *parameter;
  char(*text)[CHANGE];
  const char **change;
  if (in->diagnostics.errors) return 0;
  TRY(FirstChanges(p, &text, &change));
  TRY(MemoryNew((size_t)(g->parameters + 1) * sizeof *parameter, &parameter));
  for (int i = 0; i < g->quantities; i++) TRY(CheckQuantity(p, i, in, d));
  for (int i = 0; i < g->parameters; i++) TRY(CheckParameter(p, i, in, change, parameter, d));
  memory_free(&text);
  memory_free(&change);
  memory_free(&parameter);
  return 0;
}

// ---- columns ----

static const char *unit_of(const Input *in, const GradientQuantity *q) {
  switch (gradient_analysis(q->of)) {
  case IN_MODEL: return "kg";
  case IN_MODES: return q->of == OF_FREQUENCY ? "Hz" : "1";
  case IN_RUN:
  case IN_EQUILIBRIUM: break;
  }
  const char *unit = study_channel_unit(in, q->column);
  return unit && *unit ? unit : "1";
}

const char *study_gradient_unit(const char *quantity, const char *parameter, char *text, size_t size) {
  bool plain = !*parameter || !strcmp(parameter, "1"), one = !parameter[strcspn(parameter, " /*-0123456789")];
  if (plain) snprintf(text, size, "%s", quantity);
  else snprintf(text, size, one ? "%s/%s" : "%s/(%s)", quantity, parameter);
  return text;
}

static Error Keep(Store *store, const char *text, const char **out) {
  TRY(StoreText(store, text, strlen(text), out));
  return 0;
}

Error StudyGradientsName(const Plan *p, const Input *in, Store *store, StudyGradients *out) {
  const PlanGradients *g = &p->gradients;
  size_t quantities = (size_t)g->quantities, parameters = (size_t)g->parameters;
  char(*text)[CHANGE];
  const char **change;
  Refusal wrong = {.text = ""};
  *out = (StudyGradients){.quantities = g->quantities, .parameters = g->parameters};
  TRY(StoreAllocate(store, (quantities + 1) * sizeof *out->quantity, &out->quantity));
  TRY(StoreAllocate(store, (quantities + 1) * sizeof *out->quantity, &out->quantity_unit));
  TRY(StoreAllocate(store, (parameters + 1) * sizeof *out->parameter, &out->parameter));
  TRY(StoreAllocate(store, (parameters + 1) * sizeof *out->parameter, &out->parameter_unit));
  TRY(FirstChanges(p, &text, &change));
  for (int i = 0; i < g->quantities; i++) {
    GradientQuantity q;
    parse_quantity(g->quantity[i].text, &q, &wrong);
    TRY(Keep(store, q.text, &out->quantity[i]));
    TRY(Keep(store, unit_of(in, &q), &out->quantity_unit[i]));
  }
  for (int i = 0; i < g->parameters; i++) {
    GradientParameter q;
    parse_parameter(in, parameter_text(p, i, change), &q, &wrong);
    TRY(Keep(store, q.path, &out->parameter[i]));
    TRY(Keep(store, q.unit, &out->parameter_unit[i]));
  }
  memory_free(&text);
  memory_free(&change);
  ENSURE(!is_refused(&wrong), ERROR_PROGRAM, "%s", wrong.text);
  return 0;
}

// ---- a run ----

// The model is read again: the run that still uses the first one shares its memory with the next run.
PetscErrorCode StudyGradientsFind(const Plan *p, const Input *in, SourceReader read, const char *const *change,
                                  const GradientWatch *watch, double *value, double *error, Refusal *wrong) {
  const PlanGradients *g = &p->gradients;
  LimberGradientOptions o = limber_gradient_options_default();
  LimberGradient found = NULL;
  Input *own;
  const char **quantity, **parameter;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(g->quantities, &quantity, g->parameters, &parameter));
  for (int i = 0; i < g->quantities; i++) quantity[i] = g->quantity[i].text;
  for (int i = 0; i < g->parameters; i++) parameter[i] = parameter_text(p, i, change);
  o.quantities = g->quantities, o.quantity = quantity, o.parameters = g->parameters, o.parameter = parameter;
  o.method = g->adjoint ? LIMBER_GRADIENT_ADJOINT : LIMBER_GRADIENT_FORWARD;
  PetscCall(InputReadChanged(in, read, NULL, &own, wrong));
  if (!is_refused(wrong)) PetscCall(GradientFind(own, read, &o, watch, &found, wrong));
  for (int i = 0; found && i < g->quantities; i++) {
    *value++ = found->value[i];
    for (int k = 0; k < g->parameters; k++) {
      const LimberDerivative *d = &found->d[i * g->parameters + k];
      *value++ = d->value, *error++ = d->error;
    }
  }
  PetscCall(GradientDestroy(&found));
  PetscCall(InputDestroy(&own));
  PetscCall(PetscFree2(quantity, parameter));
  PetscFunctionReturn(0);
}
