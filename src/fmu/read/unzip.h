// SPDX-License-Identifier: Apache-2.0
// Reading of a zip archive that may be hostile. Its list of contents is checked as a whole before anything of it is
// used: no name leads out of the folder, nothing is a link or encrypted, names differ, and the sum of all sizes is
// bounded. What is unpacked has the size and the checksum that the list states.
#ifndef LIMBER_FMU_READ_UNZIP_H
#define LIMBER_FMU_READ_UNZIP_H

#include "model/refusal.h"
#include "model/store.h"

#include <stdint.h>

enum { ZIP_MOST_ENTRIES = 20000, ZIP_MOST_NAME = 500 };
#define ZIP_MOST_BYTES ((uint64_t)1 << 30) // of all entries together, unpacked

typedef struct {
  const char *name; // ends with '/': a folder
  const unsigned char *packed;
  uint32_t packed_size, size, checksum;
  bool deflated; // or stored as it is
} ZipEntry;

typedef struct {
  ZipEntry *entry; // by name
  int entries;
} Zip;

// `data` stays with the caller and must live as long as the archive. `wrong`: "", or why it cannot be read.
Error ZipRead(Store *s, const void *data, size_t size, Zip *out, Refusal *wrong);
const ZipEntry *zip_find(const Zip *z, const char *name); // or NULL

// Unpacks an entry into new memory with a zero after it, for memory_free.
Error ZipUnpack(const ZipEntry *e, char **out, Refusal *wrong);
// Unpacks all entries whose names begin with `prefix` below a folder that nobody else can write.
Error ZipExtract(const Zip *z, const char *prefix, const char *folder, Refusal *wrong);

#endif
