// SPDX-License-Identifier: Apache-2.0
#include "model/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Error error_say(Error code, const char *file, int line, const char *format, ...) {
  const char *name = strstr(file, "src/");
  va_list args;
  fprintf(stderr, "limber: ");
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fprintf(stderr, " (%s:%d)\n", name ? name : file, line);
  return code;
}

Error MemoryResize(size_t size, void *out) {
  void *old, *new;
  memcpy(&old, out, sizeof old);
  new = realloc(old, size ? size : 1);
  ENSURE(new, ERROR_MEMORY, "out of memory: %zu bytes more are wanted", size);
  memcpy(out, &new, sizeof new);
  return 0;
}

Error MemoryNew(size_t size, void *out) {
  void *new = calloc(1, size ? size : 1);
  ENSURE(new, ERROR_MEMORY, "out of memory: %zu bytes are wanted", size);
  memcpy(out, &new, sizeof new);
  return 0;
}

void memory_free(void *pointer) {
  void *old;
  memcpy(&old, pointer, sizeof old);
  free(old);
  old = NULL;
  memcpy(pointer, &old, sizeof old);
}
