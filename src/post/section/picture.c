// SPDX-License-Identifier: Apache-2.0
// The picture of the report: panels over the span, for stiffnesses in N and in N m2, mass, centres along both axes, angles.
#include "post/section/picture.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 1150, RIGHT = 900, LEFT = 130, TOP = 65, HIGH = 190, GAP = 26, BOTTOM = 85 };

typedef enum { EA, GA_MIN, GA_MAX, EI_MIN, EI_MAX, GJ, MASS, TENSION, SHEAR, CENTRE, BENDING, INERTIA } Value;

static double value_of(const StationValues *v, Value what, int axis) {
  switch (what) {
  case EA: return v->axial;
  case GA_MIN: return v->shear[0];
  case GA_MAX: return v->shear[1];
  case EI_MIN: return v->bending[0];
  case EI_MAX: return v->bending[1];
  case GJ: return v->torsion;
  case MASS: return v->mass;
  case TENSION: return v->tension[axis];
  case SHEAR: return v->shear_centre[axis];
  case CENTRE: return v->mass_centre[axis];
  case BENDING: return v->bending_angle;
  case INERTIA: return v->inertia_angle;
  }
  return NAN;
}

typedef struct {
  Value what;
  const char *legend;
} Line;

typedef struct {
  const SectionReport *r;
  Diagram *d;
  double *x, *y;
} Drawing;

// Fills the points of a line; false where it has none.
static bool fill_line(const Drawing *w, Value what, int axis, bool log, double range[2]) {
  bool some = false;
  for (int i = 0; i < w->r->series.count; i++) {
    StationValues v = station_values(w->r, i);
    w->x[i] = w->r->length > 0 ? v.at * w->r->length : 100 * v.at;
    w->y[i] = value_of(&v, what, axis);
    if (log && !(w->y[i] > 0)) w->y[i] = NAN;
    if (fabs(w->y[i]) < 1e-9) w->y[i] = 0;
    some = some || !isnan(w->y[i]);
    range[0] = fmin(range[0], w->y[i]), range[1] = fmax(range[1], w->y[i]);
  }
  return some;
}

static void add_line(const Drawing *w, Panel *p, const char *legend, int number) {
  Curve *c = panel_curve(w->d, p, CURVE_LINE, w->r->series.count, w->x, w->y, NULL);
  curve_name(c, "data", 10 * w->d->panels + number);
  c->colour = series_colour(number), c->dash = number == 2 ? 1 : 0, c->width = 2.4;
  snprintf(c->legend, sizeof c->legend, "%s", legend);
}

static void set_range(Panel *p, const char *name, const char *units, const double range[2]) {
  double air = fmax(0.07 * (range[1] - range[0]), 0.02 * fmax(fabs(range[0]), fabs(range[1])));
  if (p->y.log) axis_set(&p->y, name, units, range[0] / 1.5, range[1] * 1.5);
  else axis_set(&p->y, name, units, range[0] - (air > 0 ? air : 1), range[1] + (air > 0 ? air : 1));
}

// Nothing where there is no value.
static void add_panel(const Drawing *w, const char *name, const char *units, bool log, const Line *line, int lines,
                      int axis) {
  int top = TOP + w->d->panels * (HIGH + GAP), n = w->r->series.count;
  double range[2] = {INFINITY, -INFINITY};
  Panel *p = NULL;
  for (int i = 0; i < lines; i++) {
    if (!fill_line(w, line[i].what, axis, log, range)) continue;
    if (!p) p = diagram_panel(w->d, LEFT, top, RIGHT, top + HIGH);
    add_line(w, p, line[i].legend, i);
  }
  if (!p) return;
  p->y.log = log, p->legend = LEGEND_RIGHT, p->x.bare = true;
  set_range(p, name, units, range);
  axis_set(&p->x, w->r->length > 0 ? "along the axis" : "along the span", w->r->length > 0 ? "m" : "%", w->x[0],
           w->x[n - 1]);
}

void draw_section(const SectionReport *r, const char *title, Diagram *d) {
  static const Line newtons[] = {{EA, "EA"}, {GA_MAX, "GA, larger"}, {GA_MIN, "GA, smaller"}};
  static const Line bending[] = {{EI_MAX, "EI, larger"}, {EI_MIN, "EI, smaller"}, {GJ, "GJ"}};
  static const Line mass[] = {{MASS, ""}};
  static const Line centres[] = {{TENSION, "tension centre"}, {SHEAR, "shear centre"}, {CENTRE, "mass centre"}};
  static const Line angles[] = {{BENDING, "bending"}, {INERTIA, "inertia"}};
  size_t n = (size_t)r->series.count;
  char name[100];
  Drawing w = {r, d, malloc(n * sizeof(double)), malloc(n * sizeof(double))};
  if (!w.x || !w.y) d->failed = true;
  else {
    snprintf(d->title, sizeof d->title, "%s", title);
    add_panel(&w, "stiffness", "N", true, newtons, 3, 0);
    add_panel(&w, "stiffness", "N m²", true, bending, 3, 0);
    add_panel(&w, "mass", "kg m-1", false, mass, 1, 0);
    for (int k = 0; k < 2; k++) {
      int axis = k == 0 ? chord_axis(r) : !chord_axis(r);
      snprintf(name, sizeof name, "%s of centres", r->series.axes->axis[axis]);
      add_panel(&w, name, "m", false, centres, 3, axis);
    }
    snprintf(name, sizeof name, "angle from %s", r->series.axes->axis[r->angle_from]);
    add_panel(&w, name, "deg", false, angles, 2, 0);
    d->panel[d->panels - 1].x.bare = false; // there is always one of the mass
    d->width = WIDTH, d->height = TOP + d->panels * (HIGH + GAP) - GAP + BOTTOM, d->fit_left = true;
  }
  free(w.x), free(w.y);
}
