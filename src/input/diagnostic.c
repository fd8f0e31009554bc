// SPDX-License-Identifier: Apache-2.0
#include "input/diagnostic.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

Error DiagnosticsAddFile(Diagnostics *n, const char *name, const char *text, size_t length, int *file) {
  TRY(MemoryResize((size_t)(n->files + 1) * sizeof *n->file, &n->file));
  n->file[n->files] = (DiagnosticFile){name, text, length, false};
  *file = n->files++;
  return 0;
}

void text_clean(char *text, bool lines, char by) {
  for (unsigned char *c = (unsigned char *)text; *c; c++) {
    if ((*c < ' ' && !(lines && (*c == '\n' || *c == '\t'))) || *c == 0x7f) *c = (unsigned char)by;
    else if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) c[0] = c[1] = (unsigned char)by, c++; // the same beyond ASCII
  }
}

static void count_level(Diagnostics *n, DiagnosticLevel level) {
  if (level == DIAGNOSTIC_ERROR) n->errors++;
  else n->warnings++;
}

Error DiagnosticsAdd(Diagnostics *n, DiagnosticLevel level, SourceLocation at, const char *format, ...) {
  char text[LIMIT_DIAGNOSTIC_TEXT];
  va_list args;
  if (diagnostics_are_full(n)) return count_level(n, level), 0;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  text_clean(text, true, '?'); // it may have words of a file that is no model
  size_t length = n->file[at.file].length;
  if (at.end > length) at.end = length;
  if (at.begin > at.end) at.begin = at.end;
  for (int i = n->count; i-- > 0 && i > n->count - 50;) // what several users of one anchor repeat is said once
    if (n->diagnostic[i].at.begin == at.begin && n->diagnostic[i].at.file == at.file &&
        !strcmp(n->diagnostic[i].text, text))
      return 0;
  if (n->count == n->room) {
    n->room = n->room ? 2 * n->room : 16;
    TRY(MemoryResize((size_t)n->room * sizeof *n->diagnostic, &n->diagnostic));
  }
  Diagnostic *diagnostic = &n->diagnostic[n->count];
  diagnostic->level = level, diagnostic->at = at;
  TRY(MemoryNew(strlen(text) + 1, &diagnostic->text));
  strcpy(diagnostic->text, text);
  n->count++;
  count_level(n, level);
  return 0;
}

int diagnostics_change_at(const Diagnostics *n, SourceLocation at) {
  const DiagnosticFile *f = &n->file[at.file];
  int line = 0;
  if (strcmp(f->name, "--set")) return -1;
  for (size_t i = 0; i < at.begin && i < f->length; i++) line += f->text[i] == '\n';
  return line;
}

Error DiagnosticsDestroy(Diagnostics *n) {
  for (int i = 0; i < n->count; i++) memory_free(&n->diagnostic[i].text);
  memory_free(&n->diagnostic);
  memory_free(&n->file);
  *n = (Diagnostics){0};
  return 0;
}

// Characters of UTF-8 in a piece of text.
static int count_characters(const char *s, size_t n) {
  int count = 0;
  for (size_t i = 0; i < n; i++) count += ((unsigned char)s[i] & 0xC0) != 0x80;
  return count;
}

const char *diagnostics_describe_location(const Diagnostics *n, SourceLocation at, SourceLocation here, char *text,
                                          size_t size) {
  const DiagnosticFile *f = &n->file[at.file];
  int line = 1;
  text[0] = 0;
  if (diagnostics_are_full(n)) return text; // which nobody will read
  for (const char *p = f->text; (p = memchr(p, '\n', at.begin - (size_t)(p - f->text))); p++) line++;
  if (at.file == here.file) snprintf(text, size, "at line %d", line);
  else snprintf(text, size, "at line %d of %s", line, f->name);
  return text;
}

// Where a byte of a file stands; found from a place before it, so that all of a file are found in one pass.
typedef struct {
  size_t begin, at; // of the line; the byte
  int line, column; // from 1; columns count characters
} Position;

static void move_to(const DiagnosticFile *f, size_t at, Position *p) {
  for (; p->at < at; p->at++) {
    unsigned char c = (unsigned char)f->text[p->at];
    if (c == '\n') p->line++, p->column = 1, p->begin = p->at + 1;
    else p->column += (c & 0xC0) != 0x80;
  }
}

static const Position file_start = {0, 0, 1, 1};

