// SPDX-License-Identifier: Apache-2.0
// `limber response`: transfer functions of a model file.
#include "api/analyses.h"
#include "app/point_command.h"
#include "app/failure.h"
#include "app/command.h"
#include "console/library_commands.h"
#include "files/output_file.h"
#include "model/refusal.h"

#include <math.h>
#include <petscsys.h>
#include <string.h>

static void print_progress(int done, int all) {
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

static void print_summary(const PointCall *c) {
  LimberResponse r = c->found;
  const Response *q = r->response;
  int shown = 0;
  printf("%s: %d frequenc%s from %.6g to %.6g Hz, %d input%s, %d output%s\n", c->request->path, q->frequencies,
         q->frequencies == 1 ? "y" : "ies", q->frequency[0], q->frequency[q->frequencies - 1], q->inputs,
         q->inputs == 1 ? "" : "s", q->outputs, q->outputs == 1 ? "" : "s");
  for (int i = 0; i < q->inputs; i++)
    for (int o = 0; o < q->outputs && shown < 8; o++, shown++) print_peak(q, i, o);
  print_lines("note", r->remarks);
}

static PetscErrorCode Respond(PointCall *c, Refusal *wrong) {
  LimberResponse r;
  PetscFunctionBegin;
  PetscCall(RespondInput(c->in, NULL, c->draws ? print_progress : NULL, &r));
  if (r->response) c->found = r;
  else {
    refuse(wrong, "%s", r->wrong.text);
    PetscCall(LimberResponseDestroy(&r));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteResponse(const PointCall *c) {
  return LimberResponseWrite(c->found, c->request->path, output_force());
}

static PetscErrorCode DestroyResponse(void *found) { return LimberResponseDestroy(&(LimberResponse){found}); }

const PointCommand command_of_response = {Respond, print_summary, WriteResponse, DestroyResponse};
