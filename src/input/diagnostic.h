// SPDX-License-Identifier: Apache-2.0
// Diagnostics of texts that a user wrote: where, and what is wrong. All of them are collected and printed at once.
//   swing.yaml:12:9: error: beam has no field 'sectoin'; did you mean 'section'?
//      12 |   - beam: {sectoin: strip}
//         |            ^~~~~~~
#ifndef LIMBER_INPUT_DIAGNOSTIC_H
#define LIMBER_INPUT_DIAGNOSTIC_H

#include "base/limits.h"
#include "model/error.h"
#include <stdbool.h>
#include <stdio.h>

typedef struct {
  size_t begin, end; // bytes of the file's text
  int file;
} SourceLocation;

typedef enum {
  DIAGNOSTIC_ERROR,
  DIAGNOSTIC_WARNING,
  DIAGNOSTIC_UNUSED, // a warning: a change sets a parameter that nothing uses
} DiagnosticLevel;

typedef struct {
  DiagnosticLevel level;
  SourceLocation at;
  char *text;
} Diagnostic;

typedef struct {
  const char *name, *text; // kept by the caller
  size_t length;
  bool hidden; // no line of it is printed: it is no model, and may be anybody's
} DiagnosticFile;

typedef struct {
  DiagnosticFile *file;
  int files;
  Diagnostic *diagnostic; // in the order in which they were found, LIMIT_DIAGNOSTICS at most; the rest is counted
  int count, room;
  int errors, warnings;
} Diagnostics;

Error DiagnosticsAddFile(Diagnostics *n, const char *name, const char *text, size_t length, int *file);
Error DiagnosticsAdd(Diagnostics *n, DiagnosticLevel level, SourceLocation at, const char *format, ...)
    PRINTF_LIKE(4, 5);
Error DiagnosticsDestroy(Diagnostics *n);
// Characters that control a terminal become `by`; ends of lines and tabs also, unless they are wanted.
void text_clean(char *text, bool lines, char by);
// Whether further ones are only counted, so that nobody will read what they say.
static inline bool diagnostics_are_full(const Diagnostics *n) { return n->count == LIMIT_DIAGNOSTICS; }

// The change of the command line at a place, from 0; -1: there is none.
int diagnostics_change_at(const Diagnostics *n, SourceLocation at);

// Where something stands, for a diagnostic at `here`: "at line 3", or "at line 3 of parts.yaml" in another file.
const char *diagnostics_describe_location(const Diagnostics *n, SourceLocation at, SourceLocation here, char *text,
                                          size_t size);

// Prints one place with a text and the line that stands there.
void diagnostic_print_location(const Diagnostics *n, SourceLocation at, const char *text, FILE *out);
// Called before and after the word `error` or `warning` of a diagnostic.
typedef void (*DiagnosticStyle)(FILE *out, DiagnosticLevel level, bool begins);
// Prints all diagnostics, file by file, in the order of their places. `style` may be NULL.
Error DiagnosticsPrint(const Diagnostics *n, FILE *out, DiagnosticStyle style);

#endif
