// SPDX-License-Identifier: Apache-2.0
// The public interface to optima.
#include "fit/optimize.h"

#include "api/arguments.h"
#include "api/file.h"
#include "assembly/ranks.h"
#include "results/shared_file.h"

static PetscErrorCode FindOptimum(LimberFile file, LimberOptimum *optimum) {
  Refusal wrong = {.text = ""};
  PetscFunctionBegin;
  *optimum = NULL;
  PetscCheck(!limber_file_errors(file), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  shared_file_set_ranks(model_communicator(file->in->model));
  PetscErrorCode error = OptimumFind(file->in, ReadOnAllRanks, NULL, optimum, &wrong);
  shared_file_set_ranks(MPI_COMM_NULL);
  PetscCall(error);
  if (is_refused(&wrong)) PetscCall(ModelReportError(file->in->model, NULL, "%s", wrong.text));
  PetscFunctionReturn(0);
}

int LimberOptimumCreate(LimberFile file, LimberOptimum *optimum) {
  CREATE_ON_ALL(file_communicator(file), FindOptimum(file, optimum), optimum);
}

int LimberOptimumDestroy(LimberOptimum *optimum) {
  PetscFunctionBegin;
  PetscCall(OptimumDestroy(optimum));
  PetscFunctionReturn(0);
}

double limber_optimum_objective(LimberOptimum o) { return o->objective.value; }
int limber_optimum_parameters(LimberOptimum o) { return o->parameters; }
const char *limber_optimum_name(LimberOptimum o, int parameter) { return o->parameter[parameter].path; }
const char *limber_optimum_unit(LimberOptimum o, int parameter) { return o->parameter[parameter].unit; }
double limber_optimum_value(LimberOptimum o, int parameter) { return o->parameter[parameter].value; }
double limber_optimum_next_step(LimberOptimum o, int parameter) { return o->next[parameter]; }
double limber_optimum_bound_multiplier(LimberOptimum o, int parameter) { return o->multiplier[parameter]; }
int limber_optimum_constraints(LimberOptimum o) { return o->constraints; }
double limber_optimum_constraint(LimberOptimum o, int constraint) { return o->constraint[constraint].value; }
double limber_optimum_multiplier(LimberOptimum o, int constraint) { return o->constraint[constraint].multiplier; }
const char *limber_optimum_remarks(LimberOptimum o) { return o->remarks; }
