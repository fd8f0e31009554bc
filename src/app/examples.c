// SPDX-License-Identifier: Apache-2.0
#include "app/examples.h"

#include "input/yaml/names.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file(const char *path) {
  struct stat s;
  return !stat(path, &s) && S_ISREG(s.st_mode);
}

static bool has_expected(const char *folder) {
  char path[1100];
  snprintf(path, sizeof path, "%s/expected.yaml", folder);
  return is_file(path);
}

// Where examples stand: in the present folder, or as installed with the program. NULL past the last.
static const char *examples_root(int i) {
  static char installed[1000];
  static const char *const here[] = {"examples", "."};
  if (i < 2) return here[i];
  ssize_t length = i == 2 ? readlink("/proc/self/exe", installed, sizeof installed - 200) : -1;
  if (length < 0) return NULL;
  installed[length] = 0;
  char *end = strrchr(installed, '/') + 1;
  snprintf(end, sizeof installed - (size_t)(end - installed), LIMBER_EXAMPLES);
  return installed;
}

static bool find_folder(const char *name, char *folder, size_t size) {
  snprintf(folder, size, "%s", name);
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/') folder[--length] = 0;
  if (has_expected(folder)) return true;
  for (int i = 0; examples_root(i); i++) {
    snprintf(folder, size, "%s/%s", examples_root(i), name);
    if (has_expected(folder)) return true;
  }
  return false;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const Example *)a)->folder, ((const Example *)b)->folder);
}

// All examples of the first root that has any.
static int find_all(Example *e) {
  int count = 0;
  for (int i = 0; examples_root(i) && !count; i++) {
    const char *folder = examples_root(i);
    DIR *d = opendir(folder);
    for (struct dirent *entry; d && (entry = readdir(d));) {
      snprintf(e[count].folder, sizeof e[count].folder, "%.500s/%.255s", folder, entry->d_name);
      if (entry->d_name[0] != '.' && has_expected(e[count].folder) && count < MOST_EXAMPLES - 1) count++;
    }
    if (d) closedir(d);
  }
  qsort(e, (size_t)count, sizeof *e, by_name);
  return count;
}

static void unknown_example(const char *name) {
  Example *e = calloc(MOST_EXAMPLES, sizeof *e);
  int count = e ? find_all(e) : 0;
  Nearest n;
  nearest_begin(&n, name);
  for (int i = 0; i < count; i++) nearest_try(&n, strrchr(e[i].folder, '/') + 1);
  print_command_error("verify", "there is no example '%s' with an expected.yaml%s", name,
                      count ? nearest_hint(&n, "there are") : ", here or in examples/");
  free(e);
}

PetscErrorCode FindExamples(const Arguments *a, Example *e, int *count, ExitCode *code) {
  PetscMPIInt rank;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  *count = 0;
  if (!rank && !a->words) *count = find_all(e);
  for (int i = 0; !rank && i < a->words; i++) {
    if (find_folder(a->word[i], e[*count].folder, sizeof e[*count].folder)) ++*count;
    else {
      *code = EXIT_MISTAKE;
      unknown_example(a->word[i]);
    }
  }
  if (!rank && !*count && *code == EXIT_GOOD) {
    *code = EXIT_MISTAKE;
    print_command_error("verify", "there is no example here: run the command where the folder examples/ is, or name a "
                                  "folder with an expected.yaml");
  }
  int both[2] = {*count, *code};
  PetscCallMPI(MPI_Bcast(both, 2, MPI_INT, 0, PETSC_COMM_WORLD));
  *count = both[0], *code = (ExitCode)both[1];
  PetscCallMPI(MPI_Bcast(e, *count * (int)sizeof *e, MPI_CHAR, 0, PETSC_COMM_WORLD));
  for (int i = 0; i < *count; i++) {
    const char *slash = strrchr(e[i].folder, '/');
    e[i].name = slash ? slash + 1 : e[i].folder, e[i].expected = NULL;
  }
  PetscFunctionReturn(0);
}
