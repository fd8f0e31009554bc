// SPDX-License-Identifier: Apache-2.0
// Where the centres and principal axes of a section lie, from its matrices. y and z are along e2 and e3, from the
// reference line. All follow from the compliance, so that couplings are free: a force at the tension centre does not
// bend, one at the shear centre does not twist, a moment about a principal axis bends about that axis only.
#ifndef LIMBER_MECHANICS_SECTION_FRAME_H
#define LIMBER_MECHANICS_SECTION_FRAME_H

#include "limber/catalogue.h"

#include <stdbool.h>

typedef struct {
  double axial;                        // N: axial force over strain where nothing bends it
  double bending[2];                   // N m2: bending stiffness about the principal axes, the smaller first
  double torsion;                      // N m2: torque over rate of twist, no other force
  double shear[2];                     // N: shear stiffness along the principal axes of shear, the smaller first
  double tension_centre[2];            // m: y, z
  double shear_centre[2];              // m
  double mass_centre[2];               // m
  double inertia[2];                   // kg m: about the principal axes through the mass centre, the smaller first
  double bending_angle, inertia_angle; // rad, from e2 about e1 to the axis of the smaller one, -pi/2 .. pi/2
} SectionFrame;

// False where the stiffness is not positive definite; then only what follows from the masses is filled.
bool section_frame(const LimberSection *s, SectionFrame *out);

#endif
