// SPDX-License-Identifier: Apache-2.0
// SLEPc, which starts PETSc; PETSc alone in a build without it.
#ifndef LIMBER_ASSEMBLY_SLEPC_H
#define LIMBER_ASSEMBLY_SLEPC_H

#ifndef LIMBER_WITHOUT_SLEPC
#include <slepcsys.h>
#else
#include <petscsys.h>
#define SlepcInitialized PetscInitialized
#define SlepcInitialize  PetscInitialize
#define SlepcFinalize    PetscFinalize
#endif

#endif
