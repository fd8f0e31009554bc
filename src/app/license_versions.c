// SPDX-License-Identifier: Apache-2.0
#include "app/licenses.h"
#include "input/input.h"
#include "model/formula.h"
#include "results/write/output.h"

#include <petscsys.h>
#include <stdio.h>
#include <string.h>

void version_unknown(char *text, size_t size) { snprintf(text, size, "-"); }

void version_petsc(char *text, size_t size) {
  PetscInt major, minor, subminor;
  if (PetscGetVersionNumber(&major, &minor, &subminor, NULL)) version_unknown(text, size);
  else snprintf(text, size, "%d.%d.%d", (int)major, (int)minor, (int)subminor);
}

extern PetscErrorCode SlepcGetVersionNumber(PetscInt *, PetscInt *, PetscInt *, PetscInt *) WEAK;
void version_slepc(char *text, size_t size) {
  PetscInt major, minor, subminor;
  if (!SlepcGetVersionNumber || SlepcGetVersionNumber(&major, &minor, &subminor, NULL)) version_unknown(text, size);
  else snprintf(text, size, "%d.%d.%d", (int)major, (int)minor, (int)subminor);
}

void version_mpi(char *text, size_t size) {
  char all[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(all, &length);
  const char *digit = strpbrk(all, "0123456789");
  snprintf(text, size, "%.*s", digit ? (int)strcspn(digit, ", \n\t") : 1, digit ? digit : "-");
}

extern void SCOTCH_version(int *version, int *release, int *patch) WEAK;
void version_scotch(char *text, size_t size) {
  int v[3];
  if (!SCOTCH_version) {
    version_unknown(text, size);
    return;
  }
  SCOTCH_version(&v[0], &v[1], &v[2]);
  snprintf(text, size, "%d.%d.%d", v[0], v[1], v[2]);
}

extern void ilaver_(int *major, int *minor, int *patch) WEAK;
void version_lapack(char *text, size_t size) {
  int v[3];
  if (!ilaver_) {
    version_unknown(text, size);
    return;
  }
  ilaver_(&v[0], &v[1], &v[2]);
  snprintf(text, size, "%d.%d.%d", v[0], v[1], v[2]);
}

extern char *openblas_get_config(void) WEAK;
void version_blas(char *text, size_t size) { // "OpenBLAS 0.3.21 NO_LAPACK ..."
  const char *all = openblas_get_config ? openblas_get_config() : "-";
  size_t n = strcspn(all, " ");
  if (all[n]) n += 1 + strcspn(all + n + 1, " ");
  snprintf(text, size, "%.*s", (int)n, all);
}

void version_hdf5(char *text, size_t size) { snprintf(text, size, "%s", output_library()); }
void version_fyaml(char *text, size_t size) { snprintf(text, size, "%s", input_yaml_library()); }
void version_muparser(char *text, size_t size) { snprintf(text, size, "%s", formula_library()); }
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
