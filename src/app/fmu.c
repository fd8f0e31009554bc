// SPDX-License-Identifier: Apache-2.0
// `limber fmu`: a model file as an FMU.
#include "fmu/write.h"

#include "app/command.h"
#include "console/library_commands.h"
#include "console/output.h"

#include <string.h>

static PetscErrorCode WriteModel(const Arguments *a, ExitCode *code) {
  const char *given = argument_value(a, "fmi");
  Input *in = NULL;
  CommandRequest c;
  FmuSummary s = {0};
  Refusal wrong;
  PetscFunctionBegin;
  command_request(a, "fmu", ".fmu", &c);
  *code = EXIT_MISTAKE;
  if (given && strcmp(given, "2") && strcmp(given, "3")) {
    print_command_error("fmu", "--fmi is 2 or 3, not '%s'", given);
    PetscFunctionReturn(0);
  }
  int version = given ? *given - '0' : 3;
  PetscCall(LoadModelFile("fmu", c.request.model, &c.request.input, &in, code));
  if (*code == EXIT_GOOD) {
    PetscCall(FmuWrite(PETSC_COMM_WORLD, in, c.path, version, &s, &wrong));
    if (is_refused(&wrong)) print_command_error("fmu", "%s", wrong.text), *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD && is_printing_process() && c.request.talk == TALK_ALL && !is_standard_stream(c.path)) {
    printf("%s: FMU of version %d.0 for co-simulation with %d parameter%s, %d input%s, %d output%s\n", c.path, version,
           s.parameters, s.parameters == 1 ? "" : "s", s.inputs, s.inputs == 1 ? "" : "s", s.outputs,
           s.outputs == 1 ? "" : "s");
    printf("  needs       %s\n", s.alone ? "the C library alone" : "a Limber of this version where it runs");
  }
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

int limber_command_fmu(const Arguments *a) { return CommandStart(a, WriteModel); }
