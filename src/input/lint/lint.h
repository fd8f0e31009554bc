// SPDX-License-Identifier: Apache-2.0
// Warnings about what a model may be but is seldom meant to be. Each is silent where there is doubt. A new check is one file
// with its function and one line in checks.def.
#ifndef LIMBER_INPUT_LINT_LINT_H
#define LIMBER_INPUT_LINT_LINT_H

#include "input/diagnostic.h"

typedef struct Reader Reader;

// Places in the file of all components, joints, loads and sections, by their ids.
typedef struct {
  SourceLocation *component, *joint, *load, *section;
} ModelLocations;

Error ReportWarnings(Reader *r); // of a model without mistakes

typedef Error (*LintCheck)(Reader *r, const ModelLocations *at);
#define CHECK(name) Error WarnAbout##name(Reader *r, const ModelLocations *at);
#include "input/lint/checks.def"
#undef CHECK

#endif
