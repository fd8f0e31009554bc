// SPDX-License-Identifier: Apache-2.0
// What looks wrong about a blade file: its sections and its twist, in the axes of the file.
#ifndef LIMBER_INPUT_LINT_BLADE_FINDINGS_H
#define LIMBER_INPUT_LINT_BLADE_FINDINGS_H

#include "input/blades/blade.h"
#include "input/lint/series_findings.h"

typedef struct Reader Reader;

// Whether a part of a file, NULL: the one that is read if none is named, is a blade by its name.
bool part_is_blade(const char *part);
// The sections along a blade, which must live as long as the series.
Error SeriesOfBlade(Store *s, const Blade *b, const char *part, SectionSeries *out);
// Warns about the section that a beam has from the file, at the file's name in the model.
Error WarnAboutBlade(Reader *r, SourceLocation at, const Blade *b, const char *part, int section);

#endif
