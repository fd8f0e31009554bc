// SPDX-License-Identifier: Apache-2.0
#include "app/licenses.h"
#include "input/input.h"
#include "results/write/output.h"

#include <petscsys.h>
#include <stdio.h>
#include <string.h>

void version_unknown(char *text, size_t size) { snprintf(text, size, "-"); }

static void print_three(long major, long minor, long patch, char *text, size_t size) {
  snprintf(text, size, "%ld.%ld.%ld", major, minor, patch);
}

void version_petsc(char *text, size_t size) {
  PetscInt v[3];
  if (PetscGetVersionNumber(&v[0], &v[1], &v[2], NULL)) version_unknown(text, size);
  else print_three((long)v[0], (long)v[1], (long)v[2], text, size);
}

extern PetscErrorCode SlepcGetVersionNumber(PetscInt *, PetscInt *, PetscInt *, PetscInt *) WEAK;
void version_slepc(char *text, size_t size) {
  PetscInt v[3];
  if (!SlepcGetVersionNumber || SlepcGetVersionNumber(&v[0], &v[1], &v[2], NULL)) version_unknown(text, size);
  else print_three((long)v[0], (long)v[1], (long)v[2], text, size);
}

#ifdef PETSC_HAVE_MPIUNI // PETSc's own, for one process
void version_mpi(char *text, size_t size) { version_unknown(text, size); }
#else
void version_mpi(char *text, size_t size) {
  char all[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(all, &length);
  const char *digit = strpbrk(all, "0123456789");
  snprintf(text, size, "%.*s", digit ? (int)strcspn(digit, ", \n\t") : 1, digit ? digit : "-");
}
#endif

// Of a library that tells three numbers, if it is there.
static void ask_three(void (*ask)(int *, int *, int *), char *text, size_t size) {
  int v[3];
  if (!ask) {
    version_unknown(text, size);
    return;
  }
  ask(&v[0], &v[1], &v[2]);
  print_three(v[0], v[1], v[2], text, size);
}

extern void SCOTCH_version(int *version, int *release, int *patch) WEAK;
void version_scotch(char *text, size_t size) { ask_three(SCOTCH_version, text, size); }

extern void ilaver_(int *major, int *minor, int *patch) WEAK;
void version_lapack(char *text, size_t size) { ask_three(ilaver_, text, size); }

extern char *openblas_get_config(void) WEAK;
void version_blas(char *text, size_t size) { // "OpenBLAS 0.3.21 NO_LAPACK ..."
  const char *all = openblas_get_config ? openblas_get_config() : "-";
  size_t n = strcspn(all, " ");
  if (all[n]) n += 1 + strcspn(all + n + 1, " ");
  snprintf(text, size, "%.*s", (int)n, all);
}

void version_hdf5(char *text, size_t size) { snprintf(text, size, "%s", output_library()); }
void version_fyaml(char *text, size_t size) { snprintf(text, size, "%s", input_yaml_library()); }
void version_gcc(char *text, size_t size) { snprintf(text, size, "%s", __VERSION__); }

extern const char *XML_ExpatVersion(void) WEAK;
extern const char *zlibVersion(void) WEAK;
extern const char *gnu_get_libc_version(void) WEAK;

void version_expat(char *text, size_t size) { // "expat_2.5.0"
  const char *all = XML_ExpatVersion();
  snprintf(text, size, "%s", strchr(all, '_') ? strchr(all, '_') + 1 : all);
}
void version_zlib(char *text, size_t size) { snprintf(text, size, "%s", zlibVersion()); }
void version_libc(char *text, size_t size) { snprintf(text, size, "%s", gnu_get_libc_version()); }
