// SPDX-License-Identifier: Apache-2.0
// How programs name the axes of a section and order its matrices, so that reports speak as the file does.
#ifndef LIMBER_INPUT_LINT_SECTION_AXES_H
#define LIMBER_INPUT_LINT_SECTION_AXES_H

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

#endif
