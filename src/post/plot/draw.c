// SPDX-License-Identifier: Apache-2.0
// A diagram on a canvas.
#include "post/plot/diagram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLACK = 0x000000, FRAME = 0x303030, GRID = 0xe4e4e4, FINE = 0xf2f2f2, TICK = 7 };

static double snap_to_pixel(double v) { return floor(v) + 0.5; } // a line of one pixel fills one row of them

static void draw_line(Canvas *c, double x0, double y0, double x1, double y1, unsigned colour, double width) {
  CanvasPoint p[2] = {{x0, y0}, {x1, y1}};
  Pen pen = {colour, width, 0};
  c->kind->stroke(c, 2, p, &pen);
}

static void fill_box(Canvas *c, double left, double top, double right, double bottom, unsigned colour) {
  CanvasPoint p[4] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
  c->kind->fill(c, 4, p, colour);
}

static void draw_text(Canvas *c, double x, double y, TextAnchor anchor, unsigned colour, const char *text) {
  TextStyle s = {x, y, TEXT_SIZE, anchor, false, colour, 0};
  if (*text) c->kind->text(c, &s, text);
}

// A text of at most some width: smaller letters first, then without its middle.
static void draw_fitted(Canvas *c, TextStyle s, double width, const char *text) {
  char copy[900];
  snprintf(copy, sizeof copy, "%s", text);
  while (s.size > c->smallest && text_width(copy, s.size) > width) s.size -= 1;
  text_shorten(copy, s.size, width);
  if (*copy) c->kind->text(c, &s, copy);
}

// ---- curves ----

typedef struct {
  double left, top, wide, high; // of the frame
  const Axis *x, *y;
} Mapping;

static CanvasPoint map_point(const Mapping *m, double x, double y) {
  return (CanvasPoint){m->left + axis_fraction(m->x, x) * m->wide, m->top + (1 - axis_fraction(m->y, y)) * m->high};
}

static bool is_gap(CanvasPoint p) { return isnan(p.x) || isnan(p.y); }

// The pieces of a curve near the frame; points that lie upon each other are left out.
static void collect_line(const Curve *c, const Mapping *m, PointList *out) {
  const double box[4] = {m->left - 40, m->top - 40, m->left + m->wide + 40, m->top + m->high + 40};
  CanvasPoint last = {NAN, NAN}, end = {NAN, NAN}; // of the curve, of what is drawn
  for (int i = 0; i < c->n; i++) {
    CanvasPoint p = map_point(m, c->x[i], c->y[i]), a = last, b = p;
    bool first = is_gap(last), lonely = first && (i + 1 == c->n || is_gap(map_point(m, c->x[i + 1], c->y[i + 1])));
    last = p;
    if (is_gap(p) || (first && !lonely)) continue;
    if (lonely) a = p;
    if (!clip_segment(&a, &b, box)) continue;
    if (is_gap(end) || hypot(a.x - end.x, a.y - end.y) > 0.05) {
      if (out->n) points_add(out, NAN, NAN);
      points_add(out, a.x, a.y), end = a;
    }
    if (hypot(b.x - end.x, b.y - end.y) > 0.05 || i + 1 == c->n) points_add(out, b.x, b.y), end = b;
  }
}

static void collect_dots(const Curve *c, const Mapping *m, PointList *out) {
  for (int i = 0; i < c->n; i++) {
    CanvasPoint p = map_point(m, c->x[i], c->y[i]);
    if (is_gap(p) || p.x < m->left - 20 || p.x > m->left + m->wide + 20 || fabs(p.y - m->top) > m->high + 20) continue;
    points_add(out, p.x, p.y), points_add(out, NAN, NAN);
  }
}

// There along one side and back along the other, a little beyond: no light comes through between two areas.
static void collect_area(const Curve *c, const Mapping *m, PointList *out) {
  for (int k = 0; k < 2 * c->n; k++) {
    int i = k < c->n ? k : 2 * c->n - 1 - k;
    CanvasPoint p = map_point(m, c->x[i], k < c->n ? c->y[i] : c->base[i]);
    if (!is_gap(p)) points_add(out, fmin(fmax(p.x, -1e4), 1e4), fmin(fmax(p.y + (k < c->n ? 0 : 0.7), -1e4), 1e4));
  }
}

static void collect_fill(const Curve *c, const Mapping *m, PointList *out) {
  for (int i = 0; i < c->n; i++) {
    CanvasPoint p = map_point(m, c->x[i], c->y[i]);
    if (is_gap(p)) points_add(out, NAN, NAN);
    else points_add(out, fmin(fmax(p.x, -1e4), 1e4), fmin(fmax(p.y, -1e4), 1e4));
  }
}

