// SPDX-License-Identifier: Apache-2.0
// How nodes, elements and sections of a model are shown; it changes nothing else.
#ifndef LIMBER_MODEL_LOOKS_H
#define LIMBER_MODEL_LOOKS_H

#include "mechanics/cross_section.h"
#include "mechanics/shape.h"
#include "model/model.h"

typedef struct { // shared by all looks that have it
  int triangles;
  const float (*vertex)[3]; // three of each
  float low[3], high[3];
} ModelShape;

typedef struct {
  int node;                // LIMBER_NONE: a colour of an element
  int component;           // of an element, or LIMBER_NONE
  int colour;              // 0xRRGGBB; -1: none
  const ModelShape *shape; // of a node
  Vec3 at;                 // in the axes of the node (of a point: of the ground): x = at + turn X
  Mat3 turn;               // with the scale
  bool surface;            // of a surface that may touch others, where its node has no look ...
  bool plane;              // a piece of a plane without end, seen from its front
  bool beside;             // ... and is drawn beside the body at its node, which it does not hold
} ModelLook;

static inline const ModelLook *model_look(Model m, ptrdiff_t i) { return &((const ModelLook *)m->looks.data)[i]; }
// A place of the shape as it stands at the start.
Vec3 look_position(Model m, const ModelLook *l, const float x[3]);
// The same of one of the eight corners of its box.
Vec3 look_corner(Model m, const ModelLook *l, int corner);
int component_colour(Model m, int component); // -1: none is given
bool node_has_look(Model m, int node);        // a shape in place of its body

// The edge of a mesh of a section's plane, for pictures.

// Closed lines around the cells, holes clockwise. Corners on straight lines are left out, and some of the others where
// there are more than an outline takes. It stays empty where there is no memory.
void plane_outline(const PlaneMesh *m, Allocator memory, Outline *out);

#endif
