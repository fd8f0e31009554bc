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

Error CanWriteResults(const char *command, const char *path, bool *can) {
  char sidecar[4200], checkpoint[4200];
  int error = 0;
  PetscFunctionBegin;
  *can = false;
  output_sidecar(path, sidecar, sizeof sidecar);
  output_beside(path, ".checkpoint", checkpoint, sizeof checkpoint);
  if (prints() && is_foreign(path, "\x89HDF")) {
    error = EEXIST;
    complain(command, "'%s' is no HDF5 file, so it is not overwritten", path);
  } else if (prints() && is_foreign(sidecar, "<?xm")) {
    error = EEXIST;
    complain(command, "'%s' is no XDMF file, so it is not overwritten; give the results another name", sidecar);
  } else if (prints() && is_foreign(checkpoint, "LIMB")) {
    error = EEXIST;
    complain(command, "'%s' is no checkpoint of Limber, so it is not overwritten; give the results another name",
             checkpoint);
  } else if (prints()) {
    FILE *f = fopen(path, "ab");
    if (f) fclose(f);
    else error = errno, complain(command, "cannot write '%s': %s", path, strerror(error));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
  *can = !error;
  PetscFunctionReturn(0);
}
