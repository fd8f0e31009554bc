// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/report.h"

#include "input/yaml/reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

Error ReportError(Reader *r, SourceLocation at, const char *format, ...) {
  char text[LIMIT_DIAGNOSTIC_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  TRY(DiagnosticsAdd(r->diagnostics, DIAGNOSTIC_ERROR, at, "%s", text));
  return 0;
}

Error ReportWarning(Reader *r, SourceLocation at, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  TRY(DiagnosticsAdd(r->diagnostics, DIAGNOSTIC_WARNING, at, "%s", text));
  return 0;
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
