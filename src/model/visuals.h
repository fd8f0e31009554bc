// SPDX-License-Identifier: Apache-2.0
// Visuals of nodes, elements and sections. They affect pictures only.
#ifndef LIMBER_MODEL_VISUALS_H
#define LIMBER_MODEL_VISUALS_H

#include "mechanics/cross_section.h"
#include "mechanics/shape.h"
#include "model/model.h"

typedef struct { // shared by all visuals that use it
  int triangles;
  const float (*vertex)[3]; // three per triangle
  float low[3], high[3];
} ModelShape;

typedef struct {
  int node;                // LIMBER_NONE: a colour of an element
  int component;           // of an element, or LIMBER_NONE
  int colour;              // 0xRRGGBB; -1: none
  const ModelShape *shape; // of a node
  Vec3 at;                 // in the axes of the node (of a point: of the ground): x = at + turn X
  Mat3 turn;               // rotation times scale
  bool surface;            // shows a contact surface whose node has no visual
  bool plane;              // a piece of an infinite plane, seen from its front
  bool beside;             // drawn in addition to the body at its node, not in place of it
} ModelVisual;

static inline const ModelVisual *model_visual(Model m, ptrdiff_t i) {
  return &((const ModelVisual *)m->visuals.data)[i];
}
// Position of a point of the shape at the start.
Vec3 visual_position(Model m, const ModelVisual *l, const float x[3]);
// The same for one of the eight corners of its bounding box.
Vec3 visual_corner(Model m, const ModelVisual *l, int corner);
int component_colour(Model m, int component); // -1: none is given
bool node_has_visual(Model m, int node);      // a shape in place of its body

// The outline of a section's mesh, for pictures: closed lines around the cells, holes clockwise. Corners on straight
// lines are dropped, and others too if an Outline has no room for them all. It stays empty if memory runs out.
void plane_outline(const PlaneMesh *m, Allocator memory, Outline *out);

#endif
