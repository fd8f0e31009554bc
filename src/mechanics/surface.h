// SPDX-License-Identifier: Apache-2.0
// The contract of a surface: shapes that nodes carry along and that contacts bring together. A surface gives points
// with a radius, and at most one body (plane, rod, box) that the points of others meet. A place is y = sum_j coef_j x_j
// of the vectors of a node.
#ifndef LIMBER_MECHANICS_SURFACE_H
#define LIMBER_MECHANICS_SURFACE_H

#include "mechanics/contact.h"

enum { SURFACE_NODES = 8 };

// A sphere about a place of one node, or about one between two nodes, or about one of a face, whose coefficients are of
// positions alone.
typedef struct {
  int node[SURFACE_NODES];
  int nnode;
  double coef[SURFACE_NODES][4];
  double radius;
  double weight; // of the stiffness: 1, or the length or area that it stands for
  double along;  // length of the line up to it
  double itself; // it meets points of its own surface that are further away along the line; 0: none
  int surface;   // in the model
} SurfacePoint;

// What points meet: gap, place, directions and sizes of its shape.
typedef struct {
  const char *gap;     // name of its gap to a point; NULL: there is no body
  const GapKind *kind; // the same, as the model finds it
  int node;
  double place[4], direction[3][4];
  GapShape shape; // the radius of a point is added to its offset
  double reach;   // of the shape about its place; infinite: HUGE_VAL
} SurfaceBody;

// What a surface sees of the model, and where it puts its shapes.
typedef struct SurfaceBuilder SurfaceBuilder;
struct SurfaceBuilder {
  void *self;
  NodeKind (*node)(void *self, int node, Vec3 x[4]);
  int (*line)(void *self, int element, int i); // the i-th node along a component; LIMBER_NONE after the last
  // Finds the outer faces of a component of cells, all or only those that are cells of a mesh; NULL, or what is wrong.
  // The i-th of them has 3, 4, 6 or 8 nodes, corners as seen from outside, anticlockwise, then nodes on the edges behind
  // them; 0 after the last.
  const char *(*find_faces)(void *self, int element, const LimberCells *only);
  int (*face)(void *self, int i, int node[SURFACE_NODES]);
  bool (*add_point)(void *self, const SurfacePoint *p);
  void (*set_body)(void *self, const SurfaceBody *b);
};

// How it is drawn: its point, its body, or nothing of its own, for its element is drawn.
typedef enum {
  SURFACE_VISUAL_NONE,
  SURFACE_VISUAL_SPHERE,
  SURFACE_VISUAL_PLANE,
  SURFACE_VISUAL_ROD,
  SURFACE_VISUAL_BOX
} SurfaceVisual;

typedef struct {
  const char *name, *help;
  FieldTable fields;
  SurfaceVisual visual;
  bool areal; // its points stand for areas: it has no radius of curvature
  Reason (*build)(const void *params, const SurfaceBuilder *b);
} SurfaceKind;

extern const SurfaceKind *const surface_kinds[]; // ends with NULL

// Coefficients of a place, or of a direction, given in ground axes at the start; NULL, or what is wrong. `at` NULL: the
// node itself.
Reason surface_place(const SurfaceBuilder *b, int node, const double *at, double coef[4]);
Reason surface_direction(const SurfaceBuilder *b, int node, const char *field, Vec3 direction, double coef[4]);
extern const char *const surface_too_many;

#endif
