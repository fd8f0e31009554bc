// SPDX-License-Identifier: Apache-2.0
// Diagnostics of texts that a user wrote: where, and what is wrong. All of them are collected and printed at once.
//   swing.yaml:12:9: error: beam has no field 'sectoin'; did you mean 'section'?
//      12 |   - beam: {sectoin: strip}
//         |            ^~~~~~~
#ifndef LIMBER_INPUT_DIAGNOSTIC_H
#define LIMBER_INPUT_DIAGNOSTIC_H

#include "model/error.h"
#include <stdio.h>

typedef struct {
  size_t begin, end; // bytes of the file's text
  int file;
} SourceLocation;

typedef enum { DIAGNOSTIC_ERROR, DIAGNOSTIC_WARNING } DiagnosticLevel;

typedef struct {
  DiagnosticLevel level;
  SourceLocation at;
  char *text;
} Diagnostic;

typedef struct {
  const char *name, *text; // kept by the caller
  size_t length;
} DiagnosticFile;

enum { MAX_DIAGNOSTICS = 1000 }; // diagnostics that are kept; the rest is counted

typedef struct {
  DiagnosticFile *file;
  int files;
  Diagnostic *diagnostic; // in the order in which they were found
  int count, room;
  int errors, warnings;
} Diagnostics;

Error DiagnosticsAddFile(Diagnostics *n, const char *name, const char *text, size_t length, int *file);
Error DiagnosticsAdd(Diagnostics *n, DiagnosticLevel level, SourceLocation at, const char *format, ...)
    PRINTF_LIKE(4, 5);
Error DiagnosticsDestroy(Diagnostics *n);

// Where something stands, for a diagnostic at `here`: "at line 3", or "at line 3 of parts.yaml" in another file.
const char *diagnostics_describe_location(const Diagnostics *n, SourceLocation at, SourceLocation here, char *text,
                                          size_t size);

// Prints one place with a text and the line that stands there.
void diagnostic_print_location(const Diagnostics *n, SourceLocation at, const char *text, FILE *out);
// Prints all diagnostics, file by file, in the order of their places.
Error DiagnosticsPrint(const Diagnostics *n, FILE *out);

#endif
