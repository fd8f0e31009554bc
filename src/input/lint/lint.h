// SPDX-License-Identifier: Apache-2.0
// Warnings about what a model may be but is seldom meant to be. Checks report only clear cases. A new check is a
// function in the file of its subject and one line in checks.def.
#ifndef LIMBER_INPUT_LINT_LINT_H
#define LIMBER_INPUT_LINT_LINT_H

#include "input/diagnostic.h"
#include "model/model.h"

typedef struct Reader Reader;

// Places in the file of all components, joints, loads and sections, by their ids.
typedef struct {
  SourceLocation *component, *joint, *load, *section;
} ModelLocations;

// The diagonal of the box that contains all nodes from this one on; 0 is the ground.
double nodes_extent(Model m, int first);

Error ReportWarnings(Reader *r); // of a model without mistakes

typedef Error (*LintCheck)(Reader *r, const ModelLocations *at);
#define CHECK(name)      Error WarnAbout##name(Reader *r, const ModelLocations *at);
#define STEP_CHECK(name) CHECK(name)
#include "input/lint/checks.def"
#undef STEP_CHECK
#undef CHECK

#endif
