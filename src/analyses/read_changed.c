// SPDX-License-Identifier: Apache-2.0
#include "analyses/read_changed.h"

#include "assembly/ranks.h"
#include "model/refusal.h"

#include <string.h>

// Gives a model that was read the communicator of the first one, and finds its first mistake.
static PetscErrorCode Accept(const Input *in, int changes, const char *const *change, Input *out, Refusal *wrong) {
  const Diagnostics *d = &out->diagnostics;
  const char *text = "";
  PetscFunctionBegin;
  if (in->model->communicator) PetscCall(ModelSetCommunicator(out->model, model_communicator(in->model)));
  for (int i = 0; i < d->count && !*text; i++) {
    const Diagnostic *found = &d->diagnostic[i];
    int which = diagnostics_change_at(d, found->at) - in->changes;
    if (found->level == DIAGNOSTIC_ERROR) text = found->text;
    if (found->level == DIAGNOSTIC_UNUSED && which >= 0 && which < changes)
      refuse(wrong, "nothing in the model depends on '%.*s'", (int)strcspn(change[which], "="), change[which]);
  }
  if (!d->errors) PetscFunctionReturn(0);
  refuse(wrong, "the model cannot be read with %s", changes ? "" : "no change");
  for (int i = 0; i < changes; i++) refuse_also(wrong, "%s%.500s", i ? ", " : "", change[i]);
  refuse_also(wrong, ": %s", text);
  PetscFunctionReturn(0);
}

PetscErrorCode InputReadChanges(const Input *in, SourceReader read, int changes, const char *const *change, Input **out,
                                Refusal *wrong) {
  const char **all;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(in->changes + changes + 1, &all));
  for (int i = 0; i < in->changes; i++) all[i] = in->change[i];
  for (int i = 0; i < changes; i++) all[in->changes + i] = change[i];
  PetscCall(InputRead(in->file, in->text, in->source[0].length,
                      &(InputOptions){.read = read,
                                      .change = all,
                                      .changes = in->changes + changes,
                                      .allow_outside = in->allow_outside,
                                      .allow_library = in->allow_library},
                      out));
  PetscCall(PetscFree(all));
  PetscCall(Accept(in, changes, change, *out, wrong));
  PetscFunctionReturn(0);
}

PetscErrorCode InputReadChanged(const Input *in, SourceReader read, const char *change, Input **out, Refusal *wrong) {
  return InputReadChanges(in, read, change != NULL, &change, out, wrong);
}

PetscErrorCode InputFileOf(const Input *in, SourceReader read, InputFile **file) {
  PetscFunctionBegin;
  PetscCall(InputFileCreate(in->file, in->text, in->source[0].length,
                            &(InputOptions){.read = read,
                                            .change = in->change,
                                            .changes = in->changes,
                                            .allow_outside = in->allow_outside,
                                            .allow_library = in->allow_library},
                            file));
  PetscFunctionReturn(0);
}

PetscErrorCode InputFileReadChanged(InputFile *file, const Input *in, const char *change, Input **out, Refusal *wrong) {
  PetscFunctionBegin;
  PetscCall(InputFileRead(file, change != NULL, &change, out));
  PetscCall(Accept(in, change != NULL, &change, *out, wrong));
  PetscFunctionReturn(0);
}
