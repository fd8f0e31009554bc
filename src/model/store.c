// SPDX-License-Identifier: Apache-2.0
#include "model/store.h"

#include <string.h>

enum { CHUNK = 1 << 16 };

struct StoreChunk {
  StoreChunk *next;
  size_t used, room;
  double data[];
};

Error StoreAllocate(Store *s, size_t size, void *out) {
  size = (size + 7) / 8 * 8;
  if (!s->chunk || s->chunk->used + size > s->chunk->room) {
    StoreChunk *c;
    size_t room = size > CHUNK ? size : CHUNK;
    TRY(MemoryNew(sizeof *c + room, &c));
    c->next = s->chunk, c->used = 0, c->room = room;
    s->chunk = c;
  }
  void *at = (char *)s->chunk->data + s->chunk->used;
  memcpy(out, &at, sizeof at);
  s->chunk->used += size;
  return 0;
}

Error StoreCopy(Store *s, size_t size, const void *from, void *out) {
  void *copy;
  TRY(StoreAllocate(s, size, &copy));
  if (size) memcpy(copy, from, size);
  memcpy(out, &copy, sizeof copy);
  return 0;
}

Error StoreText(Store *s, const char *text, size_t length, const char **out) {
  char *copy = NULL;
  TRY(StoreAllocate(s, length + 1, &copy));
  if (length) memcpy(copy, text, length);
  *out = copy;
  return 0;
}

Error StoreDestroy(Store *s) {
  while (s->chunk) {
    StoreChunk *next = s->chunk->next;
    memory_free(&s->chunk);
    s->chunk = next;
  }
  return 0;
}

void *allocate_of_store(void *self, size_t size) {
  void *out = NULL;
  return StoreAllocate(self, size, &out) ? NULL : out;
}

Error StoreGrow(Store *s, size_t item, int count, int need, int *room, void *array) {
  void *old, *now;
  if (need <= *room) return 0;
  memcpy(&old, array, sizeof old);
  *room = need > 2 * *room ? need : 2 * *room;
  TRY(StoreAllocate(s, (size_t)*room * item, &now));
  if (count) memcpy(now, old, (size_t)count * item);
  memcpy(array, &now, sizeof now);
  return 0;
}
