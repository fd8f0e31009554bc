// SPDX-License-Identifier: Apache-2.0
#include "solved.h"

#include <stdlib.h>
#include <string.h>

void *solved_allocate(void *self, size_t size) {
  Solved *s = self;
  void *memory = s->memory[s->pieces++] = malloc(size ? size : 1);
  return memory ? memset(memory, 0xA5, size) : NULL;
}

void solved_release(Solved *s) {
  while (s->pieces) free(s->memory[--s->pieces]);
}
