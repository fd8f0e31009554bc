// SPDX-License-Identifier: Apache-2.0
// Writing of FMUs: a zip file with a description (XML), files that its library reads, and the library (module/). The same
// model gives the same bytes. An FMU is a run of a model (write.c) or a linear model (write_linear.c).
#ifndef LIMBER_FMU_WRITE_H
#define LIMBER_FMU_WRITE_H

#include "analyses/linearize/linear_model.h"
#include "input/input.h"
#include "model/refusal.h"

#include <petscsys.h>

typedef struct {
  int parameters, inputs, outputs;
  bool alone; // another machine needs nothing
} FmuSummary;

// Writes the model as an FMU of version 2 or 3. `wrong`: why it cannot be one or cannot be written, or "". The
// rules of overwriting are those of output_file.h. Collective.
PetscErrorCode FmuWrite(MPI_Comm comm, const Input *in, const char *path, int version, FmuSummary *summary,
                        Refusal *wrong);
// The same of a linear model of that input.
PetscErrorCode FmuWriteLinear(MPI_Comm comm, const Input *in, const LinearModel *m, const char *path, int version,
                              Refusal *wrong);

#endif
