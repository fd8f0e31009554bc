// SPDX-License-Identifier: Apache-2.0
#include "engine/share.h"

#include "output/output.h"

#include <errno.h>
#include <petscsys.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

int engine_start(const Arguments *a, Error (*work)(const Arguments *a, ExitCode *code)) {
  int argc = a->petsc_argc;
  char **argv = a->petsc_argv;
  ExitCode code = EXIT_MACHINE;
  if (LimberInitialize(&argc, &argv)) return EXIT_MACHINE;
  signal(SIGPIPE, SIG_DFL); // a reader that has seen enough is no fault to trace
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is met where it is written
  if (work(a, &code)) {     // reported already; the other ranks may wait for this one
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fflush(stdout);
    if (size > 1) MPI_Abort(MPI_COMM_WORLD, EXIT_MACHINE);
    _exit(EXIT_MACHINE); // libraries would try again to write what they hold
  }
  return LimberFinalize() ? EXIT_MACHINE : code;
}

Error SharedRead(const char *path, SourceText *out) {
  PetscMPIInt rank;
  long long head[2] = {-1, 0}; // length, -1: none; errno
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (!rank) {
    PetscCall(SourceRead(path, out));
    head[0] = out->text ? (long long)out->length : -1, head[1] = out->error;
  } else *out = (SourceText){0};
  PetscCallMPI(MPI_Bcast(head, 2, MPI_LONG_LONG, 0, PETSC_COMM_WORLD));
  out->error = (int)head[1];
  if (head[0] < 0) PetscFunctionReturn(0);
  if (rank) PetscCall(MemoryNew((size_t)head[0] + 1, &out->text));
  out->length = (size_t)head[0];
  for (long long done = 0; done < head[0]; done += 1 << 30)
    PetscCallMPI(MPI_Bcast(out->text + done, (int)PetscMin(head[0] - done, 1LL << 30), MPI_CHAR, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn(0);
}

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
             "\n  The folder '%s' is not yours to write to: give the results another place, such as -o $HOME/run.h5",
             folder);
  else snprintf(wrong + used, size - used, "\n  Give the results another place with -o");
}

// On the rank that prints: why results cannot be written, or "".
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

Error ResultsObstacle(const char *path, char *wrong, size_t size) {
  PetscFunctionBegin;
  wrong[0] = 0;
  if (prints()) find_obstacle(path, wrong, size);
  PetscCallMPI(MPI_Bcast(wrong, (int)size, MPI_CHAR, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn(0);
}

Error CanWriteResults(const char *command, const char *path, bool *can) {
  char wrong[4400];
  PetscFunctionBegin;
  PetscCall(ResultsObstacle(path, wrong, sizeof wrong));
  *can = !wrong[0];
  if (!*can) complain(command, "%s", wrong);
  PetscFunctionReturn(0);
}
