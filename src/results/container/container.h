// SPDX-License-Identifier: Apache-2.0
// A checkpoint as bytes: a head, named sections, a checksum. What a section holds is the business of who puts it there; a
// container that passes container_check can be searched without harm, whatever it holds.
#ifndef LIMBER_RESULTS_CONTAINER_CONTAINER_H
#define LIMBER_RESULTS_CONTAINER_CONTAINER_H

#include "model/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CONTAINER_FORMAT = 2 };

typedef struct {
  unsigned char *data; // for memory_free
  size_t size, room;
  FILE *file; // of a checkpoint that is read: its divided arrays (checkpoint_file.h); NULL: not on this rank
} CheckpointContainer;

// Writing: sections in any order, several of one name told apart by their index, then the end.
Error ContainerPut(CheckpointContainer *p, const char *name, int index, const void *data, size_t size);
Error ContainerEnd(CheckpointContainer *p);

// Whether the bytes are a container of this format, whole and undamaged; else why not.
bool container_check(const CheckpointContainer *p, char *error, size_t size);

// Of a container that was checked: a section, aligned for any number, and its size; NULL: there is none.
const void *container_find(const CheckpointContainer *p, const char *name, int index, size_t *size);
// Copies a section that must be of exactly this size. False: it is not there or of another size.
bool container_take(const CheckpointContainer *p, const char *name, int index, void *out, size_t size);
// A section that is a text, with its zero; NULL: there is none, or it has none.
const char *container_text(const CheckpointContainer *p, const char *name, int index, size_t *length);

uint64_t container_checksum(uint64_t sum, const void *data, size_t size); // goes on from `sum`

#endif
