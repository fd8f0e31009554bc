// SPDX-License-Identifier: Apache-2.0
#include "console/console.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// Is there the file with the ending that was left away?
static bool has_yaml(const char *path) {
  char full[4096];
  return snprintf(full, sizeof full, "%s.yaml", path) < (int)sizeof full && !access(full, R_OK);
}

Error LoadModelFile(const char *command, const char *path, const InputOptions *options, Input **in, ExitCode *code) {
  SourceText file;
  *in = NULL, *code = EXIT_MISTAKE;
  TRY(options->read(path, &source_rule_model, &file));
  if (!file.text) {
    bool named = file.error == ENOENT && has_yaml(path);
    print_command_error(command, named ? "there is no file '%s'; did you mean '%s.yaml'?" : "cannot read '%s': %s",
                        path, named ? path : source_error(file.error));
    return 0;
  }
  TRY(InputRead(path, file.text, file.length, options, in));
  memory_free(&file.text);
  const Diagnostics *n = &(*in)->diagnostics;
  if (is_printing_process()) {
    fflush(stdout);
    TRY(DiagnosticsPrint(n, stderr));
    if (n->errors) fprintf(stderr, "%s: %d error%s\n", path, n->errors, n->errors == 1 ? "" : "s");
  }
  if (!n->errors) *code = EXIT_GOOD;
  return 0;
}
