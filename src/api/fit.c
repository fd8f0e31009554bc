// SPDX-License-Identifier: Apache-2.0
// The public interface to fits.
#include "fit/fit.h"

#include "api/arguments.h"
#include "api/file.h"
#include "assembly/ranks.h"
#include "results/shared_file.h"

static PetscErrorCode FindFit(LimberFile file, LimberFit *fit) {
  Refusal wrong = {.text = ""};
  PetscFunctionBegin;
  *fit = NULL;
  PetscCheck(!limber_file_errors(file), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  shared_file_set_ranks(model_communicator(file->in->model));
  PetscErrorCode error = FitFind(file->in, ReadOnAllRanks, fit, &wrong);
  shared_file_set_ranks(MPI_COMM_NULL);
  PetscCall(error);
  if (is_refused(&wrong)) PetscCall(ModelReportError(file->in->model, NULL, "%s", wrong.text));
  PetscFunctionReturn(0);
}

int LimberFitCreate(LimberFile file, LimberFit *fit) {
  CREATE_ON_ALL(file_communicator(file), FindFit(file, fit), fit);
}

int LimberFitDestroy(LimberFit *fit) {
  PetscFunctionBegin;
  PetscCall(FitDestroy(fit));
  PetscFunctionReturn(0);
}

int limber_fit_parameters(LimberFit f) { return f->parameters; }
const char *limber_fit_name(LimberFit f, int parameter) { return f->parameter[parameter].path; }
const char *limber_fit_unit(LimberFit f, int parameter) { return f->parameter[parameter].unit; }
double limber_fit_value(LimberFit f, int parameter) { return f->parameter[parameter].value; }
double limber_fit_error(LimberFit f, int parameter) { return f->error[parameter]; }
double limber_fit_half_step_change(LimberFit f, int parameter) { return f->shift[parameter]; }
double limber_fit_correlation(LimberFit f, int a, int b) { return f->correlation[a * f->parameters + b]; }
double limber_fit_chi_square(LimberFit f) { return f->chi_square; }
int limber_fit_freedom(LimberFit f) { return f->freedom; }
int limber_fit_unknown(LimberFit f) { return f->unknown; }
double limber_fit_direction(LimberFit f, int combination, int parameter) {
  return f->direction[combination * f->parameters + parameter];
}
int limber_fit_points(LimberFit f) { return f->points; }
double limber_fit_measured(LimberFit f, int point) { return f->measured[point]; }
double limber_fit_fitted(LimberFit f, int point) { return f->fitted[point]; }
const char *limber_fit_remarks(LimberFit f) { return f->remarks; }
