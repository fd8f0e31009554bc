// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/table_lines.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TableLines table_lines(const char *text, size_t length) {
  bool marked = length > 3 && !strncmp(text, "\xEF\xBB\xBF", 3); // as UTF-8
  return (TableLines){text + (marked ? 3 : 0), text + length, 0, 0};
}

bool next_table_line(TableLines *l, TableCell *out) {
  while (l->at < l->end) {
    const char *end = memchr(l->at, '\n', (size_t)(l->end - l->at)), *p = l->at;
    if (!end) end = l->end;
    l->at = end < l->end ? end + 1 : end;
    l->line++;
    while (end > p && isspace((unsigned char)end[-1])) end--;
    while (p < end && isspace((unsigned char)*p) && (*p != '\t' || l->divider != '\t')) p++;
    if (p == end || *p == '#') continue;
    *out = (TableCell){p, (size_t)(end - p)};
    return true;
  }
  return false;
}

void find_table_divider(TableLines *l, TableCell first) {
  l->divider = ' ';
  for (const char *d = ";\t,"; *d && l->divider == ' '; d++)
    if (memchr(first.text, *d, first.length)) l->divider = *d;
}

TableCell next_table_cell(const TableLines *l, TableCell *line) {
  const char *p = line->text, *end = p + line->length, *q = p;
  while (q < end && (l->divider == ' ' ? !isspace((unsigned char)*q) : *q != l->divider)) q++;
  const char *rest = q < end ? q + 1 : end, *last = q;
  while (l->divider == ' ' && rest < end && isspace((unsigned char)*rest)) rest++;
  *line = (TableCell){rest, (size_t)(end - rest)};
  while (p < last && isspace((unsigned char)*p)) p++;
  while (last > p && isspace((unsigned char)last[-1])) last--;
  if (last - p > 1 && *p == '"' && last[-1] == '"') p++, last--;
  return (TableCell){p, (size_t)(last - p)};
}

bool read_table_number(TableCell c, double *out) {
  char text[64], *end;
  if (!c.length || c.length >= sizeof text || strspn(c.text, "+-.0123456789eE") < c.length) return false;
  memcpy(text, c.text, c.length), text[c.length] = 0;
  *out = strtod(text, &end);
  return !*end && isfinite(*out);
}
