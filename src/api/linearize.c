// SPDX-License-Identifier: Apache-2.0
// The public interface to linear models.
#include "api/analyses.h"

#include "analyses/statics/operating_point.h"
#include "api/arguments.h"
#include "api/file.h"
#include "files/output_file.h"
#include "fmu/write.h"
#include "model/refusal.h"
#include "results/write/probes.h"

#include <string.h>

LimberLinearOptions limber_file_linear_options(LimberFile file) {
  const Input *in = file_input(file);
  return in ? in->linearize : limber_linear_options_default();
}

// ---- the operating point ----

static PetscErrorCode KeepOperatingPoint(const OperatingPoint *p, const Input *in, LinearOperatingPoint *at) {
  PetscFunctionBegin;
  *at = (LinearOperatingPoint){.time = in->statics.time, .spin = p->spin, .nodes = in->model->nodes.count - 1};
  PetscCall(PetscCalloc2(3 * at->nodes, &at->position, 9 * at->nodes, &at->axes));
  for (PetscInt i = 0; i < at->nodes; i++)
    PetscCall(LimberRunGetNode(p->run, (LimberNodeId){(int)i + 1}, at->position + 3 * i, at->axes + 9 * i, NULL, NULL));
  PetscFunctionReturn(0);
}

static void add_remark(LimberLinearModel l, const char *format, ...) PRINTF_LIKE(2, 3);
static void add_remark(LimberLinearModel l, const char *format, ...) {
  size_t n = strlen(l->remarks);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(l->remarks + n, sizeof l->remarks - n - 1, format, arguments);
  va_end(arguments);
  n = strlen(l->remarks);
  l->remarks[n] = '\n', l->remarks[n + 1] = 0;
}

static void add_remarks(LimberLinearModel l) {
  const LinearModel *m = l->model;
  if (m->followers)
    add_remark(l, "%d coordinate%s no mass and no damping: %s at once", m->followers,
               m->followers == 1 ? " has" : "s have", m->followers == 1 ? "it follows" : "they follow");
  if (m->first_order)
    add_remark(l, "%d state%s damping but no mass: without a rate among the states", m->first_order,
               m->first_order == 1 ? " has" : "s have");
  if (m->omitted_rate)
    add_remark(l, "a load acts on what has no mass: velocities there leave out the part of the load's rate");
  if (m->output_error > 1e-4)
    add_remark(l, "the output %s is not smooth at the operating point: its derivatives differ by %.0e",
               m->output[m->rough_output].name, m->output_error);
}

// ---- from an input ----

static PetscErrorCode LinearizeAt(OperatingPoint *p, const LimberLinearOptions *o, LimberLinearModel l) {
  ProbeOutputs outputs;
  PetscFunctionBegin;
  PetscCall(ProbeOutputsCreate(l->in, p->run, o->outputs, o->output, &outputs, &l->wrong));
  const LinearRequest request = {.names = o->inputs,
                                 .name = o->input,
                                 .ask = {outputs.count, ProbeOutputsSample, &outputs},
                                 .output = outputs.name,
                                 .modes = o->modes};
  if (!is_refused(&l->wrong)) {
    PetscCall(KeepOperatingPoint(p, l->in, &l->at));
    PetscCall(LinearModelCreate(p->s, &p->spin, &request, &l->model, &l->wrong));
  }
  if (l->model) add_remarks(l);
  PetscCall(ProbeOutputsDestroy(&outputs));
  PetscFunctionReturn(0);
}

