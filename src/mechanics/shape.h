// SPDX-License-Identifier: Apache-2.0
// The contract of a shape: from the measures of a cross-section to the constants of a beam of isotropic material, and
// to its outline. y and z are along e2 and e3, from the reference line.
#ifndef LIMBER_MECHANICS_SHAPE_H
#define LIMBER_MECHANICS_SHAPE_H

#include "base/field.h"
#include "limber/catalogue.h"
#include "mechanics/plane_mesh.h"

#include <stdbool.h>

// What a section of a beam looks like, for pictures. y and z are along e2 and e3, from the reference line.

// Closed lines through corners (y, z). One that runs clockwise, with y to the right and z up,
// is a hole in another.
enum { OUTLINE_LINES = 128, OUTLINE_CORNERS = 512, OUTLINE_ROUND = 24 };
typedef struct {
  bool numbers;                  // the section itself is given as numbers: the lines are for pictures only
  int lines, end[OUTLINE_LINES]; // the corners of line l are end[l - 1] to end[l] - 1
  double corner[OUTLINE_CORNERS][2];
} Outline;

// Places on a section that a picture names: where a region of a layup ends (no text), the middle of a region or web.
typedef struct {
  double at[2], out[2]; // out: unit, away from the wall
  const char *text;     // or NULL
} OutlineMark;
typedef struct {
  int count;
  const OutlineMark *mark;
} OutlineMarks;

void outline_add(Outline *o, int count, const double (*corner)[2]);
void outline_add_rectangle(Outline *o, double y0, double z0, double y1, double z1);
void outline_add_circle(Outline *o, double radius, bool hole);
void outline_add_ellipse(Outline *o, double y, double z); // semi-axes
bool outlines_match(const Outline *a, const Outline *b);  // corner by corner
// (1 - part) of the first and part of the second, which match; else the first.
void outline_between(const Outline *a, const Outline *b, double part, Outline *out);
double outline_extent(const Outline *o);                   // the larger of its sides along y and z
void outline_move(Outline *o, double y, double z);         // the reference line, by (y, z)
double outline_area(const Outline *o, double centroid[2]); // of the lines as they are, holes taken away
void outline_centre(Outline *o);                           // the reference line to the centroid

typedef struct {
  double area;
  double centroid[2], centre[2]; // places y, z of the centroid and of the shear centre
  double yy, yz, zz;             // second moments of area about the centroid: integrals of y^2, y z, z^2
  double torsion;                // Saint-Venant's constant J
  double shear[2][2];            // shear strains at the shear centre = shear/G times shear forces
} SectionShape;

typedef struct {
  const char *name;
  FieldTable fields;
  Reason (*make)(const void *params, double nu, SectionShape *out); // `out` comes zeroed
  void (*outline)(const void *params, Outline *out);                // of measures that `make` took; `out` comes empty
  // NULL, or what is wrong: a mesh about the reference line, `cells` across the thinnest wall (0: as many as are good)
  const char *(*mesh)(const void *params, int cells, PlaneBuilder *out);
  const void *example; // for the tests
  // Of walls: thickness over the shorter outer measure, with which the errors of torsion and shear grow. NULL: they are
  // exact
  double (*thickness)(const void *params);
} ShapeKind;

extern const ShapeKind *const shape_kinds[]; // ends with NULL

// Adds a rectangle (sign -1 takes it away) between corners (y0, z0) and (y1, z1).
void shape_add_rectangle(SectionShape *s, double sign, double y0, double z0, double y1, double z1);
// Moves the reference line by (y, z).
void shape_move(SectionShape *s, double y, double z);
void shape_set_factors(SectionShape *s, double k2, double k3); // shear factors

// Rectangles as the mesh of a shape, moved so that the reference line runs through their centroid.
const char *shape_mesh_rectangles(PlaneBuilder *b, int cells, int count, MeshRectangle *r);

// NULL, or what is wrong, beginning with the field concerned.
Reason material_error(const LimberMaterial *m);
extern const char *const material_laws[]; // ends with NULL
bool material_is_neo_hookean(const LimberMaterial *m);
extern const char material_linear_only[]; // what is said of one where it does not go

// The section of a shape about its reference line: NULL, or what is wrong. `offset` moves this line, `factors` are
// shear factors; either may be NULL.
Reason section_of_shape(const ShapeKind *kind, const void *params, const LimberMaterial *m, const double *offset,
                        const double *factors, LimberSection *out);

#endif
