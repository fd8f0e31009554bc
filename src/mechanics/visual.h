// SPDX-License-Identifier: Apache-2.0
// What an element looks like, for pictures. Its kind says so; whoever draws guesses nothing.
#ifndef LIMBER_MECHANICS_VISUAL_H
#define LIMBER_MECHANICS_VISUAL_H

#include "mechanics/cell.h"
#include "mechanics/rows.h"

typedef enum {
  VISUAL_NONE,    // of no kind
  VISUAL_BEAM,    // a line along its stations, as thick as its section
  VISUAL_BAR,     // a line along its stations
  VISUAL_CABLE,   // a line along its stations that may go slack
  VISUAL_SPRING,  // a coil between two ends
  VISUAL_BUSHING, // a block between two ends
  VISUAL_BODY,    // a body at its only node, about the mass centre and as large as its inertia says
  VISUAL_POINT,   // a mass there without extension
  VISUAL_CELL,    // faces, of a cell of a mesh or of a body of points
  VISUAL_STRIP,   // one face, a quadrilateral in a row of them
  VISUAL_WHEEL,   // a disc across the axis of a wheel, at its only node
  VISUAL_AROUND,  // nothing of its own: it acts on what others draw
} VisualShape;

enum { VISUAL_FACES = 6, VISUAL_CORNERS = 4, VISUAL_EDGES = 4 };

// Numbers are those of the element's nodes.
typedef struct {
  int corner[VISUAL_CORNERS]; // seen from outside anticlockwise; the last is -1 of a triangle
  int middle[VISUAL_EDGES];   // node on the edge behind each corner; -1: none
  int cell;                   // which of the element's cells has its values
} VisualFace;

typedef struct {
  VisualShape shape;
  double gyration[2]; // of a beam: squares of the radii of gyration of its section along e2 and e3, EI/EA, m^2
  Rows ends;          // of a spring or bushing: y_0 and y_1, with the vectors of its nodes
  int faces;          // of a cell or strip
  VisualFace face[VISUAL_FACES];
} ElementVisual;

static inline bool visual_has_stations(VisualShape s) {
  return s == VISUAL_BEAM || s == VISUAL_BAR || s == VISUAL_CABLE;
}
static inline bool visual_has_ends(VisualShape s) { return s == VISUAL_SPRING || s == VISUAL_BUSHING; }
static inline bool visual_has_node(VisualShape s) { return s == VISUAL_BODY || s == VISUAL_POINT; }
static inline bool visual_has_faces(VisualShape s) { return s == VISUAL_CELL || s == VISUAL_STRIP; }

// For kinds to fill their visual with; it comes zeroed.
void visual_ends_at(ElementVisual *out, int first, int second); // vectors: positions of two nodes
void visual_cell(ElementVisual *out, CellShape shape);
void visual_triangle(ElementVisual *out, int a, int b, int c, int cell); // one more face

#endif
