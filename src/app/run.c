// SPDX-License-Identifier: Apache-2.0
// A run in time: model file in, results out.
#include "results/checkpoint/checkpoint.h"
#include "console/library_commands.h"
#include "app/command.h"

#include <petscsys.h>
#include <string.h>

// Reads a model that has a part `run`.
static PetscErrorCode LoadRun(const char *command, const char *model, const InputOptions *o, Input **in,
                              ExitCode *code) {
  PetscFunctionBegin;
  PetscCall(LoadModelFile(command, model, o, in, code));
  if (*code == EXIT_GOOD && !((*in)->end > 0)) {
    print_command_error(command,
                        "%s has no part `run`: add one, such as `run: {step: 1 ms, end: 1 s}`\n"
                        "  Without a run, `limber static %s` finds the equilibrium and `limber modes %s` the modes.",
                        model, model, model);
    *code = EXIT_MISTAKE;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode MakeRunResults(const ResultsRequest *r, ExitCode *code) {
  Input *in = NULL;
  InputOptions input = r->input;
  const char **change;
  bool can = true;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(input.changes + 1, &change));
  for (int i = 0; i < input.changes; i++) change[i] = input.change[i];
  if (!r->frames)
    change[input.changes++] = "run.snapshots=0"; // a run that chooses its steps does not stop for them either
  input.change = change;
  PetscCall(LoadRun(r->command, r->model, &input, &in, code));
  if (*code == EXIT_GOOD) PetscCall(CanWriteResults(r->command, r->path, in, &can));
  if (!can) *code = EXIT_MISTAKE;
  if (*code == EXIT_GOOD) PetscCall(RunSimulation(r->command, in, r->path, &(SimulateOptions){.talk = r->talk}, code));
  PetscCall(InputDestroy(&in));
  PetscCall(PetscFree(change));
  PetscFunctionReturn(0);
}

static PetscErrorCode RunFile(const Arguments *a, ExitCode *code) {
  Input *in;
  CommandRequest c;
  bool can = false;
  const char *interval = argument_value(a, "checkpoint");
  PetscFunctionBegin;
  command_request(a, "run", ".h5", &c);
  SimulateOptions s = {.talk = c.request.talk, .checkpoint = CHECKPOINT_SECONDS, .monitor = c.request.monitor};
  if (interval && !checkpoint_interval(interval, &s.checkpoint)) {
    print_command_error("run", "--checkpoint needs a time, such as 60s, 5min or 0 for none, not '%s'", interval);
    *code = EXIT_MISTAKE;
    PetscFunctionReturn(0);
  }
  PetscCall(LoadRun("run", c.request.model, &c.request.input, &in, code));
  if (*code == EXIT_GOOD) {
    PetscCall(CanWriteResults("run", c.path, in, &can));
    if (!can) *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD) PetscCall(RunSimulation("run", in, c.path, &s, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

int limber_command_run(const Arguments *a) { return CommandStart(a, RunFile); }
