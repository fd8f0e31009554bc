// SPDX-License-Identifier: Apache-2.0
// The public interface to transfer functions.
#include "api/analyses.h"

#include "analyses/statics/operating_point.h"
#include "api/arguments.h"
#include "api/file.h"
#include "files/output_file.h"
#include "model/refusal.h"
#include "results/write/probes.h"
#include "results/write/table.h"

#include <string.h>

LimberResponseOptions limber_file_response_options(LimberFile file) {
  const Input *in = file_input(file);
  return in && in->has.part_response ? in->response : limber_response_options_default();
}

static PetscErrorCode RespondAt(OperatingPoint *p, const LimberResponseOptions *o, void (*progress)(int, int),
                                LimberResponse r) {
  ProbeOutputs outputs;
  PetscFunctionBegin;
  PetscCall(ProbeOutputsCreate(r->in, p->run, o->outputs, o->output, &outputs, &r->wrong));
  const ResponseRequest request = {.from = o->from,
                                   .to = o->to,
                                   .points = o->points,
                                   .spacing = o->spacing,
                                   .names = o->inputs,
                                   .name = o->input,
                                   .ask = {outputs.count, ProbeOutputsSample, &outputs},
                                   .output = outputs.name,
                                   .progress = progress};
  if (!is_refused(&r->wrong)) PetscCall(ResponseCreate(p->s, &p->spin, &request, &r->response, &r->wrong));
  PetscCall(ProbeOutputsDestroy(&outputs));
  PetscFunctionReturn(0);
}

PetscErrorCode RespondInput(const Input *in, const LimberResponseOptions *options, void (*progress)(int done, int all),
                            LimberResponse *out) {
  OperatingPoint p;
  LimberResponse r;
  LimberResponseOptions o = limber_response_options_default();
  PetscFunctionBegin;
  PetscCall(PetscNew(&r));
  *out = r, r->in = in;
  if (options) o = *options;
  else if (in->has.part_response) o = in->response;
  PetscCheck(o.points > 0 && o.to >= o.from && (o.from > 0 || (o.spacing == LIMBER_SPACING_LINEAR && o.from == 0)),
             PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "frequencies of a response must be positive and grow");
  PetscCall(OperatingPointFind(in->model, &in->statics, &p, &r->wrong));
  if (is_refused(&r->wrong)) PetscFunctionReturn(0);
  r->comm = p.s->motion.layout.comm;
  p.s->motion.state.time = in->statics.time; // at which loads are taken
  operating_point_remarks(&p, r->remarks, sizeof r->remarks);
  PetscCall(RespondAt(&p, &o, progress, r));
  PetscCall(OperatingPointDestroy(&p));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateResponse(LimberFile file, const LimberResponseOptions *options, LimberResponse *response) {
  PetscFunctionBegin;
  *response = NULL;
  CHECK_OPTIONS(options, limber_response_options_default);
  PetscCheck(file_input(file), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  PetscCall(RespondInput(file_input(file), options, NULL, response));
  PetscFunctionReturn(0);
}

int LimberResponseCreate(LimberFile file, const LimberResponseOptions *options, LimberResponse *response) {
  CREATE_ON_ALL(file_communicator(file), CreateResponse(file, options, response), response);
}

int LimberResponseDestroy(LimberResponse *response) {
  PetscFunctionBegin;
  if (!*response) PetscFunctionReturn(0);
  PetscCall(ResponseDestroy(&(*response)->response));
  PetscCall(PetscFree(*response));
  PetscFunctionReturn(0);
}

const char *limber_response_wrong(LimberResponse r) { return r->wrong.text; }

void limber_response_count(LimberResponse r, int *frequencies, int *inputs, int *outputs) {
  const Response *q = r->response;
  if (frequencies) *frequencies = q ? q->frequencies : 0;
  if (inputs) *inputs = q ? q->inputs : 0;
  if (outputs) *outputs = q ? q->outputs : 0;
}

static bool has(LimberResponse r, int output, int i) {
  return r->response && i >= 0 && i < (output ? r->response->outputs : r->response->inputs);
}

double limber_response_frequency(LimberResponse r, int i) {
  return r->response && i >= 0 && i < r->response->frequencies ? r->response->frequency[i] : 0;
}

const char *limber_response_name(LimberResponse r, int output, int i) {
  if (!has(r, output, i)) return NULL;
  return output ? r->response->output[i].name : r->response->input[i].name;
}

const char *limber_response_units(LimberResponse r, int output, int i) {
  if (!has(r, output, i)) return NULL;
  return output ? r->response->output[i].unit : r->response->input[i].unit;
}

void limber_response_value(LimberResponse r, int frequency, int input, int output, double *re, double *im) {
  *re = *im = 0;
  if (!has(r, 0, input) || !has(r, 1, output) || frequency < 0 || frequency >= r->response->frequencies) return;
  const double *v = response_value(r->response, frequency, input, output);
  *re = v[0], *im = v[1];
}

static PetscErrorCode WriteResponse(LimberResponse r, const char *path) {
  PetscFunctionBegin;
  PetscCheck(r->response, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "%s", r->wrong.text);
  PetscCall(OutputCheck(r->comm, path, FILE_RESULTS, r->in));
  PetscCall(ResponseFileWrite(path, r->in, r->comm, r->response, r->remarks));
  PetscFunctionReturn(0);
}

int LimberResponseWrite(LimberResponse r, const char *path, bool overwrite) {
  PetscFunctionBegin;
  bool before = output_allow_overwrite(overwrite);
  PetscErrorCode error = COLLECTIVE(r->comm, WriteResponse(r, path));
  output_allow_overwrite(before);
  PetscFunctionReturn(error);
}
