// SPDX-License-Identifier: Apache-2.0
// This version and those of the libraries that it runs with.
#include "console/library_commands.h"
#include "model/formula.h"
#include "results/write/output.h"

#include <slepcsys.h>
#include <string.h>

int limber_command_version(const Arguments *a) {
  char petsc[128], slepc[128], mpi[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  (void)a;
  if (PetscGetVersion(petsc, sizeof petsc) || SlepcGetVersion(slepc, sizeof slepc)) return EXIT_MACHINE;
  MPI_Get_library_version(mpi, &length);
  mpi[strcspn(mpi, ",\n")] = 0;
  printf("limber %s\n  PETSc %d.%d.%d\n  SLEPc %d.%d.%d\n  HDF5 %s\n  libfyaml %s\n  muParser %s\n  %s\n",
         limber_version(), PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR, SLEPC_VERSION_MAJOR,
         SLEPC_VERSION_MINOR, SLEPC_VERSION_SUBMINOR, output_library(), input_yaml_library(), formula_library(), mpi);
  return EXIT_GOOD;
}
