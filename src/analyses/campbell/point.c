// SPDX-License-Identifier: Apache-2.0
// The model is read again with the parameter changed, as by --set.
#include "analyses/campbell/campbell.h"

#include "analyses/read_changed.h"

#include <string.h>

// "nothing uses the parameter 'speed'"
static bool is_unused(const char *text, const char *vary) {
  static const char start[] = "nothing uses the parameter '";
  const char *name = !strncmp(vary, "let.", 4) ? vary + 4 : vary;
  return !strncmp(text, start, sizeof start - 1) && !strncmp(text + sizeof start - 1, name, strlen(name));
}

static PetscErrorCode ReadChanged(const CampbellProblem *p, double value, Input **out, char *wrong, size_t size) {
  const LimberCampbellOptions *o = &p->options;
  char change[512];
  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(change, sizeof change, "%s%s=%.17g%s%s", strchr(o->vary, '.') ? "" : "let.", o->vary, value,
                          o->unit ? " " : "", o->unit ? o->unit : ""));
  PetscCall(InputReadChanged(p->in, p->read, change, out, wrong, size));
  const Diagnostics *d = &(*out)->diagnostics;
  for (int i = 0; i < d->count && !d->errors; i++) // a change makes a parameter that there was none of
    if (d->diagnostic[i].level == DIAGNOSTIC_WARNING && is_unused(d->diagnostic[i].text, o->vary))
      PetscCall(PetscSNPrintf(wrong, size, "campbell: nothing in the model depends on '%s'", o->vary));
  PetscFunctionReturn(0);
}

PetscErrorCode CampbellPointDestroy(CampbellPoint *point) {
  PetscFunctionBegin;
  PetscCall(ModalAnalysisDestroy(&point->a));
  PetscCall(InputDestroy(&point->in));
  *point = (CampbellPoint){0};
  PetscFunctionReturn(0);
}

PetscErrorCode CampbellPointSolve(const CampbellProblem *p, double value, CampbellPoint *out, char *wrong,
                                  size_t size) {
  LimberModesOptions o = p->in->modes.options;
  char why[900] = "";
  PetscFunctionBegin;
  *out = (CampbellPoint){.value = value};
  wrong[0] = 0;
  PetscCall(ReadChanged(p, value, &out->in, wrong, size));
  // more than are followed: some leave the lowest on the way
  o.count = p->options.modes + PetscMax(4, p->options.modes / 2), o.target = 0;
  if (!wrong[0]) PetscCall(ModalAnalysis(out->in->model, &o, &out->a, why, sizeof why));
  if (why[0])
    PetscCall(PetscSNPrintf(wrong, size, "at %s = %g%s%s: %s", p->options.vary, value, p->options.unit ? " " : "",
                            p->options.unit ? p->options.unit : "", why));
  if (wrong[0]) PetscCall(CampbellPointDestroy(out));
  PetscFunctionReturn(0);
}
