// SPDX-License-Identifier: Apache-2.0
// Pictures in pixels, and as PNG.
#include "post/picture/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static int clamp_to_range(double v, int low, int high) { return v <= low ? low : v >= high ? high : (int)v; }

bool raster_begin(Raster *r, int width, int height) {
  *r = (Raster){.width = width, .height = height, .clip = {0, 0, width, height}};
  r->rgb = malloc(3 * (size_t)width * (size_t)height);
  r->cover = calloc((size_t)(width + 2) * (size_t)height, sizeof *r->cover);
  if (r->rgb) memset(r->rgb, 255, 3 * (size_t)width * (size_t)height);
  return r->rgb && r->cover;
}

void raster_free(Raster *r) { free(r->rgb), free(r->cover); }

static float *cover_row(const Raster *r, int y) { return r->cover + (size_t)y * (size_t)(r->width + 2); }

// ---- what figures cover ----

static void begin_figure(Raster *r) { r->left = r->width, r->top = r->height, r->right = r->bottom = 0; }

static void extend_touched(Raster *r, double left, double top, double right, double bottom) {
  r->left = clamp_to_range(fmin(r->left, left), 0, r->width), r->top = clamp_to_range(fmin(r->top, top), 0, r->height);
  r->right = clamp_to_range(fmax(r->right, right + 1), 0, r->width),
  r->bottom = clamp_to_range(fmax(r->bottom, bottom + 1), 0, r->height);
}

// Lays the colour upon what is there, as far as it covers, and forgets the figure. Of areas the numbers are differences
// from one pixel to the next.
static void end_figure(Raster *r, unsigned colour, bool area) {
  for (int y = r->top; y < r->bottom; y++) {
    float *row = cover_row(r, y), sum = 0;
    for (int x = r->left; x < r->right; x++) {
      sum = area ? sum + row[x] : row[x];
      float part = fminf(fabsf(sum), 1);
      if (part < 1.0f / 512 || x < r->clip[0] || x >= r->clip[2] || y < r->clip[1] || y >= r->clip[3]) continue;
      unsigned char *pixel = r->rgb + 3 * ((size_t)y * (size_t)r->width + (size_t)x);
      for (int k = 0; k < 3; k++) {
        float to = (float)(colour >> (16 - 8 * k) & 255);
        pixel[k] = (unsigned char)((float)pixel[k] + part * (to - (float)pixel[k]) + 0.5f);
      }
    }
    memset(row + r->left, 0, (size_t)(r->right + 2 - r->left) * sizeof *row);
  }
}

// ---- areas ----

// The part of a row right of an edge that crosses it from xa to xb, as differences; `d` is the height that it crosses.
static void add_crossing(float *row, double xa, double xb, double d) {
  if (xa > xb) {
    double t = xa;
    xa = xb, xb = t;
  }
  double first = floor(xa), last = ceil(xb);
  int i = (int)first, j = (int)last;
  if (j <= i + 1) {
    double middle = 0.5 * (xa + xb) - first;
    row[i] += (float)(d - d * middle), row[i + 1] += (float)(d * middle);
    return;
  }
  double slope = 1 / (xb - xa), before = 0; // of the part that is covered, integrated up to each limit between pixels
  for (int k = i; k <= j; k++) {
    double t = fmin(k + 1, xb) - xa, covered; // integral over pixel k of (x - xa) slope
    double a = fmax(k - xa, 0) * slope, b = fmin(t * slope, 1);
    covered = k == i       ? 0.5 * b * (1 - (xa - first))
              : k + 1 < xb ? 0.5 * (a + b)
                           : 0.5 * (a + 1) * (xb - k) + (k + 1 - xb);
    if (k == j) covered = 1;
    row[k] += (float)(d * (covered - before)), before = covered;
  }
}

static void add_edge(Raster *r, CanvasPoint a, CanvasPoint b) {
  double sign = 1;
  if (a.y > b.y) {
    CanvasPoint t = a;
    a = b, b = t, sign = -1;
  }
  double top = fmax(a.y, 0), bottom = fmin(b.y, r->height), slope = (b.x - a.x) / (b.y - a.y);
  if (!(bottom > top)) return;
  extend_touched(r, floor(fmin(a.x, b.x)), top, fmax(a.x, b.x) + 1, bottom);
  for (int y = (int)top; y < bottom; y++) {
    double from = fmax(y, top), to = fmin(y + 1, bottom);
    double xa = fmin(fmax(a.x + (from - a.y) * slope, 0), r->width),
           xb = fmin(fmax(a.x + (to - a.y) * slope, 0), r->width);
    add_crossing(cover_row(r, y), xa, xb, sign * (to - from));
  }
}

