// SPDX-License-Identifier: Apache-2.0
// The model of a run, read again from the texts that the results hold.
#include "post/page/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static Results *serving; // whose files are read

// Files of the model, from the results in place of the disk.
static Error ServeFile(const char *path, const SourceRule *rule, SourceText *out) {
  (void)rule; // that of the disk
  char *name, *text;
  *out = (SourceText){.error = ENOENT};
  for (int i = 1; results_source(serving, i, &name, &text); i++) {
    bool same = !strcmp(name, path);
    free(name);
    if (same) {
      out->error = 0, out->length = strlen(text);
      TRY(MemoryNew(out->length + 1, &out->text));
      memcpy(out->text, text, out->length);
    }
    free(text);
    if (same) return 0;
  }
  return 0;
}

bool run_model(const char *command, Results *r, Input **in, bool *machine) {
  char *name, *text;
  int changes;
  if (!results_source(r, 0, &name, &text))
    return print_command_error(command, "'%s' does not hold its model", results_path(r)), false;
  char **change = results_changes(r, &changes);
  serving = r;
  InputOptions options = {.read = ServeFile, .change = (const char *const *)change, .changes = changes};
  *machine = InputRead(name, text, strlen(text), &options, in) != 0;
  serving = NULL;
  for (int i = 0; i < changes; i++) free(change[i]);
  free(change), free(name), free(text);
  if (*machine) return false;
  if (!*in || (*in)->diagnostics.errors)
    return print_command_error(command, "this version of Limber cannot read the model of '%s': run it again",
                               results_path(r)),
           false;
  return true;
}
