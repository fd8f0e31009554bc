// SPDX-License-Identifier: Apache-2.0
// Calls the DISCON interface of wind turbine controllers: void DISCON(float *avrSWAP, int *aviFAIL, char *accINFILE,
// char *avcOUTNAME, char *avcMSG). Records 49 to 51 are the lengths of the texts. Rank 0 calls; the other ranks receive
// its record.
#include "control/library.h"
#include "model/refusal.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>

static bool call_discon(BlockLibrary *self, int records, double *record) {
  ControlLibrary *l = (ControlLibrary *)self;
  char outname[256] = "";
  if (l->discon) {
    for (int i = 0; i < records; i++) l->swap[i] = (float)record[i];
    if (!l->called) l->swap[0] = 0; // first call, also after a resume: the library is newly loaded
    l->swap[48] = sizeof l->message - 1, l->swap[49] = (float)strlen(l->infile), l->swap[50] = sizeof outname - 1;
    l->fail = 0, l->message[0] = 0;
    l->discon(l->swap, &l->fail, l->infile, outname, l->message);
    l->message[sizeof l->message - 1] = 0;
    for (int i = 0; i < records; i++) record[i] = (double)l->swap[i];
  }
  l->called = true;
  // if a broadcast fails, the controller counts as failed and the run ends
  if (MPI_Bcast(record, records, MPI_DOUBLE, 0, l->comm) || MPI_Bcast(&l->fail, 1, MPI_INT, 0, l->comm) ||
      MPI_Bcast(l->message, sizeof l->message, MPI_CHAR, 0, l->comm))
    l->fail = -1;
  return l->fail >= 0;
}

PetscErrorCode ControlLibraryOpen(MPI_Comm comm, const char *path, const char *infile, int records,
                                  ControlLibrary **out, Refusal *wrong) {
  ControlLibrary *l;
  PetscMPIInt rank;
  PetscFunctionBegin;
  PetscCall(PetscNew(&l));
  *out = l;
  l->library.call = call_discon, l->comm = comm, l->records = records;
  PetscCall(PetscCalloc1(records, &l->swap));
  PetscCall(PetscSNPrintf(l->infile, sizeof l->infile, "%s", infile ? infile : ""));
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  wrong->text[0] = 0;
  if (rank == 0) {
    struct stat file;
    bool other = !stat(path, &file) && !S_ISREG(file.st_mode); // a pipe would wait for its writer
    l->handle = other ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!l->handle) refuse(wrong, "cannot load its library: %s", other ? "it is not a regular file" : dlerror());
    void *symbol = l->handle ? dlsym(l->handle, "DISCON") : NULL;
    if (l->handle && !symbol) refuse(wrong, "its library '%s' has no function DISCON", path);
    memcpy(&l->discon, &symbol, sizeof symbol);
  }
  PetscCallMPI(MPI_Bcast(wrong->text, REFUSAL_SIZE, MPI_CHAR, 0, comm));
  PetscFunctionReturn(0);
}

PetscErrorCode ControlLibraryClose(ControlLibrary **library) {
  ControlLibrary *l = *library;
  char outname[256] = "";
  PetscFunctionBegin;
  if (!l) PetscFunctionReturn(0);
  if (l->discon && l->called) { // final call
    l->swap[0] = -1;
    l->discon(l->swap, &l->fail, l->infile, outname, l->message);
  }
  if (l->handle) dlclose(l->handle);
  PetscCall(PetscFree(l->swap));
  PetscCall(PetscFree(*library));
  PetscFunctionReturn(0);
}
