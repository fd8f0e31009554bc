// SPDX-License-Identifier: Apache-2.0
// What the child process reads with HDF5 (reader.h).
#ifndef LIMBER_RESULTS_READ_STORED_H
#define LIMBER_RESULTS_READ_STORED_H

#include "results/read/reader.h"

#include <hdf5.h>

// What can be asked; each has an answer in stored.c.
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
  long rows; // that it says it has and that the file can hold
} StoredNumbers;

typedef struct {
  char *path;
  hid_t file, other;     // other: -1 or the one that is used
  StoredNumbers *opened; // by slot
  int slots;
} StoredFile;

void stored_file_close(StoredFile *f); // in the process that opened it; elsewhere nothing is open
void stored_answer(void *self, Message *question, Message *answer);

char **attribute_texts(hid_t object, const char *name, int *count); // all texts of an attribute; NULL: there are none

#endif
