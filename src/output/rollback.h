// SPDX-License-Identifier: Apache-2.0
// A results file as it was at a checkpoint. After that moment HDF5 writes new blocks behind the end of the file, adds rows
// to blocks that have room, and changes its own books: headers, trees, heaps. So the books and the size of the file are all
// that must be kept to go back to that moment, whatever a run that was killed left in the file. Rows that were there
// stand in blocks that stay where they are.
#ifndef LIMBER_OUTPUT_ROLLBACK_H
#define LIMBER_OUTPUT_ROLLBACK_H

#include "input/packet.h"
#include "output/file.h"

// Where numbers stand in a file: all else is books. Grows from checkpoint to checkpoint.
typedef struct {
  struct Block *block;
  int blocks, room;
  hsize_t *seen; // chunks of each dataset that are among them, in the order of a visit
  int sets, sets_room;
} Blocks;

// Brings the file to the disk and puts its books into the packet, on rank 0. Collective; the file was flushed.
PetscErrorCode FileRemember(File *f, Blocks *b, Packet *p);
PetscErrorCode BlocksDestroy(Blocks *b);

// Whether the file at `path` is the one that the packet was made with; else why not. Reads only, without HDF5.
bool rollback_fits(const char *path, const Packet *p, char *wrong, size_t size);
// Takes the file at `path` back; `to`: a copy of it, which is made. False, with the reason, if that cannot be done.
bool rollback(const char *path, const char *to, const Packet *p, char *wrong, size_t size);

#endif
