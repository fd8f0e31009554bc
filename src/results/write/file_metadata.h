// SPDX-License-Identifier: Apache-2.0
// What HDF5 keeps of its own in a results file, for a checkpoint (results/container/rollback.h).
#ifndef LIMBER_RESULTS_WRITE_FILE_METADATA_H
#define LIMBER_RESULTS_WRITE_FILE_METADATA_H

#include "results/container/rollback.h"
#include "results/write/hdf5_file.h"

// Where numbers stand in a file: all else is books. Grows from checkpoint to checkpoint.
typedef struct {
  FileBlock *block;
  int blocks, room;
  hsize_t *seen; // chunks of each dataset that are among them, in the order of a visit
  int sets, sets_room;
} Blocks;

// Brings the file to the disk and puts its books into the packet, on rank 0. Collective; the file was flushed.
PetscErrorCode FileSaveMetadata(File *f, Blocks *b, CheckpointContainer *p);
PetscErrorCode BlocksDestroy(Blocks *b);

#endif
