// SPDX-License-Identifier: Apache-2.0
// The public interface to coupled runs in processes of their own.
#include "limber/limber.h"

#include "base/cookie.h"
#include "console/library_commands.h"
#include "model/error.h"

#include <errno.h>
#include <petscsys.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

LimberCoupleOptions limber_couple_options_default(void) { return (LimberCoupleOptions){.cookie = OPTIONS_COOKIE}; }

static void give(Arguments *a, const Option *option, const char *value) {
  a->given[a->givens].option = option;
  a->given[a->givens++].value = value;
}

static void fill(Arguments *a, const char *system, const char *path, const LimberCoupleOptions *o) {
  static char name[] = "couple", *argv[] = {name, NULL};
  static const Option output = {.name = "output"}, set = {.name = "set"}, quiet = {.name = "quiet"},
                      resume = {.name = "resume"}, library = {.name = "allow-library"}, force = {.name = "force"};
  *a = (Arguments){.command = name, .words = 1, .word = {system}, .petsc_argc = 1, .petsc_argv = argv};
  give(a, &output, path), give(a, &quiet, "");
  if (o->resume) give(a, &resume, "");
  if (o->allow_library) give(a, &library, "");
  if (o->overwrite) give(a, &force, "");
  for (int i = 0; i < o->changes; i++) give(a, &set, o->change[i]);
}

// MPI cannot be started twice in a process: the one that leads the others is a child, too.
static Error RunInChild(const Arguments *a, int *status) {
  fflush(stdout), fflush(stderr);
  pid_t child = fork();
  ENSURE(child >= 0, LIMBER_ERROR_LIBRARY, "cannot start a process: %s", strerror(errno));
  if (!child) {
    int code = limber_command_couple(a);
    fflush(stdout), fflush(stderr);
    _exit(code);
  }
  while (waitpid(child, status, 0) < 0)
    ENSURE(errno == EINTR, LIMBER_ERROR_LIBRARY, "cannot wait for a process: %s", strerror(errno));
  return 0;
}

int LimberCouple(const char *system, const char *path, const LimberCoupleOptions *options) {
  const LimberCoupleOptions o = options ? *options : limber_couple_options_default();
  Arguments *a = NULL;
  PetscBool started = PETSC_FALSE;
  int status = 0;
  ENSURE(system && path, LIMBER_ERROR_ARGUMENT, "LimberCouple is given NULL for %s", system ? "path" : "system");
  ENSURE(o.cookie == OPTIONS_COOKIE, LIMBER_ERROR_ARGUMENT,
         "LimberCouple is given options that limber_couple_options_default did not make");
  ENSURE(o.changes >= 0 && o.changes < MAX_GIVEN - 8 && (o.change || !o.changes), LIMBER_ERROR_ARGUMENT,
         "LimberCouple is given %d changes", o.changes);
  PetscInitialized(&started);
  ENSURE(!started, LIMBER_ERROR_WRONG_STATE,
         "LimberCouple makes processes, and must be called before LimberInitialize");
  TRY(MemoryNew(sizeof *a, &a));
  fill(a, system, path, &o);
  Error error = RunInChild(a, &status);
  memory_free(&a);
  TRY(error);
  ENSURE(WIFEXITED(status) && !WEXITSTATUS(status), LIMBER_ERROR_ARGUMENT,
         "'%s' did not run to its end: stderr says why", system);
  return 0;
}
