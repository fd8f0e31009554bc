// SPDX-License-Identifier: Apache-2.0
// Arguments of the public interface that must not be NULL.
#ifndef LIMBER_API_GIVEN_H
#define LIMBER_API_GIVEN_H

#include <petscsys.h>

#define CHECK_GIVEN(pointer) \
  PetscCheck(pointer, PETSC_COMM_SELF, PETSC_ERR_ARG_NULL, "%s is given NULL for " #pointer, __func__)

#endif
