// SPDX-License-Identifier: Apache-2.0
#include "post/plot/diagram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Panel *diagram_panel(Diagram *d, double left, double top, double right, double bottom) {
  Panel *p = &d->panel[d->panels < MAX_PANELS ? d->panels++ : MAX_PANELS - 1];
  p->left = left, p->top = top, p->right = right, p->bottom = bottom;
  return p;
}

void axis_set(Axis *a, const char *name, const char *units, double low, double high) {
  snprintf(a->name, sizeof a->name, "%s", name);
  snprintf(a->units, sizeof a->units, "%s", units);
  a->low = low, a->high = high;
}

static double *copy_of(int n, const double *x) {
  double *out = x ? malloc(((size_t)n + 1) * sizeof *out) : NULL;
  if (out) memcpy(out, x, (size_t)n * sizeof *out);
  return out;
}

Curve *panel_curve(Diagram *d, Panel *p, CurveKind kind, int n, const double *x, const double *y, const double *base) {
  static Curve lost; // where there is no memory
  if (p->curves == p->room) {
    int room = p->room ? 2 * p->room : 16;
    Curve *more = realloc(p->curve, (size_t)room * sizeof *more);
    if (!more) return d->failed = true, free(lost.x), free(lost.y), lost = (Curve){0}, &lost;
    p->curve = more, p->room = room;
  }
  Curve *c = &p->curve[p->curves++];
  *c = (Curve){.kind = kind, .n = n, .width = 2, .level = NAN};
  c->x = copy_of(n, x), c->y = copy_of(n, y), c->base = copy_of(n, base);
  if (!c->x || !c->y || (base && !c->base)) c->n = 0, d->failed = true;
  return c;
}

Curve *panel_points(Diagram *d, Panel *p, CurveKind kind, const PointList *l) {
  Curve *c = panel_curve(d, p, kind, 0, &(double){0}, &(double){0}, NULL);
  double *x = realloc(c->x, ((size_t)l->n + 1) * sizeof *x);
  if (x) c->x = x;
  double *y = realloc(c->y, ((size_t)l->n + 1) * sizeof *y);
  if (y) c->y = y;
  if (!x || !y || l->failed) return d->failed = true, c;
  for (int i = 0; i < l->n; i++) x[i] = l->at[i].x, y[i] = l->at[i].y;
  c->n = l->n;
  return c;
}

void curve_name(Curve *c, const char *name, int number) { snprintf(c->name, sizeof c->name, "%s%d", name, number); }

PanelText *panel_text(Panel *p, double x, double y, TextAnchor anchor, unsigned colour) {
  PanelText *t = &p->text[p->texts < MAX_TEXTS ? p->texts++ : MAX_TEXTS - 1];
  *t = (PanelText){.x = x, .y = y, .anchor = anchor, .colour = colour};
  return t;
}

void diagram_free(Diagram *d) {
  for (int k = 0; k < d->panels; k++) {
    Panel *p = &d->panel[k];
    for (int i = 0; i < p->curves; i++) free(p->curve[i].x), free(p->curve[i].y), free(p->curve[i].base);
    free(p->curve);
  }
  free(d);
}

// Colours of Okabe and Ito.
static const unsigned colours[] = {0x0072b2, 0xd55e00, 0x009e73, 0xe69f00, 0xcc79a7, 0x000000, 0x56b4e9, 0x999999};
enum { COLOURS = sizeof colours / sizeof colours[0] };
unsigned series_colour(int i) { return colours[i % COLOURS]; }
int series_dash(int i) { return i / COLOURS % 5; }

// Viridis, and not so light at its end that it is lost on white.
unsigned scale_colour(double fraction) {
  static const unsigned char table[6][3] = {{0x44, 0x01, 0x54}, {0x41, 0x44, 0x87}, {0x2a, 0x78, 0x8e},
                                            {0x22, 0xa8, 0x84}, {0x7a, 0xd1, 0x51}, {0xd2, 0xce, 0x1b}};
  double at = 5 * fmin(fmax(fraction, 0), 1);
  int i = at >= 5 ? 4 : (int)at;
  unsigned out = 0;
  for (int k = 0; k < 3; k++)
    out = out << 8 | (unsigned)lround(table[i][k] + (at - i) * ((double)table[i + 1][k] - table[i][k]));
  return out;
}
