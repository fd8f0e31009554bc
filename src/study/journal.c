// SPDX-License-Identifier: Apache-2.0
#include "study/journal.h"

#include "console/console.h"
#include "files/found.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, HEAD = 128 };
static const double SECONDS = 0.5; // rows wait so long at most

static Error WriteAll(const Journal *j, const char *data, size_t size) {
  while (size) {
    ssize_t n = write(j->fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    ENSURE(n > 0, ERROR_LIBRARY, "cannot write '%s': %s", j->path, strerror(errno));
    data += n, size -= (size_t)n;
  }
  return 0;
}

static Error ReadAt(const Journal *j, void *data, size_t size, off_t at, size_t *got) {
  *got = 0;
  while (*got < size) {
    ssize_t n = pread(j->fd, (char *)data + *got, size - *got, at + (off_t)*got);
    if (n < 0 && errno == EINTR) continue;
    ENSURE(n >= 0, ERROR_LIBRARY, "cannot read '%s': %s", j->path, strerror(errno));
    if (!n) break;
    *got += (size_t)n;
  }
  return 0;
}

static off_t place_of(const Journal *j, uint64_t row) { return HEAD + (off_t)(row * j->row_size); }

// How many rows from the first on are whole.
static Error CountRows(Journal *j, uint64_t most) {
  uint64_t slice = BUFFER / j->row_size ? BUFFER / j->row_size : 1;
  size_t got;
  char *rows = NULL;
  bool good = true;
  TRY(MemoryNew((size_t)slice * j->row_size, &rows));
  for (j->rows = 0; good && j->rows < most;) {
    TRY(ReadAt(j, rows, (size_t)slice * j->row_size, place_of(j, j->rows), &got));
    uint64_t whole = got / j->row_size;
    good = whole == slice;
    for (uint64_t i = 0; i < whole && j->rows < most; i++) {
      const StudyRow *row = (const StudyRow *)(rows + i * j->row_size);
      bool intact = row->run == j->first + j->rows && row->checksum == study_row_sum(j->layout, row) &&
                    row->status >= 0 && row->status < STUDY_STATUSES;
      good = good && intact;
      if (!intact) break;
      j->rows++;
    }
  }
  memory_free(&rows);
  return 0;
}

// `good`: its head is that of this block.
static Error OpenFile(const char *path, int flags, const char *identity, const StudyLayout *l, uint64_t first,
                      Journal *j, char head[HEAD], bool *good) {
  char there[HEAD];
  size_t got;
  *good = false;
  *j = (Journal){.fd = -1, .layout = l, .row_size = study_row_size(l), .first = first};
  snprintf(j->path, sizeof j->path, "%s", path);
  memset(head, 0, HEAD);
  snprintf(head, HEAD, "LIMBERst 1 %s %zu %llu", identity, j->row_size, (unsigned long long)first);
  j->fd = own_open_below(path, flags);
  ENSURE(j->fd >= 0, ERROR_LIBRARY, "cannot open '%s': %s", path, found_error(errno));
  TRY(ReadAt(j, there, HEAD, 0, &got));
  *good = got == HEAD && !memcmp(head, there, HEAD);
  return 0;
}

Error JournalOpen(const char *path, const char *identity, const StudyLayout *l, uint64_t first, uint64_t most,
                  Journal *j) {
  char head[HEAD];
  bool good;
  TRY(OpenFile(path, O_RDWR | O_CREAT, identity, l, first, j, head, &good));
  if (good) TRY(CountRows(j, most));
  else {
    ENSURE(!ftruncate(j->fd, 0) && lseek(j->fd, 0, SEEK_SET) == 0, ERROR_LIBRARY, "cannot write '%s': %s", path,
           strerror(errno));
    TRY(WriteAll(j, head, HEAD));
  }
  off_t end = place_of(j, j->rows);
  ENSURE(!ftruncate(j->fd, end) && lseek(j->fd, end, SEEK_SET) == end, ERROR_LIBRARY, "cannot write '%s': %s", path,
         strerror(errno));
  TRY(MemoryNew(BUFFER + j->row_size, &j->buffer));
  j->written = clock_seconds();
  return 0;
}

Error JournalOpenComplete(const char *path, const char *identity, const StudyLayout *l, uint64_t first, uint64_t most,
                          Journal *j) {
  char head[HEAD];
  bool good;
  TRY(OpenFile(path, O_RDONLY, identity, l, first, j, head, &good));
  return good ? CountRows(j, most) : 0;
}

Error JournalFlush(Journal *j) {
  size_t used = j->used;
  j->used = 0;
  TRY(WriteAll(j, j->buffer, used));
  j->written = clock_seconds();
  return 0;
}

Error JournalAppend(Journal *j, StudyRow *row) {
  ENSURE(row->run == j->first + j->rows, ERROR_PROGRAM, "row %llu of '%s' is that of run %llu",
         (unsigned long long)j->rows, j->path, (unsigned long long)row->run);
  row->checksum = study_row_sum(j->layout, row);
  memcpy(j->buffer + j->used, row, j->row_size);
  j->used += j->row_size, j->rows++;
  if (j->used >= BUFFER || clock_seconds() - j->written > SECONDS) TRY(JournalFlush(j));
  return 0;
}

Error JournalRead(const Journal *j, uint64_t from, uint64_t count, void *rows) {
  size_t got, size = (size_t)count * j->row_size;
  TRY(ReadAt(j, rows, size, place_of(j, from), &got));
  ENSURE(got == size, ERROR_LIBRARY, "'%s' is shorter than what was written", j->path);
  return 0;
}

Error JournalClose(Journal *j) {
  Error error = j->fd >= 0 && j->used ? JournalFlush(j) : 0;
  if (j->fd >= 0) close(j->fd);
  j->fd = -1;
  memory_free(&j->buffer);
  return error;
}
