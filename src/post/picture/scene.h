// SPDX-License-Identifier: Apache-2.0
// A model as things in space that move with its nodes, for the page of `limber view`. Places and directions are
// combinations sum_a c_a x_a of the nodes' vectors (r, d1, d2, d3; the ground's are its origin and axes), so that
// whoever knows the vectors at a time can draw everything at that time. The list of things is a text in JSON; what is
// long stands in arrays.
#ifndef LIMBER_POST_PICTURE_SCENE_H
#define LIMBER_POST_PICTURE_SCENE_H

#include "mechanics/shape.h"
#include "model/model.h"

#include <stdint.h>
#include <stdio.h>

// A place along a line, from one of its combinations on, and the cells between whose values its own lies: (1 - part)
// of the first and part of the second; -1: none.
typedef struct {
  int32_t combination, cell[2];
  float part;
} SceneStation;

// An element in a flow, whose velocity is drawn at the place of a combination.
typedef struct {
  int element, combination;
} SceneWind;

typedef struct {
  FILE *json;                 // parts of an object: "items":[...],"joints":[...],...
  ModelArray end;             // int32: where the entries of each combination end
  ModelArray vector;          // int32: 4 node + 0 .. 3, of each entry
  ModelArray factor;          // float
  ModelArray stations;        // SceneStation
  ModelArray triangles;       // int32[4]: three nodes and a cell, seen from outside anticlockwise
  ModelArray edges;           // int32[2]: two nodes
  ModelArray visual_vertices; // float[3], three of each triangle
  ModelArray winds;           // SceneWind
  int cells, joint_cells;     // cells of elements come first; first cell of the joints
  int *first_cell;            // of each element in the order of the results, and behind the last
  bool first;                 // nothing was written to the list yet
  Error error;                // the first
} Scene;

// Fills a scene whose `json` is open. Its arrays are to be freed.
Error SceneWrite(Model m, Scene *s);
void scene_free(Scene *s); // but for `json`

void json_text(FILE *f, const char *text); // in quotes; may stand in HTML

// The outline of a beam's section at a place along it, 0 .. 1. False: it has none, and gets the ellipse of the same
// stiffness in stretching and bending, with semi-axes sqrt(4 EI/EA), or in the air that of an airfoil.
bool component_outline(Model m, const ModelComponent *component, double at, Outline *out);

// The same of a beam in the air, from the sections of the air. False: there is no air. airfoils.c
bool airfoil_outline(Model m, const ModelComponent *beam, double at, Outline *out);

// ---- parts ----

void scene_begin(Scene *s, const char *name); // of an entry of a list: {"name":...
// The place or direction, as it is at the reference, that a node carries along.
int scene_add_position(Scene *s, Model m, int node, Vec3 at);
int scene_direction(Scene *s, Model m, int node, Vec3 d);
void scene_add(Scene *s, ModelArray *a, size_t size, const void *entry);

void scene_visuals(Scene *s, Model m);

#endif
