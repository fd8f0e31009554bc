// SPDX-License-Identifier: Apache-2.0
#include "fmu/read/unzip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
  END_SIZE = 22, // of the record at the end of the file, without its comment
  LISTED_SIZE = 46,
  LOCAL_SIZE = 30,
  MOST_COMMENT = 65535,
  ENCRYPTED = 1, // flag
  STORED = 0,
  DEFLATED = 8,
  UNIX = 3,             // system that made an entry
  MOST_DEFLATION = 1032 // bytes that one byte of deflate can stand for
};

static uint32_t read_2(const unsigned char *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8; }
static uint32_t read_4(const unsigned char *p) { return read_2(p) | read_2(p + 2) << 16; }

// ---- the list of contents ----

// The record at the end of the file, or NULL.
static const unsigned char *find_end(const unsigned char *data, size_t size) {
  for (size_t back = END_SIZE; back <= size && back <= END_SIZE + MOST_COMMENT; back++) {
    const unsigned char *p = data + (size - back);
    if (!memcmp(p, "PK\5\6", 4) && read_2(p + 20) == back - END_SIZE) return p;
  }
  return NULL;
}

// Why a name may not be used, or NULL.
static const char *name_mistake(const char *name, size_t length) {
  if (!length || length > ZIP_MOST_NAME) return "a name is empty or too long";
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)name[i] < 32 || name[i] == 127 || name[i] == '\\')
      return "a name contains a backslash or a control character";
  if (name[0] == '/') return "a name is an absolute path";
  for (size_t i = 0; i < length;) {
    const char *slash = memchr(name + i, '/', length - i);
    size_t n = slash ? (size_t)(slash - name) - i : length - i;
    if (n == 0 || (n == 1 && name[i] == '.') || (n == 2 && !memcmp(name + i, "..", 2)))
      return "a name contains '.', '..' or '//'";
    i += n + 1;
  }
  return NULL;
}

// Why an entry of the list may not be used, or NULL.
static const char *entry_mistake(const unsigned char *p) {
  uint32_t flags = read_2(p + 8), method = read_2(p + 10), packed = read_4(p + 20), size = read_4(p + 24);
  uint32_t kind = p[5] == UNIX ? read_4(p + 38) >> 16 & S_IFMT : 0;
  const char *name = name_mistake((const char *)p + LISTED_SIZE, read_2(p + 28));
  if (name) return name;
  if (flags & ENCRYPTED) return "it is encrypted";
  if (kind && kind != S_IFREG && kind != S_IFDIR) return "it is a link or a device";
  if (method != STORED && method != DEFLATED) return "it is packed in a way that Limber does not read";
  if (packed == UINT32_MAX || size == UINT32_MAX || read_4(p + 42) == UINT32_MAX) return "it is larger than 4 GB";
  if (method == STORED && packed != size) return "its sizes contradict each other";
  if (size > (uint64_t)packed * MOST_DEFLATION) return "its sizes contradict each other";
  return NULL;
}

// Finds the bytes of an entry: its own head must agree with the list.
static const char *find_bytes(const unsigned char *data, size_t end, const unsigned char *p, ZipEntry *e) {
  size_t at = read_4(p + 42), name = read_2(p + 28);
  if (at > end || end - at < LOCAL_SIZE) return "it begins outside of the file";
  const unsigned char *head = data + at;
  size_t skip = LOCAL_SIZE + (size_t)read_2(head + 26) + read_2(head + 28);
  if (memcmp(head, "PK\3\4", 4) || read_2(head + 8) != read_2(p + 10) || read_2(head + 26) != name)
    return "its head contradicts the list of contents";
  if (end - at < skip || end - at - skip < e->packed_size) return "it ends outside of the file";
  if (memcmp(head + LOCAL_SIZE, p + LISTED_SIZE, name)) return "its head contradicts the list of contents";
  e->packed = head + skip;
  return NULL;
}

static bool names_folder(const char *name) { return name[0] && name[strlen(name) - 1] == '/'; }

static int compare_entries(const void *a, const void *b) {
  return strcmp(((const ZipEntry *)a)->name, ((const ZipEntry *)b)->name);
}

static Error ReadEntry(Store *s, const unsigned char *data, size_t end, const unsigned char *p, ZipEntry *e,
                       Refusal *wrong) {
  size_t length = read_2(p + 28);
  const char *mistake = entry_mistake(p);
  *e = (ZipEntry){.packed_size = read_4(p + 20),
                  .size = read_4(p + 24),
                  .checksum = read_4(p + 16),
                  .deflated = read_2(p + 10) == DEFLATED};
  if (!mistake) mistake = find_bytes(data, end, p, e);
  if (!mistake) return StoreText(s, (const char *)p + LISTED_SIZE, length, &e->name);
  char name[80];
  size_t n = length < sizeof name - 1 ? length : sizeof name - 1;
  for (size_t i = 0; i < n; i++) {
    char c = (char)p[LISTED_SIZE + i];
    name[i] = (unsigned char)c < 32 || (unsigned char)c > 126 ? '?' : c;
  }
  name[n] = 0;
  refuse(wrong, "its entry '%s' is refused: %s", name, mistake);
  return 0;
}

