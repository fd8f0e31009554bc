// SPDX-License-Identifier: Apache-2.0
// Pixels: areas by the part of each pixel that they cover, lines by the distance of its centre.
#ifndef LIMBER_POST_PLOT_RASTER_H
#define LIMBER_POST_PLOT_RASTER_H

#include "post/plot/canvas.h"

typedef struct {
  int width, height;
  unsigned char *rgb;
  float *cover;                 // of the figure under way, with two columns more than the picture
  int left, top, right, bottom; // what it has touched
  int clip[4];                  // left, top, right, bottom
  bool failed;
} Raster;

bool raster_begin(Raster *r, int width, int height); // white; false: no memory
void raster_free(Raster *r);
void raster_fill(Raster *r, int n, const CanvasPoint *p, unsigned colour);
void raster_stroke(Raster *r, int n, const CanvasPoint *p, const Pen *pen);

#endif
