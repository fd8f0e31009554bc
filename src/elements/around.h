// SPDX-License-Identifier: Apache-2.0
// What acts from the ground on the nodes of lines: a law of the depth of each node below a plane, and drag beside it. Every
// element of a line has one of these, with the line's nodes and the ground; a node has the length of the line that its shape
// function stands for, as a load along the line has it.
#ifndef LIMBER_ELEMENTS_AROUND_H
#define LIMBER_ELEMENTS_AROUND_H

#include "mechanics/element.h"

typedef struct { // of an item; each force is per length of line
  Law law;       // of the depth
  Drag drag;
  Vec3 up;
  double level; // of the plane, along `up`
  double mass;  // per length
} Around;

typedef struct {
  const Around *of;
  int count;                                               // integration points, each at a node
  int place[MAX_LOCAL_NODES];                              // first vector of the node of a point ...
  int before[MAX_LOCAL_NODES], behind[MAX_LOCAL_NODES];    // ... and of its neighbours along the line
  int ground;                                              // first vector of the ground
  double weight[MAX_LOCAL_NODES], length[MAX_LOCAL_NODES]; // of the points; of the element's nodes
} AroundElement;

// Builds the elements around some lines: NULL, or what is wrong. `of` is copied.
Reason around_build(ElementBuilder *b, const LimberElementId *lines, int count, const Around *of);
Reason around_up(const double up[3], Vec3 *out);

int around_points(const void *data);
void around_point(const void *data, int g, ElementPoint *p);
void around_inertia(const void *data, int node, Inertia *out);
void around_visual(const void *data, double at, ElementVisual *out);

#define AROUND_LINES(type) \
  { \
    "lines", FIELD_ELEMENTS, 1, offsetof(type, lines), "", true, 0, "cables, bars and beams on whose nodes it acts", \
        NULL \
  }
#define AROUND_UP(type) \
  { \
    "up", FIELD_REALS, 3, offsetof(type, up), "", false, 0, "direction upwards, in ground axes; 0: the z axis", \
        &field_direction \
  }

#endif
