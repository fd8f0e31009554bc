// SPDX-License-Identifier: Apache-2.0
// A results file as it was at a checkpoint. After that moment HDF5 writes new blocks behind the end of the file, adds rows
// to blocks that have room, and changes its own books: headers, trees, heaps. So the books and the size of the file are all
// that must be kept to go back to that moment, whatever a run that was killed left in the file. Rows that were there
// stand in blocks that stay where they are.
#ifndef LIMBER_RESULTS_CONTAINER_ROLLBACK_H
#define LIMBER_RESULTS_CONTAINER_ROLLBACK_H

#include "results/container/container.h"

// Sections of the packet: "books", this; "book places", all places that are no numbers; "book bytes", what stands there;
// "witness at" and "witness", rows that tell the file from others.
typedef struct {
  uint64_t size, blocks_end; // of the file; of the last block with numbers
} RollbackHead;
typedef struct {
  uint64_t at, size;
} FileBlock;
enum { ROLLBACK_FINGERPRINT = 4096 }; // bytes of one at most

// Whether the file at `path` is the one that the packet was made with; else why not. Only reads.
bool rollback_fits(const char *path, const CheckpointContainer *p, char *error, size_t size);
// Takes the file at `path` back; `to`: a copy of it, which is made. False, with the reason, if that cannot be done.
bool rollback_results(const char *path, const char *to, const CheckpointContainer *p, char *error, size_t size);

#endif
