// SPDX-License-Identifier: Apache-2.0
// Archives that Limber writes: zip files, and texts in XML.
#ifndef LIMBER_FMU_ARCHIVE_H
#define LIMBER_FMU_ARCHIVE_H

#include "model/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
  FILE *out;
  char *list; // the central directory so far
  size_t list_size, list_room;
  unsigned long at; // bytes written
  int files;
} ZipWriter;

// Adds a file; `packed`: compressed. Names have the separator '/'. Errors of writing are those of the stream.
Error ZipAdd(ZipWriter *z, const char *name, const void *data, size_t size, bool packed);
Error ZipEnd(ZipWriter *z);
void zip_free(ZipWriter *z);

// Prints ` attribute="text"`. Control characters, which XML does not have, become spaces.
void xml_print_text(FILE *out, const char *attribute, const char *text);
void xml_print_number(FILE *out, const char *attribute, double value);

#endif
