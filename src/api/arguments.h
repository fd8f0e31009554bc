// SPDX-License-Identifier: Apache-2.0
// Checks of what a program gives to public functions.
#ifndef LIMBER_API_ARGUMENTS_H
#define LIMBER_API_ARGUMENTS_H

#include "base/cookie.h"
#include "model/model.h"

#define CHECK_GIVEN(pointer) \
  PetscCheck(pointer, PETSC_COMM_SELF, PETSC_ERR_ARG_NULL, "%s is given NULL for " #pointer, __func__)

// Options that may be NULL; `maker` is the function that makes them.
#define CHECK_OPTIONS(options, maker) \
  PetscCheck(!(options) || (options)->cookie == OPTIONS_COOKIE, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, \
             "%s is given options that %s did not make: start from it and change members", __func__, #maker)

#define CHECK_CHANGES(changes, change) \
  PetscCheck((changes) <= 0 || (change), PETSC_COMM_SELF, PETSC_ERR_ARG_NULL, \
             "%d changes are announced, and none is given", changes)

// A call on a model: nothing after one that failed, and its own failure is kept.
#define MODEL_CALL(model, call) \
  (!model_failure(model) ? model_keep_failure(model, call) : (model) ? (model)->failure : ERROR_ARGUMENT)

#endif
