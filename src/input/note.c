// SPDX-License-Identifier: Apache-2.0
#include "input/note.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

Error NotesAdd(Notes *n, NoteLevel level, Place at, const char *format, ...) {
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (at.end > n->length) at.end = n->length;
  if (at.begin > at.end) at.begin = at.end;
  for (int i = n->count; i-- > 0 && i > n->count - 50;) // what several users of one anchor repeat is said once
    if (n->note[i].at.begin == at.begin && !strcmp(n->note[i].text, text)) return 0;
  if (n->count == n->room) {
    n->room = n->room ? 2 * n->room : 16;
    TRY(MemoryResize((size_t)n->room * sizeof *n->note, &n->note));
  }
  Note *note = &n->note[n->count];
  note->level = level, note->at = at;
  TRY(MemoryNew(strlen(text) + 1, &note->text));
  strcpy(note->text, text);
  n->count++;
  switch (level) {
  case NOTE_ERROR: n->errors++; break;
  case NOTE_WARNING: n->warnings++; break;
  }
  return 0;
}

Error NotesDestroy(Notes *n) {
  for (int i = 0; i < n->count; i++) memory_free(&n->note[i].text);
  memory_free(&n->note);
  *n = (Notes){0};
  return 0;
}

// Characters of UTF-8 in a piece of text.
static int characters(const char *s, size_t n) {
  int count = 0;
  for (size_t i = 0; i < n; i++) count += ((unsigned char)s[i] & 0xC0) != 0x80;
  return count;
}

static size_t line_begin(const Notes *n, size_t at) {
  while (at > 0 && n->text[at - 1] != '\n') at--;
  return at;
}

static size_t line_end(const Notes *n, size_t at) {
  while (at < n->length && n->text[at] != '\n' && n->text[at] != '\r') at++;
  return at;
}

void notes_position(const Notes *n, size_t at, int *line, int *column) {
  size_t begin = line_begin(n, at);
  *line = 1;
  for (const char *p = n->text; (p = memchr(p, '\n', begin - (size_t)(p - n->text))); p++) ++*line;
  *column = 1 + characters(n->text + begin, at - begin);
}

// The line, and beneath it ^~~~ along the place as far as the line goes. A tab stays a tab, so that they align.
static void print_source(const Notes *n, Place at, int line, FILE *out) {
  enum { WIDEST = 160 };
  size_t begin = line_begin(n, at.begin), end = line_end(n, at.begin), stop = at.end < end ? at.end : end;
  if (end - begin > WIDEST && at.begin - begin < WIDEST / 2) end = begin + WIDEST; // a long line is shown in part
  else if (end - begin > WIDEST) begin = at.begin - WIDEST / 2, end = begin + WIDEST < end ? begin + WIDEST : end;
  while (begin < end && ((unsigned char)n->text[begin] & 0xC0) == 0x80) begin++;
  while (end < n->length && ((unsigned char)n->text[end] & 0xC0) == 0x80) end++;
  if (stop > end) stop = end;
  fprintf(out, "%5d | ", line);
  for (size_t i = begin; i < end; i++) { // what would control a terminal is shown as ?
    unsigned char c = (unsigned char)n->text[i];
    fputc((c < 0x20 && c != '\t') || c == 0x7F ? '?' : c, out);
  }
  fputs("\n      | ", out);
  for (size_t i = begin; i < at.begin; i++)
    if (((unsigned char)n->text[i] & 0xC0) != 0x80) fputc(n->text[i] == '\t' ? '\t' : ' ', out);
  fputc('^', out);
  for (int i = 1, width = characters(n->text + at.begin, stop > at.begin ? stop - at.begin : 0); i < width; i++)
    fputc('~', out);
  fputc('\n', out);
}

typedef struct {
  const Note *note;
  int order;
} Sorted;

static int by_place(const void *a, const void *b) {
  const Sorted *p = a, *q = b;
  if (p->note->at.begin != q->note->at.begin) return p->note->at.begin < q->note->at.begin ? -1 : 1;
  return p->order - q->order;
}

Error NotesPrint(const Notes *n, FILE *out) {
  static const char *const level[] = {[NOTE_ERROR] = "error", [NOTE_WARNING] = "warning"};
  Sorted *sorted;
  if (!n->count) return 0;
  TRY(MemoryNew((size_t)n->count * sizeof *sorted, &sorted));
  for (int i = 0; i < n->count; i++) sorted[i] = (Sorted){&n->note[i], i};
  qsort(sorted, (size_t)n->count, sizeof *sorted, by_place);
  int line = 1;
  size_t seen = 0; // lines are counted once over all notes
  for (int i = 0; i < n->count; i++) {
    const Note *note = sorted[i].note;
    size_t begin = line_begin(n, note->at.begin);
    for (; seen < begin; seen++) line += n->text[seen] == '\n';
    int column = 1 + characters(n->text + begin, note->at.begin - begin);
    fprintf(out, "%s:%d:%d: %s: %s\n", n->file, line, column, level[note->level], note->text);
    if (n->length) print_source(n, note->at, line, out);
  }
  memory_free(&sorted);
  return 0;
}
