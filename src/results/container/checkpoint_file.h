// SPDX-License-Identifier: Apache-2.0
// A checkpoint on the disk: a head, the divided arrays one after the other, and a container with all else, which has a section for each
// of these arrays that says where it is. No rank needs memory for more than a piece of such an array.
#ifndef LIMBER_RESULTS_CONTAINER_CHECKPOINT_FILE_H
#define LIMBER_RESULTS_CONTAINER_CHECKPOINT_FILE_H

#include "results/container/container.h"

#include <stdio.h>

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

// Reads the container of a checkpoint, for memory_free, and checks all of the file. `why` is "", or what is wrong with it.
Error CheckpointFileRead(FILE *f, CheckpointContainer *p, char *why, size_t size);

#endif
