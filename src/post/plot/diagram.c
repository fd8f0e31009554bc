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

// Where an axis has its numbers, and how they are written.

double axis_fraction(const Axis *a, double v) {
  if (a->log) return v > 0 ? log(v / a->low) / log(a->high / a->low) : NAN;
  return (v - a->low) / (a->high - a->low);
}

static const char *const superscript[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

static void print_power(int power, char *text, size_t size) {
  char digits[20];
  size_t n = (size_t)snprintf(text, size, "10%s", power < 0 ? "⁻" : "");
  snprintf(digits, sizeof digits, "%d", power < 0 ? -power : power);
  for (const char *c = digits; *c && n < size; c++)
    n += (size_t)snprintf(text + n, size - n, "%s", superscript[*c - '0']);
}

// A number with a minus that is as wide as a plus.
static void print_fixed(double v, int digits, char *text, size_t size) {
  char plain[32];
  snprintf(plain, sizeof plain, "%.*f", digits, v);
  bool zero = strspn(plain, "-0.") == strlen(plain);
  snprintf(text, size, "%s%s", plain[0] == '-' && !zero ? "−" : "", zero ? "0" : plain + (plain[0] == '-'));
}

static void add_tick(Ticks *t, double value) {
  if (t->count < MAX_TICKS) t->tick[t->count++].value = value;
}
static void add_minor(Ticks *t, double value) {
  if (t->minors < MAX_MINORS) t->minor[t->minors++] = value;
}

// A round distance of which at most `most` fit into a range.
static double round_step(double size, int most) {
  double step = pow(10, floor(log10(size / most)));
  for (int i = 0; i < 4 && size / step > most + 1e-9; i++) step *= i % 3 == 1 ? 2.5 : 2;
  return step;
}

static void choose_linear(const Axis *a, int most, Ticks *t) {
  double size = a->high - a->low, largest = fmax(fabs(a->low), fabs(a->high));
  double step = a->step > 0 ? a->step : round_step(size, most);
  if (!(size > 0) || !isfinite(size) || !(step > 1e-14 * largest)) return;
  for (double k = ceil(a->low / step - 1e-6); k * step <= a->high + 1e-6 * step && t->count < MAX_TICKS; k++)
    add_tick(t, k * step);
  if (largest >= 1e5 || largest < 1e-3) t->power = (int)floor(log10(largest));
  double unit = pow(10, t->power);
  int digits = (int)fmax(0, -floor(log10(step / unit) + 1e-6));
  for (int i = 0; i < t->count; i++)
    print_fixed(t->tick[i].value / unit, digits, t->tick[i].text, sizeof t->tick[i].text);
}

// Powers of ten, every few where there are many; with 2 and 5 times these where there are few.
static void choose_log(const Axis *a, int most, Ticks *t) {
  double low = log10(a->low), high = log10(a->high);
  if (!(a->low > 0) || !(high > low) || !isfinite(high)) return;
  int every = (int)ceil((high - low) / most), first = (int)ceil(low - 1e-9), last = (int)floor(high + 1e-9);
  if (high - low < 0.9) {
    choose_linear(a, most, t);
    return;
  }
  bool between = every == 1 && (high - low) * 3 <= most && high - low < 2.5;
  for (int k = (int)floor(low); k <= last; k++)
    for (int m = 1; m < 10; m++) {
      double value = m * pow(10, k), at = log10(value);
      if (at < low - 1e-9 || at > high + 1e-9) continue;
      bool whole = m == 1 && (k - first) % every == 0;
      if (whole || (between && (m == 2 || m == 5))) add_tick(t, value);
      else if (every == 1 || m == 1) add_minor(t, value);
    }
  bool plain = t->count > 0 && t->tick[0].value > 0.9e-3 && t->tick[t->count - 1].value < 1.1e4;
  for (int i = 0; i < t->count; i++) {
    Tick *k = &t->tick[i];
    int power = (int)floor(log10(k->value) + 1e-9), m = (int)lround(k->value / pow(10, power));
    char text[24];
    print_power(power, text, sizeof text);
    if (plain) snprintf(k->text, sizeof k->text, "%g", k->value);
    else if (m == 1) snprintf(k->text, sizeof k->text, "%s", text);
    else snprintf(k->text, sizeof k->text, "%d·%s", m, text);
  }
}

static void choose_ticks(const Axis *a, int most, Ticks *t) {
  *t = (Ticks){0};
  if (a->log) choose_log(a, most, t);
  else choose_linear(a, most, t);
}

// As many as leave room between their numbers, which along x are as wide as they are; upright at least three, along x
// at least two, if need be closer to each other.
void ticks_choose(const Axis *a, double pixels, bool upright, Ticks *out) {
  int most = (int)fmin(fmax(pixels / (upright ? 60 : 110), 2), 12);
  if (upright) {
    for (choose_ticks(a, most, out); out->count < 3 && most < pixels / 28; most++) choose_ticks(a, most + 1, out);
    return;
  }
  for (; most >= 1; most--) {
    double widest = 0;
    choose_ticks(a, most, out);
    for (int i = 0; i < out->count; i++) widest = fmax(widest, text_width(out->tick[i].text, TEXT_SIZE));
    if (a->step > 0 || widest + 24 < pixels / fmax(out->count, 1)) break;
  }
  for (most = 2; out->count < 2 && most < 7; most++) choose_ticks(a, most, out); // rather close than alone
}

// ---- names ----

const char *pretty_units(const char *units, char *text, size_t size) {
  char above[60] = "", below[60] = "", copy[60], *rest = copy, *word;
  int belows = 0;
  snprintf(copy, sizeof copy, "%s", strcmp(units, "1") ? units : "");
  while ((word = strtok_r(rest, " ", &rest))) {
    size_t n = strcspn(word, "-0123456789");
    bool under = word[n] == '-';
    char *side = under ? below : above, power[20];
    snprintf(power, sizeof power, "%s", word + n + (under ? 1 : 0));
    if (!strcmp(power, "1")) power[0] = 0;
    size_t used = strlen(side);
    snprintf(side + used, sizeof above - used, "%s%.*s%s", used ? " " : "", (int)n, word, power);
    belows += under;
  }
  if (!belows) snprintf(text, size, "%s", above);
  else snprintf(text, size, belows > 1 ? "%s/(%s)" : "%s/%s", *above ? above : "1", below);
  return text;
}

void axis_text(const Axis *a, char *text, size_t size) {
  char units[80], power[40] = "";
  pretty_units(a->units, units, sizeof units);
  if (a->ticks.power) print_power(a->ticks.power, power, sizeof power);
  bool any = *units || *power;
  snprintf(text, size, "%s%s%s%s%s%s%s", a->name, *a->name && any ? " " : "", any ? "[" : "", power,
           *power && *units ? " " : "", units, any ? "]" : "");
}

double axis_room(const Axis *y, double height) {
  Ticks t;
  double widest = 0;
  ticks_choose(y, height, true, &t);
  for (int i = 0; i < t.count; i++) widest = fmax(widest, text_width(t.tick[i].text, TEXT_SIZE));
  return fmax(widest + 64, 100);
}

// Where legends stand, and how much room axes take.

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
