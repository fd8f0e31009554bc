// SPDX-License-Identifier: Apache-2.0
// What a terminal must not be told. Titles, names and messages come from files of anyone; escape sequences in them could
// change its title, its colours or its answers. Files and pipes get every byte as it is.
#define _GNU_SOURCE // fopencookie
#include "console/output.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__GLIBC__)
typedef struct {
  int fd;
  unsigned seen; // letters of the one sequence that is allowed
  bool latin;    // half of a control character of Latin 1, in UTF-8
} TerminalStream;

static const char clear_line[] = "\033[K"; // progress draws its line anew

static void add_byte(char *out, size_t *n, unsigned char c) { out[(*n)++] = (char)c; }

// One byte more; up to four come out of it.
static size_t filter(TerminalStream *t, unsigned char c, char *out) {
  size_t n = 0;
  if (t->latin) {
    t->latin = false;
    add_byte(out, &n, c < 0xa0 ? '?' : 0xc2);
    if (c >= 0xa0 || c < 0x80) add_byte(out, &n, c);
    return n;
  }
  if (c == (unsigned char)clear_line[t->seen]) {
    if (clear_line[++t->seen]) return 0;
    t->seen = 0;
    memcpy(out, clear_line, sizeof clear_line - 1);
    return sizeof clear_line - 1;
  }
  if (t->seen) {
    add_byte(out, &n, '?');
    for (unsigned i = 1; i < t->seen; i++) add_byte(out, &n, (unsigned char)clear_line[i]);
    t->seen = c == '\033';
    if (t->seen) return n;
  }
  t->latin = c == 0xc2;
  if (!t->latin) add_byte(out, &n, (c < 0x20 && !strchr("\n\r\t", c)) || c == 0x7f ? '?' : c);
  return n;
}

static ssize_t write_filtered(void *stream, const char *text, size_t size) {
  TerminalStream *t = stream;
  char block[4096];
  size_t n = 0;
  for (size_t i = 0; i < size; i++) {
    n += filter(t, (unsigned char)text[i], block + n);
    if (n + 8 < sizeof block && i + 1 < size) continue;
    for (size_t done = 0; done < n;) {
      ssize_t wrote = write(t->fd, block + done, n - done);
      if (wrote < 0) return 0; // an error, in the language of fopencookie
      done += (size_t)wrote;
    }
    n = 0;
  }
  return (ssize_t)size;
}

static FILE *filtered(int fd, TerminalStream *t, int mode) {
  *t = (TerminalStream){.fd = fd};
  FILE *f = isatty(fd) ? fopencookie(t, "w", (cookie_io_functions_t){.write = write_filtered}) : NULL;
  if (f) setvbuf(f, NULL, mode, BUFSIZ);
  return f;
}

void protect_terminal(void) {
  static TerminalStream stream[2];
  FILE *out = filtered(STDOUT_FILENO, &stream[0], _IOLBF), *err = filtered(STDERR_FILENO, &stream[1], _IONBF);
  if (out) stdout = out;
  if (err) stderr = err;
}
#else
void protect_terminal(void) {}
#endif
