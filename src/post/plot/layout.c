// SPDX-License-Identifier: Apache-2.0
// Where legends stand, and how much room axes take.
#include "post/plot/diagram.h"

#include <math.h>
#include <string.h>

enum { INSET = 12, PAD = 10, APART = 26 };

bool clip_segment(CanvasPoint *a, CanvasPoint *b, const double box[4]) {
  double d[2] = {b->x - a->x, b->y - a->y}, from[2] = {a->x, a->y}, t0 = 0, t1 = 1;
  for (int i = 0; i < 4; i++) { // Liang and Barsky
    double p = i < 2 ? -d[i] : d[i - 2], q = i < 2 ? from[i] - box[i] : box[i] - from[i - 2];
    if (p == 0) {
      if (q < 0) return false;
      continue;
    }
    double t = q / p;
    if (p < 0) t0 = fmax(t0, t);
    else t1 = fmin(t1, t);
  }
  if (!(t0 <= t1)) return false;
  *b = (CanvasPoint){from[0] + t1 * d[0], from[1] + t1 * d[1]};
  *a = (CanvasPoint){from[0] + t0 * d[0], from[1] + t0 * d[1]};
  return true;
}

static int entry_count(const Panel *p) {
  int n = 0;
  for (int i = 0; i < p->curves; i++) n += *p->curve[i].legend != 0;
  return n;
}

double legend_width(const Panel *p) {
  double widest = text_width(p->legend_title, TEXT_SIZE) - LEGEND_SAMPLE;
  for (int i = 0; i < p->curves; i++) widest = fmax(widest, text_width(p->curve[i].legend, TEXT_SIZE));
  return LEGEND_SAMPLE + 8 + widest;
}

static int columns_above(const Panel *p, double width) {
  int n = entry_count(p), columns = (int)fmax(1, floor((width + APART) / (legend_width(p) + APART)));
  columns = columns < n ? columns : n;
  if (columns < 1) return 1;
  int rows = (n + columns - 1) / columns;
  return (n + rows - 1) / rows; // rows of about equal length
}

double legend_height(const Panel *p, double width) {
  int columns = columns_above(p, width);
  return entry_count(p) ? (entry_count(p) + columns - 1) / columns * LEGEND_ROW + 8 : 0;
}

static CanvasPoint in_frame(const Panel *p, double x, double y) {
  return (CanvasPoint){p->left + axis_fraction(&p->x, x) * (p->right - p->left),
                       p->bottom - axis_fraction(&p->y, y) * (p->bottom - p->top)};
}

// How many pieces of curves a box would hide.
static int hidden_pieces(const Panel *p, const double box[4]) {
  int hits = 0;
  for (int i = 0; i < p->curves; i++) {
    const Curve *c = &p->curve[i];
    for (int j = 0; j < c->n; j++) {
      CanvasPoint a = in_frame(p, c->x[j], c->y[j]), b = a;
      if (j + 1 < c->n && c->kind == CURVE_LINE) b = in_frame(p, c->x[j + 1], c->y[j + 1]);
      if (isnan(b.x) || isnan(b.y)) b = a;
      if (!isnan(a.x) && !isnan(a.y)) hits += clip_segment(&a, &b, box);
    }
  }
  return hits;
}

static void set_box(double box[4], double left, double top, double wide, double high) {
  box[0] = left, box[1] = top, box[2] = left + wide, box[3] = top + high;
}

// Into the emptiest corner; returns how many pieces of curves it hides there.
static int find_corner(Panel *p, double *wide, double *high) {
  double frame = p->bottom - p->top, most = p->right - p->left - 2 * INSET - 2 * PAD;
  double each = fmin(legend_width(p), most) + APART;
  int most_columns = (int)fmax(1, (most + APART) / each), columns = 1, best = -1;
  while (columns < most_columns && columns < p->entries &&
         (p->entries + columns - 1) / columns * LEGEND_ROW > 0.35 * frame)
    columns++;
  p->legend_columns = columns, p->legend_rows = (p->entries + columns - 1) / columns;
  *wide = columns * each - APART + 2 * PAD, *high = p->legend_rows * LEGEND_ROW + PAD;
  for (int i = 0; i < 4; i++) {
    double box[4], wider[4];
    set_box(box, i % 2 ? p->left + INSET : p->right - INSET - *wide, i < 2 ? p->top + INSET : p->bottom - INSET - *high,
            *wide, *high);
    for (int k = 0; k < 4; k++) wider[k] = box[k] + (k < 2 ? -4 : 4);
    int hits = hidden_pieces(p, wider);
    if (best >= 0 && hits >= best) continue;
    best = hits, p->corner = i;
    memcpy(p->legend_box, box, sizeof box);
  }
  return best;
}