static void draw_curve(Canvas *canvas, Diagram *d, const Curve *c, const Mapping *m) {
  PointList l = {0};
  Pen pen = {c->colour, c->width, c->dash};
  if (c->kind == CURVE_AREA) collect_area(c, m, &l);
  else if (c->kind == CURVE_FILL) collect_fill(c, m, &l);
  else if (c->kind == CURVE_DOTS) collect_dots(c, m, &l);
  else collect_line(c, m, &l);
  if (l.failed) d->failed = true;
  else if (l.n && (c->kind == CURVE_AREA || c->kind == CURVE_FILL)) canvas->kind->fill(canvas, l.n, l.at, c->colour);
  if (!l.failed && l.n && c->kind != CURVE_AREA) // lines around what is filled: no light comes through
    canvas->kind->stroke(canvas, l.n, l.at, &pen);
  free(l.at);
}

// ---- axes ----

static void draw_grid(Canvas *c, const Panel *p, const Mapping *m) {
  for (int fine = 1; fine >= 0; fine--) {
    unsigned colour = fine ? FINE : GRID;
    for (int i = 0; i < (fine ? p->x.ticks.minors : p->x.ticks.count); i++) {
      double x = snap_to_pixel(m->left +
                               axis_fraction(&p->x, fine ? p->x.ticks.minor[i] : p->x.ticks.tick[i].value) * m->wide);
      draw_line(c, x, p->top, x, p->bottom, colour, 1);
    }
    for (int i = 0; i < (fine ? p->y.ticks.minors : p->y.ticks.count); i++) {
      double y = snap_to_pixel(p->bottom -
                               axis_fraction(&p->y, fine ? p->y.ticks.minor[i] : p->y.ticks.tick[i].value) * m->high);
      draw_line(c, p->left, y, p->right, y, colour, 1);
    }
  }
}

static void draw_frame(Canvas *c, const Panel *p) {
  double l = snap_to_pixel(p->left), t = snap_to_pixel(p->top), r = snap_to_pixel(p->right),
         b = snap_to_pixel(p->bottom);
  CanvasPoint box[5] = {{l, t}, {r, t}, {r, b}, {l, b}, {l, t}};
  Pen pen = {FRAME, 1.2, 0};
  c->kind->stroke(c, 5, box, &pen);
}

static void draw_axes(Canvas *c, const Panel *p, double numbers) {
  char text[600];
  const Ticks *x = &p->x.ticks, *y = &p->y.ticks;
  for (int i = 0; i < x->count; i++) {
    double at = p->left + axis_fraction(&p->x, x->tick[i].value) * (p->right - p->left);
    draw_line(c, snap_to_pixel(at), p->bottom, snap_to_pixel(at), p->bottom - TICK, FRAME, 1);
    if (!p->x.bare) draw_text(c, at, p->bottom + 25, TEXT_MIDDLE, BLACK, x->tick[i].text);
  }
  for (int i = 0; i < y->count; i++) {
    double at = p->bottom - axis_fraction(&p->y, y->tick[i].value) * (p->bottom - p->top);
    draw_line(c, p->left, snap_to_pixel(at), p->left + TICK, snap_to_pixel(at), FRAME, 1);
    draw_text(c, p->left - 9, at + 0.36 * TEXT_SIZE, TEXT_END, BLACK, y->tick[i].text);
  }
  TextStyle s = {p->left - numbers - 22, 0.5 * (p->top + p->bottom), TEXT_SIZE + 1, TEXT_MIDDLE, true, BLACK, 0};
  axis_text(&p->y, text, sizeof text);
  draw_fitted(c, s, p->bottom - p->top + 16, text);
  if (p->x.bare) return;
  axis_text(&p->x, text, sizeof text);
  s = (TextStyle){0.5 * (p->left + p->right), p->bottom + 58, TEXT_SIZE + 1, TEXT_MIDDLE, false, BLACK, 0};
  draw_fitted(c, s, p->right - p->left, text);
}

// The widest number of all upright axes: their names stand in one line.
static double widest_number(const Diagram *d) {
  double widest = 0;
  for (int k = 0; k < d->panels; k++)
    for (int i = 0; i < d->panel[k].y.ticks.count; i++)
      widest = fmax(widest, text_width(d->panel[k].y.ticks.tick[i].text, TEXT_SIZE));
  return widest;
}

// ---- beside the curves ----

