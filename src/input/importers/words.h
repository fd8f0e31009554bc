// SPDX-License-Identifier: Apache-2.0
// The words of a text file of another program: divided by blanks and lines. The first mistake is reported and ends the
// reading: then nothing more is read, and numbers are 0.
#ifndef LIMBER_INPUT_IMPORTERS_WORDS_H
#define LIMBER_INPUT_IMPORTERS_WORDS_H

#include "model/error.h"

#include <stdbool.h>

typedef struct {
  int line;         // of the file, from 1
  char text[500];   // what is wrong; "": nothing is
  const char *file; // where a file names others: the one that is read
} ImportMistake;

typedef struct {
  const char *p, *end;
  int line;   // of the last word
  bool ended; // the end of that line has been read: `line` is the next
  bool good;
  ImportMistake *mistake;
} Words;

Words words_of(const char *text, size_t length, ImportMistake *mistake);
int words_at(const Words *w); // the line that was read last
Error ReportMistake(Words *w, const char *format, ...);

bool words_next(Words *w, char *out, size_t size); // false at the end of the file
// The rest of the line, without its end; false at the end of the file.
bool words_line(Words *w, char *out, size_t size);
// A word as a number, or a mistake.
Error WordReal(Words *w, const char *word, const char *what, double *out);
Error WordInt(Words *w, const char *word, const char *what, long *out);
Error NextReal(Words *w, const char *what, double *out);
Error NextInt(Words *w, const char *what, long *out);
Error NextCount(Words *w, const char *what, long *out); // of things that have two bytes or more each

#endif
