// SPDX-License-Identifier: Apache-2.0
#include "post/plot/raster.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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
  else raster_fill(c->own, l.n, l.at, s->colour);
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

const CanvasKind canvas_png = {".png", begin, clip, stroke, fill, text, finish};