bool legend_has_corner(const Panel *p) {
  Panel copy = *p;
  double wide, high;
  copy.entries = entry_count(p);
  return copy.entries == 0 || find_corner(&copy, &wide, &high) == 0;
}

// Where no corner is empty, above the curves, for which the range is raised.
static void place_in_corner(Panel *p) {
  double wide, high;
  int best = find_corner(p, &wide, &high);
  double part = (high + INSET + 6) / (p->bottom - p->top);
  if (best == 0 || p->fixed_top || part > 0.7) return;
  if (p->y.log) p->y.high *= pow(p->y.high / p->y.low, part / (1 - part));
  else p->y.high += (p->y.high - p->y.low) * part / (1 - part);
  p->corner = 0;
  set_box(p->legend_box, p->right - INSET - wide, p->top + INSET, wide, high);
}

// The width of what stands right of a frame.
static double texts_beside(const Panel *p) {
  double widest = 0;
  for (int i = 0; i < p->texts; i++) {
    const PanelText *t = &p->text[i];
    if (t->anchor == TEXT_START && axis_fraction(&p->x, t->x) > 0.999)
      widest = fmax(widest, t->dx + text_width(t->text, TEXT_SIZE));
  }
  return widest;
}

static void place_legend(const Diagram *d, Panel *p) {
  p->entries = entry_count(p);
  if (!p->entries) p->legend = LEGEND_NONE;
  double each = legend_width(p);
  if (p->legend == LEGEND_CORNER) place_in_corner(p);
  else if (p->legend == LEGEND_ABOVE) {
    p->legend_columns = columns_above(p, p->right - p->left);
    p->legend_rows = (p->entries + p->legend_columns - 1) / p->legend_columns;
    double wide = fmin(p->legend_columns * (each + APART) - APART, p->right - p->left),
           high = p->legend_rows * LEGEND_ROW;
    set_box(p->legend_box, 0.5 * (p->left + p->right - wide) - PAD, p->top - high - 10, wide + 2 * PAD, high);
  } else if (p->legend == LEGEND_RIGHT) {
    p->legend_columns = 1, p->legend_rows = p->entries;
    double left = p->right + 14 + texts_beside(p), wide = fmin(each + 2 * PAD, d->width - left - 2);
    set_box(p->legend_box, left, p->top, wide, (p->legend_rows + (*p->legend_title != 0)) * LEGEND_ROW);
  }
}

static void move_left(Panel *p, double left) {
  for (int i = 0; i < 4 && p->corner % 2; i += 2) p->legend_box[i] += left - p->left;
  p->left = left;
}

void diagram_layout(Diagram *d) {
  double room = 0;
  for (int pass = 0; pass < 2; pass++) { // a range that the legend raised may have longer numbers
    for (int k = 0; d->fit_left && k < d->panels; k++)
      room = fmax(room, axis_room(&d->panel[k].y, d->panel[k].bottom - d->panel[k].top));
    for (int k = 0; d->fit_left && k < d->panels; k++) move_left(&d->panel[k], ceil(room));
    for (int k = 0; pass == 0 && k < d->panels; k++) place_legend(d, &d->panel[k]);
  }
  for (int k = 0; k < d->panels; k++) {
    Panel *p = &d->panel[k];
    ticks_choose(&p->x, p->right - p->left, false, &p->x.ticks);
    ticks_choose(&p->y, p->bottom - p->top, true, &p->y.ticks);
  }
}
