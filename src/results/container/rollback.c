// SPDX-License-Identifier: Apache-2.0
#include "results/container/rollback.h"

#include "files/found.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool set_reason(char *error, size_t size, const char *format, const char *path) {
  return snprintf(error, size, format, path, found_error(errno)), false;
}

typedef struct {
  RollbackHead head;
  const FileBlock *block;
  size_t blocks;
  const char *bytes;
} Metadata;

static bool find_metadata(const CheckpointContainer *p, Metadata *out) {
  size_t size, bytes;
  uint64_t total = 0;
  out->block = container_find(p, "book places", 0, &size);
  out->bytes = container_find(p, "book bytes", 0, &bytes);
  out->blocks = size / sizeof *out->block;
  if (!out->block || !out->bytes || !container_take(p, "books", 0, &out->head, sizeof out->head)) return false;
  for (size_t i = 0; i < out->blocks; i++) {
    const FileBlock *b = &out->block[i];
    if (b->size > bytes - total || b->at > out->head.size || b->size > out->head.size - b->at) return false;
    total += b->size;
  }
  return total == bytes;
}

bool rollback_fits(const char *path, const CheckpointContainer *p, char *error, size_t size) {
  struct stat info;
  FileBlock at;
  char there[ROLLBACK_FINGERPRINT];
  size_t length;
  Metadata metadata;
  bool good = true;
  const void *fingerprint;
  if (!find_metadata(p, &metadata)) return set_reason(error, size, "the checkpoint of '%s' is damaged", path);
  int fd = found_open(path);
  if (fd < 0 || fstat(fd, &info)) {
    if (fd >= 0) close(fd);
    return set_reason(error, size, "cannot read '%s': %s", path);
  }
  good = (uint64_t)info.st_size >= metadata.head.blocks_end;
  for (int i = 0; good && (fingerprint = container_find(p, "witness", i, &length)); i++)
    good = container_take(p, "witness at", i, &at, sizeof at) && at.size == length && length <= sizeof there &&
           pread(fd, there, length, (off_t)at.at) == (ssize_t)length && !memcmp(there, fingerprint, length);
  close(fd);
  return good ||
         set_reason(error, size,
                    "'%s' is not the file that the checkpoint beside it belongs to: rows that the run wrote are "
                    "not there. Put the two back together, or start the run again",
                    path);
}

static bool write_at(int fd, const char *from, uint64_t size, uint64_t at) {
  for (uint64_t done = 0; done < size;) {
    ssize_t n = pwrite(fd, from + done, size - done, (off_t)(at + done));
    if (n <= 0) return false;
    done += (uint64_t)n;
  }
  return true;
}

static bool copy_file(const char *path, int to, uint64_t size) {
  char *part = malloc(1 << 20);
  int from = found_open(path);
  bool good = part && from >= 0;
  for (uint64_t done = 0; good && done < size;) {
    ssize_t n = pread(from, part, 1 << 20, (off_t)done);
    if (n == 0) break; // only books are missing
    good = n > 0 && write_at(to, part, (uint64_t)n, done);
    if (n > 0) done += (uint64_t)n;
  }
  if (from >= 0) close(from);
  free(part);
  return good;
}

bool rollback_results(const char *path, const char *to, const CheckpointContainer *p, char *error, size_t size) {
  Metadata metadata;
  const char *target = to ? to : path;
  uint64_t done = 0;
  if (!find_metadata(p, &metadata)) return set_reason(error, size, "the checkpoint of '%s' is damaged", path);
  int fd = own_open(target, to ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR);
  bool good = fd >= 0 && (!to || copy_file(path, fd, metadata.head.size));
  for (size_t i = 0; good && i < metadata.blocks; done += metadata.block[i++].size)
    good = write_at(fd, metadata.bytes + done, metadata.block[i].size, metadata.block[i].at);
  good = good && !ftruncate(fd, (off_t)metadata.head.size) && !fsync(fd);
  if (!good) set_reason(error, size, "cannot write '%s': %s", target);
  if (!good && to && fd >= 0 && ftruncate(fd, 0)) close(fd), fd = -1; // half a copy is no use
  if (fd >= 0) close(fd);
  return good;
}
