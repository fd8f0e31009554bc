// SPDX-License-Identifier: Apache-2.0
// What is wrong with a model file, or odd about it.
#ifndef LIMBER_INPUT_YAML_REPORT_H
#define LIMBER_INPUT_YAML_REPORT_H

#include "input/yaml/tree.h"

typedef struct Reader Reader;

Error ReportError(Reader *r, SourceLocation at, const char *format, ...) PRINTF_LIKE(3, 4);
Error ReportWarning(Reader *r, SourceLocation at, const char *format, ...) PRINTF_LIKE(3, 4);

// Moves what the model has noted since `before` (length of its diagnostics) to a place in the file: the value of the first
// key of `map` that the diagnostic names, or `at`.
Error TakeModelDiagnostics(Reader *r, size_t before, const Tree *map, SourceLocation at);

#endif
