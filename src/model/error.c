// SPDX-License-Identifier: Apache-2.0
#include "model/error.h"

#include "limber/limber.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char last[1000]; // one thread at a time calls the library
static bool quiet;

const char *limber_error(void) { return last; }
void limber_error_print(bool on) { quiet = !on; }
bool error_prints(void) { return !quiet; }

void error_store(const char *text) { snprintf(last, sizeof last, "%s", text); }

Error error_report(Error code, const char *file, int line, const char *format, ...) {
  const char *name = strstr(file, "src/");
  va_list args;
  va_start(args, format);
  vsnprintf(last, sizeof last, format, args);
  va_end(args);
  if (!quiet) fprintf(stderr, "limber: %s (%s:%d)\n", last, name ? name : file, line);
  return code;
}

Error MemoryResize(size_t size, void *out) {
  void *old, *new;
  memcpy(&old, out, sizeof old);
  new = realloc(old, size ? size : 1);
  ENSURE(new, ERROR_MEMORY, "out of memory: %zu bytes more are needed", size);
  memcpy(out, &new, sizeof new);
  return 0;
}

Error MemoryNew(size_t size, void *out) {
  void *new = calloc(1, size ? size : 1);
  ENSURE(new, ERROR_MEMORY, "out of memory: %zu bytes are needed", size);
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
