// SPDX-License-Identifier: Apache-2.0
// A run in time: model file in, results out.
#include "results/checkpoint/checkpoint.h"
#include "console/library_commands.h"
#include "app/start.h"
#include "results/shared_file.h"
#include "app/simulate.h"

#include <petscsys.h>
#include <string.h>

static PetscErrorCode RunFile(const Arguments *a, ExitCode *code) {
  Input *in;
  char path[4096];
  const char *change[MAX_GIVEN];
  const InputOptions o = {ReadOnAllRanks, change, arguments_of(a, "set", change)};
  bool can = false;
  const char *interval = argument_value(a, "checkpoint");
  SimulateOptions s = {.talk = argument_value(a, "quiet") ? TALK_NONE : TALK_ALL, .checkpoint = CHECKPOINT_SECONDS};
  PetscFunctionBegin;
  if (interval && !checkpoint_interval(interval, &s.checkpoint)) {
    print_command_error("run", "--checkpoint needs a time, such as 60s, 5min or 0 for none, not '%s'", interval);
    *code = EXIT_MISTAKE;
    PetscFunctionReturn(0);
  }
  PetscCall(LoadModelFile("run", a->word[0], &o, &in, code));
  if (*code == EXIT_GOOD && !(in->end > 0)) {
    print_command_error("run", "%s has no part `run`: add one, such as `run: {step: 1 ms, end: 1 s}`", a->word[0]);
    *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD) {
    results_path_of(a->word[0], argument_value(a, "output"), ".h5", path, sizeof path);
    PetscCall(CanWriteResults("run", path, &can));
    if (!can) *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD) PetscCall(RunSimulation("run", in, path, &s, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

int limber_command_run(const Arguments *a) { return CommandStart(a, RunFile); }
