// SPDX-License-Identifier: Apache-2.0
// The part of the reader that runs in the child process and uses HDF5 (reader.h).
#ifndef LIMBER_RESULTS_READ_STORED_H
#define LIMBER_RESULTS_READ_STORED_H

#include "results/read/reader.h"

#include <hdf5.h>

// Questions; each has an answer in stored.c.
typedef enum {
  ASK_OPEN,
  ASK_USE,
  ASK_EXISTS,
  ASK_SIZE,
  ASK_ROWS,
  ASK_FIXED_TEXTS,
  ASK_TEXTS,
  ASK_ATTRIBUTE_TEXTS,
  ASK_ATTRIBUTE_REALS,
  ASK_TABLES,
  ASKS
} Ask;

// A dataset of numbers, of one or two dimensions.
typedef struct {
  hid_t set; // -1: none
  int rank, width;
  long rows; // declared in the file, limited to what the file can contain
} StoredNumbers;

typedef struct {
  char *path;
  hid_t file, other;     // other: -1, or the file in use
  StoredNumbers *opened; // by slot
  int slots;
} StoredFile;

void stored_file_close(StoredFile *f); // call in the process that opened it
void stored_answer(void *self, Message *question, Message *answer);

char **attribute_texts(hid_t object, const char *name, int *count); // all texts of an attribute; NULL: none

#endif
