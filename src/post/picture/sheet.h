// SPDX-License-Identifier: Apache-2.0
// The sheet that a model is drawn on: a view in space, lines and marks in pixels, labels that avoid each other.
#ifndef LIMBER_POST_PICTURE_SHEET_H
#define LIMBER_POST_PICTURE_SHEET_H

#include "post/picture/picture.h"

#include <stdbool.h>

typedef CanvasPoint Pixel; // y points down

typedef struct {
  Vec3 right, up, out; // orthonormal; `out` points at the reader
  const char *name;    // "view along y", or "" from aslant
} ViewAxes;

typedef struct {
  Pixel a, b;
} AvoidedLine; // a line to keep labels off

typedef struct {
  Pixel at;
  double clear; // radius about the place that is taken
  const char *text, *style;
} Label;

typedef struct {
  ViewAxes view;
  double scale, width, height;       // pixels a metre; of the sheet
  double mark;                       // size of marks: 1, less where components are short on the sheet
  Vec3 centre;                       // what is in the middle of the picture
  ModelArray figures, points, words; // areas, lines and texts, in the order in which they are drawn
  int open;                          // the first point of the figure under way
  double depth;                      // of the piece under way, towards the reader
  Pixel about;                       // the place about which figures are made smaller, and how much; 1: not at all
  double shrink;
  ModelArray stretches, labels, boxes;
  int unplaced;     // labels
  Pixel *direction; // of each node, the sum of the directions in which its elements go
  Error error;      // the first
} Sheet;

enum { SHEET_MARGIN = 95 };

// Chooses the view and scale for points of the model.
ViewAxes view_choose(Model m, const char *word);
void sheet_fit(Sheet *s, Model m);
void sheet_free(Sheet *s);
Error SheetFindMarkSize(Sheet *s, Model m);
// The ends of an element between two places, which may lie off its nodes.
void visual_ends(Model m, const ModelElement *e, const ElementVisual *visual, Vec3 end[2]);
// The mass centre of an element that stands at one node, and its inertia in the axes of that.
Vec3 body_centre(Model m, const ModelElement *e, Inertia *inertia);

static inline Pixel pixel(double x, double y) { return (Pixel){x, y}; }
static inline Pixel pixel_move(Pixel p, double s, Pixel d) { return (Pixel){p.x + s * d.x, p.y + s * d.y}; }
static inline Pixel pixel_normal(Pixel d) { return (Pixel){-d.y, d.x}; }
static inline double pixel_distance(Pixel a, Pixel b) { return hypot(a.x - b.x, a.y - b.y); }
Pixel pixel_unit(Pixel a, Pixel b, Pixel otherwise); // from a to b

Pixel sheet_project(const Sheet *s, Vec3 x);
Pixel sheet_direction(const Sheet *s, Vec3 d); // of a vector, its length seen: not more than |d|
double sheet_depth(const Sheet *s, Vec3 d);    // of a vector, towards the reader

// A figure: corners one after the other, which `sheet_draw` ends. Its style has a name, which is its class in an SVG.
void sheet_corner(Sheet *s, Pixel p);
void sheet_draw(Sheet *s, const char *style, bool closed);
// The same in another colour, 0xRRGGBB, and a line around it; -1: none.
void sheet_paint(Sheet *s, const char *class, int fill, int line, double width);
// What is drawn from now on is one piece at a place in space, `nearer` metres towards the reader.
void sheet_piece(Sheet *s, Vec3 at, double nearer);
// Puts the figures drawn so far in order, the farthest first; figures of equal depth stay as they are.
void sheet_sort(Sheet *s);
void sheet_play(Sheet *s, Canvas *canvas, double enlarge); // once: it enlarges all points
void sheet_text(Sheet *s, Pixel at, const char *style, const char *text);
void sheet_avoid(Sheet *s, Pixel a, Pixel b); // labels keep off this line
void sheet_line(Sheet *s, Pixel a, Pixel b, const char *style);
void sheet_circle(Sheet *s, Pixel at, double radius, const char *style);
void sheet_arrow(Sheet *s, Pixel a, Pixel b, const char *style); // head at b
void sheet_box(Sheet *s, Pixel at, Pixel along, double length, double width, const char *style);
void sheet_hatch(Sheet *s, Pixel at, Pixel along, double length); // ground, on the right-hand side of `along`
// An arc of three quarters of a turn about an axis in space, with a head; `radius` in pixels.
void sheet_turn(Sheet *s, Pixel at, Vec3 axis, double radius, const char *style);
void sheet_into(Sheet *s, Pixel at, bool towards, const char *style); // an arrow that is seen from its end

// Asks for a label; all are placed at the end.
void sheet_label(Sheet *s, Pixel at, double clear, const char *text, const char *style);
int sheet_labels(Sheet *s); // returns how many found no room
// The name that a user gave, or NULL: one that was made of kind and place.
const char *given_name(const char *name);

// ---- what is drawn, in this order ----

void draw_visuals(Sheet *s, Model m);
void draw_surfaces(Sheet *s, Model m);
void draw_elements(Sheet *s, Model m);
void draw_joints(Sheet *s, Model m);
void draw_loads(Sheet *s, Model m);

#endif
