// SPDX-License-Identifier: Apache-2.0
// The mesh of a section: cells in the colours of their materials and fibres, the regions and webs of a layup by name, the
// reference line with e2 and e3. It is drawn with the pen of a sheet or a canvas, in pixels, y downwards.
#ifndef LIMBER_POST_PICTURE_SECTION_MESH_H
#define LIMBER_POST_PICTURE_SECTION_MESH_H

#include "model/model.h"

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
