// SPDX-License-Identifier: Apache-2.0
// What is wrong with a model file, or odd about it.
#ifndef LIMBER_INPUT_YAML_REPORT_H
#define LIMBER_INPUT_YAML_REPORT_H

#include "base/reason.h"
#include "input/yaml/tree.h"

typedef struct Reader Reader;

Error ReportError(Reader *r, SourceLocation at, const char *format, ...) PRINTF_LIKE(3, 4);
Error ReportWarning(Reader *r, SourceLocation at, const char *format, ...) PRINTF_LIKE(3, 4);

// The value in `map` (or NULL) of the field that a reason is about, or of the map around it; `at` where it is not
// written.
SourceLocation locate_reason(const Reason *reason, const Tree *map, SourceLocation at);
// Moves what the model has noted since it had `before` reasons to its place in the file.
Error TakeModelDiagnostics(Reader *r, int before, const Tree *map, SourceLocation at);

#endif
