// SPDX-License-Identifier: Apache-2.0
// The contract of a surface: shapes that nodes carry along and that contacts bring together. A surface gives points with a radius, and at
// most one body (plane, rod, box) that the points of others meet. A place is y = sum_j coef_j x_j of the vectors of a node.
#ifndef LIMBER_MECHANICS_SURFACE_H
#define LIMBER_MECHANICS_SURFACE_H

#include "mechanics/contact.h"

// A sphere about a place of one node, or about one between two nodes.
typedef struct {
  LimberId node[2];
  int nnode;
  double coef[2][4];
  double radius;
  double weight; // of the stiffness: 1, or the length that it stands for
  int surface;   // in the model
} SurfacePoint;

// What points meet: gap, place, directions and sizes of its shape.
typedef struct {
  const char *gap;     // name of its gap to a point; NULL: there is no body
  const GapKind *kind; // the same, as the model finds it
  LimberId node;
  double place[4], direction[3][4];
  GapShape shape; // the radius of a point is added to its offset
  double reach;   // of the shape about its place; infinite: HUGE_VAL
} SurfaceBody;

// What a surface sees of the model, and where it puts its shapes.
typedef struct SurfaceBuilder SurfaceBuilder;
struct SurfaceBuilder {
  void *self;
  NodeKind (*node)(void *self, LimberId node, Vec3 x[4]);
  int (*line)(void *self, LimberId element, int i); // the i-th node along a component; LIMBER_NONE after the last
  bool (*add_point)(void *self, const SurfacePoint *p);
  void (*set_body)(void *self, const SurfaceBody *b);
};

typedef struct {
  const char *name, *help;
  FieldTable fields;
  const char *(*build)(const void *params, const SurfaceBuilder *b); // NULL, or what is wrong
} SurfaceKind;

extern const SurfaceKind *const surface_kinds[]; // ends with NULL

// Coefficients of a place, or of a direction, given in ground axes at the start; NULL, or what is wrong. `at` NULL: the node itself.
const char *surface_place(const SurfaceBuilder *b, LimberId node, const double *at, double coef[4]);
const char *surface_direction(const SurfaceBuilder *b, LimberId node, Vec3 direction, double coef[4]);
extern const char *const surface_too_many;

#endif
