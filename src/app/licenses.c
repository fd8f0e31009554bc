// SPDX-License-Identifier: Apache-2.0
// Versions and licences of everything that this binary contains or loads.
#define _GNU_SOURCE // dladdr1, dl_iterate_phdr

#include "assembly/slepc.h"
#include "console/library_commands.h"
#include "input/input.h"
#include "limber/version.h"
#include "results/write/output.h"

#include <dlfcn.h>
#include <link.h>
#include <petscsys.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Libraries are asked through weak names, so that one list serves every build: a name that no library brings is NULL.

#define WEAK __attribute__((weak))

// Versions of libraries that are there.
#define LIBRARY(name, licence, function, version) static void version_##version(char *text, size_t size);
#define PART(name, licence, version, file)
#include "app/licenses.def"
#undef LIBRARY
#undef PART

static void version_unknown(char *text, size_t size) { snprintf(text, size, "-"); }

static void print_three(long major, long minor, long patch, char *text, size_t size) {
  snprintf(text, size, "%ld.%ld.%ld", major, minor, patch);
}

static void version_petsc(char *text, size_t size) {
  PetscInt v[3];
  if (PetscGetVersionNumber(&v[0], &v[1], &v[2], NULL)) version_unknown(text, size);
  else print_three((long)v[0], (long)v[1], (long)v[2], text, size);
}

extern PetscErrorCode SlepcGetVersionNumber(PetscInt *, PetscInt *, PetscInt *, PetscInt *) WEAK;
static void version_slepc(char *text, size_t size) {
  PetscInt v[3];
  if (!SlepcGetVersionNumber || SlepcGetVersionNumber(&v[0], &v[1], &v[2], NULL)) version_unknown(text, size);
  else print_three((long)v[0], (long)v[1], (long)v[2], text, size);
}

