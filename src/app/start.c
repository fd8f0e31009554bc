// SPDX-License-Identifier: Apache-2.0
#include "app/start.h"

#include "results/write/obstacle.h"

#include <petscsys.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

int CommandStart(const Arguments *a, Error (*work)(const Arguments *a, ExitCode *code)) {
  int argc = a->petsc_argc;
  char **argv = a->petsc_argv;
  ExitCode code = EXIT_MACHINE;
  if (LimberInitialize(&argc, &argv)) return EXIT_MACHINE;
  signal(SIGPIPE, SIG_DFL); // a reader that has seen enough is no fault to trace
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is met where it is written
  if (work(a, &code)) {     // reported already; the other ranks may wait for this one
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fflush(stdout);
    if (size > 1) MPI_Abort(MPI_COMM_WORLD, EXIT_MACHINE);
    _exit(EXIT_MACHINE); // libraries would try again to write what they hold
  }
  return LimberFinalize() ? EXIT_MACHINE : code;
}

void results_path_of(const char *model, const char *given, const char *ending, char *path, size_t size) {
  const char *base = strrchr(model, '/');
  base = !strcmp(model, "-") ? "run" : base ? base + 1 : model;
  const char *dot = strrchr(base, '.');
  if (given) snprintf(path, size, "%s", given);
  else snprintf(path, size, "%.*s%s", (int)(dot && dot > base ? dot - base : (long)strlen(base)), base, ending);
}

Error CanWriteResults(const char *command, const char *path, bool *can) {
  char wrong[4400];
  PetscFunctionBegin;
  PetscCall(ResultsObstacle(PETSC_COMM_WORLD, path, wrong, sizeof wrong));
  *can = !wrong[0];
  if (!*can) print_command_error(command, "%s", wrong);
  PetscFunctionReturn(0);
}
