// SPDX-License-Identifier: Apache-2.0
#include "input/note.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

Error NotesAddFile(Notes *n, const char *name, const char *text, size_t length, int *file) {
  TRY(MemoryResize((size_t)(n->files + 1) * sizeof *n->file, &n->file));
  n->file[n->files] = (NoteFile){name, text, length};
  *file = n->files++;
  return 0;
}

Error NotesAdd(Notes *n, NoteLevel level, Place at, const char *format, ...) {
  char text[2048];
  va_list args;
  if (n->count == NOTES_MOST) {
    n->errors += level == NOTE_ERROR, n->warnings += level == NOTE_WARNING;
    return 0;
  }
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  size_t length = n->file[at.file].length;
  if (at.end > length) at.end = length;
  if (at.begin > at.end) at.begin = at.end;
  for (int i = n->count; i-- > 0 && i > n->count - 50;) // what several users of one anchor repeat is said once
    if (n->note[i].at.begin == at.begin && n->note[i].at.file == at.file && !strcmp(n->note[i].text, text)) return 0;
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
  memory_free(&n->file);
  *n = (Notes){0};
  return 0;
}

// Characters of UTF-8 in a piece of text.
static int characters(const char *s, size_t n) {
  int count = 0;
  for (size_t i = 0; i < n; i++) count += ((unsigned char)s[i] & 0xC0) != 0x80;
  return count;
}

static size_t line_begin(const NoteFile *f, size_t at) {
  while (at > 0 && f->text[at - 1] != '\n') at--;
  return at;
}

static size_t line_end(const NoteFile *f, size_t at) {
  while (at < f->length && f->text[at] != '\n' && f->text[at] != '\r') at++;
  return at;
}

const char *notes_where(const Notes *n, Place at, Place here, char *text, size_t size) {
  const NoteFile *f = &n->file[at.file];
  int line = 1;
  text[0] = 0;
  if (n->count == NOTES_MOST) return text; // which nobody will read
  for (const char *p = f->text; (p = memchr(p, '\n', at.begin - (size_t)(p - f->text))); p++) line++;
  if (at.file == here.file) snprintf(text, size, "at line %d", line);
  else snprintf(text, size, "at line %d of %s", line, f->name);
  return text;
}

// The line, and beneath it ^~~~ along the place as far as the line goes. A tab stays a tab, so that they align.
static void print_source(const NoteFile *f, Place at, int line, FILE *out) {
  enum { WIDEST = 160 };
  size_t begin = line_begin(f, at.begin), end = line_end(f, at.begin), stop = at.end < end ? at.end : end;
  if (end - begin > WIDEST && at.begin - begin < WIDEST / 2) end = begin + WIDEST; // a long line is shown in part
  else if (end - begin > WIDEST) begin = at.begin - WIDEST / 2, end = begin + WIDEST < end ? begin + WIDEST : end;
  while (begin < end && ((unsigned char)f->text[begin] & 0xC0) == 0x80) begin++;
  while (end < f->length && ((unsigned char)f->text[end] & 0xC0) == 0x80) end++;
  if (stop > end) stop = end;
  fprintf(out, "%5d | ", line);
  for (size_t i = begin; i < end; i++) { // what would control a terminal is shown as ?
    unsigned char c = (unsigned char)f->text[i];
    fputc((c < 0x20 && c != '\t') || c == 0x7F ? '?' : c, out);
  }
  fputs("\n      | ", out);
  for (size_t i = begin; i < at.begin; i++)
    if (((unsigned char)f->text[i] & 0xC0) != 0x80) fputc(f->text[i] == '\t' ? '\t' : ' ', out);
  fputc('^', out);
  for (int i = 1, width = characters(f->text + at.begin, stop > at.begin ? stop - at.begin : 0); i < width; i++)
    fputc('~', out);
  fputc('\n', out);
}

void note_print_place(const Notes *n, Place at, const char *text, FILE *out) {
  const NoteFile *f = &n->file[at.file];
  size_t begin = line_begin(f, at.begin);
  int line = 1;
  for (size_t i = 0; i < begin; i++) line += f->text[i] == '\n';
  fprintf(out, "%s:%d:%d: %s\n", f->name, line, 1 + characters(f->text + begin, at.begin - begin), text);
  if (f->length) print_source(f, at, line, out);
}

typedef struct {
  const Note *note;
  int order;
} Sorted;

static int by_place(const void *a, const void *b) {
  const Sorted *p = a, *q = b;
  if (p->note->at.file != q->note->at.file) return p->note->at.file - q->note->at.file;
  if (p->note->at.begin != q->note->at.begin) return p->note->at.begin < q->note->at.begin ? -1 : 1;
  return p->order - q->order;
}

// In one piece, for stderr writes every character on its own.
static Error PrintSorted(const Notes *n, const Sorted *sorted, FILE *to) {
  static const char *const level[] = {[NOTE_ERROR] = "error", [NOTE_WARNING] = "warning"};
  char *all = NULL;
  size_t size = 0, seen = 0; // lines are counted once over all notes of a file
  int line = 1;
  FILE *out = open_memstream(&all, &size);
  ENSURE(out, ERROR_MEMORY, "no memory to print into");
  for (int i = 0; i < n->count; i++) {
    const Note *note = sorted[i].note;
    const NoteFile *f = &n->file[note->at.file];
    if (i && note->at.file != sorted[i - 1].note->at.file) line = 1, seen = 0;
    size_t begin = line_begin(f, note->at.begin);
    for (; seen < begin; seen++) line += f->text[seen] == '\n';
    int column = 1 + characters(f->text + begin, note->at.begin - begin);
    fprintf(out, "%s:%d:%d: %s: %s\n", f->name, line, column, level[note->level], note->text);
    if (f->length) print_source(f, note->at, line, out);
  }
  if (n->errors + n->warnings > n->count)
    fprintf(out, "... and %d more, which are not listed\n", n->errors + n->warnings - n->count);
  bool wrong = fclose(out) != 0;
  if (!wrong) fwrite(all, 1, size, to);
  free(all);
  ENSURE(!wrong, ERROR_MEMORY, "no memory to print into");
  return 0;
}

Error NotesPrint(const Notes *n, FILE *out) {
  Sorted *sorted;
  if (!n->count) return 0;
  TRY(MemoryNew((size_t)n->count * sizeof *sorted, &sorted));
  for (int i = 0; i < n->count; i++) sorted[i] = (Sorted){&n->note[i], i};
  qsort(sorted, (size_t)n->count, sizeof *sorted, by_place);
  Error error = PrintSorted(n, sorted, out);
  memory_free(&sorted);
  return error;
}
