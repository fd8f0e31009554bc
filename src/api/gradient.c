// SPDX-License-Identifier: Apache-2.0
// The public interface to gradients.
#include "gradient/gradient.h"

#include "api/arguments.h"
#include "api/file.h"
#include "assembly/ranks.h"
#include "results/shared_file.h"

static PetscErrorCode FindGradient(LimberFile file, const LimberGradientOptions *options, LimberGradient *gradient) {
  Refusal wrong = {.text = ""};
  PetscFunctionBegin;
  *gradient = NULL;
  CHECK_GIVEN(options);
  CHECK_OPTIONS(options, limber_gradient_options_default);
  PetscCheck(!limber_file_errors(file), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  shared_file_set_ranks(model_communicator(file->in->model));
  PetscErrorCode error = GradientFind(file->in, ReadOnAllRanks, options, NULL, gradient, &wrong);
  shared_file_set_ranks(MPI_COMM_NULL);
  PetscCall(error);
  if (is_refused(&wrong)) PetscCall(ModelReportError(file->in->model, NULL, "%s", wrong.text));
  PetscFunctionReturn(0);
}

int LimberGradientCreate(LimberFile file, const LimberGradientOptions *options, LimberGradient *gradient) {
  CREATE_ON_ALL(file_communicator(file), FindGradient(file, options, gradient), gradient);
}

int LimberGradientDestroy(LimberGradient *gradient) {
  PetscFunctionBegin;
  PetscCall(GradientDestroy(gradient));
  PetscFunctionReturn(0);
}

LimberDerivative limber_gradient_derivative(LimberGradient g, int quantity, int parameter) {
  return g->d[quantity * g->parameters + parameter];
}

double limber_gradient_value(LimberGradient g, int quantity) { return g->value[quantity]; }
const char *limber_gradient_unit(LimberGradient g, int quantity) { return g->quantity[quantity].unit; }
double limber_gradient_parameter(LimberGradient g, int parameter) { return g->parameter[parameter].value; }
const char *limber_gradient_parameter_unit(LimberGradient g, int parameter) { return g->parameter[parameter].unit; }
const char *limber_gradient_remarks(LimberGradient g) { return g->remarks; }
