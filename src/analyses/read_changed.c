// SPDX-License-Identifier: Apache-2.0
#include "analyses/read_changed.h"

#include "assembly/ranks.h"
#include "model/refusal.h"

#include <string.h>

PetscErrorCode InputReadChanged(const Input *in, SourceReader read, const char *change, Input **out, Refusal *wrong) {
  const char **all, *text = "";
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(in->changes + 1, &all));
  for (int i = 0; i < in->changes; i++) all[i] = in->change[i];
  all[in->changes] = change;
  PetscCall(InputRead(in->file, in->text, in->source[0].length,
                      &(InputOptions){.read = read,
                                      .change = all,
                                      .changes = in->changes + 1,
                                      .allow_outside = in->allow_outside,
                                      .allow_library = in->allow_library},
                      out));
  PetscCall(PetscFree(all));
  if (in->model->communicator) PetscCall(ModelSetCommunicator((*out)->model, model_communicator(in->model)));
  const Diagnostics *d = &(*out)->diagnostics;
  for (int i = 0; i < d->count && !*text; i++) {
    const Diagnostic *found = &d->diagnostic[i];
    if (found->level == DIAGNOSTIC_ERROR) text = found->text;
    if (found->level == DIAGNOSTIC_UNUSED && diagnostics_change_at(d, found->at) == in->changes)
      refuse(wrong, "nothing in the model depends on '%.*s'", (int)strcspn(change, "="), change);
  }
  if (d->errors) refuse(wrong, "the model cannot be read with %s: %s", change, text);
  PetscFunctionReturn(0);
}
