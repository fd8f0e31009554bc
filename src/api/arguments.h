// SPDX-License-Identifier: Apache-2.0
// Checks of what a program gives to public functions.
#ifndef LIMBER_API_ARGUMENTS_H
#define LIMBER_API_ARGUMENTS_H

#include "assembly/ranks.h"
#include "base/cookie.h"
#include "model/model.h"

#define CHECK_GIVEN(pointer) \
  PetscCheck(pointer, PETSC_COMM_SELF, PETSC_ERR_ARG_NULL, "%s is given NULL for " #pointer, \
             agreement_function(__func__))

// The ranks of a run; of NULL: all.
MPI_Comm run_communicator(LimberRun run);

// Whether the model has no mistakes on any rank; a rank without them gets one if another has some. Collective.
PetscErrorCode CheckModel(LimberModel model, bool *good);

// Options that may be NULL; `maker` is the function that makes them.
#define CHECK_OPTIONS(options, maker) \
  PetscCheck(!(options) || (options)->cookie == OPTIONS_COOKIE, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, \
             "%s was passed options that %s did not create: start from its result and change members", \
             agreement_function(__func__), #maker)

#define CHECK_CHANGES(changes, change) \
  PetscCheck((changes) <= 0 || (change), PETSC_COMM_SELF, PETSC_ERR_ARG_NULL, \
             "%d changes are announced, but none is passed", changes)

// The body of a function that makes `*out` on all ranks: NULL on all if one of them fails. What the others made is then
// left, because all ranks would have to destroy it together.
#define CREATE_ON_ALL(comm, call, out) \
  do { \
    PetscErrorCode error_ = COLLECTIVE(comm, call); \
    if (error_ && (out)) *(out) = NULL; \
    return error_; \
  } while (0)

// The same of a model: nothing is made after a call that failed, and the failure is kept on all ranks.
#define CREATE_OF_MODEL(model, call, out) \
  do { \
    Error error_ = COLLECTIVE(model_communicator(model), model_failure(model) ? model_failure(model) : (call)); \
    if (error_) *(out) = NULL; \
    return (model) ? model_keep_failure(model, error_) : error_; \
  } while (0)

#endif