PetscErrorCode LinearizeInput(const Input *in, const LimberLinearOptions *options, LimberLinearModel *out) {
  OperatingPoint p;
  LimberLinearModel l;
  PetscFunctionBegin;
  PetscCall(PetscNew(&l));
  *out = l, l->in = in;
  PetscCall(OperatingPointFind(in->model, &in->statics, &p, &l->wrong));
  if (is_refused(&l->wrong)) PetscFunctionReturn(0);
  l->comm = p.s->motion.layout.comm;
  p.s->motion.state.time = in->statics.time; // at which loads are taken
  operating_point_remarks(&p, l->remarks, sizeof l->remarks);
  PetscCall(LinearizeAt(&p, options ? options : &in->linearize, l));
  PetscCall(OperatingPointDestroy(&p));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateLinear(LimberFile file, const LimberLinearOptions *options, LimberLinearModel *linear) {
  PetscFunctionBegin;
  *linear = NULL;
  CHECK_OPTIONS(options, limber_linear_options_default);
  PetscCheck(file_input(file), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  PetscCall(LinearizeInput(file_input(file), options, linear));
  PetscFunctionReturn(0);
}

int LimberLinearCreate(LimberFile file, const LimberLinearOptions *options, LimberLinearModel *linear) {
  CREATE_ON_ALL(file_communicator(file), CreateLinear(file, options, linear), linear);
}

int LimberLinearDestroy(LimberLinearModel *linear) {
  PetscFunctionBegin;
  if (!*linear) PetscFunctionReturn(0);
  PetscCall(LinearModelDestroy(&(*linear)->model));
  PetscCall(PetscFree2((*linear)->at.position, (*linear)->at.axes));
  PetscCall(PetscFree(*linear));
  PetscFunctionReturn(0);
}

// ---- what it has ----

const char *limber_linear_wrong(LimberLinearModel l) { return l->wrong.text; }
const char *limber_linear_remarks(LimberLinearModel l) { return l->remarks; }

static int part_of(LimberLinearModel l, LimberLinearPart part, const LinearName **list, const double **at) {
  const LinearModel *m = l->model;
  *list = NULL, *at = NULL;
  if (!m) return 0;
  switch (part) {
  case LIMBER_STATES: return *list = m->state, m->states;
  case LIMBER_INPUTS: return *list = m->input, *at = m->at_input, m->inputs;
  case LIMBER_OUTPUTS: return *list = m->output, *at = m->at_output, m->outputs;
  }
  return 0;
}

int limber_linear_count(LimberLinearModel l, LimberLinearPart part) {
  const LinearName *list;
  const double *at;
  return part_of(l, part, &list, &at);
}

const char *limber_linear_name(LimberLinearModel l, LimberLinearPart part, int i) {
  const LinearName *list;
  const double *at;
  return i >= 0 && i < part_of(l, part, &list, &at) ? list[i].name : NULL;
}

const char *limber_linear_units(LimberLinearModel l, LimberLinearPart part, int i) {
  const LinearName *list;
  const double *at;
  return i >= 0 && i < part_of(l, part, &list, &at) ? list[i].unit : NULL;
}

double limber_linear_at(LimberLinearModel l, LimberLinearPart part, int i) {
  const LinearName *list;
  const double *at;
  return i >= 0 && i < part_of(l, part, &list, &at) && at ? at[i] : 0;
}

const double *limber_linear_matrix(LimberLinearModel l, char which, int *rows, int *columns) {
  const LinearModel *m = l->model;
  *rows = *columns = 0;
  if (!m) return NULL;
  switch (which) {
  case 'A': return *rows = m->states, *columns = m->states, m->a;
  case 'B': return *rows = m->states, *columns = m->inputs, m->b;
  case 'C': return *rows = m->outputs, *columns = m->states, m->c;
  case 'D': return *rows = m->outputs, *columns = m->inputs, m->d;
  default: return NULL;
  }
}

int limber_linear_eigenvalue(LimberLinearModel l, int i, double *re, double *im) {
  if (!l->model || !l->model->has_eigenvalues || i < 0 || i >= l->model->states) return 0;
  *re = l->model->eigen[0][i], *im = l->model->eigen[1][i];
  return 1;
}

static PetscErrorCode WriteLinearFmu(LimberLinearModel l, const char *path, int version) {
  Refusal wrong;
  PetscFunctionBegin;
  PetscCall(FmuWriteLinear(l->comm, l->in, l->model, path, version, &wrong));
  PetscCheck(!is_refused(&wrong), PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s", wrong.text);
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteLinear(LimberLinearModel l, const char *path, LimberLinearFormat format) {
  PetscMPIInt rank;
  PetscFunctionBegin;
  PetscCheck(l->model, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "%s", l->wrong.text);
  PetscCallMPI(MPI_Comm_rank(l->comm, &rank));
  switch (format) {
  case LIMBER_LINEAR_HDF5:
    PetscCall(OutputCheck(l->comm, path, FILE_RESULTS, l->in));
    PetscCall(LinearFileWrite(path, l->in, l->comm, l->model, &l->at, l->remarks));
    break;
  case LIMBER_LINEAR_MATLAB:
    PetscCall(OutputCheck(l->comm, path, FILE_MAT, l->in));
    if (rank == 0) PetscCall(LinearFileWriteMatlab(path, l->model));
    break;
  case LIMBER_LINEAR_FMU_2: PetscCall(WriteLinearFmu(l, path, 2)); break;
  case LIMBER_LINEAR_FMU_3: PetscCall(WriteLinearFmu(l, path, 3)); break;
  }
  PetscFunctionReturn(0);
}

int LimberLinearWrite(LimberLinearModel l, const char *path, LimberLinearFormat format, bool overwrite) {
  PetscFunctionBegin;
  bool before = output_allow_overwrite(overwrite);
  PetscErrorCode error = COLLECTIVE(l->comm, WriteLinear(l, path, format));
  output_allow_overwrite(before);
  PetscFunctionReturn(error);
}
