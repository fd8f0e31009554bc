// SPDX-License-Identifier: Apache-2.0
// The public interface to the search for a loss of stability.
#include "analyses/stability/stability.h"

#include "api/arguments.h"
#include "api/file.h"
#include "assembly/ranks.h"
#include "model/refusal.h"
#include "results/shared_file.h"

static PetscErrorCode SearchStability(LimberFile file, const LimberStabilityOptions *options,
                                      LimberStability *stability) {
  Refusal wrong;
  PetscFunctionBegin;
  *stability = NULL;
  CHECK_OPTIONS(options, limber_stability_options_default);
  PetscCheck(!limber_file_errors(file), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  const StabilityProblem p = {file->in, ReadOnAllRanks, options ? *options : file->in->stability};
  shared_file_set_ranks(model_communicator(file->in->model));
  PetscErrorCode error = StabilitySearch(&p, stability, &wrong);
  shared_file_set_ranks(MPI_COMM_NULL);
  PetscCall(error);
  if (is_refused(&wrong)) PetscCall(ModelReportError(file->in->model, NULL, "%s", wrong.text));
  PetscFunctionReturn(0);
}

int LimberStabilityCreate(LimberFile file, const LimberStabilityOptions *options, LimberStability *stability) {
  CREATE_ON_ALL(file_communicator(file), SearchStability(file, options, stability), stability);
}

LimberStabilityOptions limber_file_stability_options(LimberFile f) {
  return f->in ? f->in->stability : limber_stability_options_default();
}

int LimberStabilityDestroy(LimberStability *stability) {
  PetscFunctionBegin;
  PetscCall(StabilityDestroy(stability));
  PetscFunctionReturn(0);
}

LimberCrossing limber_stability_crossing(LimberStability f) { return f->crossing; }
int limber_stability_rows(LimberStability f) { return f->rows; }
int limber_stability_modes(LimberStability f) { return f->modes; }
double limber_stability_value(LimberStability f, int row) { return f->value[row]; }
void limber_stability_eigenvalue(LimberStability f, int row, int mode, double out[2]) {
  for (int i = 0; i < 2; i++) out[i] = f->lambda[row * f->modes + mode][i];
}
const char *limber_stability_remarks(LimberStability f) { return f->remarks; }