static void draw_sample(Canvas *c, const Curve *k, double x, double y) {
  if (k->kind == CURVE_AREA) fill_box(c, x + 4, y - 8, x + LEGEND_SAMPLE - 12, y + 8, k->colour);
  else {
    Pen pen = {k->colour, k->width, k->dash};
    CanvasPoint p[2] = {{x + 2, y}, {x + LEGEND_SAMPLE - 10, y}};
    if (k->kind == CURVE_DOTS) p[0].x = x + 0.5 * LEGEND_SAMPLE - 4;
    c->kind->stroke(c, k->kind == CURVE_DOTS ? 1 : 2, p, &pen);
  }
}

static void draw_legend(Canvas *c, const Panel *p) {
  const double *box = p->legend_box;
  double each = (box[2] - box[0] - 6) / p->legend_columns, top = box[1] + (p->legend == LEGEND_CORNER ? 4 : 0);
  int n = 0;
  if (p->legend == LEGEND_CORNER) {
    CanvasPoint edge[5] = {{snap_to_pixel(box[0]), snap_to_pixel(box[1])},
                           {snap_to_pixel(box[2]), snap_to_pixel(box[1])},
                           {snap_to_pixel(box[2]), snap_to_pixel(box[3])},
                           {snap_to_pixel(box[0]), snap_to_pixel(box[3])},
                           {snap_to_pixel(box[0]), snap_to_pixel(box[1])}};
    Pen pen = {0xd0d0d0, 1, 0};
    fill_box(c, box[0], box[1], box[2], box[3], 0xffffff);
    c->kind->stroke(c, 5, edge, &pen);
  }
  if (*p->legend_title) draw_text(c, box[0] + 10, top + 20, TEXT_START, BLACK, p->legend_title), top += LEGEND_ROW;
  for (int i = 0; i < p->curves; i++) {
    const Curve *k = &p->curve[i];
    char text[400];
    if (!*k->legend) continue;
    double x = box[0] + 10 + n / p->legend_rows * each, y = top + n % p->legend_rows * LEGEND_ROW + 0.5 * LEGEND_ROW;
    if (p->legend == LEGEND_ABOVE) { // row by row
      x = box[0] + 10 + n % p->legend_columns * each, y = top + n / p->legend_columns * LEGEND_ROW + 0.5 * LEGEND_ROW;
    }
    n++;
    draw_sample(c, k, x, y);
    snprintf(text, sizeof text, "%s", k->legend);
    text_shorten(text, TEXT_SIZE, each - LEGEND_SAMPLE - 4);
    draw_text(c, x + LEGEND_SAMPLE, y + 0.36 * TEXT_SIZE, TEXT_START, BLACK, text);
  }
}

static void draw_scale(Canvas *c, const Panel *p) {
  enum { STEPS = 100, WIDE = 22 };
  double left = p->right + 30, high = 0.8 * (p->bottom - p->top),
         bottom = p->bottom - 0.5 * (p->bottom - p->top - high);
  Axis a = {.low = p->scale_range[0], .high = p->scale_range[1]};
  Ticks t;
  ticks_choose(&a, high, true, &t);
  for (int i = 0; i < STEPS; i++)
    fill_box(c, left, bottom - (i + 1.0) * high / STEPS, left + WIDE, bottom - (double)i * high / STEPS + (i ? 1 : 0),
             scale_colour((i + 0.5) / STEPS));
  double widest = 0;
  for (int i = 0; i < t.count; i++) {
    double y = bottom - axis_fraction(&a, t.tick[i].value) * high;
    draw_line(c, left + WIDE, y, left + WIDE + 5, y, FRAME, 1);
    draw_text(c, left + WIDE + 9, y + 0.36 * TEXT_SIZE, TEXT_START, BLACK, t.tick[i].text);
    widest = fmax(widest, text_width(t.tick[i].text, TEXT_SIZE));
  }
  TextStyle s = {left + WIDE + widest + 32, bottom - 0.5 * high, TEXT_SIZE + 1, TEXT_MIDDLE, true, BLACK, 0};
  draw_fitted(c, s, high, p->scale_name);
}

static void draw_panel(Canvas *c, Diagram *d, const Panel *p, double numbers) {
  Mapping m = {p->left, p->top, p->right - p->left, p->bottom - p->top, &p->x, &p->y};
  const double box[4] = {p->left, p->top, p->right, p->bottom};
  draw_grid(c, p, &m);
  c->kind->clip(c, box);
  for (int i = 0; i < p->curves; i++) draw_curve(c, d, &p->curve[i], &m);
  c->kind->clip(c, NULL);
  draw_frame(c, p);
  draw_axes(c, p, numbers);
  for (int i = 0; i < p->texts; i++) {
    const PanelText *t = &p->text[i];
    CanvasPoint at = map_point(&m, t->x, t->y);
    if (!is_gap(at)) draw_text(c, at.x + t->dx, at.y + t->dy, t->anchor, t->colour, t->text);
  }
  if (p->legend != LEGEND_NONE) draw_legend(c, p);
  if (p->scale) draw_scale(c, p);
}

