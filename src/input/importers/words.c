// SPDX-License-Identifier: Apache-2.0
#include "input/importers/words.h"

#include "base/limits.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Words words_of(const char *text, size_t length, ImportMistake *mistake) {
  return (Words){text, text + length, 1, false, true, mistake};
}

int words_at(const Words *w) { return w->line - w->ended; }

Error ReportMistake(Words *w, const char *format, ...) {
  va_list args;
  if (!w->good) return 0;
  va_start(args, format);
  vsnprintf(w->mistake->text, sizeof w->mistake->text, format, args);
  va_end(args);
  w->good = false, w->mistake->line = words_at(w);
  return 0;
}

bool words_next(Words *w, char *out, size_t size) {
  size_t n = 0;
  w->ended = false;
  while (w->p < w->end && isspace((unsigned char)*w->p)) w->line += *w->p++ == '\n';
  for (; w->p < w->end && !isspace((unsigned char)*w->p); w->p++)
    if (n + 1 < size) out[n++] = *w->p;
  out[n] = 0;
  return n > 0;
}

bool words_line(Words *w, char *out, size_t size) {
  size_t n = 0;
  w->ended = false;
  if (w->p >= w->end) return false;
  for (; w->p < w->end && *w->p != '\n'; w->p++)
    if (n + 1 < size && *w->p != '\r') out[n++] = *w->p;
  out[n] = 0;
  if (w->p < w->end) w->p++, w->line++, w->ended = true;
  return true;
}

Error WordReal(Words *w, const char *word, const char *what, double *out) {
  char copy[64], *end; // with the exponents of Fortran, 1.5D3
  size_t i = 0;
  for (; word[i] && i + 1 < sizeof copy; i++) copy[i] = word[i] == 'd' || word[i] == 'D' ? 'e' : word[i];
  copy[i] = 0;
  *out = strtod(copy, &end);
  if (*end || end == copy || word[i] || !isfinite(*out) || strspn(copy, "+-.0123456789eE") < strlen(copy))
    TRY(ReportMistake(w, "'%s' is not a number; %s is expected", word, what));
  if (!w->good) *out = 0;
  return 0;
}

Error WordInt(Words *w, const char *word, const char *what, long *out) {
  char *end;
  *out = strtol(word, &end, 10);
  if (*end || end == word || *out == LONG_MAX || *out == LONG_MIN)
    TRY(ReportMistake(w, "'%s' is not a whole number; %s is expected", word, what));
  if (!w->good) *out = 0;
  return 0;
}

// The next word of a file that should not end here.
static Error NextWord(Words *w, const char *what, char *word, size_t size) {
  if (!words_next(w, word, size)) TRY(ReportMistake(w, "the file ends where %s is expected", what));
  return 0;
}

Error NextReal(Words *w, const char *what, double *out) {
  char word[64];
  *out = 0;
  if (w->good) TRY(NextWord(w, what, word, sizeof word));
  if (w->good) TRY(WordReal(w, word, what, out));
  return 0;
}

Error NextInt(Words *w, const char *what, long *out) {
  char word[64];
  *out = 0;
  if (w->good) TRY(NextWord(w, what, word, sizeof word));
  if (w->good) TRY(WordInt(w, word, what, out));
  return 0;
}

Error NextCount(Words *w, const char *what, long *out) {
  TRY(NextInt(w, what, out));
  if (*out < 0 || *out > (w->end - w->p) / 2 + 1 || *out > LIMBER_MOST_ELEMENTS)
    TRY(ReportMistake(w, "%s is %ld, more than the rest of the file can contain", what, *out));
  if (!w->good) *out = 0;
  return 0;
}