Error ZipRead(Store *s, const void *bytes, size_t size, Zip *out, Refusal *wrong) {
  const unsigned char *data = bytes, *last = find_end(data, size);
  uint64_t sum = 0;
  *out = (Zip){0};
  wrong->text[0] = 0;
  if (!last) return refuse(wrong, "it is not a zip archive, or it is cut off"), 0;
  size_t count = read_2(last + 10), length = read_4(last + 12), at = read_4(last + 16), end = (size_t)(last - data);
  if (read_2(last + 4) || read_2(last + 6) || read_2(last + 8) != count)
    return refuse(wrong, "it is a part of a divided zip archive"), 0;
  if (count > ZIP_MOST_ENTRIES || count == UINT16_MAX || at == UINT32_MAX)
    return refuse(wrong, "it has more than %d entries or 4 GB", ZIP_MOST_ENTRIES), 0;
  if (at > end || length > end - at) return refuse(wrong, "its list of contents is cut off"), 0;
  TRY(StoreAllocate(s, (count + 1) * sizeof *out->entry, &out->entry));
  const unsigned char *p = data + at, *stop = p + length;
  for (size_t i = 0; i < count; i++) {
    if (stop - p < LISTED_SIZE || memcmp(p, "PK\1\2", 4)) return refuse(wrong, "its list of contents is damaged"), 0;
    size_t whole = LISTED_SIZE + (size_t)read_2(p + 28) + read_2(p + 30) + read_2(p + 32);
    if ((size_t)(stop - p) < whole) return refuse(wrong, "its list of contents is damaged"), 0;
    TRY(ReadEntry(s, data, at, p, &out->entry[i], wrong));
    if (is_refused(wrong)) return 0;
    sum += out->entry[i].size;
    if (sum > ZIP_MOST_BYTES) return refuse(wrong, "unpacked it is larger than %d MB", (int)(ZIP_MOST_BYTES >> 20)), 0;
    p += whole;
  }
  out->entries = (int)count;
  qsort(out->entry, count, sizeof *out->entry, compare_entries);
  for (int i = 1; i < out->entries; i++) // folders, whose names end in '/', may be listed twice
    if (!strcmp(out->entry[i - 1].name, out->entry[i].name) && !names_folder(out->entry[i].name))
      return refuse(wrong, "it has two entries '%.80s'", out->entry[i].name), 0;
  return 0;
}

const ZipEntry *zip_find(const Zip *z, const char *name) {
  const ZipEntry key = {.name = name};
  return z->entries ? bsearch(&key, z->entry, (size_t)z->entries, sizeof key, compare_entries) : NULL;
}

// ---- contents ----

// Whether the stream ends exactly with the last byte of the entry.
static bool inflate_whole(const ZipEntry *e, char *to) {
  z_stream z = {.next_in = (unsigned char *)e->packed, .avail_in = e->packed_size, .next_out = (unsigned char *)to};
  z.avail_out = e->size + 1; // one more byte: a stream that is too long is seen
  if (inflateInit2(&z, -MAX_WBITS) != Z_OK) return false;
  bool good = inflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out == e->size;
  inflateEnd(&z);
  return good;
}

Error ZipUnpack(const ZipEntry *e, char **out, Refusal *wrong) {
  char *to = NULL;
  wrong->text[0] = 0;
  TRY(MemoryResize((size_t)e->size + 1, &to));
  if (!e->deflated) memcpy(to, e->packed, e->size);
  bool good = !e->deflated || inflate_whole(e, to);
  good = good && crc32(0, (const unsigned char *)to, e->size) == e->checksum;
  to[e->size] = 0;
  if (!good) {
    memory_free(&to);
    refuse(wrong, "its entry '%.80s' is damaged", e->name);
  }
  *out = to;
  return 0;
}

// Makes the folders of a name below the folder that is open. Returns that of the file, or -1.
static int make_folders(int folder, const char *name, const char **file) {
  int at = dup(folder);
  for (const char *slash; at >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
    char part[ZIP_MOST_NAME + 1];
    snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
    int next = mkdirat(at, part, 0700) && errno != EEXIST
                   ? -1
                   : openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int error = errno;
    close(at);
    errno = error, at = next;
  }
  *file = name;
  return at;
}

static bool write_whole(int fd, const char *bytes, size_t size) {
  while (size) {
    ssize_t n = write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n, size -= (size_t)n;
  }
  return true;
}

static Error ExtractOne(const ZipEntry *e, int folder, Refusal *wrong) {
  char *bytes = NULL;
  const char *file;
  TRY(ZipUnpack(e, &bytes, wrong));
  if (is_refused(wrong)) return 0;
  int at = make_folders(folder, e->name, &file);
  bool good = at >= 0;
  if (good && *file) {
    int fd = openat(at, file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    good = fd >= 0 && write_whole(fd, bytes, e->size);
    if (fd >= 0) good = !close(fd) && good;
  }
  if (!good) refuse(wrong, "cannot unpack its entry '%.80s': %s", e->name, strerror(errno));
  if (at >= 0) close(at);
  memory_free(&bytes);
  return 0;
}

Error ZipExtract(const Zip *z, const char *prefix, const char *folder, Refusal *wrong) {
  Error error = 0;
  int at = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  wrong->text[0] = 0;
  if (at < 0) return refuse(wrong, "cannot open the folder '%s': %s", folder, strerror(errno)), 0;
  for (int i = 0; i < z->entries && !error && !is_refused(wrong); i++)
    if (!strncmp(z->entry[i].name, prefix, strlen(prefix))) error = ExtractOne(&z->entry[i], at, wrong);
  close(at);
  return error;
}
