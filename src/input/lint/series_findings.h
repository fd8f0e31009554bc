// SPDX-License-Identifier: Apache-2.0
// What looks wrong about the sections along a beam or a blade: what each of them shows (section_findings.h), and what
// is seen only along the span: axes that are swapped in all of them, matrices about another point, twist in another
// unit or sense.
#ifndef LIMBER_INPUT_LINT_SERIES_FINDINGS_H
#define LIMBER_INPUT_LINT_SERIES_FINDINGS_H

#include "input/blades/blade.h"
#include "input/diagnostic.h"
#include "input/lint/section_findings.h"
#include "model/store.h"

typedef struct Reader Reader;

typedef struct {
  const LimberSection *section; // from the root to the tip
  int count;
  const SectionAxes *axes;
  bool blade;                // it is known that e2 is flapwise and e3 chordwise
  const bool *shape;         // stations of a shape or of named columns, of which only units can be wrong; or NULL
  const double *asymmetry;   // of the stiffness in the file, relative; or NULL
  const double *mass_defect; // of entries of the mass matrix that must agree, relative; or NULL
  const double *chord;       // m, of each; or NULL
  const double *place;       // of points with a twist, 0 .. 1
  const double *twist;       // rad, about -e1
  int points;
} SectionSeries;

typedef enum { FINDING_WARNING, FINDING_REMARK } FindingLevel;

typedef struct {
  FindingLevel level;
  const char *name; // for programs
  bool *at;         // of each station
  bool whole;       // it is of the blade rather than of its sections
  char text[800];   // to be read after "the section" or "the blade"
} SeriesFinding;

// All findings, warnings first.
Error FindInSeries(Store *store, const SectionSeries *s, SeriesFinding **out, int *count);
// Warns with them of a section of a model.
Error ReportSeries(Reader *r, SourceLocation at, const char *name, const SectionSeries *s, Store *store);
// "stations 3 to 17 of 26"; "": there is only one.
const char *finding_stations(const SeriesFinding *f, int stations, char *text, size_t size);

// What looks wrong about a blade file: its sections and its twist, in the axes of the file.

// Whether a part of a file, NULL: the one that is read if none is named, is a blade by its name.
bool part_is_blade(const char *part);
// The sections along a blade, which must live as long as the series.
Error SeriesOfBlade(Store *s, const Blade *b, const char *part, SectionSeries *out);
// Warns about the section that a beam has from the file, at the file's name in the model.
Error WarnAboutBlade(Reader *r, SourceLocation at, const Blade *b, const char *part, int section);

#endif
