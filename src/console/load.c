// SPDX-License-Identifier: Apache-2.0
#include "console/console.h"

#include <string.h>

Error LoadModelFile(const char *command, const char *path, const InputOptions *options, Input **in, ExitCode *code) {
  SourceText file;
  *in = NULL, *code = EXIT_MISTAKE;
  TRY(options->read(path, &file));
  if (!file.text) {
    complain(command, "cannot read '%s': %s", path, strerror(file.error));
    return 0;
  }
  TRY(InputRead(path, file.text, file.length, options, in));
  memory_free(&file.text);
  const Notes *n = &(*in)->notes;
  if (prints()) {
    fflush(stdout);
    TRY(NotesPrint(n, stderr));
    if (n->errors) fprintf(stderr, "%s: %d mistake%s\n", path, n->errors, n->errors == 1 ? "" : "s");
  }
  if (!n->errors) *code = EXIT_GOOD;
  return 0;
}
