// SPDX-License-Identifier: Apache-2.0
// Shared libraries with the DISCON interface, for control networks.
#ifndef LIMBER_CONTROL_LIBRARY_H
#define LIMBER_CONTROL_LIBRARY_H

#include "mechanics/block.h"
#include "model/refusal.h"

#include <petscsys.h>

typedef struct {
  BlockLibrary library; // comes first
  MPI_Comm comm;
  void *handle; // on rank 0, which calls the library; the others receive its record
  void (*discon)(float *swap, int *fail, char *infile, char *outname, char *message);
  float *swap;
  int records, fail;
  bool called;
  char infile[4096], message[1024];
} ControlLibrary;

// `wrong`: "", or why the library cannot be loaded. Collective.
PetscErrorCode ControlLibraryOpen(MPI_Comm comm, const char *path, const char *infile, int records,
                                  ControlLibrary **out, Refusal *wrong);
PetscErrorCode ControlLibraryClose(ControlLibrary **library);

#endif
