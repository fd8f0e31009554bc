// SPDX-License-Identifier: Apache-2.0
#ifndef LIMBER_INPUT_YAML_STEP_BACK_H
#define LIMBER_INPUT_YAML_STEP_BACK_H

#include "input/yaml/reader.h"

// Of a run whose steps go backwards in time in part: every component, joint and load that forbids it.
Error ReportStepBack(Reader *r);

#endif