bool diagram_draw(Diagram *d, const CanvasKind *kind, FILE *out) {
  Canvas c = {
      .kind = kind, .out = out, .width = d->width, .height = d->height, .smallest = d->smallest ? d->smallest : 12};
  diagram_layout(d);
  bool good = !d->failed && kind->begin(&c, d->title);
  if (good) {
    double numbers = widest_number(d), left = d->panel[0].left, right = d->panel[0].right;
    TextStyle s = {0.5 * (left + right), 40, TEXT_SIZE + 2, TEXT_MIDDLE, false, BLACK, 0};
    draw_fitted(&c, s, 2 * fmin(s.x, d->width - s.x) - 40, d->title);
    for (int k = 0; k < d->panels; k++) draw_panel(&c, d, &d->panel[k], numbers);
  }
  return kind->finish(&c) && good && !d->failed;
}

// A diagram as a script for gnuplot, with all its data, to be changed by hand.

static bool ends_in(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && !strcmp(text + n - m, end);
}

// A text for `set output`: quotes are doubled, all else stands for itself.
static void put_path(FILE *out, const char *path) {
  fputs("set output '", out);
  for (; *path; path++) fprintf(out, "%s%c", *path == '\'' ? "'" : "", *path);
  fputs("'\n", out);
}

static void put_head(const Diagram *d, const char *path, FILE *out) {
  fputs("# Written by `limber plot --script`; `gnuplot` makes the picture of this file.\n", out);
  if (ends_in(path, ".svg"))
    fprintf(out, "set terminal svg size %d,%d rounded font 'DejaVu Sans,19' background 'white'\n", d->width, d->height);
  else if (ends_in(path, ".pdf")) // 150 pixels an inch; gnuplot halves the size of its text
    fprintf(out, "set terminal pdfcairo size %.3fin,%.3fin rounded font 'DejaVu Sans,14'\n", d->width / 150.0,
            d->height / 150.0);
  else fprintf(out, "set terminal pngcairo size %d,%d rounded font 'DejaVu Sans,15'\n", d->width, d->height);
  put_path(out, path);
  fputs("set encoding utf8\n"
        "set grid lt 1 lc rgb '#e4e4e4' lw 1\n"
        "set border lw 1.2\n"
        "set tics nomirror\n"
        "set key Left reverse samplen 2.5 spacing 1.25 opaque\n",
        out);
}

// Quoted; nothing in it has a meaning of its own.
static void put_text(FILE *out, const char *text) {
  fputc('\'', out);
  for (; *text; text++) {
    if (*text == '\'') fputc('\'', out);
    else if (strchr("_^{}@&~\\", *text)) fputc('\\', out);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
  }
  fputc('\'', out);
}

static void put_data(const Curve *c, FILE *out) {
  fprintf(out, "$%s << EOD\n", c->name);
  for (int i = 0; i < c->n; i++) {
    if (isnan(c->x[i]) || isnan(c->y[i])) fputs("\n", out); // a gap
    else if (c->base) fprintf(out, "%.10g %.10g %.10g\n", c->x[i], c->base[i], c->y[i]);
    else fprintf(out, "%.10g %.10g\n", c->x[i], c->y[i]);
  }
  fputs("EOD\n", out);
}

static void put_axis(const Axis *a, char letter, FILE *out) {
  char units[80], text[600];
  fprintf(out, "%s logscale %c\nset format %c '%s'\n", a->log ? "set" : "unset", letter, letter,
          a->bare                            ? ""
          : a->log && a->high / a->low > 1e3 ? "10^{%T}"
                                             : "%h");
  if (a->step > 0) fprintf(out, "set %ctics %g\n", letter, a->step);
  else fprintf(out, "set %ctics autofreq\n", letter);
  fprintf(out, "set %crange [%.10g:%.10g]\n", letter, a->low, a->high);
  pretty_units(a->units, units, sizeof units);
  snprintf(text, sizeof text, "%s%s%s%s%s", a->name, *a->name && *units ? " " : "", *units ? "[" : "", units,
           *units ? "]" : "");
  if (a->bare) fprintf(out, "unset %clabel\n", letter);
  else fprintf(out, "set %clabel ", letter), put_text(out, text), fputc('\n', out);
}

