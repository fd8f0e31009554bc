// SPDX-License-Identifier: Apache-2.0
#include "post/picture/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  WIDTH = 480,
  HEIGHT = 225,
  LEFT = 62,
  RIGHT = 12,
  TOP = 34,
  BOTTOM = 40,
  LEGEND = 18,
  IN_A_ROW = 3,
  SAMPLE = 30
};
enum {
  MOST_MARKS = 100
}; // of an axis, also where numbers are so large or small that they do not tell one from the next

static const double LETTER = 6.4, BOLD_LETTER = 7.2; // width of a letter in pixels, rather too much

static const char *const colours[] = {"#1f5fa8", "#c8501e", "#2c8a4b", "#8a4fa0", "#b08a00",
                                      "#118a8a", "#a02c50", "#5a5a5a", "#7a9a1e"};

typedef struct {
  double low, high;
} Range;

typedef struct {
  Range x, y;
  double bottom;   // pixel of the lower edge
  bool log, whole; // y of powers of ten; x of whole numbers
} Frame;

void html_text(FILE *out, const char *text) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '<') fputs("&lt;", out);
    else if (c == '>') fputs("&gt;", out);
    else if (c == '&') fputs("&amp;", out);
    else if (c == '"') fputs("&quot;", out);
    else if (c == '\'') fputs("&#39;", out);
    else if (c >= 0x20 || c == '\n' || c == '\t') fputc(c, out); // a page holds no others
  }
}

static const char *colour_of(int i) { return colours[i % (int)(sizeof colours / sizeof colours[0])]; }

// ---- scales ----

static void extend_range(Range *r, double v) {
  if (isfinite(v)) r->low = fmin(r->low, v), r->high = fmax(r->high, v);
}

static double on_scale(const Frame *f, double y) { return !f->log ? y : y != 0 ? log10(fabs(y)) : NAN; }

static void widen_range(Range *r, double fraction) {
  if (!(r->low <= r->high)) *r = (Range){0, 1};
  double size = r->high - r->low, least = 1e-9 * fmax(fabs(r->low), fabs(r->high));
  if (size <= least) size = least > 0 ? fmax(0.2 * fabs(r->high), 1e-300) : 1, r->low -= size / 2, r->high += size / 2;
  else r->low -= fraction * size, r->high += fraction * size;
}

