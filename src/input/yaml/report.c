// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/report.h"

#include "input/yaml/reader.h"
#include "input/yaml/scope.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

static const char in_instance[] = " (in instance ";

// Whether a text has been reported there: of another instance of the same part.
static bool is_reported(const Diagnostics *d, SourceLocation at, const char *text) {
  size_t length = strlen(text);
  for (int i = 0; i < d->count; i++) {
    const Diagnostic *old = &d->diagnostic[i];
    if (old->at.begin == at.begin && old->at.file == at.file && !strncmp(old->text, text, length) &&
        !strncmp(old->text + length, in_instance, strlen(in_instance)))
      return true;
  }
  return false;
}

static Error Report(Reader *r, DiagnosticLevel level, SourceLocation at, const char *text) {
  const Scope *s = r->scope;
  if (!s) return DiagnosticsAdd(r->diagnostics, level, at, "%s", text);
  if (is_reported(r->diagnostics, at, text)) return 0;
  return DiagnosticsAdd(r->diagnostics, level, at, "%s%s%s of part %.100s)", text, in_instance, s->name, s->part);
}

Error ReportError(Reader *r, SourceLocation at, const char *format, ...) {
  char text[LIMIT_DIAGNOSTIC_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return Report(r, DIAGNOSTIC_ERROR, at, text);
}

Error ReportWarning(Reader *r, SourceLocation at, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return Report(r, DIAGNOSTIC_WARNING, at, text);
}

// The first word of the text that is a key of the map: its value is what the text is about.
static bool find_subject(const char *text, const char *end, const Tree *map, SourceLocation *location) {
  for (const char *p = text; p < end; p++) {
    size_t n = 0;
    while (p + n < end && (isalnum((unsigned char)p[n]) || p[n] == '_')) n++;
    for (int i = 0; n && i < map->count; i++)
      if (strlen(map->key[i]->text) == n && !strncmp(map->key[i]->text, p, n))
        return *location = map->entry[i]->at, true;
    p += n;
  }
  return false;
}

Error TakeModelDiagnostics(Reader *r, size_t before, const Tree *map, SourceLocation at) {
  for (const char *p = limber_model_diagnostics(r->model) + before, *end; *p; p = *end ? end + 1 : end) {
    SourceLocation location = at;
    end = p + strcspn(p, "\n");
    const char *text = strstr(p, "': "); // after the component's name
    if (map && map->kind == TREE_MAP) find_subject(text && text < end ? text + 3 : p, end, map, &location);
    TRY(ReportError(r, location, "%.*s", (int)(end - p), p));
  }
  return 0;
}
