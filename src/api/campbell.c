// SPDX-License-Identifier: Apache-2.0
// The public interface to modes over a speed.
#include "analyses/campbell/campbell.h"

#include "api/arguments.h"
#include "api/file.h"
#include "assembly/ranks.h"
#include "model/refusal.h"
#include "results/shared_file.h"

static PetscErrorCode CreateDiagram(LimberFile file, const LimberCampbellOptions *options, LimberCampbell *campbell) {
  Refusal wrong = {.text = ""};
  PetscFunctionBegin;
  *campbell = NULL;
  CHECK_OPTIONS(options, limber_campbell_options_default);
  PetscCheck(!limber_file_errors(file), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  const CampbellProblem p = {file->in, ReadOnAllRanks, options ? *options : file->in->campbell, NULL};
  if (!p.options.vary) {
    PetscCall(ModelReportError(file->in->model, NULL, "campbell: nothing is varied: the file has no part `campbell`"));
    PetscFunctionReturn(0);
  }
  shared_file_set_ranks(model_communicator(file->in->model));
  PetscErrorCode error = CampbellFind(&p, campbell, &wrong);
  shared_file_set_ranks(MPI_COMM_NULL);
  PetscCall(error);
  if (is_refused(&wrong)) PetscCall(ModelReportError(file->in->model, NULL, "%s", wrong.text));
  PetscFunctionReturn(0);
}

int LimberCampbellCreate(LimberFile file, const LimberCampbellOptions *options, LimberCampbell *campbell) {
  CREATE_ON_ALL(file_communicator(file), CreateDiagram(file, options, campbell), campbell);
}

LimberCampbellOptions limber_file_campbell_options(LimberFile file) {
  return file->in ? file->in->campbell : limber_campbell_options_default();
}

int LimberCampbellDestroy(LimberCampbell *campbell) {
  PetscFunctionBegin;
  PetscCall(CampbellDestroy(campbell));
  PetscFunctionReturn(0);
}

int limber_campbell_rows(LimberCampbell f) { return f->rows; }
int limber_campbell_modes(LimberCampbell f) { return f->branches; }
double limber_campbell_value(LimberCampbell f, int row) { return f->value[row]; }
double limber_campbell_rate(LimberCampbell f, int row) { return f->rate[row]; }
void limber_campbell_eigenvalue(LimberCampbell f, int row, int mode, double out[2]) {
  for (int i = 0; i < 2; i++) out[i] = f->lambda[row * f->branches + mode][i];
}
double limber_campbell_rotor_frequency(LimberCampbell f, int row, int mode) {
  return f->rotor[row * f->branches + mode];
}
const char *limber_campbell_name(LimberCampbell f, int mode) { return f->name[mode]; }
int limber_campbell_crossings(LimberCampbell f) { return f->crossings; }
LimberCampbellCrossing limber_campbell_crossing(LimberCampbell f, int i) { return f->crossing[i]; }
const char *limber_campbell_remarks(LimberCampbell f) { return f->remarks; }
