// SPDX-License-Identifier: Apache-2.0
#include "results/container/container.h"

#include <stdio.h>
#include <string.h>

// Everything stands at multiples of 8 bytes.
typedef struct {
  char magic[8];
  uint32_t order, format; // of bytes; of the container
  uint64_t size;          // of all, with the checksum at the end
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

uint64_t container_checksum(uint64_t sum, const void *data, size_t size) {
  const unsigned char *from = data;
  for (size_t i = 0; i < size; i += 8) {
    uint64_t word = 0;
    memcpy(&word, from + i, size - i < 8 ? size - i : 8);
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    sum ^= sum >> 29;
  }
  return sum;
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

static bool set_reason(char *error, size_t size, const char *text) { return snprintf(error, size, "%s", text), false; }

bool container_check(const CheckpointContainer *p, char *error, size_t size) {
  ContainerHead head;
  SectionHead section;
  uint64_t sum;
  if (p->size < sizeof head + CHECKSUM || p->size % 8) return set_reason(error, size, "is cut off, or no checkpoint");
  memcpy(&head, p->data, sizeof head);
  if (memcmp(head.magic, magic, sizeof magic)) return set_reason(error, size, "is no checkpoint");
  if (head.order != order) return set_reason(error, size, "comes from a machine with another order of bytes");
  if (head.format != CONTAINER_FORMAT) {
    snprintf(error, size, "has format %u, this version of Limber reads %d: resume with the version that wrote it",
             (unsigned)head.format, CONTAINER_FORMAT);
    return false;
  }
  if (head.size != p->size) return set_reason(error, size, "is cut off or has grown");
  size_t end = p->size - CHECKSUM, at = sizeof head;
  memcpy(&sum, p->data + end, sizeof sum);
  if (sum != container_checksum(0, p->data, end)) return set_reason(error, size, "is damaged: its checksum is wrong");
  while (at < end) {
    if (end - at < sizeof section) return set_reason(error, size, "is damaged: a section is cut off");
    memcpy(&section, p->data + at, sizeof section);
    at += sizeof section;
    if (section.size > end - at || padded_size(section.size) > end - at || section.name[sizeof section.name - 1])
      return set_reason(error, size, "is damaged: a section is wrong");
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
