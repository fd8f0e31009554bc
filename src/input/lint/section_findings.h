// SPDX-License-Identifier: Apache-2.0
// How programs name the axes of a section and order its matrices, so that reports speak as the file does.
#ifndef LIMBER_INPUT_LINT_SECTION_FINDINGS_H
#define LIMBER_INPUT_LINT_SECTION_FINDINGS_H

#include "limber/catalogue.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *name;    // of the programs that have them
  const char *along;   // e1
  const char *axis[2]; // the two axes of the section, in the file's order
  int from[2];         // each is sign times e2 (0) or e3 (1)
  double sign[2];
  int angle_from;     // the axis from which angles are counted, 0 or 1; -1: the one that is nearest at most stations
  const char *origin; // what coordinates are counted from
  const char *sense;  // which way the axes point; "": the file decides
  const char *order;  // of stiffnesses in its matrices
  int row
      [6]; // the row of its matrix, from 1, that has Limber's axial, shear 2, shear 3, torsion, bending 2, 3; 0: none
  const char *twist; // the unit of twist in its files
} SectionAxes;

extern const SectionAxes section_axes_limber, section_axes_beamdyn, section_axes_windio, section_axes_hawc2,
    section_axes_vabs;

// Of a format of blades, by its name.
const SectionAxes *section_axes_of(const char *format);
// The name of e2 (0) or e3 (1).
const char *section_axis(const SectionAxes *a, int which);
// A point (e2, e3) in the file's axes.
void section_point(const SectionAxes *a, const double point[2], double out[2]);
// An angle from e2 about e1, of an axis without a sense, as one from the file's axis `from`: -pi/2 .. pi/2.
double section_angle(const SectionAxes *a, int from, double angle);

// What looks wrong about the numbers of a section: orders and signs that were mixed up, another reference point, units.
// Only clear cases are reported. Of a blade more is known: its sections are wide along e3, the chord, but for a
// round root.

typedef enum {
  SECTION_SHEAR_ABOVE_AXIAL, // order of axial and shear stiffness
  SECTION_TORSION_ABOVE_BENDING,
  SECTION_POLAR_INERTIA, // about e1 it is the sum of the other two
  SECTION_CROSSED, // bending stiffness and inertia have their large axes across each other: one of them is swapped
  SECTION_BENDING_SWAPPED,
  SECTION_INERTIA_SWAPPED,
  SECTION_SHEAR_SWAPPED,
  SECTION_WITHOUT_AXIAL,
  SECTION_WITHOUT_SHEAR, // a shear stiffness of nothing
  SECTION_WITHOUT_TORSION,
  SECTION_NOT_DEFINITE,      // some strain has a negative energy
  SECTION_CENTRES_APART,     // of tension and of mass: a sign of one of them
  SECTION_INERTIA_TOO_SMALL, // less than the mass at its centre has: the inertia is about the mass centre
  SECTION_UNITS,             // no material has such a speed of sound
  SECTION_RADII,             // stiffness and inertia are of sections of different size
  SECTION_FINDINGS
} SectionFinding;

// How many there are.
int section_findings(const LimberSection *s, const SectionAxes *axes, bool blade,
                     SectionFinding found[SECTION_FINDINGS]);
// What is wrong and what to do, to be read after "section 'x'".
const char *section_finding_text(const LimberSection *s, const SectionAxes *axes, bool blade, SectionFinding f,
                                 char *text, size_t size);
// A name for programs, such as "shear-swapped".
const char *section_finding_name(SectionFinding f);

// The way in which a section is wide, by its numbers: 1 along e3, -1 along e2, 0 undecided.
typedef struct {
  int shear, bending, inertia;
} SectionWidth;
SectionWidth section_width(const LimberSection *s, bool blade);

#endif