void raster_fill(Raster *r, int n, const CanvasPoint *p, unsigned colour) {
  int first = 0;
  begin_figure(r);
  for (int i = 0; i < n; i++) {
    if (isnan(p[i].x) || isnan(p[i].y)) {
      first = i + 1;
      continue;
    }
    bool last = i + 1 == n || isnan(p[i + 1].x) || isnan(p[i + 1].y);
    add_edge(r, p[i], last ? p[first] : p[i + 1]);
  }
  end_figure(r, colour, true);
}

// ---- lines ----

// A line of half-width `half` with round ends; of several at one pixel the nearest counts.
static void add_line(Raster *r, CanvasPoint a, CanvasPoint b, double half) {
  double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy, reach = half + 1;
  double thin = fmin(2 * half, 1), edge = fmax(half, 0.5) + 0.5;
  double top = floor(fmin(a.y, b.y) - reach), bottom = fmax(a.y, b.y) + reach;
  extend_touched(r, floor(fmin(a.x, b.x) - reach), top, fmax(a.x, b.x) + reach, bottom);
  for (int y = clamp_to_range(top, 0, r->height); y < r->height && y <= bottom; y++) {
    double cy = y + 0.5, t0 = 0, t1 = 1; // the piece of the line that is near this row
    if (fabs(dy) > 1e-9) {
      double u = (cy - reach - a.y) / dy, v = (cy + reach - a.y) / dy;
      t0 = fmin(fmax(fmin(u, v), 0), 1), t1 = fmin(fmax(fmax(u, v), 0), 1);
    }
    double x0 = a.x + t0 * dx, x1 = a.x + t1 * dx;
    int from = clamp_to_range(floor(fmin(x0, x1) - reach), 0, r->width),
        to = clamp_to_range(fmax(x0, x1) + reach + 1, 0, r->width);
    float *row = cover_row(r, y);
    for (int x = from; x < to; x++) {
      double px = x + 0.5 - a.x, py = cy - a.y;
      double t = square > 0 ? fmin(fmax((px * dx + py * dy) / square, 0), 1) : 0;
      float part = (float)(thin * fmin(edge - hypot(px - t * dx, py - t * dy), 1));
      if (part > row[x]) row[x] = part;
    }
  }
}

// Cuts a line into the strokes of a dash; `phase` is the length that went before, in pixels.
static void add_dashes(Raster *r, CanvasPoint a, CanvasPoint b, const Pen *pen, int dashes, const double *dash,
                       double *phase) {
  double period = 0, length = hypot(b.x - a.x, b.y - a.y), at = 0;
  for (int i = 0; i < dashes; i++) period += dash[i] * pen->width;
  while (at < length) {
    double inside = fmod(*phase + at, period), end = 0;
    int k = 0;
    while (k < dashes && (end += dash[k] * pen->width) <= inside + 1e-9) k++;
    double to = fmin(at + end - inside, length);
    if (k >= dashes || !(to > at + 1e-9)) to = fmin(at + 1e-3, length);
    if (k % 2 == 0 && k < dashes) { // its ends are round, and no longer for that
      bool begins = inside - (end - dash[k] * pen->width) < 1e-6, ends = to == at + end - inside;
      double u = at + (begins ? 0.5 * pen->width : 0), v = to - (ends ? 0.5 * pen->width : 0);
      if (v < u) u = v = 0.5 * (at + to);
      u /= length, v /= length;
      add_line(r, (CanvasPoint){a.x + u * (b.x - a.x), a.y + u * (b.y - a.y)},
               (CanvasPoint){a.x + v * (b.x - a.x), a.y + v * (b.y - a.y)}, 0.5 * pen->width);
    }
    at = to;
  }
  *phase = fmod(*phase + length, period);
}

