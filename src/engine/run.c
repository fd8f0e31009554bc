// SPDX-License-Identifier: Apache-2.0
// A run in time: model file in, results out.
#include "console/console.h"
#include "engine/engine.h"
#include "engine/share.h"
#include "engine/simulate.h"
#include "output/output.h"

#include <errno.h>
#include <petscsys.h>
#include <string.h>

// swing.yaml becomes swing.h5, in the present folder.
static void default_path(const char *model, char *path, size_t size) {
  const char *base = strrchr(model, '/');
  base = !strcmp(model, "-") ? "run" : base ? base + 1 : model;
  const char *dot = strrchr(base, '.');
  snprintf(path, size, "%.*s.h5", (int)(dot && dot > base ? dot - base : (long)strlen(base)), base);
}

// Is there a file that begins otherwise? It is not overwritten: it may be the model.
static bool is_foreign(const char *path, const char signature[4]) {
  char head[4];
  FILE *f = fopen(path, "rb");
  size_t got = f ? fread(head, 1, sizeof head, f) : 0;
  if (f) fclose(f);
  return got > 0 && (got < sizeof head || memcmp(head, signature, sizeof head));
}

// Can the results be written there?
static PetscErrorCode CanWrite(const char *path, bool *can) {
  char sidecar[4200];
  int error = 0;
  PetscFunctionBegin;
  *can = false;
  output_sidecar(path, sidecar, sizeof sidecar);
  if (prints() && is_foreign(path, "\x89HDF")) {
    error = EEXIST;
    complain("run", "'%s' is no HDF5 file, so it is not overwritten", path);
  } else if (prints() && is_foreign(sidecar, "<?xm")) {
    error = EEXIST;
    complain("run", "'%s' is no XDMF file, so it is not overwritten; give the results another name", sidecar);
  } else if (prints()) {
    FILE *f = fopen(path, "ab");
    if (f) fclose(f);
    else error = errno, complain("run", "cannot write '%s': %s", path, strerror(error));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
  *can = !error;
  PetscFunctionReturn(0);
}

static PetscErrorCode Run(const Arguments *a, ExitCode *code) {
  Input *in;
  char path[4096];
  const char *change[MAX_GIVEN];
  const InputOptions o = {SharedRead, change, arguments_of(a, "set", change)};
  bool can = false;
  PetscFunctionBegin;
  PetscCall(LoadModelFile("run", a->word[0], &o, &in, code));
  if (*code == EXIT_GOOD) {
    const char *output = argument(a, "output");
    if (output) snprintf(path, sizeof path, "%s", output);
    else default_path(a->word[0], path, sizeof path);
    PetscCall(CanWrite(path, &can));
    if (!can) *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD) PetscCall(Simulate("run", in, path, argument(a, "quiet") ? TALK_NONE : TALK_ALL, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

int limber_engine_run(const Arguments *a) { return engine_start(a, Run); }
