// SPDX-License-Identifier: Apache-2.0
#include "analyses/response/response.h"

#include "analyses/linearize/inputs.h"
#include "analyses/response/frequency_solver.h"
#include "model/refusal.h"

#include <math.h>
#include <string.h>

typedef struct {
  System *s;
  const ResponseRequest *request;
  Unknowns u;
  LinearSources sources;
  FrequencySolver solver;
  MovedState state;
  double *right[2], *q[2], *rate[2];
} Work;

// The right-hand side for a unit of an input: forces due to its value and rate, coordinates and rates it prescribes.
static void fill_right(const Work *x, const LinearSource *q, double w) {
  for (PetscInt i = 0; i < x->u.count; i++) {
    x->right[0][i] = q->force[0][i] + q->drive[0][i];
    x->right[1][i] = w * q->force[1][i] - (q->drive[1][i] != 0 ? q->drive[1][i] / w : 0);
  }
}

// Derivatives of the outputs along q and i w q, real and imaginary parts.
static PetscErrorCode FillOutputs(Work *x, double w, double *row[2], double (*out)[2]) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < x->u.count; i++) x->rate[0][i] = -w * x->q[1][i], x->rate[1][i] = w * x->q[0][i];
  for (int k = 0; k < 2; k++) {
    PetscCall(DifferentiateState(&x->state, &(SmallMotion){x->q[k], x->rate[k]}, &x->request->ask, row[k], NULL));
    for (int o = 0; o < x->request->ask.count; o++) out[o][k] = row[k][o];
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode SolveFrequency(Work *x, Response *r, int f, double *row[2], Refusal *wrong) {
  double w = 2 * M_PI * r->frequency[f];
  bool good;
  PetscFunctionBegin;
  PetscCall(FrequencySolverSet(&x->solver, w));
  for (int i = 0; i < r->inputs && !is_refused(wrong); i++) {
    if (w == 0 && x->sources.source[i].has_drive[1]) {
      refuse(wrong, "'%s' prescribes a rate, which has no response at 0 Hz: begin at a higher frequency",
             r->input[i].name);
      continue;
    }
    fill_right(x, &x->sources.source[i], w);
    PetscCall(FrequencySolverSolve(&x->solver, (const double *const *)x->right, x->q, &good));
    if (good)
      PetscCall(FillOutputs(x, w, row, r->value + ((size_t)f * (size_t)r->inputs + (size_t)i) * (size_t)r->outputs));
    else
      refuse(wrong, "at %.9g Hz the response to '%s' is unbounded: %s", r->frequency[f], r->input[i].name,
             w == 0 ? "a part moves freely. Begin at a higher frequency, or constrain it"
                    : "it is a natural frequency of the undamped model. Add damping, or choose other frequencies");
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateWork(System *s, const Spin *spin, const ResponseRequest *request, Work *x, Refusal *wrong) {
  PetscFunctionBegin;
  *x = (Work){.s = s, .request = request};
  PetscCall(UnknownsCreate(&s->motion, &x->u));
  PetscCall(SourcesCreate(&s->motion, &s->equations, &x->u, request->names, request->name, &x->sources, wrong));
  PetscInt n = x->u.count;
  PetscCall(PetscCalloc6(n, &x->right[0], n, &x->right[1], n, &x->q[0], n, &x->q[1], n, &x->rate[0], n, &x->rate[1]));
  PetscCall(FrequencySolverCreate(&s->motion, &s->equations, spin, &x->u, &x->solver));
  PetscCall(MovedStateCreate(s, &x->u, spin, &x->state));
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyWork(Work *x) {
  PetscFunctionBegin;
  PetscCall(MovedStateDestroy(&x->state));
  PetscCall(FrequencySolverDestroy(&x->solver));
  PetscCall(PetscFree6(x->right[0], x->right[1], x->q[0], x->q[1], x->rate[0], x->rate[1]));
  PetscCall(SourcesDestroy(&x->sources));
  PetscCall(UnknownsDestroy(&x->u));
  PetscFunctionReturn(0);
}

static PetscErrorCode Allocate(const Work *x, Response *r) {
  const ResponseRequest *q = x->request;
  PetscFunctionBegin;
  r->frequencies = q->points, r->inputs = x->sources.count, r->outputs = q->ask.count;
  PetscCall(PetscCalloc4(r->frequencies, &r->frequency, r->inputs, &r->input, r->outputs, &r->output,
                         (PetscInt)r->frequencies * r->inputs * r->outputs, &r->value));
  for (int i = 0; i < r->frequencies; i++) {
    double t = r->frequencies > 1 ? (double)i / (r->frequencies - 1) : 0;
    r->frequency[i] =
        q->spacing == LIMBER_SPACING_LINEAR ? q->from + t * (q->to - q->from) : q->from * pow(q->to / q->from, t);
  }
  if (r->frequencies > 1) r->frequency[r->frequencies - 1] = q->to;
  for (int i = 0; i < r->inputs; i++) {
    snprintf(r->input[i].name, sizeof r->input[i].name, "%s", x->sources.source[i].name);
    snprintf(r->input[i].unit, sizeof r->input[i].unit, "%s", x->sources.source[i].unit);
  }
  for (int i = 0; i < r->outputs; i++) r->output[i] = q->output[i];
  PetscFunctionReturn(0);
}

PetscErrorCode ResponseCreate(System *s, const Spin *spin, const ResponseRequest *request, Response **out,
                              Refusal *wrong) {
  double *row[2];
  Response *r;
  Work x;
  PetscFunctionBegin;
  *out = NULL, wrong->text[0] = 0;
  PetscCall(CreateWork(s, spin, request, &x, wrong));
  PetscCall(PetscNew(&r));
  PetscCall(Allocate(&x, r));
  if (!is_refused(wrong) && !r->inputs) refuse(wrong, "the model has no load, drive or signal that could be an input");
  if (!is_refused(wrong) && !r->outputs) refuse(wrong, "the model has no probe that could be an output");
  PetscCall(PetscMalloc2(r->outputs, &row[0], r->outputs, &row[1]));
  PetscCall(MoveState(&x.state, &(SmallMotion){x.q[0], x.rate[0]}, 0));
  PetscCall(request->ask.sample(request->ask.self, row[0])); // displacements and rotations are relative to this state
  for (int f = 0; f < r->frequencies && !is_refused(wrong); f++) {
    PetscCall(SolveFrequency(&x, r, f, row, wrong));
    if (request->progress) request->progress(f + 1, r->frequencies);
  }
  PetscCall(PetscFree2(row[0], row[1]));
  PetscCall(DestroyWork(&x));
  *out = r;
  if (is_refused(wrong)) PetscCall(ResponseDestroy(out));
  PetscFunctionReturn(0);
}

PetscErrorCode ResponseDestroy(Response **response) {
  Response *r = *response;
  PetscFunctionBegin;
  if (!r) PetscFunctionReturn(0);
  PetscCall(PetscFree4(r->frequency, r->input, r->output, r->value));
  PetscCall(PetscFree(*response));
  PetscFunctionReturn(0);
}