static void put_key(const Diagram *d, const Panel *p, FILE *out) {
  static const char *const corner[4] = {"top right", "top left", "bottom right", "bottom left"};
  double x = 0.5 * (p->legend_box[0] + p->legend_box[2]), y = 0.5 * (p->legend_box[1] + p->legend_box[3]);
  if (p->scale) {
    fputs(
        "set palette defined (0 '#440154', 0.2 '#414487', 0.4 '#2a788e', 0.6 '#22a884', 0.8 '#7ad151', 1 '#d2ce1b')\n",
        out);
    fprintf(out, "set cbrange [%.8g:%.8g]\n", p->scale_range[0], p->scale_range[1]);
    fprintf(out, "set colorbox user origin screen %.4f, graph 0.1 size screen 0.018, graph 0.8\nset cblabel ",
            (p->right + 30) / d->width);
    put_text(out, p->scale_name), fputc('\n', out);
  } else fputs("unset colorbox\n", out);
  if (p->legend == LEGEND_CORNER) fprintf(out, "set key %s vertical maxrows %d\n", corner[p->corner], p->legend_rows);
  else if (p->legend == LEGEND_ABOVE)
    fprintf(out, "set key at screen %.4f, screen %.4f center horizontal maxcols %d\n", x / d->width, 1 - y / d->height,
            p->legend_columns);
  else if (p->legend == LEGEND_RIGHT)
    fprintf(out, "set key at screen %.4f, screen %.4f left top vertical maxcols 1\n", p->legend_box[0] / d->width,
            1 - p->top / d->height);
  else fputs("unset key\n", out);
  if (*p->legend_title) fprintf(out, "set key title '%s' left\n", p->legend_title);
}

static void put_curve(const Curve *c, bool png, FILE *out) {
  fprintf(out, "$%s ", c->name);
  if (c->kind == CURVE_AREA) fputs("using 1:2:3 with filledcurves", out);
  else if (c->kind == CURVE_FILL) fputs("with filledcurves closed", out);
  else if (c->kind == CURVE_DOTS)
    fprintf(out, "with points pt 7 ps %.3g", c->width * (png ? 0.11 : 0.066)); // those of a PNG are smaller
  else fputs("with lines", out);
  if (isnan(c->level)) fprintf(out, " lc rgb '#%06x'", c->colour);
  else fprintf(out, " lc palette cb %.8g", c->level);
  if (c->kind == CURVE_LINE) fprintf(out, " dt %d lw %g", c->dash + 1, c->width);
}

// Labels count from 1 anew in each panel; 99 is the title.
static void put_panel(const Diagram *d, int k, int *labels, const char *path, FILE *out) {
  const Panel *p = &d->panel[k];
  fprintf(out, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", p->left / d->width, p->right / d->width);
  fprintf(out, "set bmargin at screen %.6f\nset tmargin at screen %.6f\n", 1 - p->bottom / d->height,
          1 - p->top / d->height);
  put_axis(&p->x, 'x', out), put_axis(&p->y, 'y', out);
  put_key(d, p, out);
  for (int i = 1; i <= *labels; i++) fprintf(out, "unset label %d\n", i);
  *labels = p->texts;
  for (int i = 0; i < p->texts; i++) {
    static const char *const anchor[] = {"left", "center", "right"};
    const PanelText *t = &p->text[i];
    fprintf(out, "set label %d ", i + 1), put_text(out, t->text);
    fprintf(out, " at %.10g,%.10g %s offset %.3g,%.3g tc rgb '#%06x' front\n", t->x, t->y, anchor[t->anchor],
            t->dx / 10, -t->dy / 22, t->colour);
  }
  if (k) fputs("unset label 99\n", out);
  else {
    fputs("set label 99 ", out), put_text(out, d->title);
    fprintf(out, " at screen %.6f, screen %.6f center\n", 0.5 * (p->left + p->right) / d->width, 1 - 32.0 / d->height);
  }
  for (int i = 0; i < p->curves; i++) {
    const Curve *c = &p->curve[i];
    fputs(i ? ", \\\n     " : "plot ", out);
    put_curve(c, !ends_in(path, ".svg") && !ends_in(path, ".pdf"), out);
    if (*c->legend) fputs(" title ", out), put_text(out, c->legend);
    else fputs(" notitle", out);
  }
  fputc('\n', out);
}

void diagram_script(const Diagram *d, const char *path, FILE *out) {
  int labels = 0;
  put_head(d, path, out);
  for (int k = 0; k < d->panels; k++)
    for (int i = 0; i < d->panel[k].curves; i++) put_data(&d->panel[k].curve[i], out);
  fputs("set multiplot\n", out);
  for (int k = 0; k < d->panels; k++) put_panel(d, k, &labels, path, out);
  fputs("unset multiplot\n", out);
}
