// SPDX-License-Identifier: Apache-2.0
// Containers, checkpoint files and roll-back of results files (container.h).
#include "results/container/container.h"

#include "files/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Everything is aligned to 8 bytes.
typedef struct {
  char magic[8];
  uint32_t order, format; // byte order; format of the container
  uint64_t size;          // total, including the checksum at the end
} ContainerHead;

typedef struct {
  char name[20];
  int32_t index;
  uint64_t size;
} SectionHead;

enum { CHECKSUM = sizeof(uint64_t) };
static const char magic[8] = {'L', 'I', 'M', 'B', 'E', 'R', 'c', 'k'};
static const uint32_t order = 0x01020304;

static size_t padded_size(size_t size) { return (size + 7) & ~(size_t)7; }

static uint64_t add_word(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
  return sum ^ sum >> 29;
}

uint64_t container_checksum(uint64_t sum, const void *data, size_t size) {
  const unsigned char *from = data;
  uint64_t word;
  for (; size >= sizeof word; size -= sizeof word, from += sizeof word) {
    memcpy(&word, from, sizeof word);
    sum = add_word(sum, word);
  }
  word = 0;
  if (size) memcpy(&word, from, size);
  return size ? add_word(sum, word) : sum;
}

static Error AppendBytes(CheckpointContainer *p, const void *data, size_t size) {
  size_t wanted = p->size + padded_size(size);
  if (wanted > p->room) {
    p->room = 2 * wanted;
    TRY(MemoryResize(p->room, &p->data));
  }
  memset(p->data + p->size, 0, padded_size(size));
  if (size) memcpy(p->data + p->size, data, size);
  p->size = wanted;
  return 0;
}

Error ContainerPut(CheckpointContainer *p, const char *name, int index, const void *data, size_t size) {
  ContainerHead head = {.order = order, .format = CONTAINER_FORMAT};
  SectionHead section = {.index = index, .size = size};
  memcpy(head.magic, magic, sizeof magic);
  if (!p->size) TRY(AppendBytes(p, &head, sizeof head));
  ENSURE(strlen(name) < sizeof section.name, ERROR_PROGRAM, "the name '%s' of a section is too long", name);
  memcpy(section.name, name, strlen(name));
  TRY(AppendBytes(p, &section, sizeof section));
  TRY(AppendBytes(p, data, size));
  return 0;
}

Error ContainerEnd(CheckpointContainer *p) {
  uint64_t all = p->size + CHECKSUM;
  memcpy(p->data + offsetof(ContainerHead, size), &all, sizeof all);
  uint64_t sum = container_checksum(0, p->data, p->size);
  TRY(AppendBytes(p, &sum, sizeof sum));
  return 0;
}

bool container_check(const CheckpointContainer *p, Refusal *wrong) {
  ContainerHead head;
  SectionHead section;
  uint64_t sum;
  if (p->size < sizeof head + CHECKSUM || p->size % 8) return refuse(wrong, "is truncated, or not a checkpoint"), false;
  memcpy(&head, p->data, sizeof head);
  if (memcmp(head.magic, magic, sizeof magic)) return refuse(wrong, "is not a checkpoint"), false;
  if (head.order != order) return refuse(wrong, "comes from a machine with another byte order"), false;
  if (head.format != CONTAINER_FORMAT) {
    refuse(wrong, "has format %u, this version of Limber reads %d: resume with the version that wrote it",
           (unsigned)head.format, CONTAINER_FORMAT);
    return false;
  }
  if (head.size != p->size) return refuse(wrong, "is truncated or has grown"), false;
  size_t end = p->size - CHECKSUM, at = sizeof head;
  memcpy(&sum, p->data + end, sizeof sum);
  if (sum != container_checksum(0, p->data, end)) return refuse(wrong, "is damaged: its checksum is wrong"), false;
  while (at < end) {
    if (end - at < sizeof section) return refuse(wrong, "is damaged: a section is truncated"), false;
    memcpy(&section, p->data + at, sizeof section);
    at += sizeof section;
    if (section.size > end - at || padded_size(section.size) > end - at || section.name[sizeof section.name - 1])
      return refuse(wrong, "is damaged: a section is wrong"), false;
    at += padded_size(section.size);
  }
  return true;
}

