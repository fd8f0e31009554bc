// SPDX-License-Identifier: Apache-2.0
// Memory that is given out in pieces and freed as a whole.
#ifndef LIMBER_MODEL_STORE_H
#define LIMBER_MODEL_STORE_H

#include <petscsys.h>

typedef struct StoreChunk StoreChunk;
typedef struct {
  StoreChunk *chunk;
} Store;

PetscErrorCode StoreKeep(Store *s, size_t size, void *out); // zeroed
PetscErrorCode StoreText(Store *s, const char *text, size_t length, const char **out);
PetscErrorCode StoreDestroy(Store *s);

#endif
