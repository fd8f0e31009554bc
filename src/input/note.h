// SPDX-License-Identifier: Apache-2.0
// Notes on a text that a user wrote: where, and what is wrong. All of them are collected and printed at once.
//   swing.yaml:12:9: error: beam has no field 'sectoin'; did you mean 'section'?
//      12 |   - beam: {sectoin: strip}
//         |            ^~~~~~~
#ifndef LIMBER_INPUT_NOTE_H
#define LIMBER_INPUT_NOTE_H

#include "model/error.h"
#include <stdio.h>

typedef struct {
  size_t begin, end; // bytes of the text
} Place;

typedef enum { NOTE_ERROR, NOTE_WARNING } NoteLevel;

typedef struct {
  NoteLevel level;
  Place at;
  char *text;
} Note;

typedef struct {
  const char *file, *text; // kept by the caller
  size_t length;
  Note *note; // in the order in which they were found
  int count, room;
  int errors, warnings;
} Notes;

Error NotesAdd(Notes *n, NoteLevel level, Place at, const char *format, ...) PRINTF_LIKE(4, 5);
Error NotesDestroy(Notes *n);

// Line and column of a byte, both from 1; the column counts characters.
void notes_position(const Notes *n, size_t at, int *line, int *column);

// Prints all notes in the order of the file.
Error NotesPrint(const Notes *n, FILE *out);

#endif
