// SPDX-License-Identifier: Apache-2.0
// Warnings about what a model may be but is seldom meant to be. Each is silent where there is doubt.
#ifndef LIMBER_INPUT_LINT_LINT_H
#define LIMBER_INPUT_LINT_LINT_H

#include "input/yaml/reader.h"
#include "input/yaml/report.h"

// Places in the file of all components, joints and loads, by their ids.
typedef struct {
  SourceLocation *component, *joint, *load, *section;
} ModelLocations;

Error ReportWarnings(Reader *r); // of a model without mistakes

Error WarnAboutUnconstrainedParts(Reader *r, const ModelLocations *at); // unconstrained.c
Error WarnAboutTimes(Reader *r, const ModelLocations *at);              // time_scales.c
Error WarnAboutRotation(Reader *r, const ModelLocations *at);           // rotations.c

#endif