#ifdef PETSC_HAVE_MPIUNI // PETSc's own, for one process
static void version_mpi(char *text, size_t size) { version_unknown(text, size); }
#else
static void version_mpi(char *text, size_t size) {
  char all[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(all, &length);
  const char *digit = strpbrk(all, "0123456789");
  snprintf(text, size, "%.*s", digit ? (int)strcspn(digit, ", \n\t") : 1, digit ? digit : "-");
}
#endif

// The version of a library that has three numbers, if it is there.
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
static void version_scotch(char *text, size_t size) { ask_three(SCOTCH_version, text, size); }

extern void ilaver_(int *major, int *minor, int *patch) WEAK;
static void version_lapack(char *text, size_t size) { ask_three(ilaver_, text, size); }

extern char *openblas_get_config(void) WEAK;
static void version_blas(char *text, size_t size) { // "OpenBLAS 0.3.21 NO_LAPACK ..."
  const char *all = openblas_get_config ? openblas_get_config() : "-";
  size_t n = strcspn(all, " ");
  if (all[n]) n += 1 + strcspn(all + n + 1, " ");
  snprintf(text, size, "%.*s", (int)n, all);
}

static void version_hdf5(char *text, size_t size) { snprintf(text, size, "%s", output_library()); }
static void version_fyaml(char *text, size_t size) { snprintf(text, size, "%s", input_yaml_library()); }
static void version_gcc(char *text, size_t size) { snprintf(text, size, "%s", __VERSION__); }

extern const char *XML_ExpatVersion(void) WEAK;
extern const char *zlibVersion(void) WEAK;
extern const char *gnu_get_libc_version(void) WEAK;

static void version_expat(char *text, size_t size) { // "expat_2.5.0"
  const char *all = XML_ExpatVersion();
  snprintf(text, size, "%s", strchr(all, '_') ? strchr(all, '_') + 1 : all);
}
static void version_zlib(char *text, size_t size) { snprintf(text, size, "%s", zlibVersion()); }
static void version_libc(char *text, size_t size) { snprintf(text, size, "%s", gnu_get_libc_version()); }

// Licences of everything that this binary holds or loads.

// Only addresses are asked for: a name of its own for each keeps off what headers declare.
#define LIBRARY(name, licence, function, version) extern void at_##function(void) __asm__(#function) WEAK;
#define PART(name, licence, version, file)
#include "app/licenses.def"
#undef LIBRARY
#undef PART

typedef struct {
  const char *name, *licence;
  void (*function)(void); // NULL: not there
  void (*version)(char *text, size_t size);
} Library;

#define LIBRARY(name, licence, function, version) {name, licence, at_##function, version_##version},
#define PART(name, licence, version, file)
static const Library libraries[] = {
#include "app/licenses.def"
};
#undef LIBRARY
#undef PART
enum { LIBRARIES = sizeof libraries / sizeof libraries[0] };

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static const struct link_map *object_of(void (*function)(void)) {
  Dl_info info;
  struct link_map *map = NULL;
  return dladdr1(*(void **)&function, &info, (void **)&map, RTLD_DL_LINKMAP) ? map : NULL;
}

static void own_function(void) {}

static const char *object_name(const struct link_map *map) { // the program itself has an empty one
  return !map ? "?" : *map->l_name ? base_name(map->l_name) : "limber";
}

// Whether this object names another among those that it needs.
static bool is_needed(const struct link_map *self, const char *name) {
  const char *strings = NULL;
  for (const ElfW(Dyn) *d = self->l_ld; d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB) strings = (const char *)d->d_un.d_ptr;
  for (const ElfW(Dyn) *d = self->l_ld; strings && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_NEEDED && !strcmp(strings + d->d_un.d_val, name)) return true;
  return false;
}

static void print_row(const char *name, const char *version, const char *licence, const char *where) {
  printf("%-24s  %-15s  %-40s  %s\n", name, version, licence, where);
}

// Those that this object holds or names among its needs, or all others, below a headline.
static void print_libraries(const struct link_map *self, bool direct, const char *headline) {
  char version[100], where[300];
  for (int i = 0; i < LIBRARIES; i++) {
    const Library *l = &libraries[i];
    const struct link_map *map = l->function ? object_of(l->function) : NULL;
    if (!map) continue;
    bool held = map == self;
    if ((held || is_needed(self, object_name(map))) != direct) continue;
    if (headline) puts(headline), headline = NULL;
    l->version(version, sizeof version);
    snprintf(where, sizeof where, "%s%s", held ? "in " : "", object_name(map));
    print_row(l->name, version, l->licence, where);
  }
}

// What is loaded and has no row: libraries of libraries.
static int print_other(struct dl_phdr_info *info, size_t size, void *column) {
  const char *name = info->dlpi_name ? base_name(info->dlpi_name) : "";
  int *at = column; // -1 before the first
  (void)size;
  for (int i = 0; i < LIBRARIES; i++)
    if (libraries[i].function && !strcmp(object_name(object_of(libraries[i].function)), name)) return 0;
  if (!*name || !strcmp(name, object_name(object_of(own_function))) || strncmp(name, "lib", 3)) return 0;
  if (*at < 0) puts("and, under the licences of the system's packages:"), *at = 0;
  if (*at + (int)strlen(name) > 100) putchar('\n'), *at = 0;
  *at += printf(" %s", name);
  return 0;
}

// The folder of the texts, from where the library is; before the installation its name below the prefix.
static void find_texts(const struct link_map *self, char *path, size_t size) {
  char near[1000];
  snprintf(near, sizeof near, "%.*s" LIMBER_TEXTS, (int)(base_name(self->l_name) - self->l_name), self->l_name);
  char *real = realpath(near, NULL);
  snprintf(path, size, "%s", real ? real : "share/doc/limber");
  free(real);
}

int limber_command_licenses(const Arguments *a) {
  const struct link_map *self = object_of(own_function);
  char where[300], texts[1000];
  int column = -1;
  (void)a;
  print_row("name", "version", "licence (SPDX)", "where");
  print_row("Limber", limber_version(), "Apache-2.0", object_name(self));
#define LIBRARY(name, licence, function, version)
#define PART(name, licence, version, file) \
  snprintf(where, sizeof where, "in %s (%s)", object_name(self), file), print_row(name, version, licence, where);
#include "app/licenses.def"
#undef LIBRARY
#undef PART
  if (!self) return EXIT_MACHINE;
  print_libraries(self, true, NULL);
  print_libraries(self, false, "\nloaded by these:");
  dl_iterate_phdr(print_other, &column);
  find_texts(self, texts, sizeof texts);
  printf("%s\nLicence texts of everything that Limber contains: %s. Loaded libraries have their own, installed with "
         "the system.\n",
         column > 0 ? "\n" : "", texts);
  return EXIT_GOOD;
}

// Libraries that not every Limber has, and what they add.

int limber_command_doctor(const Arguments *a) {
  static const struct {
    const char *name[2], *adds, *package;
  } some[] = {
      {{"Open MPI", "MPICH"}, "runs on several processes", "the wheel and the tarball have no MPI"},
      {{"MUMPS", NULL}, "a direct solver for large models, on several processes", "SuperLU replaces it"},
      {{"SLEPc", NULL}, "modes of large models, on several processes", "Limber's own method replaces it"},
      {{"Scotch", NULL}, "large models without a narrow band on several processes", "needs MPI"},
  };
  char text[140], version[100];
  (void)a;
  for (size_t k = 0; k < sizeof some / sizeof some[0]; k++) {
    *text = 0;
    for (int i = 0; i < LIBRARIES; i++) {
      const Library *l = &libraries[i];
      bool asked = !strcmp(l->name, some[k].name[0]) || (some[k].name[1] && !strcmp(l->name, some[k].name[1]));
      if (!asked || !l->function) continue;
      l->version(version, sizeof version);
      bool known = strcmp(version, "-") != 0;
      snprintf(text, sizeof text, "%s%s%s", l->name, known ? " " : "", known ? version : "");
    }
    print_finding(k ? some[k].name[0] : "MPI", *text ? text : NULL, some[k].adds, some[k].package);
  }
  return EXIT_GOOD;
}

// This version and those of the libraries that it runs with.

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
