// SPDX-License-Identifier: Apache-2.0
// A drawing of a model as it stands before it is run, as SVG, PNG or PDF: lines and bodies to scale, joints and loads
// as symbols of a fixed size.
#ifndef LIMBER_POST_PICTURE_PICTURE_H
#define LIMBER_POST_PICTURE_PICTURE_H

#include "model/model.h"
#include "post/picture/canvas.h"

#include <stdio.h>

extern const char *const picture_views[]; // words for `view`; ends with NULL

// view: one of the words, or NULL: a planar model is drawn in its plane, any other from aslant. A PNG has twice the
// size of the others.
Error PictureWrite(Model m, const char *title, const char *view, const CanvasKind *kind, FILE *out);

// The mesh of a section: cells in the colours of their materials and fibres, the regions and webs of a layup by name,
// the reference line with e2 and e3.

enum { SECTION_MESH_WIDTH = 1200 };

bool has_section_mesh(const ModelSection *s, int station);
double section_mesh_height(const ModelSection *s, int station); // of the picture below
void draw_section_mesh(const ModelSection *s, int station, double top, Canvas *canvas, double enlarge);

#endif
