// SPDX-License-Identifier: Apache-2.0
// Notes on texts that a user wrote: where, and what is wrong. All of them are collected and printed at once.
//   swing.yaml:12:9: error: beam has no field 'sectoin'; did you mean 'section'?
//      12 |   - beam: {sectoin: strip}
//         |            ^~~~~~~
#ifndef LIMBER_INPUT_NOTE_H
#define LIMBER_INPUT_NOTE_H

#include "model/error.h"
#include <stdio.h>

typedef struct {
  size_t begin, end; // bytes of the file's text
  int file;
} Place;

typedef enum { NOTE_ERROR, NOTE_WARNING } NoteLevel;

typedef struct {
  NoteLevel level;
  Place at;
  char *text;
} Note;

typedef struct {
  const char *name, *text; // kept by the caller
  size_t length;
} NoteFile;

enum { NOTES_MOST = 1000 }; // notes that are kept; the rest is counted

typedef struct {
  NoteFile *file;
  int files;
  Note *note; // in the order in which they were found
  int count, room;
  int errors, warnings;
} Notes;

Error NotesAddFile(Notes *n, const char *name, const char *text, size_t length, int *file);
Error NotesAdd(Notes *n, NoteLevel level, Place at, const char *format, ...) PRINTF_LIKE(4, 5);
Error NotesDestroy(Notes *n);

// Where something stands, for a note at `here`: "at line 3", or "at line 3 of parts.yaml" in another file.
const char *notes_where(const Notes *n, Place at, Place here, char *text, size_t size);

// Prints one place with a text and the line that stands there.
void note_print_place(const Notes *n, Place at, const char *text, FILE *out);
// Prints all notes, file by file, in the order of their places.
Error NotesPrint(const Notes *n, FILE *out);

#endif
