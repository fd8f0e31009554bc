// SPDX-License-Identifier: Apache-2.0
// What looks wrong about the numbers of a section: orders and signs that were mixed up, another reference point, units. Each
// is silent where there is doubt.
#ifndef LIMBER_INPUT_LINT_SECTION_FINDINGS_H
#define LIMBER_INPUT_LINT_SECTION_FINDINGS_H

#include "limber/catalogue.h"

#include <stddef.h>

typedef enum {
  SECTION_SHEAR_ABOVE_AXIAL, // order of axial and shear stiffness
  SECTION_TORSION_ABOVE_BENDING,
  SECTION_POLAR_INERTIA,   // about e1 it is the sum of the other two
  SECTION_BENDING_SWAPPED, // stiffness and inertia have their large axes across each other
  SECTION_SHEAR_SWAPPED,   // shear and bending have
  SECTION_WITHOUT_SHEAR,   // a shear stiffness of nothing
  SECTION_WITHOUT_TORSION,
  SECTION_NOT_DEFINITE,      // some strain has a negative energy
  SECTION_CENTRES_APART,     // of tension and of mass: a sign of one of them
  SECTION_INERTIA_TOO_SMALL, // less than the mass at its centre has: the inertia is about the mass centre
  SECTION_UNITS,             // no material has such a speed of sound
  SECTION_FINDINGS
} SectionFinding;

// How many there are. The text says what is wrong and what to do.
int section_findings(const LimberSection *s, SectionFinding found[SECTION_FINDINGS]);
const char *section_finding_text(const LimberSection *s, SectionFinding f, char *text, size_t size);

#endif
