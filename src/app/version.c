// SPDX-License-Identifier: Apache-2.0
// This version and those of the libraries that it runs with.
#include "assembly/slepc.h"
#include "console/library_commands.h"
#include "input/input.h"
#include "results/write/output.h"

#include <string.h>

int limber_command_version(const Arguments *a) {
  (void)a;
  printf("limber %s\n  PETSc %d.%d.%d\n", limber_version(), PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR,
         PETSC_VERSION_SUBMINOR);
#ifndef LIMBER_WITHOUT_SLEPC
  printf("  SLEPc %d.%d.%d\n", SLEPC_VERSION_MAJOR, SLEPC_VERSION_MINOR, SLEPC_VERSION_SUBMINOR);
#endif
  printf("  HDF5 %s\n  libfyaml %s\n", output_library(), input_yaml_library());
#ifdef PETSC_HAVE_MPIUNI
  printf("  without MPI\n");
#else
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(mpi, &length);
  mpi[strcspn(mpi, ",\n")] = 0;
  printf("  %s\n", mpi);
#endif
  return EXIT_GOOD;
}