// A round distance between marks, so that there are about `wanted`.
static double mark_step(Range r, int wanted) {
  double rough = (r.high - r.low) / wanted, power = pow(10, floor(log10(rough))), part = rough / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

static void print_number(FILE *out, double v, double step, double most) {
  if (fabs(v) < 1e-9 * step) v = 0;
  if (most >= 1e5 || most < 1e-3) {
    int digits = (int)fmin(fmax(0, ceil(log10(most / step) - 1e-9)), 16);
    fprintf(out, "%.*g", digits + 1, v);
  } else fprintf(out, "%.*f", (int)fmin(fmax(0, ceil(-log10(step) - 1e-9)), 16), v);
}

static double pixel_x(const Frame *f, double x) {
  return LEFT + (x - f->x.low) / (f->x.high - f->x.low) * (WIDTH - LEFT - RIGHT);
}
static double pixel_y(const Frame *f, double y) {
  return f->bottom - (y - f->y.low) / (f->y.high - f->y.low) * (HEIGHT - TOP - BOTTOM);
}

static void draw_marks(const Frame *f, FILE *out) {
  double step = mark_step(f->y, 5), most = fmax(fabs(f->y.low), fabs(f->y.high));
  if (f->log) step = fmax(1, ceil((f->y.high - f->y.low) / 6));
  double v = ceil(f->y.low / step) * step;
  for (int i = 0; i < MOST_MARKS && v <= f->y.high + 1e-9 * step; i++, v += step) {
    double y = pixel_y(f, v);
    fprintf(out, "<path class=\"g\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT, y,
            WIDTH - RIGHT, LEFT - 6, y + 4);
    if (f->log) fprintf(out, "1e%d", (int)lround(v));
    else print_number(out, v, step, most);
    fputs("</text>\n", out);
  }
  step = mark_step(f->x, 6), most = fmax(fabs(f->x.low), fabs(f->x.high));
  if (f->whole) step = fmax(1, step);
  v = ceil(f->x.low / step - 1e-9) * step;
  for (int i = 0; i < MOST_MARKS && v <= f->x.high + 1e-9 * step; i++, v += step) {
    double x = pixel_x(f, v);
    fprintf(out, "<path class=\"g\" d=\"M%.1f %dV%.1f\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x, TOP,
            f->bottom, x, f->bottom + 16);
    print_number(out, v, step, most);
    fputs("</text>\n", out);
  }
}

// ---- texts ----

static int letters_of(const char *text) {
  int n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80; // characters of UTF-8
  return n;
}

// A text of at most some pixels, at `letter` pixels a letter, without its middle if it is longer.
static void fitted_text(FILE *out, const char *text, double pixels, double letter) {
  int n = letters_of(text), most = (int)fmax(4, pixels / letter), k = 0;
  for (const char *at = text; *at;) {
    char one[8] = "";
    size_t size = 0;
    do one[size++] = *at++;
    while (size < 4 && ((unsigned char)*at & 0xC0) == 0x80);
    if (n <= most || k < most / 2 || k >= n - (most - most / 2 - 1)) html_text(out, one);
    else if (k == most / 2) fputs("…", out);
    k++;
  }
}

static void begin_chart(const char *title, const char *unit_x, const char *unit_y, double height, const Frame *f,
                        FILE *out) {
  fprintf(out, "<svg class=\"chart\" viewBox=\"0 0 %d %.0f\" role=\"img\"><title>", WIDTH, height);
  html_text(out, title);
  fprintf(out, "</title>\n<text class=\"t\" x=\"%d\" y=\"20\">", LEFT);
  fitted_text(out, title, WIDTH - LEFT - RIGHT - LETTER * letters_of(unit_y) - 12, BOLD_LETTER);
  fprintf(out, "</text><text x=\"%d\" y=\"20\" text-anchor=\"end\">", WIDTH - RIGHT);
  html_text(out, unit_y);
  fprintf(out, "</text><text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2, f->bottom + 32);
  html_text(out, unit_x);
  fputs("</text>\n", out);
  draw_marks(f, out);
  fprintf(out, "<rect class=\"f\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%.1f\"/>\n", LEFT, TOP, WIDTH - LEFT - RIGHT,
          f->bottom - TOP);
}

// ---- lines ----

typedef struct {
  FILE *out;
  bool pen; // is down
} Pen;

static void go_to(Pen *p, double x, double y) {
  fprintf(p->out, "%s%.1f %.1f", p->pen ? "L" : "M", x, y);
  p->pen = true;
}

// Row i of a line, of several in one column of pixels first, least, largest and last.
static void draw_points(const Frame *f, const double *x, const double *y, int from, int count, Pen *p) {
  for (int i = from; i < count;) {
    double px = pixel_x(f, x[i]), column = floor(px), first = NAN, last = NAN, low = INFINITY, high = -INFINITY;
    int n = 0;
    if (!isfinite(column)) i++; // no number, or beyond all
    for (; i < count && floor(pixel_x(f, x[i])) == column; i++, n++) {
      double v = on_scale(f, y[i]);
      if (!isfinite(v)) {
        if (!n) i++;
        break;
      }
      first = isnan(first) ? v : first, last = v, low = fmin(low, v), high = fmax(high, v);
      px = pixel_x(f, x[i]);
    }
    if (isnan(first)) {
      p->pen = false;
      continue;
    }
    if (n > 1) go_to(p, column, pixel_y(f, first));
    if (n > 2) go_to(p, column + 0.3, pixel_y(f, low)), go_to(p, column + 0.6, pixel_y(f, high));
    go_to(p, px, pixel_y(f, last));
  }
}

static void draw_line(const Frame *f, const ChartLine *l, int index, FILE *out) {
  Pen p = {out, false};
  fprintf(out, "<path class=\"l\" stroke=\"%s\"%s d=\"", l->dashed ? "#000" : colour_of(index),
          l->dashed ? " stroke-dasharray=\"6 4\"" : "");
  draw_points(f, l->x, l->y, 0, l->count, &p);
  fputs("\"/>\n", out);
}

// An area between two sums over the same x, both thinned out to every n-th row.
static void draw_area(const Frame *f, const ChartLine *l, const double *below, const double *above, int index,
                      FILE *out) {
  int every = 1 + l->count / (2 * WIDTH);
  fprintf(out, "<path stroke=\"none\" fill=\"%s\" fill-opacity=\"0.75\" d=\"M", colour_of(index));
  for (int i = 0; i < l->count; i += every) fprintf(out, "%.1f %.1f ", pixel_x(f, l->x[i]), pixel_y(f, above[i]));
  for (int i = (l->count - 1) / every * every; i >= 0; i -= every)
    fprintf(out, "%.1f %.1f ", pixel_x(f, l->x[i]), pixel_y(f, below[i]));
  fputs("Z\"/>\n", out);
}

static int legend_columns(const Chart *c) {
  int longest = 1;
  for (int i = 0; i < c->lines; i++) longest = (int)fmax(longest, letters_of(c->line[i].name));
  int most = (int)fmin(fmax(1, (WIDTH - LEFT - RIGHT) / (SAMPLE + LETTER * longest)), IN_A_ROW);
  return c->lines < most ? c->lines : most;
}

static void draw_legend(const Chart *c, double y, FILE *out) {
  int columns = legend_columns(c);
  for (int i = 0; i < c->lines && c->lines > 1; i++) {
    const ChartLine *l = &c->line[i];
    double x = LEFT + (i % columns) * ((WIDTH - LEFT - RIGHT) / columns), at = y + i / columns * LEGEND;
    fprintf(out, "<path class=\"l\" stroke=\"%s\"%s d=\"M%.0f %.0fh18\"/><text x=\"%.0f\" y=\"%.0f\">",
            l->dashed ? "#000" : colour_of(i), l->dashed ? " stroke-dasharray=\"6 4\"" : "", x, at, x + 23, at + 4);
    fitted_text(out, l->name, (double)(WIDTH - LEFT - RIGHT) / columns - SAMPLE, LETTER);
    fputs("</text>\n", out);
  }
}

static void draw_stack(const Chart *c, Frame *f, FILE *out, bool measure) {
  int n = c->line[0].count;
  double *sum = calloc(2 * (size_t)n + 2, sizeof *sum), *next = sum ? sum + n + 1 : NULL;
  for (int k = 0; k < c->lines && sum; k++) {
    const ChartLine *l = &c->line[k];
    if (l->dashed || l->count != n) continue;
    for (int i = 0; i < n; i++) next[i] = sum[i] + (isfinite(l->y[i]) ? l->y[i] : 0);
    for (int i = 0; i < n && measure; i++) extend_range(&f->y, next[i]);
    if (!measure) draw_area(f, l, sum, next, k, out);
    memcpy(sum, next, (size_t)n * sizeof *sum);
  }
  free(sum);
}

void chart_write(const Chart *c, FILE *out) {
  Frame f = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, HEIGHT - BOTTOM, c->kind == CHART_LOG, false};
  bool stacked = c->kind == CHART_STACKED && c->lines > 0;
  int columns = legend_columns(c), rows = c->lines > 1 ? (c->lines + columns - 1) / columns : 0;
  for (int k = 0; k < c->lines; k++)
    for (int i = 0; i < c->line[k].count; i++) {
      extend_range(&f.x, c->line[k].x[i]);
      if (!stacked || c->line[k].dashed) extend_range(&f.y, on_scale(&f, c->line[k].y[i]));
    }
  if (c->scale > 0) extend_range(&f.y, c->scale), extend_range(&f.y, -c->scale);
  if (stacked) extend_range(&f.y, 0), draw_stack(c, &f, out, true);
  widen_range(&f.x, 0), widen_range(&f.y, 0.05);
  begin_chart(c->title, c->unit_x, c->unit_y, HEIGHT + rows * LEGEND + 4, &f, out);
  if (stacked) draw_stack(c, &f, out, false);
  for (int i = 0; i < c->events && i < MOST_MARKS; i++)
    if (c->event[i] >= f.x.low && c->event[i] <= f.x.high)
      fprintf(out, "<path stroke=\"#777\" stroke-dasharray=\"2 3\" d=\"M%.1f %dV%.1f\"/>\n", pixel_x(&f, c->event[i]),
              TOP, f.bottom);
  for (int k = 0; k < c->lines; k++)
    if (!stacked || c->line[k].dashed) draw_line(&f, &c->line[k], k, out);
  if (c->note) {
    fprintf(out, "<text x=\"%d\" y=\"%.1f\" fill=\"#666\">", LEFT + 8, f.bottom - 8);
    html_text(out, c->note);
    fputs("</text>\n", out);
  }
  draw_legend(c, HEIGHT + 6, out);
  fputs("</svg>\n", out);
}

void chart_bars(const char *title, const char *unit_x, const char *unit_y, int first, int bars, const double *count,
                FILE *out) {
  Frame f = {{first - 0.5, first + bars - 0.5}, {0, 0}, HEIGHT - BOTTOM, false, true};
  for (int i = 0; i < bars; i++) extend_range(&f.y, count[i]);
  f.y.high = f.y.high > 0 ? 1.05 * f.y.high : 1;
  begin_chart(title, unit_x, unit_y, HEIGHT, &f, out);
  for (int i = 0; i < bars; i++) {
    double left = pixel_x(&f, first + i - 0.4), right = pixel_x(&f, first + i + 0.4), top = pixel_y(&f, count[i]);
    fprintf(out, "<rect fill=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", colours[0], left, top,
            right - left, f.bottom - top);
  }
  fputs("</svg>\n", out);
}
