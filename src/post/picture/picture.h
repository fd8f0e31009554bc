// SPDX-License-Identifier: Apache-2.0
// A drawing of a model as it stands before it is run, as SVG: lines and bodies to scale, joints and loads as symbols of
// a fixed size.
#ifndef LIMBER_POST_PICTURE_PICTURE_H
#define LIMBER_POST_PICTURE_PICTURE_H

#include "model/model.h"

#include <stdio.h>

extern const char *const picture_views[]; // words for `view`; ends with NULL

// view: one of the words, or NULL: a planar model is drawn in its plane, any other from aslant.
Error PictureWrite(Model m, const char *title, const char *view, FILE *out);

// The mesh of a section: cells in the colours of their materials and fibres, the regions and webs of a layup by name,
// the reference line with e2 and e3. It is drawn with the pen of a sheet or a canvas, in pixels, y downwards.

typedef struct {
  void (*fill)(void *self, int n, const double (*p)[2], unsigned colour);                 // a closed line
  void (*stroke)(void *self, int n, const double (*p)[2], unsigned colour, double width); // an open one
  void (*write)(void *self, double x, double y, double size, const char *text);
  void *self;
} MeshPen;

enum { SECTION_MESH_WIDTH = 1200 };

bool has_section_mesh(const ModelSection *s, int station);
double section_mesh_height(const ModelSection *s, int station); // of the picture below
void draw_section_mesh(const ModelSection *s, int station, double top, const MeshPen *pen);

#endif
