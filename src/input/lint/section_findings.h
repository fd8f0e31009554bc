// SPDX-License-Identifier: Apache-2.0
// What looks wrong about the numbers of a section: orders and signs that were mixed up, another reference point, units. Each
// is silent where there is doubt. Of a blade more is known: its sections are wide along e3, the chord, but for a round root.
#ifndef LIMBER_INPUT_LINT_SECTION_FINDINGS_H
#define LIMBER_INPUT_LINT_SECTION_FINDINGS_H

#include "input/lint/section_axes.h"
#include "limber/catalogue.h"

#include <stdbool.h>
#include <stddef.h>

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
