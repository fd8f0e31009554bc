// SPDX-License-Identifier: Apache-2.0
#ifndef LIMBER_POST_EXPORT_STUDY_H
#define LIMBER_POST_EXPORT_STUDY_H

#include "console/console.h"

// The table of a study as text: a row for each run, with its number, status and culprit.
ExitCode export_study(const Arguments *a);

#endif
