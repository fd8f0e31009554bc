// SPDX-License-Identifier: Apache-2.0
#include "analyses/repeat/repeat.h"

#include "assembly/communicator.h"

#include <limber/limber.h>

struct Repeater {
  MPI_Comm comm;
  const char *file, *text;
  size_t length;
  InputOptions options;
  int changes;
  const char **change; // those of the options, then those of the run
  Input *in;
  LimberRun run;
};

PetscErrorCode RepeaterCreate(MPI_Comm comm, const char *file, const char *text, size_t length,
                              const InputOptions *options, int changes, const char *const *path, Repeater **out) {
  Repeater *r;
  PetscFunctionBegin;
  (void)path;
  PetscCall(PetscNew(&r));
  *r = (Repeater){.comm = comm, .file = file, .text = text, .length = length, .options = *options, .changes = changes};
  PetscCall(PetscMalloc1(options->changes + changes + 1, &r->change));
  for (int i = 0; i < options->changes; i++) r->change[i] = options->change[i];
  *out = r;
  PetscFunctionReturn(0);
}

static PetscErrorCode DropRun(Repeater *r) {
  PetscFunctionBegin;
  PetscCall(LimberRunDestroy(&r->run));
  PetscCall(InputDestroy(&r->in));
  PetscFunctionReturn(0);
}

PetscErrorCode RepeaterDestroy(Repeater **r) {
  PetscFunctionBegin;
  if (!*r) PetscFunctionReturn(0);
  PetscCall(DropRun(*r));
  PetscCall(PetscFree((*r)->change));
  PetscCall(PetscFree(*r));
  PetscFunctionReturn(0);
}

static const char *first_error(const Diagnostics *d) {
  for (int i = 0; i < d->count; i++)
    if (d->diagnostic[i].level == DIAGNOSTIC_ERROR) return d->diagnostic[i].text;
  return "";
}

PetscErrorCode RepeaterStart(Repeater *r, const char *const *change, const Input **in, LimberRun *run, char *wrong,
                             size_t size) {
  InputOptions o = r->options;
  PetscFunctionBegin;
  *run = NULL, *in = NULL;
  PetscCall(DropRun(r));
  for (int i = 0; i < r->changes; i++) r->change[o.changes + i] = change[i];
  o.change = r->change, o.changes += r->changes;
  PetscCall(InputRead(r->file, r->text, r->length, &o, &r->in));
  *in = r->in;
  PetscCall(ModelSetCommunicator(r->in->model, r->comm));
  if (r->in->diagnostics.errors) {
    PetscCall(PetscSNPrintf(wrong, size, "%s", first_error(&r->in->diagnostics)));
    PetscFunctionReturn(0);
  }
  PetscCall(LimberRunCreate(r->in->model, &r->in->options, &r->run));
  if (!r->run) PetscCall(PetscSNPrintf(wrong, size, "%s", limber_model_diagnostics(r->in->model)));
  *run = r->run;
  PetscFunctionReturn(0);
}
