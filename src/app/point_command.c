// SPDX-License-Identifier: Apache-2.0
#include "app/point_command.h"

#include "app/failure.h"
#include "app/command.h"
#include "console/library_commands.h"
#include "model/refusal.h"

static const PointCommand *const point_commands[] = {
// in the order of point_analyses
#define POINT_ANALYSIS(name, help) &command_of_##name,
#include "input/analyses/point_analyses.def"
#undef POINT_ANALYSIS
};

static PetscErrorCode AnalyseInput(const PointAnalysis *a, PointCall *c) {
  const PointCommand *work = point_commands[point_analysis_find(a->command.name)];
  Refusal wrong = {.text = ""};
  PetscFunctionBegin;
  if (c->talks && *c->in->title) printf("%s\n", c->in->title);
  PetscCall(work->find(c, &wrong));
  if (c->draws) printf("\r\033[K"), fflush(stdout);
  if (is_refused(&wrong)) {
    explain_start(c->request->command, c->in, wrong.text);
    c->code = EXIT_FAILED;
  }
  if (!c->found) PetscFunctionReturn(0);
  if (c->talks && work->print) work->print(c);
  if (work->write) PetscCall(work->write(c));
  if (c->talks && a->picture)
    printf("%s: limber plot %s %s draws it\n", c->request->path, c->request->path, a->picture);
  PetscCall(work->destroy(c->found));
  PetscFunctionReturn(0);
}

PetscErrorCode MakePointResults(const PointAnalysis *a, const ResultsRequest *r, const Arguments *arguments,
                                ExitCode *code) {
  ResultsRequest request = *r;
  Input *in = NULL;
  PetscFunctionBegin;
  request.takes_steps = a->takes_steps;
  PetscCall(RequestLoad(&request, &in, code));
  if (*code == EXIT_GOOD && a->needed && !input_has_part(in, a)) {
    print_command_error(r->command, "'%s' has no part `%s`: add one, such as\n  %s", r->model, a->command.name,
                        a->needed);
    *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD) {
    PointCall c = {.in = in,
                   .request = r,
                   .arguments = arguments,
                   .talks = is_printing_process() && r->talk == TALK_ALL,
                   .draws = is_printing_process() && r->talk != TALK_NONE && on_terminal() && !r->monitor};
    PetscCall(AnalyseInput(a, &c));
    *code = c.code;
  }
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

// Options with the name of a field of the part set that field.
static PetscErrorCode AnalyseFile(const Arguments *arguments, ExitCode *code) {
  const PointAnalysis *a = point_analyses[point_analysis_find(arguments->command)];
  char text[MOST_MORE_CHANGES][512];
  CommandRequest c;
  int more = 0;
  PetscFunctionBegin;
  command_request(arguments, a->command.name, a->ending, &c);
  for (int i = 0; i < arguments->givens && more < MOST_MORE_CHANGES; i++) {
    const char *name = arguments->given[i].option->name;
    if (!field_find(&a->fields, name)) continue;
    snprintf(text[more], sizeof text[more], "%s.%s=%s", a->command.name, name, arguments->given[i].value);
    c.change[c.request.input.changes++] = text[more++];
  }
  PetscCall(MakePointResults(a, &c.request, arguments, code));
  PetscFunctionReturn(0);
}

int limber_command_point_analysis(const Arguments *a) { return CommandStart(a, AnalyseFile); }
