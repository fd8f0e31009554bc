// SPDX-License-Identifier: Apache-2.0
#include "model/store.h"

#include <string.h>

enum { CHUNK = 1 << 16 };

struct StoreChunk {
  StoreChunk *next;
  size_t used, room;
  double data[];
};

PetscErrorCode StoreKeep(Store *s, size_t size, void *out) {
  PetscFunctionBegin;
  size = (size + 7) / 8 * 8;
  if (!s->chunk || s->chunk->used + size > s->chunk->room) {
    StoreChunk *c;
    size_t room = PetscMax(size, (size_t)CHUNK);
    PetscCall(PetscMalloc(sizeof *c + room, &c));
    memset(c->data, 0, room);
    c->next = s->chunk, c->used = 0, c->room = room;
    s->chunk = c;
  }
  *(void **)out = (char *)s->chunk->data + s->chunk->used;
  s->chunk->used += size;
  PetscFunctionReturn(0);
}

PetscErrorCode StoreText(Store *s, const char *text, size_t length, const char **out) {
  char *copy = NULL;
  PetscFunctionBegin;
  PetscCall(StoreKeep(s, length + 1, &copy));
  if (length) memcpy(copy, text, length);
  *out = copy;
  PetscFunctionReturn(0);
}

PetscErrorCode StoreDestroy(Store *s) {
  PetscFunctionBegin;
  while (s->chunk) {
    StoreChunk *next = s->chunk->next;
    PetscCall(PetscFree(s->chunk));
    s->chunk = next;
  }
  PetscFunctionReturn(0);
}