const void *container_find(const CheckpointContainer *p, const char *name, int index, size_t *size) {
  SectionHead section;
  for (size_t at = sizeof(ContainerHead); at + CHECKSUM < p->size; at += padded_size(section.size)) {
    memcpy(&section, p->data + at, sizeof section);
    at += sizeof section;
    if (section.index != index || strcmp(section.name, name)) continue;
    *size = section.size;
    return p->data + at;
  }
  *size = 0;
  return NULL;
}

bool container_take(const CheckpointContainer *p, const char *name, int index, void *out, size_t size) {
  size_t found;
  const void *data = container_find(p, name, index, &found);
  if (!data || found != size) return false;
  if (size) memcpy(out, data, size);
  return true;
}

const char *container_text(const CheckpointContainer *p, const char *name, int index, size_t *length) {
  size_t found;
  const char *text = container_find(p, name, index, &found);
  if (!text || !found || text[found - 1]) return NULL;
  *length = found - 1;
  return text;
}

typedef struct {
  char magic[8];
  uint32_t order, format; // byte order; format of the file and its container
  uint64_t size, at;      // size of the file; offset of the container
} FileHead;

static const FileHead new_head = {{'L', 'I', 'M', 'B', 'E', 'R', 'c', 'k'}, 0x01020304, CONTAINER_FORMAT, 0, 0};

void checkpoint_file_begin(FILE *f) { fwrite(&new_head, sizeof new_head, 1, f); }

DividedPlace checkpoint_file_place(FILE *f, const char *name) {
  DividedPlace place = {.at = (uint64_t)ftello(f)};
  snprintf(place.name, sizeof place.name, "%s", name);
  return place;
}

bool checkpoint_file_find(const CheckpointContainer *p, const char *name, DividedPlace *out) {
  for (int i = 0; container_take(p, CHECKPOINT_DIVIDED, i, out, sizeof *out); i++)
    if (!strncmp(out->name, name, sizeof out->name)) return true;
  return false;
}

void checkpoint_file_add(FILE *f, const void *data, size_t size, DividedPlace *place) {
  fwrite(data, 1, size, f);
  place->size += size, place->checksum = container_checksum(place->checksum, data, size);
}

Error CheckpointFileEnd(FILE *f, CheckpointContainer *p) {
  FileHead head = new_head;
  TRY(ContainerEnd(p));
  head.at = (uint64_t)ftello(f), head.size = head.at + p->size;
  fwrite(p->data, 1, p->size, f);
  if (!fseeko(f, 0, SEEK_SET)) fwrite(&head, sizeof head, 1, f); // rewind would clear a write error
  return 0;
}

// ---- reading ----

static bool read_head(FILE *f, FileHead *head, Refusal *wrong) {
  FileHead none = {.size = 0};
  *head = none;
  size_t got = fread(head, 1, sizeof *head, f);
  if (got < sizeof none.magic || memcmp(head->magic, new_head.magic, sizeof head->magic))
    refuse(wrong, got < sizeof *head ? "is truncated, or not a checkpoint" : "is not a checkpoint");
  else if (got == sizeof *head && head->order != new_head.order)
    refuse(wrong, "comes from a machine with another byte order");
  else if (got == sizeof *head && head->format != CONTAINER_FORMAT)
    refuse(wrong, "has format %u, this version of Limber reads %d: resume with the version that wrote it",
           (unsigned)head->format, CONTAINER_FORMAT);
  else if (got < sizeof *head || fseeko(f, 0, SEEK_END) || head->size != (uint64_t)ftello(f))
    refuse(wrong, "is truncated or has grown");
  else if (head->at < sizeof *head || head->at > head->size) refuse(wrong, "is damaged: its head is wrong");
  return !is_refused(wrong);
}

