// SPDX-License-Identifier: Apache-2.0
#include "app/make_results.h"

#include "app/start.h"
#include "results/shared_file.h"

#include <string.h>

void command_request(const Arguments *a, const char *command, const char *ending, CommandRequest *out) {
  results_path_of(a->word[0], argument_value(a, "output"), ending, out->path, sizeof out->path);
  out->request = (ResultsRequest){.command = command,
                                  .model = a->word[0],
                                  .input = {ReadOnAllRanks, out->change, arguments_of(a, "set", out->change),
                                            argument_value(a, "allow-outside") != NULL,
                                            argument_value(a, "allow-library") != NULL},
                                  .path = out->path,
                                  .talk = argument_value(a, "quiet") ? TALK_NONE : TALK_ALL,
                                  .frames = true,
                                  .monitor = argument_value(a, "monitor") != NULL};
}

PetscErrorCode RequestLoad(const ResultsRequest *r, Input **in, ExitCode *code) {
  bool can = true;
  InputOptions options = r->input;
  PetscFunctionBegin;
  options.without_steps = !r->takes_steps;
  PetscCall(LoadModelFile(r->command, r->model, &options, in, code));
  if (*code == EXIT_GOOD) PetscCall(CanWriteResults(r->command, r->path, *in, &can));
  if (!can) *code = EXIT_MISTAKE;
  PetscFunctionReturn(0);
}

void print_lines(const char *head, const char *lines) {
  for (const char *end; (end = strchr(lines, '\n')); lines = end + 1)
    printf("  %-11s %.*s\n", head, (int)(end - lines), lines);
}
