// SPDX-License-Identifier: Apache-2.0
// A checkpoint as bytes: a head, named sections and a checksum. Each writer defines the contents of its sections. A
// container that passes container_check can be searched safely, whatever it contains.
#ifndef LIMBER_RESULTS_CONTAINER_CONTAINER_H
#define LIMBER_RESULTS_CONTAINER_CONTAINER_H

#include "model/error.h"
#include "model/refusal.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CONTAINER_FORMAT = 2 };

typedef struct {
  unsigned char *data; // for memory_free
  size_t size, room;
  FILE *file; // with the divided arrays (below) of a checkpoint being read; NULL: not on this rank
} CheckpointContainer;

// Writing: add sections in any order, then end. Sections of the same name are distinguished by their index.
Error ContainerPut(CheckpointContainer *p, const char *name, int index, const void *data, size_t size);
Error ContainerEnd(CheckpointContainer *p);

// Whether the bytes are a complete and undamaged container of this format; otherwise why not.
bool container_check(const CheckpointContainer *p, Refusal *wrong);

// A section of a checked container, aligned for any number, and its size; NULL: there is none.
const void *container_find(const CheckpointContainer *p, const char *name, int index, size_t *size);
// Copies a section of exactly this size. False: it is missing or has another size.
bool container_take(const CheckpointContainer *p, const char *name, int index, void *out, size_t size);
// A section that is a zero-terminated text; NULL: there is none, or it is not terminated.
const char *container_text(const CheckpointContainer *p, const char *name, int index, size_t *length);

uint64_t container_checksum(uint64_t sum, const void *data, size_t size); // continues from `sum`

// A checkpoint file: a head, the divided arrays, and a container with everything else, including the place of each
// divided array. No rank needs memory for more than a piece of such an array.

// The places of the arrays in the order of writing: sections of this name, counted from 0.
#define CHECKPOINT_DIVIDED "divided"
typedef struct {
  char name[24];
  uint64_t at, size, checksum;
} DividedPlace;
// Finds the place of an array; false: the checkpoint has none of this name.
bool checkpoint_file_find(const CheckpointContainer *p, const char *name, DividedPlace *out);

// Writing. Check the stream for errors at the end.
void checkpoint_file_begin(FILE *f);
// Begins an array; adds a piece to it, a multiple of 8 bytes.
DividedPlace checkpoint_file_place(FILE *f, const char *name);
void checkpoint_file_add(FILE *f, const void *data, size_t size, DividedPlace *place);
Error CheckpointFileEnd(FILE *f, CheckpointContainer *p);

// Reads the container of a checkpoint (for memory_free) and checks the whole file. `wrong`: "", or the error.
Error CheckpointFileRead(FILE *f, CheckpointContainer *p, Refusal *wrong);

// Rolls a results file back to a checkpoint. After a checkpoint, HDF5 writes new blocks at the end of the file, adds
// rows to blocks with free space, and changes its metadata: headers, trees, heaps. Existing rows stay where they are.
// So the metadata and the size of the file are all that must be saved, whatever a killed run left in the file.

// Sections of the container: "books", this head; "book places", all ranges without numbers; "book bytes", their
// contents; "witness at" and "witness", rows that identify the file.
typedef struct {
  uint64_t size, blocks_end; // size of the file; end of the last block with numbers
} RollbackHead;
typedef struct {
  uint64_t at, size;
} FileBlock;
enum { ROLLBACK_FINGERPRINT = 4096 }; // most bytes per witness

// Whether the container was made with the file at `path`; otherwise why not. Reads only.
bool rollback_fits(const char *path, const CheckpointContainer *p, Refusal *wrong);
// Rolls the file at `path` back, or a copy of it at `to`. False, with the reason, if that fails.
bool rollback_results(const char *path, const char *to, const CheckpointContainer *p, Refusal *wrong);

#endif
