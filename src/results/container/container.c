// SPDX-License-Identifier: Apache-2.0
#include "results/container/container.h"

#include <stdio.h>
#include <string.h>

// Everything stands at multiples of 8 bytes.
typedef struct {
  char magic[8];
  uint32_t order, format; // of bytes; of the packet
  uint64_t size;          // of all, with the checksum at the end
} PacketHead;

typedef struct {
  char name[12];
  int32_t index;
  uint64_t size;
} SectionHead;

enum { CHECKSUM = sizeof(uint64_t) };
static const char magic[8] = "LIMBERck";
static const uint32_t order = 0x01020304;

static size_t padded(size_t size) { return (size + 7) & ~(size_t)7; }

uint64_t packet_checksum(uint64_t sum, const void *data, size_t size) {
  const unsigned char *from = data;
  for (size_t i = 0; i < size; i += 8) {
    uint64_t word = 0;
    memcpy(&word, from + i, size - i < 8 ? size - i : 8);
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    sum ^= sum >> 29;
  }
  return sum;
}

static Error Add(Packet *p, const void *data, size_t size) {
  size_t wanted = p->size + padded(size);
  if (wanted > p->room) {
    p->room = 2 * wanted;
    TRY(MemoryResize(p->room, &p->data));
  }
  memset(p->data + p->size, 0, padded(size));
  if (size) memcpy(p->data + p->size, data, size);
  p->size = wanted;
  return 0;
}

Error PacketPut(Packet *p, const char *name, int index, const void *data, size_t size) {
  PacketHead head = {.order = order, .format = PACKET_FORMAT};
  SectionHead section = {.index = index, .size = size};
  memcpy(head.magic, magic, sizeof magic);
  if (!p->size) TRY(Add(p, &head, sizeof head));
  ENSURE(strlen(name) < sizeof section.name, ERROR_PROGRAM, "the name '%s' of a section is too long", name);
  memcpy(section.name, name, strlen(name));
  TRY(Add(p, &section, sizeof section));
  TRY(Add(p, data, size));
  return 0;
}

Error PacketEnd(Packet *p) {
  uint64_t all = p->size + CHECKSUM;
  memcpy(p->data + offsetof(PacketHead, size), &all, sizeof all);
  uint64_t sum = packet_checksum(0, p->data, p->size);
  TRY(Add(p, &sum, sizeof sum));
  return 0;
}

static bool say(char *wrong, size_t size, const char *text) { return snprintf(wrong, size, "%s", text), false; }

bool packet_check(const Packet *p, char *wrong, size_t size) {
  PacketHead head;
  SectionHead section;
  uint64_t sum;
  if (p->size < sizeof head + CHECKSUM || p->size % 8) return say(wrong, size, "is cut off, or no checkpoint");
  memcpy(&head, p->data, sizeof head);
  if (memcmp(head.magic, magic, sizeof magic)) return say(wrong, size, "is no checkpoint");
  if (head.order != order) return say(wrong, size, "comes from a machine with another order of bytes");
  if (head.format != PACKET_FORMAT) {
    snprintf(wrong, size, "has format %u, this version of Limber reads %d: resume with the version that wrote it",
             (unsigned)head.format, PACKET_FORMAT);
    return false;
  }
  if (head.size != p->size) return say(wrong, size, "is cut off or has grown");
  size_t end = p->size - CHECKSUM, at = sizeof head;
  memcpy(&sum, p->data + end, sizeof sum);
  if (sum != packet_checksum(0, p->data, end)) return say(wrong, size, "is damaged: its checksum is wrong");
  while (at < end) {
    if (end - at < sizeof section) return say(wrong, size, "is damaged: a section is cut off");
    memcpy(&section, p->data + at, sizeof section);
    at += sizeof section;
    if (section.size > end - at || padded(section.size) > end - at || section.name[sizeof section.name - 1])
      return say(wrong, size, "is damaged: a section is wrong");
    at += padded(section.size);
  }
  return true;
}

const void *packet_find(const Packet *p, const char *name, int index, size_t *size) {
  SectionHead section;
  for (size_t at = sizeof(PacketHead); at + CHECKSUM < p->size; at += padded(section.size)) {
    memcpy(&section, p->data + at, sizeof section);
    at += sizeof section;
    if (section.index != index || strcmp(section.name, name)) continue;
    *size = section.size;
    return p->data + at;
  }
  *size = 0;
  return NULL;
}

bool packet_take(const Packet *p, const char *name, int index, void *out, size_t size) {
  size_t found;
  const void *data = packet_find(p, name, index, &found);
  if (!data || found != size) return false;
  if (size) memcpy(out, data, size);
  return true;
}

const char *packet_text(const Packet *p, const char *name, int index, size_t *length) {
  size_t found;
  const char *text = packet_find(p, name, index, &found);
  if (!text || !found || text[found - 1]) return NULL;
  *length = found - 1;
  return text;
}