static Error ReadContainer(FILE *f, const FileHead *head, CheckpointContainer *p, Refusal *wrong) {
  p->size = p->room = (size_t)(head->size - head->at);
  TRY(MemoryResize(p->room + 1, &p->data));
  if (fseeko(f, (off_t)head->at, SEEK_SET) || fread(p->data, 1, p->size, f) != p->size) refuse(wrong, "cannot be read");
  else container_check(p, wrong);
  return 0;
}

// Whether an array is complete and undamaged.
static bool is_whole(FILE *f, const FileHead *head, const DividedPlace *place) {
  unsigned char piece[1 << 14];
  uint64_t sum = 0, left = place->size;
  if (place->at < sizeof *head || place->at > head->at || place->size > head->at - place->at) return false;
  if (fseeko(f, (off_t)place->at, SEEK_SET)) return false;
  for (size_t n; left > 0; left -= n) {
    n = left < sizeof piece ? (size_t)left : sizeof piece;
    if (fread(piece, 1, n, f) != n) return false;
    sum = container_checksum(sum, piece, n);
  }
  return sum == place->checksum;
}

Error CheckpointFileRead(FILE *f, CheckpointContainer *p, Refusal *wrong) {
  FileHead head;
  DividedPlace place;
  wrong->text[0] = 0;
  if (!read_head(f, &head, wrong)) return 0;
  TRY(ReadContainer(f, &head, p, wrong));
  for (int i = 0; !is_refused(wrong) && container_take(p, CHECKPOINT_DIVIDED, i, &place, sizeof place); i++)
    if (!is_whole(f, &head, &place)) refuse(wrong, "is damaged: its checksum is wrong");
  return 0;
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

bool rollback_fits(const char *path, const CheckpointContainer *p, Refusal *wrong) {
  struct stat info;
  FileBlock at;
  char there[ROLLBACK_FINGERPRINT];
  size_t length;
  Metadata metadata;
  bool good = true;
  const void *fingerprint;
  if (!find_metadata(p, &metadata)) return refuse(wrong, "the checkpoint of '%s' is damaged", path), false;
  int fd = found_open(path);
  if (fd < 0 || fstat(fd, &info)) {
    if (fd >= 0) close(fd);
    return refuse(wrong, "cannot read '%s': %s", path, found_error(errno)), false;
  }
  good = (uint64_t)info.st_size >= metadata.head.blocks_end;
  for (int i = 0; good && (fingerprint = container_find(p, "witness", i, &length)); i++)
    good = container_take(p, "witness at", i, &at, sizeof at) && at.size == length && length <= sizeof there &&
           pread(fd, there, length, (off_t)at.at) == (ssize_t)length && !memcmp(there, fingerprint, length);
  close(fd);
  if (!good)
    refuse(wrong,
           "'%s' is not the file that the checkpoint next to it belongs to: rows that the run wrote are "
           "not there. Put the two back together, or start the run again",
           path);
  return good;
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
    if (n == 0) break; // only HDF5 metadata is missing
    good = n > 0 && write_at(to, part, (uint64_t)n, done);
    if (n > 0) done += (uint64_t)n;
  }
  if (from >= 0) close(from);
  free(part);
  return good;
}

bool rollback_results(const char *path, const char *to, const CheckpointContainer *p, Refusal *wrong) {
  Metadata metadata;
  const char *target = to ? to : path;
  uint64_t done = 0;
  if (!find_metadata(p, &metadata)) return refuse(wrong, "the checkpoint of '%s' is damaged", path), false;
  int fd = own_open(target, to ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR);
  bool good = fd >= 0 && (!to || copy_file(path, fd, metadata.head.size));
  for (size_t i = 0; good && i < metadata.blocks; done += metadata.block[i++].size)
    good = write_at(fd, metadata.bytes + done, metadata.block[i].size, metadata.block[i].at);
  good = good && !ftruncate(fd, (off_t)metadata.head.size) && !fsync(fd);
  if (!good) refuse(wrong, "cannot write '%s': %s", target, found_error(errno));
  if (!good && to && fd >= 0 && ftruncate(fd, 0)) close(fd), fd = -1; // discard half a copy
  if (fd >= 0) close(fd);
  return good;
}
