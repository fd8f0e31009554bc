// SPDX-License-Identifier: Apache-2.0
#include "results/container/rollback.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool say(char *wrong, size_t size, const char *format, const char *path) {
  return snprintf(wrong, size, format, path, strerror(errno)), false;
}

typedef struct {
  RollbackHead head;
  const FileBlock *place;
  size_t places;
  const char *bytes;
} Books;

static bool find_books(const Packet *p, Books *out) {
  size_t size, bytes;
  uint64_t total = 0;
  out->place = packet_find(p, "book places", 0, &size);
  out->bytes = packet_find(p, "book bytes", 0, &bytes);
  out->places = size / sizeof *out->place;
  if (!out->place || !out->bytes || !packet_take(p, "books", 0, &out->head, sizeof out->head)) return false;
  for (size_t i = 0; i < out->places; i++) {
    const FileBlock *b = &out->place[i];
    if (b->size > bytes - total || b->at > out->head.size || b->size > out->head.size - b->at) return false;
    total += b->size;
  }
  return total == bytes;
}

bool rollback_fits(const char *path, const Packet *p, char *wrong, size_t size) {
  struct stat info;
  FileBlock at;
  char there[ROLLBACK_WITNESS];
  size_t length;
  Books books;
  bool good = true;
  const void *witness;
  if (!find_books(p, &books)) return say(wrong, size, "the checkpoint of '%s' is damaged", path);
  int fd = open(path, O_RDONLY);
  if (fd < 0 || fstat(fd, &info)) {
    if (fd >= 0) close(fd);
    return say(wrong, size, "cannot read '%s': %s", path);
  }
  good = (uint64_t)info.st_size >= books.head.blocks_end;
  for (int i = 0; good && (witness = packet_find(p, "witness", i, &length)); i++)
    good = packet_take(p, "witness at", i, &at, sizeof at) && at.size == length && length <= sizeof there &&
           pread(fd, there, length, (off_t)at.at) == (ssize_t)length && !memcmp(there, witness, length);
  close(fd);
  return good || say(wrong, size,
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
  int from = open(path, O_RDONLY);
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

bool rollback(const char *path, const char *to, const Packet *p, char *wrong, size_t size) {
  Books books;
  const char *target = to ? to : path;
  uint64_t done = 0;
  if (!find_books(p, &books)) return say(wrong, size, "the checkpoint of '%s' is damaged", path);
  int fd = open(target, to ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, 0666);
  bool good = fd >= 0 && (!to || copy_file(path, fd, books.head.size));
  for (size_t i = 0; good && i < books.places; done += books.place[i++].size)
    good = write_at(fd, books.bytes + done, books.place[i].size, books.place[i].at);
  good = good && !ftruncate(fd, (off_t)books.head.size) && !fsync(fd);
  if (fd >= 0) close(fd);
  return good || say(wrong, size, "cannot write '%s': %s", target);
}
