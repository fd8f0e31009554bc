// SPDX-License-Identifier: Apache-2.0
// Meshes of laminated thin-walled sections: a closed outer line, such as an airfoil, with stacks of plies inwards that
// change along it, and webs between its inner faces. Stacks are cut at all depths at which a ply of any ends, so that
// neighbours fit together; the line is cut where a stack changes and where the plies of webs meet it. Near a corner
// that is sharper or shorter than the plies are thick, such as a trailing edge, points of the line are left out;
// regions stay where they are, since arc lengths are those of the whole line.
#ifndef LIMBER_MECHANICS_PLANE_LAYUP_H
#define LIMBER_MECHANICS_PLANE_LAYUP_H

#include "mechanics/shape.h"
#include "mechanics/plane_mesh.h"

typedef struct {
  int material;
  double thickness;
} PlanePly;

typedef struct { // from the outer line inwards, of a web from its right to its left
  const PlanePly *ply;
  int plies;
} PlaneStack;

typedef struct {
  double until; // part of the line's length where it ends, 0 .. 1, growing
  int stack;
} PlaneRegion;

typedef struct {
  double from[2], to[2]; // two points of its middle line
  int stack;
} PlaneWeb;

// What became of a layup: mistakes at one of its entries, and changes of its outer line.
typedef struct {
  int region, web;        // that a mistake is about, -1: none
  double until;           // if it is a region: the nearest place where it could end
  int dropped;            // points of the outer line that the plies leave no room for
  OutlineMark *mark;      // for pictures, with room for two a region and one a web; NULL: not wanted. Texts stay NULL
  double moved, where[2]; // m: the largest distance of one of them from the line without them, and where it is
} PlaneLayupNotes;

typedef struct {
  const double (*point)[2]; // of the outer line, anticlockwise, the first not again at the end; straight between them
  int points;
  const PlaneStack *stack;
  int stacks;
  const PlaneRegion *region; // the last ends at 1
  int regions;
  const PlaneWeb *web;
  int webs;
  double longest;         // m, of a cell along the line or across a wall; 0: none is cut
  PlaneLayupNotes *notes; // out; may be NULL
} PlaneLayup;

// NULL, or what is wrong.
const char *plane_add_layup(PlaneBuilder *b, const PlaneLayup *layup);

#endif
