// SPDX-License-Identifier: Apache-2.0
#include "fmu/archive.h"

#include <string.h>
#include <zlib.h>

// Numbers of a zip file, the lowest byte first.
static unsigned char *put(unsigned char *to, unsigned long value, int bytes) {
  for (int i = 0; i < bytes; i++) *to++ = (unsigned char)(value >> (8 * i));
  return to;
}

enum { LOCAL = 30, CENTRAL = 46, END = 22, STORED = 0, DEFLATED = 8, FIRST_DAY = 0x21 }; // 1 January 1980

typedef struct {
  unsigned long sum, packed, size;
  int method;
} Entry;

// What the local header and the central directory share.
static unsigned char *put_entry(unsigned char *to, const Entry *e, size_t name) {
  to = put(to, 20, 2);    // version 2.0
  to = put(to, 0x800, 2); // names are UTF-8
  to = put(to, (unsigned long)e->method, 2);
  to = put(to, 0, 2); // time
  to = put(to, FIRST_DAY, 2);
  to = put(to, e->sum, 4);
  to = put(to, e->packed, 4);
  to = put(to, e->size, 4);
  to = put(to, name, 2);
  return put(to, 0, 2);
}

static void write_bytes(ZipWriter *z, const void *data, size_t size) {
  if (size) fwrite(data, 1, size, z->out); // what fails is found where the file ends
  z->at += size;
}

// Compresses into `out`, which has room for `size` bytes; 0: it does not get smaller.
static size_t deflate_bytes(const void *data, size_t size, unsigned char *out) {
  z_stream s = {.next_in = (unsigned char *)data, .avail_in = (uInt)size, .next_out = out, .avail_out = (uInt)size};
  if (!size || deflateInit2(&s, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  bool good = deflate(&s, Z_FINISH) == Z_STREAM_END;
  size_t packed = s.total_out;
  deflateEnd(&s);
  return good && packed < size ? packed : 0;
}

Error ZipAdd(ZipWriter *z, const char *name, const void *data, size_t size, bool packed) {
  static const size_t most = 0xf0000000u; // zip files without extensions have 4 GB
  unsigned char head[CENTRAL], *end, *small = NULL;
  size_t length = strlen(name), room = z->list_size + CENTRAL + length;
  ENSURE(size < most && z->at < most - size && length < 0x8000 && z->files < 0xffff, ERROR_ARGUMENT,
         "'%s' is too large for an FMU", name);
  Entry e = {.sum = crc32(crc32(0, NULL, 0), data, (uInt)size), .packed = size, .size = size, .method = STORED};
  if (packed) TRY(MemoryNew(size + 1, &small));
  size_t less = packed ? deflate_bytes(data, size, small) : 0;
  if (less) e.packed = less, e.method = DEFLATED;
  if (room > z->list_room) TRY(MemoryResize(z->list_room = 2 * room, &z->list));
  end = put(head, 0x02014b50, 4), end = put(end, 0x0314, 2); // by Unix
  end = put_entry(end, &e, length);
  end = put(end, 0, 6); // comment, disk, kind
  end = put(end, 0100644ul << 16, 4);
  put(end, z->at, 4);
  memcpy(z->list + z->list_size, head, CENTRAL), memcpy(z->list + z->list_size + CENTRAL, name, length);
  z->list_size = room, z->files++;
  put_entry(put(head, 0x04034b50, 4), &e, length);
  write_bytes(z, head, LOCAL);
  write_bytes(z, name, length);
  write_bytes(z, less ? small : data, e.packed);
  memory_free(&small);
  return 0;
}

Error ZipEnd(ZipWriter *z) {
  unsigned char head[END], *end = put(put(head, 0x06054b50, 4), 0, 4);
  unsigned long begin = z->at;
  write_bytes(z, z->list, z->list_size);
  end = put(end, (unsigned long)z->files, 2), end = put(end, (unsigned long)z->files, 2);
  end = put(end, z->list_size, 4), end = put(end, begin, 4);
  put(end, 0, 2);
  write_bytes(z, head, END);
  return 0;
}

void zip_free(ZipWriter *z) { memory_free(&z->list); }
