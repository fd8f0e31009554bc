// SPDX-License-Identifier: Apache-2.0
#include "results/write/obstacle.h"

#include "assembly/agreement.h"
#include "files/claim.h"
#include "files/output_file.h"
#include "results/write/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Names of the files that a model was read from, as seen from the present folder.
typedef struct {
  char **name;
  int count;
} InputNames;

static Error InputNamesCreate(const Input *in, InputNames *out) {
  const char *slash = in ? strrchr(in->file, '/') : NULL;
  PetscFunctionBegin;
  *out = (InputNames){0};
  if (!in) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(in->sources + 1, &out->name));
  PetscCall(PetscStrallocpy(in->file, &out->name[out->count++]));
  for (int i = 1; i < in->sources; i++) {
    const char *name = in->source[i].name;
    int folder = slash && *name != '/' ? (int)(slash - in->file) + 1 : 0;
    size_t size = (size_t)folder + strlen(name) + 1;
    PetscCall(PetscMalloc1(size, &out->name[out->count]));
    snprintf(out->name[out->count++], size, "%.*s%s", folder, in->file, name);
  }
  PetscFunctionReturn(0);
}

static Error InputNamesDestroy(InputNames *names) {
  PetscFunctionBegin;
  for (int i = 0; i < names->count; i++) PetscCall(PetscFree(names->name[i]));
  PetscCall(PetscFree(names->name));
  PetscFunctionReturn(0);
}

// HDF5 needs a file that it can read back.
static bool is_no_file(const char *path, char *wrong, size_t size) {
  struct stat there;
  bool printed = is_standard_stream(path);
  if (!printed && (stat(path, &there) || S_ISDIR(there.st_mode) || S_ISREG(there.st_mode))) return false;
  snprintf(wrong, size, "'%s' is %s: results need a file with a name; -o /dev/null keeps nothing of them", path,
           printed ? "what this command prints to" : "a device or a pipe");
  return true;
}

// Names with other endings share the sidecar and the checkpoint: run.hdf5 and run.h5.
static bool neighbour_is_held(const char *path, char *wrong, size_t size) {
  static const char *const endings[] = {".h5", ".hdf5", ".hdf", ".vtkhdf", ""};
  char name[4200];
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    output_beside(path, endings[i], name, sizeof name);
    if (strcmp(name, path) && claim_is_held(name, wrong, size)) return true;
  }
  return false;
}

// On the first rank.
static void find_obstacle(const char *path, OutputRules *rules, char *wrong, size_t size) {
  static const struct {
    FileKind kind;
    const char *ending;
  } beside[] = {{FILE_XDMF, ".xdmf"}, {FILE_CHECKPOINT, ".checkpoint"}};
  char name[4200];
  rules->kind = FILE_RESULTS;
  if (is_null_device(path) || is_no_file(path, wrong, size)) return;
  if (!output_allowed(path, rules, wrong, size)) {
    claim_is_held(path, wrong, size); // what another run has just begun has no sign yet
    return;
  }
  for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
    rules->kind = beside[i].kind;
    output_beside(path, beside[i].ending, name, sizeof name);
    if (!output_allowed(name, rules, wrong, size)) return;
  }
  if (!neighbour_is_held(path, wrong, size)) claim_take(path, wrong, size);
}

Error FileObstacle(MPI_Comm comm, const char *path, FileKind kind, const Input *in, char *wrong, size_t size) {
  InputNames names;
  PetscMPIInt rank;
  PetscFunctionBegin;
  wrong[0] = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(InputNamesCreate(in, &names));
  OutputRules rules = {kind, output_force(), (const char *const *)names.name, names.count};
  if (rank == 0 && kind == FILE_RESULTS) find_obstacle(path, &rules, wrong, size);
  else if (rank == 0) output_allowed(path, &rules, wrong, size);
  PetscCall(InputNamesDestroy(&names));
  PetscCall(CheckOtherRanks(comm));
  PetscCallMPI(MPI_Bcast(wrong, (int)size, MPI_CHAR, 0, comm));
  PetscFunctionReturn(0);
}

Error ResultsClaim(MPI_Comm comm, const char *path, char *wrong, size_t size) {
  PetscMPIInt rank;
  PetscFunctionBegin;
  wrong[0] = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0 && access(path, F_OK)) snprintf(wrong, size, "cannot read '%s': %s", path, strerror(errno));
  else if (rank == 0 && !neighbour_is_held(path, wrong, size)) claim_take(path, wrong, size);
  PetscCallMPI(MPI_Bcast(wrong, (int)size, MPI_CHAR, 0, comm));
  PetscFunctionReturn(0);
}
