// SPDX-License-Identifier: Apache-2.0
// `limber response`: transfer functions of a model file.
#include "api/response.h"
#include "app/failure.h"
#include "app/make_results.h"
#include "app/start.h"
#include "console/library_commands.h"
#include "files/output_file.h"

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
    PetscCall(LimberResponseWrite(r, path, output_force()));
    if (is_printing_process() && !quiet) print_summary(path, r);
  }
  PetscCall(LimberResponseDestroy(&r));
  PetscFunctionReturn(0);
}

PetscErrorCode MakeResponseResults(const ResultsRequest *r, ExitCode *code) {
  Input *in = NULL;
  PetscFunctionBegin;
  PetscCall(RequestLoad(r, &in, code));
  if (*code == EXIT_GOOD && !in->response.points) {
    print_command_error(r->command,
                        "%s has no part `response`: give frequencies, such as\n"
                        "  response: {from: 0.1 Hz, to: 20 Hz}",
                        r->model);
    *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD) PetscCall(Respond(r->command, in, r->path, r->talk != TALK_ALL, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

static PetscErrorCode RespondFile(const Arguments *a, ExitCode *code) {
  CommandRequest c;
  PetscFunctionBegin;
  command_request(a, "response", ".response.h5", &c);
  PetscCall(MakeResponseResults(&c.request, code));
  PetscFunctionReturn(0);
}

int limber_command_response(const Arguments *a) { return CommandStart(a, RespondFile); }
