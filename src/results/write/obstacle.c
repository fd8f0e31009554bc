// SPDX-License-Identifier: Apache-2.0
#include "results/write/obstacle.h"

#include "console/console.h"
#include "results/write/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// Is there a file that begins otherwise? It is not overwritten: it may be the model.
static bool is_foreign(const char *path, const char signature[4]) {
  char head[4];
  FILE *f = fopen(path, "rb");
  size_t got = f ? fread(head, 1, sizeof head, f) : 0;
  if (f) fclose(f);
  return got > 0 && (got < sizeof head || memcmp(head, signature, sizeof head));
}

static void explain_unwritable(const char *path, int error, char *wrong, size_t size) {
  const char *slash = strrchr(path, '/');
  char folder[4200];
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  size_t used = (size_t)snprintf(wrong, size, "cannot write '%s': %s", path, strerror(error));
  if (used >= size) return;
  if (error == ENOENT && slash && access(folder, F_OK))
    snprintf(wrong + used, size - used, "\n  There is no folder '%s': make it (mkdir -p %s), or give another with -o",
             folder, folder);
  else if (error == EACCES || error == EROFS || error == EPERM)
    snprintf(wrong + used, size - used,
             "\n  The folder '%s' is not writable for you: choose another folder, such as -o $HOME/run.h5", folder);
  else snprintf(wrong + used, size - used, "\n  Choose another folder or name with -o");
}

// On the first rank: why results cannot be written, or "".
static void find_obstacle(const char *path, char *wrong, size_t size) {
  char sidecar[4200], checkpoint[4200];
  output_sidecar(path, sidecar, sizeof sidecar);
  output_beside(path, ".checkpoint", checkpoint, sizeof checkpoint);
  if (is_foreign(path, "\x89HDF")) snprintf(wrong, size, "'%s' is no HDF5 file, so it is not overwritten", path);
  else if (is_foreign(sidecar, "<?xm"))
    snprintf(wrong, size, "'%s' is no XDMF file, so it is not overwritten; give the results another name", sidecar);
  else if (is_foreign(checkpoint, "LIMB"))
    snprintf(wrong, size, "'%s' is no checkpoint of Limber, so it is not overwritten; give the results another name",
             checkpoint);
  else {
    FILE *f = fopen(path, "ab");
    if (f) fclose(f);
    else explain_unwritable(path, errno, wrong, size);
  }
}

Error ResultsObstacle(MPI_Comm comm, const char *path, char *wrong, size_t size) {
  PetscMPIInt rank;
  PetscFunctionBegin;
  wrong[0] = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) find_obstacle(path, wrong, size);
  PetscCallMPI(MPI_Bcast(wrong, (int)size, MPI_CHAR, 0, comm));
  PetscFunctionReturn(0);
}
