// SPDX-License-Identifier: Apache-2.0
// What an element looks like, for pictures. Its kind says so; whoever draws guesses nothing.
#ifndef LIMBER_MECHANICS_LOOK_H
#define LIMBER_MECHANICS_LOOK_H

#include "mechanics/cell.h"
#include "mechanics/rows.h"

typedef enum {
  LOOK_NONE,    // of no kind
  LOOK_BEAM,    // a line along its stations, as thick as its section
  LOOK_BAR,     // a line along its stations
  LOOK_CABLE,   // a line along its stations that may go slack
  LOOK_SPRING,  // a coil between two ends
  LOOK_BUSHING, // a block between two ends
  LOOK_BODY,    // a body at its only node, about the mass centre and as large as its inertia says
  LOOK_POINT,   // a mass there without extension
  LOOK_CELL,    // faces, of a cell of a mesh or of a body of points
  LOOK_STRIP,   // one face, a quadrilateral in a row of them
  LOOK_WHEEL,   // a disc across the axis of a wheel, at its only node
  LOOK_AROUND,  // nothing of its own: it acts on what others draw
} LookShape;

enum { LOOK_FACES = 6, LOOK_CORNERS = 4, LOOK_EDGES = 3 };

// Numbers are those of the element's nodes.
typedef struct {
  int corner[LOOK_CORNERS]; // seen from outside anticlockwise; the last is -1 of a triangle
  int middle[LOOK_EDGES];   // node on the edge behind each corner of a triangle; -1: none
  int cell;                 // which of the element's cells has its values
} LookFace;

typedef struct {
  LookShape shape;
  double gyration[2]; // of a beam: squares of the radii of gyration of its section along e2 and e3, EI/EA, m^2
  Rows ends;          // of a spring or bushing: y_0 and y_1, with the vectors of its nodes
  int faces;          // of a cell or strip
  LookFace face[LOOK_FACES];
} ElementLook;

static inline bool look_has_stations(LookShape s) { return s == LOOK_BEAM || s == LOOK_BAR || s == LOOK_CABLE; }
static inline bool look_has_ends(LookShape s) { return s == LOOK_SPRING || s == LOOK_BUSHING; }
static inline bool look_has_node(LookShape s) { return s == LOOK_BODY || s == LOOK_POINT; }
static inline bool look_has_faces(LookShape s) { return s == LOOK_CELL || s == LOOK_STRIP; }

// For kinds to fill their look with; it comes zeroed.
void look_ends_at(ElementLook *out, int first, int second); // vectors: positions of two nodes
void look_cell(ElementLook *out, CellShape shape);
void look_triangle(ElementLook *out, int a, int b, int c, int cell); // one more face

#endif
