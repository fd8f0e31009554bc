// SPDX-License-Identifier: Apache-2.0
// What pictures are drawn on: lines, areas and texts in pixels, y downwards, as SVG, PNG or PDF.
#ifndef LIMBER_POST_PICTURE_CANVAS_H
#define LIMBER_POST_PICTURE_CANVAS_H

#include "files/output_file.h"
#include "model/refusal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
  double x, y; // NAN ends a line or a contour
} CanvasPoint;

typedef struct {
  unsigned colour; // 0xRRGGBB
  double width;
  int dash; // 0: none; others, up to 4, can be told apart
} Pen;

typedef enum { TEXT_START, TEXT_MIDDLE, TEXT_END } TextAnchor;

typedef struct {
  double x, y; // of the anchor, on the line that letters stand on
  double size;
  TextAnchor anchor;
  bool upwards; // turned by 90 degrees
  unsigned colour;
  double edge; // width of a white line around the letters; 0: none
} TextStyle;

typedef struct Canvas Canvas;

// A format. All functions may assume points that lie not far outside the picture.
typedef struct {
  const char *ending; // of files
  FileKind file;
  bool (*begin)(Canvas *c, const char *title);
  void (*clip)(Canvas *c, const double box[4]); // left, top, right, bottom; NULL: nothing is cut off any more
  void (*stroke)(Canvas *c, int n, const CanvasPoint *p, const Pen *pen); // a line of one point is a dot
  void (*fill)(Canvas *c, int n, const CanvasPoint *p, unsigned colour);
  void (*text)(Canvas *c, const TextStyle *style, const char *text);
  bool (*finish)(Canvas *c); // false: no memory
} CanvasKind;

struct Canvas {
  const CanvasKind *kind;
  FILE *out;
  int width, height;
  double smallest;   // size of letters
  const char *class; // of what is drawn next, for SVG; NULL: none
  void *own;         // of the kind
};

extern const CanvasKind canvas_svg, canvas_png, canvas_pdf;
extern const CanvasKind canvas_page; // SVG within a page; nothing is cut off

const CanvasKind *canvas_kind(const char *path);     // by the ending of a file; NULL: none
bool canvas_takes(const char *path, Refusal *wrong); // whether a picture may have this name; a device needs no ending
// The same, or `other` for a device, which has no ending.
const CanvasKind *canvas_kind_or(const char *path, const CanvasKind *other);
// Lengths of strokes and gaps of a dash, in widths of its pen; how many.
int dash_lengths(int dash, double length[4]);

// ---- letters ----

// Points that are collected; `failed`: there was not enough memory.
typedef struct {
  CanvasPoint *at;
  int n, room;
  bool failed;
} PointList;
void points_add(PointList *l, double x, double y);

unsigned text_next(const char **text); // a character of UTF-8; U+FFFD for what is none
double text_width(const char *text, double size);
void text_outline(const char *text, const TextStyle *style, PointList *out);
// Shortens a text to a width: its middle becomes "…".
void text_shorten(char *text, double size, double width);

// Pixels: areas by the part of each pixel that they cover, lines by the distance of its centre.

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
