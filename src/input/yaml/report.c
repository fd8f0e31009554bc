// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/report.h"

#include "input/yaml/reader.h"
#include "input/yaml/scope.h"

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

SourceLocation locate_reason(const Reason *reason, const Tree *map, SourceLocation at) {
  for (int i = 0; i < REASON_DEPTH && reason->field[i] && map && map->kind == TREE_MAP; i++) {
    map = tree_find(map, reason->field[i]);
    if (map) at = map->at;
  }
  return at;
}

Error TakeModelDiagnostics(Reader *r, int before, const Tree *map, SourceLocation at) {
  for (int i = before; i < r->model->reasons.count; i++) {
    const Reason *reason = model_reason(r->model, i);
    TRY(ReportError(r, locate_reason(reason, map, at), "%s", reason->text));
  }
  return 0;
}
