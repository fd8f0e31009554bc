// SPDX-License-Identifier: Apache-2.0
// `limber response`: transfer functions of a model file.
#include "api/response.h"
#include "app/failure.h"
#include "app/make_results.h"
#include "app/start.h"
#include "console/library_commands.h"
#include "results/shared_file.h"

#include <math.h>
#include <petscsys.h>
#include <string.h>

static void print_progress(int done, int all) {
  if (!is_printing_process() || !on_terminal()) return;
  printf("\r  frequency %d of %d \033[K", done, all);
  fflush(stdout);
}

// The largest amplitude of a pair, and its frequency.
static void print_peak(const Response *r, int input, int output) {
  double most = 0;
  int at = 0;
  for (int f = 0; f < r->frequencies; f++) {
    const double *v = response_value(r, f, input, output);
    double size = hypot(v[0], v[1]);
    if (size > most) most = size, at = f;
  }
  if (most > 0)
    printf("  largest     %s over %s: %.6g %s at %.6g Hz\n", r->output[output].name, r->input[input].name, most,
           r->output[output].unit, r->frequency[at]);
}

static void print_summary(const char *path, LimberResponse r) {
  const Response *q = r->response;
  int shown = 0;
  if (on_terminal()) printf("\r\033[K");
  printf("%s: %d frequenc%s from %.6g to %.6g Hz, %d input%s, %d output%s\n", path, q->frequencies,
         q->frequencies == 1 ? "y" : "ies", q->frequency[0], q->frequency[q->frequencies - 1], q->inputs,
         q->inputs == 1 ? "" : "s", q->outputs, q->outputs == 1 ? "" : "s");
  for (int i = 0; i < q->inputs; i++)
    for (int o = 0; o < q->outputs && shown < 8; o++, shown++) print_peak(q, i, o);
  for (const char *line = r->remarks, *end; (end = strchr(line, '\n')); line = end + 1)
    printf("  note        %.*s\n", (int)(end - line), line);
  printf("  draw        limber plot %s --bode\n", path);
}

static PetscErrorCode Respond(const char *command, const Input *in, const char *path, bool quiet, ExitCode *code) {
  LimberResponse r;
  PetscFunctionBegin;
  PetscCall(RespondInput(in, NULL, quiet ? NULL : print_progress, &r));
  if (!r->response) {
    explain_start(command, in, r->wrong);
    *code = EXIT_FAILED;
  } else {
    PetscCall(LimberResponseWrite(r, path));
    if (is_printing_process() && !quiet) print_summary(path, r);
  }
  PetscCall(LimberResponseDestroy(&r));
  PetscFunctionReturn(0);
}

PetscErrorCode MakeResponseResults(const ResultsRequest *r, ExitCode *code) {
  Input *in = NULL;
  PetscFunctionBegin;
  PetscCall(LoadModelFile(r->command, r->model, &r->input, &in, code));
  if (*code == EXIT_GOOD) PetscCall(Respond(r->command, in, r->path, r->talk != TALK_ALL, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

static PetscErrorCode RespondFile(const Arguments *a, ExitCode *code) {
  Input *in;
  char path[4096];
  const char *change[MAX_GIVEN];
  const InputOptions o = {ReadOnAllRanks, change, arguments_of(a, "set", change)};
  bool can = false;
  PetscFunctionBegin;
  PetscCall(LoadModelFile("response", a->word[0], &o, &in, code));
  if (*code == EXIT_GOOD && !in->response.points) {
    print_command_error("response",
                        "%s has no part `response`: give frequencies, such as\n"
                        "  response: {from: 0.1 Hz, to: 20 Hz}",
                        a->word[0]);
    *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD) {
    results_path_of(a->word[0], argument_value(a, "output"), ".response.h5", path, sizeof path);
    PetscCall(CanWriteResults("response", path, &can));
    if (!can) *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD) PetscCall(Respond("response", in, path, argument_value(a, "quiet") != NULL, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

int limber_command_response(const Arguments *a) { return CommandStart(a, RespondFile); }
