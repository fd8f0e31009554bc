// SPDX-License-Identifier: Apache-2.0
#include "engine/share.h"

#include "output/output.h"

#include <errno.h>
#include <petscsys.h>
#include <signal.h>
#include <string.h>

int engine_start(const Arguments *a, Error (*work)(const Arguments *a, ExitCode *code)) {
  int argc = a->petsc_argc;
  char **argv = a->petsc_argv;
  ExitCode code = EXIT_MACHINE;
  if (LimberInitialize(&argc, &argv)) return EXIT_MACHINE;
  signal(SIGPIPE, SIG_DFL); // a reader that has seen enough is no fault to trace
  if (work(a, &code)) {     // reported already; the other ranks may wait for this one
    MPI_Abort(MPI_COMM_WORLD, EXIT_MACHINE);
    return EXIT_MACHINE;
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
    else snprintf(wrong, size, "cannot write '%s': %s", path, strerror(errno));
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
