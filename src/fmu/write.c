// SPDX-License-Identifier: Apache-2.0
// An FMU that is a run of a model.
#include "fmu/write.h"

#include "files/output_file.h"
#include "fmu/content.h"
#include "results/write/history.h"

#include <string.h>

// ---- what can be an FMU ----

static void check_model(const Input *in, Refusal *wrong) {
  if (!(in->end > 0)) {
    refuse(wrong, "the model has no part `run`: an FMU takes the steps of one; add `run: {step: 1 ms, end: 1 s}`");
    return;
  }
  if (in->first_step) refuse(wrong, "the model has no step: an FMU takes steps of one length; add `step` to `run`");
  for (int i = 1; i < in->sources && !is_refused(wrong); i++) {
    const char *name = in->source[i].name;
    if (!fmu_is_plain_name(name) || !strcmp(name, fmu_model_name(in)))
      refuse(wrong, "the model reads '%s', which has no place in an FMU: put it below the folder of the model", name);
  }
  for (int i = 0; i < in->network.blocks && !is_refused(wrong); i++)
    if (in->network.block[i].kind->loads != BLOCK_LOADS_NOTHING)
      refuse(wrong, "the control block '%s' loads a library or an FMU, which an FMU does not contain",
             in->network.block[i].name);
  for (int i = 0; i < in->changes && !is_refused(wrong); i++)
    if (strpbrk(in->change[i], "\n\r") || strlen(in->change[i]) > 3000)
      refuse(wrong, "a change of the command line has several lines or is too long for an FMU");
}

// ---- variables ----

static bool is_of_network(const Network *n, int function) {
  for (int i = 0; i < n->signals; i++)
    if (n->signal[i] == function) return true;
  return false;
}

static Error AddInputs(FmuContent *c, const Input *in) {
  ptrdiff_t count = in->model->functions.count;
  FmuList *list = &c->d.list[FMU_INPUTS];
  TRY(StoreAllocate(&c->store, ((size_t)count + 1) * sizeof *list->item, &list->item));
  for (ptrdiff_t i = 0; i < count; i++) {
    const ModelFunction *f = model_function(in->model, i);
    if (!f->name || !*f->name || strcmp(f->kind->name, "signal") || is_of_network(&in->network, (int)i)) continue;
    const FmuVariable v = {.name = f->name, .unit = "", .start = ((const LimberSignal *)f->params)->value};
    TRY(FmuAddVariable(c, FMU_INPUTS, &v));
  }
  return 0;
}

static Error AddParameters(FmuContent *c, const Input *in) {
  char name[300];
  FmuList *list = &c->d.list[FMU_PARAMETERS];
  TRY(StoreAllocate(&c->store, ((size_t)in->parameters + 1) * sizeof *list->item, &list->item));
  for (int i = 0; i < in->parameters; i++) {
    const InputParameter *p = &in->parameter[i];
    snprintf(name, sizeof name, "let.%.280s", p->name);
    TRY(FmuAddVariable(c, FMU_PARAMETERS, &(FmuVariable){.name = name, .unit = p->unit, .start = p->value}));
  }
  return 0;
}

// The columns of the history, but for the time. Collective.
static PetscErrorCode AddOutputs(FmuContent *c, const Input *in) {
  History *history;
  char name[400], unit[400];
  PetscFunctionBegin;
  PetscCall(HistoryCreate(in, NULL, &history));
  int width = history_width(history);
  FmuList *list = &c->d.list[FMU_OUTPUTS];
  PetscCall(StoreAllocate(&c->store, (size_t)width * sizeof *list->item, &list->item));
  for (int i = 1; i < width; i++) {
    history_column(history, i, name, sizeof name);
    history_units(history, i, unit, sizeof unit);
    PetscCall(FmuAddVariable(c, FMU_OUTPUTS, &(FmuVariable){.name = name, .unit = unit}));
  }
  PetscCall(HistoryDestroy(&history));
  PetscFunctionReturn(0);
}

// ---- the files ----

static Error PrintContents(const FmuContent *c, const char *library, FILE *out) {
  const FmuDescription *d = &c->d;
  const FmuList *parameter = &d->list[FMU_PARAMETERS], *input = &d->list[FMU_INPUTS];
  fputs(file_fmu_sign, out);
  fprintf(out, "token %s\nmodel model/%s\n", d->token, fmu_model_name(d->in));
  if (!fmu_contains_limber && !strpbrk(library, "\n\r")) fprintf(out, "library %s\n", library);
  for (int i = 0; i < d->in->changes; i++) fprintf(out, "change %s\n", d->in->change[i]);
  for (const FmuVariable *v = parameter->item; v < parameter->item + parameter->count; v++)
    fprintf(out, "parameter %.17g [%s] %s\n", v->start, v->unit, v->name);
  for (int i = 0; i < input->count; i++) fprintf(out, "input %.17g [] %s\n", input->item[i].start, input->item[i].name);
  fprintf(out, "outputs %d\n", d->list[FMU_OUTPUTS].count);
  return 0;
}

static Error AddModel(const FmuContent *c, ZipWriter *z) {
  const Input *in = c->d.in;
  char name[1200];
  for (int i = 0; i < in->sources; i++) {
    snprintf(name, sizeof name, "resources/model/%s", i ? in->source[i].name : fmu_model_name(in));
    TRY(ZipAdd(z, name, in->source[i].text, in->source[i].length, true));
  }
  return 0;
}

static PetscErrorCode Describe(FmuContent *c, const Input *in, Refusal *wrong) {
  PetscFunctionBegin;
  check_model(in, wrong);
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(AddParameters(c, in));
  PetscCall(AddInputs(c, in));
  PetscCall(AddOutputs(c, in));
  PetscCall(FmuCheckNames(c, wrong));
  PetscCall(FmuMakeToken(c, NULL, 0));
  PetscCall(FmuMakeIdentifier(c, ""));
  PetscFunctionReturn(0);
}

PetscErrorCode FmuWrite(MPI_Comm comm, const Input *in, const char *path, int version, FmuSummary *summary,
                        Refusal *wrong) {
  static const FmuKind kind = {"fmu_run.so", true, PrintContents, AddModel};
  FmuContent c = {.d = {.in = in, .version = version, .title = in->title}};
  const FmuList *list = c.d.list;
  PetscFunctionBegin;
  wrong->text[0] = 0;
  PetscErrorCode error = Describe(&c, in, wrong);
  *summary = (FmuSummary){.parameters = list[FMU_PARAMETERS].count,
                          .inputs = list[FMU_INPUTS].count,
                          .outputs = list[FMU_OUTPUTS].count,
                          .alone = fmu_contains_limber};
  PetscCall(FmuFinish(comm, &c, &kind, path, error, wrong));
  PetscFunctionReturn(0);
}
