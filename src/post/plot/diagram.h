// SPDX-License-Identifier: Apache-2.0
// A picture as data: panels with axes, curves and a legend. It is drawn on a canvas (draw.c) or written as a script for
// gnuplot (also draw.c).
#ifndef LIMBER_POST_PLOT_DIAGRAM_H
#define LIMBER_POST_PLOT_DIAGRAM_H

#include "post/picture/canvas.h"

enum { MAX_PANELS = 12, MAX_TICKS = 40, MAX_MINORS = 100, MAX_TEXTS = 32 };
enum { TEXT_SIZE = 19, LEGEND_ROW = 28, LEGEND_SAMPLE = 48 }; // pixels; the sample of a curve with the gap behind it

typedef struct {
  double value;
  char text[32];
} Tick;

typedef struct {
  Tick tick[MAX_TICKS];
  double minor[MAX_MINORS]; // between them, without text
  int count, minors;
  int power; // texts are values over this power of ten
} Ticks;

typedef struct {
  double low, high;
  bool log, bare; // bare: without numbers and name
  double step;    // between ticks; 0: chosen
  char name[400], units[60];
  Ticks ticks;
} Axis;

typedef enum { CURVE_LINE, CURVE_DOTS, CURVE_AREA, CURVE_FILL } CurveKind; // FILL: closed lines, with gaps between them

typedef struct {
  CurveKind kind;
  double *x, *y, *base; // y of NAN: a gap; base: the other side of an area
  int n;
  unsigned colour;
  double width; // of the line, or of a dot
  int dash;
  double level;     // on the scale of colours; NAN: none
  char name[24];    // of its data
  char legend[400]; // "": none
} Curve;

typedef struct {
  double x, y;   // data
  double dx, dy; // pixels from there
  TextAnchor anchor;
  unsigned colour;
  char text[200];
} PanelText;

typedef enum { LEGEND_NONE, LEGEND_CORNER, LEGEND_ABOVE, LEGEND_RIGHT } LegendPlace;

typedef struct {
  double left, top, right, bottom; // the frame
  Axis x, y;
  Curve *curve;
  int curves, room;
  PanelText text[MAX_TEXTS];
  int texts;
  LegendPlace legend;
  char legend_title[100];
  bool fixed_top;                                   // the legend may not raise the range
  double legend_box[4];                             // left, top, right, bottom
  int legend_rows, legend_columns, entries, corner; // corner: 0 top right, 1 top left, 2 bottom right, 3 bottom left
  bool scale;                                       // a scale of colours beside the frame
  double scale_range[2];
  char scale_name[200];
} Panel;

typedef struct {
  int width, height;
  char title[400];
  Panel panel[MAX_PANELS];
  int panels;
  bool fit_left; // the frames begin where there is room for the numbers of all axes
  int smallest;  // size of letters; 0: 12
  bool failed;   // no memory
} Diagram;

Panel *diagram_panel(Diagram *d, double left, double top, double right, double bottom);
void axis_set(Axis *a, const char *name, const char *units, double low, double high);
// A curve, with copies of its numbers; `base` may be NULL. Valid until the next one.
Curve *panel_curve(Diagram *d, Panel *p, CurveKind kind, int n, const double *x, const double *y, const double *base);
Curve *panel_points(Diagram *d, Panel *p, CurveKind kind, const PointList *l); // the same of a list of points
void curve_name(Curve *c, const char *name, int number);
PanelText *panel_text(Panel *p, double x, double y, TextAnchor anchor, unsigned colour);
void diagram_free(Diagram *d);

unsigned series_colour(int i);          // that colour-blind readers can tell apart
int series_dash(int i);                 // colours that come again are dashed
unsigned scale_colour(double fraction); // dark to light, from 0 to 1

// ---- layout ----

void ticks_choose(const Axis *a, double pixels, bool upright, Ticks *out);
void axis_text(const Axis *a, char *text, size_t size);               // "tip.x [10⁻⁵ m]"
const char *pretty_units(const char *units, char *text, size_t size); // "m s-1" reads m/s
double axis_room(const Axis *y, double height);                       // pixels that an axis needs left of its frame
double axis_fraction(const Axis *a, double value);
// Height of a legend above a frame, for the curves that the panel has.
double legend_height(const Panel *p, double width);
double legend_width(const Panel *p);    // of one column
bool legend_has_corner(const Panel *p); // a corner of the frame where it hides no curve
void diagram_layout(Diagram *d);
// The part of a line within a box; false: none.
bool clip_segment(CanvasPoint *a, CanvasPoint *b, const double box[4]);

// ---- output ----

bool diagram_draw(Diagram *d, const CanvasKind *kind, FILE *out);   // false: no memory
void diagram_script(const Diagram *d, const char *path, FILE *out); // for gnuplot, which writes `path`

#endif
