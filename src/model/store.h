// SPDX-License-Identifier: Apache-2.0
// Memory that is allocated in pieces and freed as a whole.
#ifndef LIMBER_MODEL_STORE_H
#define LIMBER_MODEL_STORE_H

#include "model/error.h"

typedef struct StoreChunk StoreChunk;
typedef struct {
  StoreChunk *chunk;
} Store;

Error StoreAllocate(Store *s, size_t size, void *out); // zeroed
// Makes room for `need` items at *array, where `count` are in use. A full array doubles and moves: keep no pointers.
Error StoreGrow(Store *s, size_t item, int count, int need, int *room, void *array);
Error StoreText(Store *s, const char *text, size_t length, const char **out);
Error StoreCopy(Store *s, size_t size, const void *from, void *out);
Error StoreDestroy(Store *s);
void *allocate_of_store(void *self, size_t size); // for an Allocator

#endif
