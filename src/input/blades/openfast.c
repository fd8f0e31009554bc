// SPDX-License-Identifier: Apache-2.0
#include "input/blades/openfast.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool openfast_is_of(const char *first, size_t length, const char *module) {
  char line[200];
  size_t begin = 0, end;
  while (begin < length && isspace((unsigned char)first[begin])) begin++;
  for (end = begin; end < length && end < begin + 199 && first[end] != '\n';) end++;
  snprintf(line, sizeof line, "%.*s", (int)(end - begin), first + begin);
  if (line[0] != '-') return false;
  for (char *p = line; *p; p++) *p = (char)toupper((unsigned char)*p);
  return strstr(line, module) != NULL;
}

void openfast_words(const char *line, NamedValue *out) {
  while (isspace((unsigned char)*line)) line++;
  const char *end = *line == '"' || *line == '\'' ? strchr(line + 1, *line) : NULL;
  int quoted = end != NULL, length = quoted ? (int)(end - line) - 1 : (int)strcspn(line, " \t,");
  snprintf(out->value, sizeof out->value, "%.*s", length, line + quoted);
  line += length + 2 * quoted;
  while (isspace((unsigned char)*line) || *line == ',') line++;
  snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(line, " \t"), line);
}

static bool is_name(const char *found, const char *name) {
  size_t n = strlen(name);
  return !strncasecmp(found, name, n) && (!found[n] || found[n] == '(' || isdigit((unsigned char)found[n]));
}

bool openfast_next(Words *w, const char *name, NamedValue *out) {
  char line[OPENFAST_LINE];
  *out = (NamedValue){0};
  while (w->good && words_line(w, line, sizeof line)) {
    openfast_words(line, out);
    if (is_name(out->name, name)) return true;
  }
  return false;
}

Error FindNamed(Words *w, const char *name, NamedValue *out) {
  if (!openfast_next(w, name, out)) TRY(ReportMistake(w, "the file has no line '%s'", name));
  return 0;
}

Error FindCount(Words *w, const char *name, long least, long *out) {
  NamedValue found;
  char *end;
  *out = 0;
  TRY(FindNamed(w, name, &found));
  if (!w->good) return 0;
  long count = strtol(found.value, &end, 10);
  if (*end || end == found.value || count < least || count > (w->end - w->p) / 2)
    TRY(ReportMistake(w, "%s is '%s'; a number of at least %ld is expected, with as many rows below", name, found.value,
                      least));
  else *out = count;
  return 0;
}

Error FindTitle(Words *w, const char *title, char line[OPENFAST_LINE]) {
  size_t n = strlen(title);
  while (w->good && words_line(w, line, OPENFAST_LINE))
    for (const char *p = line; *p; p++)
      if (!strncasecmp(p, title, n)) return 0;
  TRY(ReportMistake(w, "the file has no line with '%s'", title));
  return 0;
}
