// SPDX-License-Identifier: Apache-2.0
#include "input/lint/section_axes.h"

#include <math.h>
#include <string.h>

#define LIMBER_ORDER  "axial, shear 2, shear 3, torsion, bending 2, bending 3"
#define BEAMDYN_ORDER "shear x, shear y, axial, bending about x, bending about y, torsion"

const SectionAxes section_axes_limber = {.name = "Limber",
                                         .along = "e1",
                                         .axis = {"e2", "e3"},
                                         .from = {0, 1},
                                         .sign = {1, 1},
                                         .angle_from = -1,
                                         .origin = "reference line",
                                         .sense = "",
                                         .order = LIMBER_ORDER,
                                         .row = {1, 2, 3, 4, 5, 6},
                                         .twist = ""};

const SectionAxes section_axes_vabs = {.name = "VABS",
                                       .along = "x1",
                                       .axis = {"x2", "x3"},
                                       .from = {0, 1},
                                       .sign = {1, 1},
                                       .angle_from = -1,
                                       .origin = "origin of the file",
                                       .sense = "",
                                       .order = "extension, shear 2, shear 3, twist, bending 2, bending 3",
                                       .row = {1, 2, 3, 4, 5, 6},
                                       .twist = ""};

#define BEAMDYN_AXES \
  .along = "z", .axis = {"x", "y"}, .from = {0, 1}, .sign = {1, 1}, .angle_from = 1, .origin = "reference axis", \
  .sense = "x towards the suction side, y towards the trailing edge", .order = BEAMDYN_ORDER, \
  .row = {3, 1, 2, 6, 4, 5}
const SectionAxes section_axes_beamdyn = {.name = "BeamDyn", BEAMDYN_AXES, .twist = "degrees"};
const SectionAxes section_axes_windio = {
    .name = "WindIO", BEAMDYN_AXES, .twist = "degrees in version 2 of the format and radians in version 1"};

// Its matrices are at the elastic centre in principal axes: their entries are not those that are looked at.
const SectionAxes section_axes_hawc2 = {.name = "HAWC2",
                                        .along = "z",
                                        .axis = {"x", "y"},
                                        .from = {1, 0},
                                        .sign = {-1, 1},
                                        .angle_from = 0,
                                        .origin = "half-chord point (c2_def)",
                                        .sense = "x towards the leading edge, y towards the suction side",
                                        .order = "shear x, shear y, axial, bending about x, bending about y, torsion",
                                        .twist = "degrees"};

const SectionAxes *section_axes_of(const char *format) {
  if (!strcmp(format, "beamdyn")) return &section_axes_beamdyn;
  if (!strcmp(format, "windio")) return &section_axes_windio;
  if (!strcmp(format, "hawc2")) return &section_axes_hawc2;
  return !strcmp(format, "vabs") ? &section_axes_vabs : &section_axes_limber;
}

const char *section_axis(const SectionAxes *a, int which) { return a->axis[a->from[0] == which ? 0 : 1]; }

void section_point(const SectionAxes *a, const double point[2], double out[2]) {
  for (int k = 0; k < 2; k++) out[k] = a->sign[k] * point[a->from[k]];
}

double section_angle(const SectionAxes *a, int from, double angle) {
  const double pi = acos(-1), e[2] = {a->from[from] == 0 ? a->sign[from] : 0, a->from[from] == 1 ? a->sign[from] : 0};
  angle -= atan2(e[1], e[0]);
  angle -= pi * round(angle / pi);
  return angle;
}
