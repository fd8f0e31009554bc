// SPDX-License-Identifier: Apache-2.0
// What `limber section` reports about the sections along a blade or a beam: centres, principal axes and stiffnesses of
// each station, totals, and what looks wrong.
#ifndef LIMBER_POST_SECTION_SECTION_H
#define LIMBER_POST_SECTION_SECTION_H

#include "input/blades/blade.h"
#include "input/lint/series_findings.h"
#include "mechanics/section_matrix.h"
#include "model/model.h"

#include <stdio.h>

typedef struct {
  const char *name;
  double length, mass; // m, kg
} SectionUse;          // a beam that has the section

typedef struct {
  const char *name; // of the section in its model, of the part of a file; "": it is the whole file
  bool of_model;
  bool airfoil;        // a blade, whose axes have a sense
  const char *program; // whose file it is
  SectionSeries series;
  SectionFrame *frame;
  bool *definite;   // the stiffness is; where some is missing, that of a section that is stiff there
  int *missing;     // what of the stiffness is missing, as bits: 1 axial, 2 shear 2, 4 shear 3, 8 torsion
  int angle_from;   // the file's axis from which angles are counted
  double length;    // m, along the axis; 0: not known
  double mass;      // kg, of that length
  double centre[3]; // m, of all mass, in the axes of the root
  bool has_centre;
  SectionUse *use;
  int uses;
  SeriesFinding *finding;
  int findings;
  const char *remark[2]; // what the file has that is not read; "": nothing
} SectionReport;

// `part` of a file with several, or NULL.
Error ReportBlade(Store *s, const Blade *b, const char *part, SectionReport *out);
Error ReportModelSection(Store *s, const LimberModel m, int section, SectionReport *out);

// Values of a station in the file's axes. The angle is NAN where the section is nearly circular, or not definite.
typedef struct {
  double at, mass, axial, bending[2], torsion, shear[2];
  double tension[2], shear_centre[2], mass_centre[2];
  double bending_angle, inertia_angle; // degrees
  double chord;                        // m; 0: not known
} StationValues;
StationValues station_values(const SectionReport *r, int station);
// The file's axis that is the chord of a blade, 0 or 1.
int chord_axis(const SectionReport *r);

void print_section(const SectionReport *r, const char *file);
void print_section_json(const SectionReport *r, FILE *out);

#endif