void raster_stroke(Raster *r, int n, const CanvasPoint *p, const Pen *pen) {
  double dash[4], phase = 0;
  int dashes = dash_lengths(pen->dash, dash);
  begin_figure(r);
  for (int i = 0; i < n; i++) {
    if (isnan(p[i].x) || isnan(p[i].y)) continue;
    bool first = i == 0 || isnan(p[i - 1].x) || isnan(p[i - 1].y);
    bool last = i + 1 == n || isnan(p[i + 1].x) || isnan(p[i + 1].y);
    if (first) phase = 0;
    if (first && last) add_line(r, p[i], p[i], 0.5 * pen->width);
    else if (!last && dashes) add_dashes(r, p[i], p[i + 1], pen, dashes, dash, &phase);
    else if (!last) add_line(r, p[i], p[i + 1], 0.5 * pen->width);
  }
  end_figure(r, pen->colour, false);
}

static bool begin(Canvas *c, const char *title) {
  Raster *r = c->own = calloc(1, sizeof *r);
  (void)title;
  return r && raster_begin(r, c->width, c->height);
}

static void clip(Canvas *c, const double box[4]) {
  Raster *r = c->own;
  int all[4] = {0, 0, r->width, r->height};
  for (int i = 0; i < 4; i++) r->clip[i] = box ? (int)(box[i] + 0.5) : all[i];
}

static void stroke(Canvas *c, int n, const CanvasPoint *p, const Pen *pen) { raster_stroke(c->own, n, p, pen); }
static void fill(Canvas *c, int n, const CanvasPoint *p, unsigned colour) { raster_fill(c->own, n, p, colour); }

static void text(Canvas *c, const TextStyle *s, const char *words) {
  PointList l = {0};
  text_outline(words, s, &l);
  if (l.failed) ((Raster *)c->own)->failed = true;
  if (!l.failed && s->edge > 0) raster_stroke(c->own, l.n, l.at, &(Pen){0xffffff, s->edge, 0});
  if (!l.failed) raster_fill(c->own, l.n, l.at, s->colour);
  free(l.at);
}

// ---- the file ----

static void put_number(unsigned char *to, unsigned long v) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(v >> (24 - 8 * i) & 255);
}

static void put_chunk(FILE *out, const char *name, const unsigned char *data, size_t length) {
  unsigned char number[4];
  put_number(number, length);
  fwrite(number, 1, 4, out), fwrite(name, 1, 4, out);
  if (length) fwrite(data, 1, length, out);
  unsigned long check =
      crc32(crc32(0, (const unsigned char *)name, 4), data ? data : (const unsigned char *)"", (uInt)length);
  put_number(number, check);
  fwrite(number, 1, 4, out);
}

static void put_file(const Canvas *c, const unsigned char *packed, size_t length) {
  static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  unsigned char head[13] = {0}, size[9] = {0};
  put_number(head, (unsigned long)c->width), put_number(head + 4, (unsigned long)c->height);
  head[8] = 8, head[9] = 2;                                        // bits, RGB
  put_number(size, 5906), put_number(size + 4, 5906), size[8] = 1; // pixels a metre: 150 an inch
  fwrite(signature, 1, sizeof signature, c->out);
  put_chunk(c->out, "IHDR", head, sizeof head);
  put_chunk(c->out, "pHYs", size, sizeof size);
  put_chunk(c->out, "IDAT", packed, length);
  put_chunk(c->out, "IEND", NULL, 0);
}

static bool finish(Canvas *c) {
  Raster *r = c->own;
  size_t row = 1 + 3 * (size_t)c->width, size = row * (size_t)c->height; // a byte before each row: no filter
  bool good = r && r->rgb && r->cover && !r->failed;
  unsigned char *rows = good ? calloc(size, 1) : NULL;
  uLongf length = compressBound(size);
  unsigned char *packed = rows ? malloc(length) : NULL;
  for (int y = 0; packed && y < c->height; y++)
    memcpy(rows + row * (size_t)y + 1, r->rgb + (row - 1) * (size_t)y, row - 1);
  good = packed && compress2(packed, &length, rows, size, 9) == Z_OK;
  if (good) put_file(c, packed, length);
  if (r) raster_free(r);
  free(packed), free(rows), free(r);
  return good;
}

const CanvasKind canvas_png = {".png", FILE_PNG, begin, clip, stroke, fill, text, finish};
