// SPDX-License-Identifier: Apache-2.0
#include "results/container/checkpoint_file.h"

#include <string.h>

typedef struct {
  char magic[8];
  uint32_t order, format; // of bytes; of the file, and of the container in it
  uint64_t size, at;      // of the file; of the container
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
  if (!fseeko(f, 0, SEEK_SET)) fwrite(&head, sizeof head, 1, f); // rewind would forget that a write has failed
  return 0;
}

// ---- reading ----

static bool read_head(FILE *f, FileHead *head, char *why, size_t size) {
  FileHead none = {.size = 0};
  *head = none;
  size_t got = fread(head, 1, sizeof *head, f);
  if (got < sizeof none.magic || memcmp(head->magic, new_head.magic, sizeof head->magic))
    snprintf(why, size, got < sizeof *head ? "is cut off, or no checkpoint" : "is no checkpoint");
  else if (got == sizeof *head && head->order != new_head.order)
    snprintf(why, size, "comes from a machine with another order of bytes");
  else if (got == sizeof *head && head->format != CONTAINER_FORMAT)
    snprintf(why, size, "has format %u, this version of Limber reads %d: resume with the version that wrote it",
             (unsigned)head->format, CONTAINER_FORMAT);
  else if (got < sizeof *head || fseeko(f, 0, SEEK_END) || head->size != (uint64_t)ftello(f))
    snprintf(why, size, "is cut off or has grown");
  else if (head->at < sizeof *head || head->at > head->size) snprintf(why, size, "is damaged: its head is wrong");
  return !why[0];
}

static Error ReadContainer(FILE *f, const FileHead *head, CheckpointContainer *p, char *why, size_t size) {
  char reason[200];
  p->size = p->room = (size_t)(head->size - head->at);
  TRY(MemoryResize(p->room + 1, &p->data));
  if (fseeko(f, (off_t)head->at, SEEK_SET) || fread(p->data, 1, p->size, f) != p->size)
    snprintf(why, size, "cannot be read");
  else if (!container_check(p, reason, sizeof reason)) snprintf(why, size, "%s", reason);
  return 0;
}

// Whether the bytes of an array are those that were written.
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

Error CheckpointFileRead(FILE *f, CheckpointContainer *p, char *why, size_t size) {
  FileHead head;
  DividedPlace place;
  why[0] = 0;
  if (!read_head(f, &head, why, size)) return 0;
  TRY(ReadContainer(f, &head, p, why, size));
  for (int i = 0; !why[0] && container_take(p, CHECKPOINT_DIVIDED, i, &place, sizeof place); i++)
    if (!is_whole(f, &head, &place)) snprintf(why, size, "is damaged: its checksum is wrong");
  return 0;
}
