// SPDX-License-Identifier: Apache-2.0
// A checkpoint as bytes: a head, named sections, a checksum. What a section holds is the business of who puts it there;
// a container that passes container_check can be searched without harm, whatever it holds.
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
  FILE *file; // of a checkpoint that is read: its divided arrays (below); NULL: not on this rank
} CheckpointContainer;

// Writing: sections in any order, several of one name distinguished by their index, then the end.
Error ContainerPut(CheckpointContainer *p, const char *name, int index, const void *data, size_t size);
Error ContainerEnd(CheckpointContainer *p);

// Whether the bytes are a container of this format, whole and undamaged; else why not.
bool container_check(const CheckpointContainer *p, Refusal *wrong);

// Of a container that was checked: a section, aligned for any number, and its size; NULL: there is none.
const void *container_find(const CheckpointContainer *p, const char *name, int index, size_t *size);
// Copies a section that must be of exactly this size. False: it is not there or of another size.
bool container_take(const CheckpointContainer *p, const char *name, int index, void *out, size_t size);
// A section that is a text, with its zero; NULL: there is none, or it has none.
const char *container_text(const CheckpointContainer *p, const char *name, int index, size_t *length);

uint64_t container_checksum(uint64_t sum, const void *data, size_t size); // continues from `sum`

// A checkpoint on the disk: a head, the divided arrays one after the other, and a container with all else, which has a
// section for each of these arrays that says where it is. No rank needs memory for more than a piece of such an array.

// The places of the arrays, in the order in which they were written: sections of this name, counted from 0.
#define CHECKPOINT_DIVIDED "divided"
typedef struct {
  char name[24];
  uint64_t at, size, checksum;
} DividedPlace;
// The place of an array; false: the checkpoint has none of this name.
bool checkpoint_file_find(const CheckpointContainer *p, const char *name, DividedPlace *out);

// Writing. Errors of the file are those of the stream, which is asked at its end.
void checkpoint_file_begin(FILE *f);
// An array begins; adds a piece of a multiple of 8 bytes to it.
DividedPlace checkpoint_file_place(FILE *f, const char *name);
void checkpoint_file_add(FILE *f, const void *data, size_t size, DividedPlace *place);
Error CheckpointFileEnd(FILE *f, CheckpointContainer *p);

// Reads the container of a checkpoint, for memory_free, and checks all of the file. `why` is "", or what is wrong with
// it.
Error CheckpointFileRead(FILE *f, CheckpointContainer *p, Refusal *wrong);

// A results file as it was at a checkpoint. After that moment HDF5 writes new blocks behind the end of the file, adds
// rows to blocks that have room, and changes its own books: headers, trees, heaps. So the books and the size of the
// file are all that must be kept to go back to that moment, whatever a run that was killed left in the file. Rows that
// were there stand in blocks that stay where they are.

// Sections of the packet: "books", this; "book places", all places that are no numbers; "book bytes", what stands
// there; "witness at" and "witness", rows that distinguish the file from others.
typedef struct {
  uint64_t size, blocks_end; // of the file; of the last block with numbers
} RollbackHead;
typedef struct {
  uint64_t at, size;
} FileBlock;
enum { ROLLBACK_FINGERPRINT = 4096 }; // bytes of one at most

// Whether the file at `path` is the one that the packet was made with; else why not. Only reads.
bool rollback_fits(const char *path, const CheckpointContainer *p, Refusal *wrong);
// Takes the file at `path` back; `to`: a copy of it, which is made. False, with the reason, if that cannot be done.
bool rollback_results(const char *path, const char *to, const CheckpointContainer *p, Refusal *wrong);

#endif
