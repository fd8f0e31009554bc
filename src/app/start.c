// SPDX-License-Identifier: Apache-2.0
#include "app/start.h"

#include "app/signals.h"
#include "assembly/agreement.h"
#include "console/output.h"
#include "files/claim.h"
#include "files/output_file.h"
#include "results/write/obstacle.h"

#include <petscsys.h>
#include <string.h>
#include <unistd.h>

int CommandStart(const Arguments *a, Error (*work)(const Arguments *a, ExitCode *code)) {
  int argc = a->petsc_argc;
  char **argv = a->petsc_argv;
  ExitCode code = EXIT_MACHINE;
  if (LimberInitialize(&argc, &argv)) return EXIT_MACHINE;
  restore_signals();
  agreement_turn_off(); // where a rank fails, it ends the others below
  output_allow_overwrite(argument_value(a, "force") != NULL);
  if (work(a, &code)) { // reported already; the other ranks may wait for this one
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fflush(stdout);
    output_discard_all();
    claim_drop_unused();
    if (size > 1) MPI_Abort(MPI_COMM_WORLD, EXIT_MACHINE);
    _exit(EXIT_MACHINE); // libraries would try again to write what they hold
  }
  claim_drop_unused();
  code = end_stdout(a->command, true, code);
  return LimberFinalize() ? EXIT_MACHINE : code;
}

void results_path_of(const char *model, const char *given, const char *ending, char *path, size_t size) {
  const char *base = strrchr(model, '/');
  base = !strcmp(model, "-") ? "run" : base ? base + 1 : model;
  const char *dot = strrchr(base, '.');
  if (given) snprintf(path, size, "%s", given);
  else snprintf(path, size, "%.*s%s", (int)(dot && dot > base ? dot - base : (long)strlen(base)), base, ending);
}

Error CanWriteFile(const char *command, const char *path, FileKind kind, const Input *in, bool *can) {
  char wrong[4400];
  PetscFunctionBegin;
  PetscCall(FileObstacle(PETSC_COMM_WORLD, path, kind, in, wrong, sizeof wrong));
  *can = !wrong[0];
  if (!*can) print_command_error(command, "%s", wrong);
  PetscFunctionReturn(0);
}

Error CanWriteResults(const char *command, const char *path, const Input *in, bool *can) {
  PetscFunctionBegin;
  PetscCall(CanWriteFile(command, path, FILE_RESULTS, in, can));
  PetscFunctionReturn(0);
}
