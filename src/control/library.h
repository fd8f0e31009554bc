// SPDX-License-Identifier: Apache-2.0
// Programs of others that control networks load: shared libraries with the DISCON interface, and FMUs. Rank 0 calls
// them; the other ranks receive what they give.
#ifndef LIMBER_CONTROL_LIBRARY_H
#define LIMBER_CONTROL_LIBRARY_H

#include "mechanics/block.h"
#include "model/refusal.h"

#include <petscsys.h>

typedef struct ControlLibrary ControlLibrary;
struct ControlLibrary {
  BlockLibrary library; // comes first
  const char *what;     // "library" or "FMU"
  MPI_Comm comm;
  int fail;           // negative: it failed, as `message` says
  char message[1024]; // the same on all ranks
  // What it remembers beside its record, as bytes (for memory_free), on the rank that calls it; `why`: "", or why it
  // cannot be saved. Not collective: rank 0 alone writes checkpoints. NULL: it is not saved, and starts anew.
  PetscErrorCode (*save)(ControlLibrary *l, unsigned char **bytes, size_t *size, Refusal *why);
  // `why` of rank 0: "", or that there are no bytes; then of all: "", or why it cannot be restored. Collective.
  PetscErrorCode (*restore)(ControlLibrary *l, const double *record, const void *bytes, size_t size, Refusal *why);
  PetscErrorCode (*close)(ControlLibrary *l); // frees all but the structure itself
};

// `wrong`: "", or why the library cannot be loaded.
PetscErrorCode ControlLibraryOpen(MPI_Comm comm, const char *path, const char *infile, int records,
                                  ControlLibrary **out, Refusal *wrong);
// The same of the FMU of a block of that name.
PetscErrorCode ControlFmuOpen(MPI_Comm comm, const char *name, const BlockUse *block, ControlLibrary **out,
                              Refusal *wrong);
// Of an FMU that is bonded: whether it can be set back and take steps of any length.
PetscErrorCode ControlFmuFollows(const ControlLibrary *l, bool *follows);
// It goes from the time `from` by h in equal parts with these inputs, from where it was when the last call began if that
// was at the same time. `mean`: its outputs, by the trapezoid of all parts; those at the end are in its record. Sets
// l->fail. Collective.
PetscErrorCode ControlFmuExchange(ControlLibrary *l, double from, double h, int parts, const double *in, double *record,
                                  double *mean);
PetscErrorCode ControlLibraryClose(ControlLibrary **library);

#endif