// The line, and beneath it ^~~~ along the place as far as the line goes. A tab stays a tab, so that they align.
static void print_source(const DiagnosticFile *f, SourceLocation at, const Position *p, FILE *out) {
  enum { WIDEST = 160 };
  size_t begin = p->begin, end = begin;
  if (at.begin - begin >= WIDEST / 2) end = at.begin;
  while (end < f->length && end < at.begin + WIDEST && f->text[end] != '\n' && f->text[end] != '\r') end++;
  size_t stop = at.end < end ? at.end : end;
  if (end - begin > WIDEST && at.begin - begin < WIDEST / 2) end = begin + WIDEST; // a long line is shown in part
  else if (end - begin > WIDEST) begin = at.begin - WIDEST / 2, end = begin + WIDEST < end ? begin + WIDEST : end;
  while (begin < end && ((unsigned char)f->text[begin] & 0xC0) == 0x80) begin++;
  while (end < f->length && ((unsigned char)f->text[end] & 0xC0) == 0x80) end++;
  if (stop > end) stop = end;
  fprintf(out, "%5d | ", p->line);
  for (size_t i = begin; i < end; i++) { // what would control a terminal is shown as ?
    unsigned char c = (unsigned char)f->text[i], next = i + 1 < end ? (unsigned char)f->text[i + 1] : 0;
    bool wide = c == 0xC2 && next >= 0x80 && next < 0xA0;
    fputc((c < 0x20 && c != '\t') || c == 0x7F || wide ? '?' : c, out);
    i += wide;
  }
  fputs("\n      | ", out);
  for (size_t i = begin; i < at.begin; i++)
    if (((unsigned char)f->text[i] & 0xC0) != 0x80) fputc(f->text[i] == '\t' ? '\t' : ' ', out);
  fputc('^', out);
  for (int i = 1, width = count_characters(f->text + at.begin, stop > at.begin ? stop - at.begin : 0); i < width; i++)
    fputc('~', out);
  fputc('\n', out);
}

void diagnostic_print_location(const Diagnostics *n, SourceLocation at, const char *text, FILE *out) {
  const DiagnosticFile *f = &n->file[at.file];
  Position p = file_start;
  move_to(f, at.begin, &p);
  fprintf(out, "%s:%d:%d: %s\n", f->name, p.line, p.column, text);
  if (f->length && !f->hidden) print_source(f, at, &p, out);
}

typedef struct {
  const Diagnostic *diagnostic;
  int order;
  size_t word[2]; // begin and end of its level in the text
} Sorted;

static int compare_locations(const void *a, const void *b) {
  const Sorted *p = a, *q = b;
  if (p->diagnostic->at.file != q->diagnostic->at.file) return p->diagnostic->at.file - q->diagnostic->at.file;
  if (p->diagnostic->at.begin != q->diagnostic->at.begin)
    return p->diagnostic->at.begin < q->diagnostic->at.begin ? -1 : 1;
  return p->order - q->order;
}

static void write_styled(const char *all, size_t size, const Sorted *sorted, int count, FILE *to,
                         DiagnosticStyle style) {
  size_t done = 0;
  for (int i = 0; i < count && style; i++) {
    const size_t *word = sorted[i].word;
    fwrite(all + done, 1, word[0] - done, to);
    style(to, sorted[i].diagnostic->level, true);
    fwrite(all + word[0], 1, word[1] - word[0], to);
    style(to, sorted[i].diagnostic->level, false);
    done = word[1];
  }
  fwrite(all + done, 1, size - done, to);
}

// In large pieces, for stderr writes every character on its own.
static Error PrintSorted(const Diagnostics *n, Sorted *sorted, FILE *to, DiagnosticStyle style) {
  static const char *const level[] = {
      [DIAGNOSTIC_ERROR] = "error", [DIAGNOSTIC_WARNING] = "warning", [DIAGNOSTIC_UNUSED] = "warning"};
  char *all = NULL;
  size_t size = 0;
  Position p = file_start;
  FILE *out = open_memstream(&all, &size);
  ENSURE(out, ERROR_MEMORY, "no memory to print into");
  for (int i = 0; i < n->count; i++) {
    const Diagnostic *diagnostic = sorted[i].diagnostic;
    const DiagnosticFile *f = &n->file[diagnostic->at.file];
    if (i && diagnostic->at.file != sorted[i - 1].diagnostic->at.file) p = file_start;
    move_to(f, diagnostic->at.begin, &p);
    fprintf(out, "%s:%d:%d: ", f->name, p.line, p.column);
    sorted[i].word[0] = (size_t)ftell(out);
    sorted[i].word[1] = sorted[i].word[0] + strlen(level[diagnostic->level]) + 1;
    fprintf(out, "%s: %s\n", level[diagnostic->level], diagnostic->text);
    if (f->length && !f->hidden) print_source(f, diagnostic->at, &p, out);
  }
  if (n->errors + n->warnings > n->count)
    fprintf(out, "... and %d more, which are not listed\n", n->errors + n->warnings - n->count);
  bool reason = fclose(out) != 0;
  if (!reason) write_styled(all, size, sorted, n->count, to, style);
  free(all);
  ENSURE(!reason, ERROR_MEMORY, "no memory to print into");
  return 0;
}

Error DiagnosticsPrint(const Diagnostics *n, FILE *out, DiagnosticStyle style) {
  Sorted *sorted;
  if (!n->count) return 0;
  TRY(MemoryNew((size_t)n->count * sizeof *sorted, &sorted));
  for (int i = 0; i < n->count; i++) sorted[i] = (Sorted){.diagnostic = &n->diagnostic[i], .order = i};
  qsort(sorted, (size_t)n->count, sizeof *sorted, compare_locations);
  Error error = PrintSorted(n, sorted, out, style);
  memory_free(&sorted);
  return error;
}
