// SPDX-License-Identifier: Apache-2.0
// What resists the motion of a place y on a line over a step, per length of the line: still water around it, and friction on
// a plane on which it lies. With the mean velocity V = (y_1 - y_n)/h, its part V_t = (V.t) t along the line and V_c = V - V_t
// across it, and the part V_p of V in the plane,
//   R = wet (c |V_c| V_c + a |V_t| V_t) + mu N V_p/sqrt(|V_p|^2 + v_0^2),     wet from 0 to 1, N >= 0,
// so that R.V >= 0: it takes energy by its form, whatever t, wet and N are. They are taken at the middle of the step, or at
// its end for FORCE_END. The force acts over the step itself (stage 0), as friction of a law does.
// Equations: eq-water-drag (19.3), eq-water-friction (19.6).
#ifndef LIMBER_MECHANICS_DRAG_H
#define LIMBER_MECHANICS_DRAG_H

#include "mechanics/law.h"
#include "mechanics/rows.h"

struct ElementPoint;

typedef struct {
  double across, along; // force per length over velocity squared
  double width;         // of the water's surface, over which the depth goes from dry to wet; 0: wet at any depth
  double friction, friction_rate; // coefficient; rate below which it is viscous
} Drag;

// The rows of a point with drag: y_0 is the place, a position of a node, y_1 a constant vector, y_2 one that the drag
// turns with, of positions of nodes, too. Of lines: y_1 the unit vector upwards, y_2 along the line. Its first row is
// the depth below a plane, of which its law is.
enum { DRAG_PLACE, DRAG_UP, DRAG_ALONG };

// A step of length h from the vectors yn and the strains en to yk and ek.
typedef struct {
  double h;
  ForceRule force_rule;
  const Vec3 *yn, *yk;
  const double *en, *ek;
} DragStep;

typedef struct {
  Vec3 force;              // that resists
  Mat3 by_place, by_along; // derivatives by y_0 and y_2 at the end of the step
} DragState;

// The drag of a point over a step, per weight. The force resists: its product with the motion of y_0 must not be
// negative. `out` comes as zero.
typedef void (*DragFunction)(const struct ElementPoint *p, const DragStep *step, DragState *out);

// That of a line, p->drag_of a Drag, p->of the Law of the depth.
void drag_evaluate(const struct ElementPoint *p, const DragStep *step, DragState *out);

// Adds weight times the force and its tangent to the item's.
void drag_add(const Rows *p, double weight, const DragState *q, const LocalMotion *it, Local *out);

#endif
