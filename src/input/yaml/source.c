// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

Error SourceRead(const char *path, SourceText *out) {
  FILE *f = strcmp(path, "-") ? fopen(path, "rb") : stdin;
  size_t room = 1 << 16, got;
  *out = (SourceText){.error = errno};
  if (!f) return 0;
  do {
    TRY(MemoryResize(room + 1, &out->text));
    got = fread(out->text + out->length, 1, room - out->length, f);
    out->length += got;
    if (out->length == room) room *= 2;
  } while (got);
  out->text[out->length] = 0;
  out->error = ferror(f) ? errno : 0;
  if (f != stdin) fclose(f);
  if (out->error) memory_free(&out->text);
  return 0;
}
