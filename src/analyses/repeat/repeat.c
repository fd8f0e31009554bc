// SPDX-License-Identifier: Apache-2.0
#include "analyses/repeat/repeat.h"

#include "assembly/ranks.h"
#include "assembly/workspace.h"
#include "model/refusal.h"

#include <limber/limber.h>

struct Repeater {
  MPI_Comm comm;
  InputFile *file;
  int changes;
  bool is_static, takes_first_step;
  Workspace *workspace;
  Input *in;
  LimberRun run;
};

PetscErrorCode RepeaterCreate(MPI_Comm comm, const char *file, const char *text, size_t length,
                              const InputOptions *options, int changes, Repeater **out) {
  Repeater *r;
  PetscFunctionBegin;
  PetscCall(PetscNew(&r));
  r->changes = changes;
  PetscCallMPI(MPI_Comm_dup(comm, &r->comm));
  PetscCall(InputFileCreate(file, text, length, options, &r->file));
  PetscCall(WorkspaceCreate(&r->workspace));
  *out = r;
  PetscFunctionReturn(0);
}

void repeater_use_static(Repeater *r) { r->is_static = true; }

void repeater_use_first_step(Repeater *r) { r->takes_first_step = true; }

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
  PetscCall(WorkspaceDestroy(&(*r)->workspace));
  PetscCall(InputFileDestroy(&(*r)->file));
  PetscCallMPI(MPI_Comm_free(&(*r)->comm));
  PetscCall(PetscFree(*r));
  PetscFunctionReturn(0);
}

static const char *first_error(const Diagnostics *d) {
  for (int i = 0; i < d->count; i++)
    if (d->diagnostic[i].level == DIAGNOSTIC_ERROR) return d->diagnostic[i].text;
  return "";
}

PetscErrorCode RepeaterStart(Repeater *r, const char *const *change, const Input **in, LimberRun *run, Refusal *wrong) {
  PetscFunctionBegin;
  PetscCall(RepeaterStartWith(r, r->changes, change, in, run, wrong));
  PetscFunctionReturn(0);
}

PetscErrorCode RepeaterStartWith(Repeater *r, int changes, const char *const *change, const Input **in, LimberRun *run,
                                 Refusal *wrong) {
  PetscFunctionBegin;
  *run = NULL, *in = NULL;
  PetscCall(DropRun(r));
  PetscCall(InputFileRead(r->file, changes, change, &r->in));
  *in = r->in;
  model_share_communicator(r->in->model, &r->comm);
  model_set_workspace(r->in->model, r->workspace);
  if (r->in->diagnostics.errors) {
    refuse(wrong, "%s", first_error(&r->in->diagnostics));
    PetscFunctionReturn(0);
  }
  if (r->is_static) input_use_static(r->in, true);
  else if (r->in->first_step && !r->takes_first_step) {
    refuse(
        wrong,
        "the part `run` has no step, which only `limber run` chooses: add one, such as `run: {step: 1 ms, end: 1 s}`");
    PetscFunctionReturn(0);
  }
  PetscCall(LimberRunCreate(r->in->model, &r->in->options, &r->run));
  if (!r->run) refuse(wrong, "%s", limber_model_diagnostics(r->in->model));
  *run = r->run;
  PetscFunctionReturn(0);
}
