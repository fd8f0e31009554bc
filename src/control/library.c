// SPDX-License-Identifier: Apache-2.0
// Calls the DISCON interface of wind turbine controllers: void DISCON(float *avrSWAP, int *aviFAIL, char *accINFILE,
// char *avcOUTNAME, char *avcMSG). Records 49 to 51 are the lengths of the texts. Rank 0 calls; the other ranks receive
// its record.
#include "control/library.h"
#include "model/refusal.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
  ControlLibrary base; // comes first
  void *handle;        // on rank 0
  void (*discon)(float *swap, int *fail, char *infile, char *outname, char *message);
  float *swap;
  bool called;
  char infile[4096];
} Discon;

static bool call_discon(BlockLibrary *self, int records, double *record) {
  Discon *d = (Discon *)self;
  ControlLibrary *l = &d->base;
  char outname[256] = "";
  if (d->discon) {
    for (int i = 0; i < records; i++) d->swap[i] = (float)record[i];
    if (!d->called) d->swap[0] = 0; // first call, also after a resume: the library is newly loaded
    d->swap[48] = sizeof l->message - 1, d->swap[49] = (float)strlen(d->infile), d->swap[50] = sizeof outname - 1;
    l->fail = 0, l->message[0] = 0;
    d->discon(d->swap, &l->fail, d->infile, outname, l->message);
    l->message[sizeof l->message - 1] = 0;
    for (int i = 0; i < records; i++) record[i] = (double)d->swap[i];
  }
  d->called = true;
  // if a broadcast fails, the controller counts as failed and the run ends
  if (MPI_Bcast(record, records, MPI_DOUBLE, 0, l->comm) || MPI_Bcast(&l->fail, 1, MPI_INT, 0, l->comm) ||
      MPI_Bcast(l->message, sizeof l->message, MPI_CHAR, 0, l->comm))
    l->fail = -1;
  return l->fail >= 0;
}

static PetscErrorCode CloseDiscon(ControlLibrary *l) {
  Discon *d = (Discon *)l;
  char outname[256] = "";
  PetscFunctionBegin;
  if (d->discon && d->called) { // final call
    d->swap[0] = -1;
    d->discon(d->swap, &l->fail, d->infile, outname, l->message);
  }
  if (d->handle) dlclose(d->handle);
  PetscCall(PetscFree(d->swap));
  PetscFunctionReturn(0);
}

PetscErrorCode ControlLibraryOpen(MPI_Comm comm, const char *path, const char *infile, int records,
                                  ControlLibrary **out, Refusal *wrong) {
  Discon *d;
  PetscMPIInt rank;
  PetscFunctionBegin;
  PetscCall(PetscNew(&d));
  *out = &d->base;
  d->base = (ControlLibrary){.library = {call_discon}, .what = "library", .comm = comm, .close = CloseDiscon};
  PetscCall(PetscCalloc1(records, &d->swap));
  PetscCall(PetscSNPrintf(d->infile, sizeof d->infile, "%s", infile ? infile : ""));
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  wrong->text[0] = 0;
  if (rank == 0) {
    struct stat file;
    bool other = !stat(path, &file) && !S_ISREG(file.st_mode); // a pipe would wait for its writer
    d->handle = other ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!d->handle) refuse(wrong, "cannot load its library: %s", other ? "it is not a regular file" : dlerror());
    void *symbol = d->handle ? dlsym(d->handle, "DISCON") : NULL;
    if (d->handle && !symbol) refuse(wrong, "its library '%s' has no function DISCON", path);
    memcpy(&d->discon, &symbol, sizeof symbol);
  }
  PetscCallMPI(MPI_Bcast(wrong->text, REFUSAL_SIZE, MPI_CHAR, 0, comm));
  PetscFunctionReturn(0);
}

PetscErrorCode ControlLibraryClose(ControlLibrary **library) {
  PetscFunctionBegin;
  if (!*library) PetscFunctionReturn(0);
  PetscCall((*library)->close(*library));
  PetscCall(PetscFree(*library));
  PetscFunctionReturn(0);
}
