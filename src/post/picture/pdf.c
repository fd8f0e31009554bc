// SPDX-License-Identifier: Apache-2.0
// A page of PDF 1.4. Letters are outlines, so that no reader needs a font.
#include "files/output_file.h"
#include "post/picture/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <zlib.h>

typedef struct {
  FILE *page; // what is drawn, before it is packed
  char *text;
  size_t length;
  bool open, failed;
} Pdf;

static bool begin(Canvas *c, const char *title) {
  Pdf *p = c->own = calloc(1, sizeof *p);
  (void)title;
  if (!p) return false;
  p->page = open_memstream(&p->text, &p->length);
  if (p->page) fprintf(p->page, "0.48 0 0 -0.48 0 %.2f cm 1 J 1 j\n", 0.48 * c->height); // 150 pixels an inch
  return p->page != NULL;
}

static void set_colour(FILE *out, unsigned colour, const char *operation) {
  fprintf(out, "%.3f %.3f %.3f %s\n", (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0, (colour & 255) / 255.0,
          operation);
}

static void clip(Canvas *c, const double box[4]) {
  Pdf *p = c->own;
  if (p->open) fputs("Q\n", p->page);
  p->open = box != NULL;
  if (box) fprintf(p->page, "q %.2f %.2f %.2f %.2f re W n\n", box[0], box[1], box[2] - box[0], box[3] - box[1]);
}

static void put_path(FILE *out, int n, const CanvasPoint *p, bool closed) {
  bool pen = false;
  for (int i = 0; i < n; i++) {
    bool gap = isnan(p[i].x) || isnan(p[i].y), last = i + 1 == n || isnan(p[i + 1].x) || isnan(p[i + 1].y);
    if (!gap) fprintf(out, "%.2f %.2f %c\n", p[i].x, p[i].y, pen ? 'l' : 'm');
    if (!gap && last && !pen && !closed) fprintf(out, "%.2f %.2f l\n", p[i].x, p[i].y); // a dot
    if (!gap && last && closed) fputs("h\n", out);
    pen = !gap;
  }
}

static void stroke(Canvas *c, int n, const CanvasPoint *p, const Pen *pen) {
  Pdf *f = c->own;
  double dash[4];
  int dashes = dash_lengths(pen->dash, dash);
  set_colour(f->page, pen->colour, "RG");
  fprintf(f->page, "%.2f w %d J [", pen->width, dashes ? 0 : 1);
  for (int i = 0; i < dashes; i++) fprintf(f->page, " %.2f", dash[i] * pen->width);
  fputs("] 0 d\n", f->page);
  put_path(f->page, n, p, false);
  fputs("S\n", f->page);
}

static void fill(Canvas *c, int n, const CanvasPoint *p, unsigned colour) {
  Pdf *f = c->own;
  set_colour(f->page, colour, "rg");
  put_path(f->page, n, p, true);
  fputs("f\n", f->page);
}

static void text(Canvas *c, const TextStyle *s, const char *words) {
  PointList l = {0};
  text_outline(words, s, &l);
  if (l.failed) ((Pdf *)c->own)->failed = true;
  if (!l.failed && l.n && s->edge > 0) stroke(c, l.n, l.at, &(Pen){0xffffff, s->edge, 0});
  if (!l.failed && l.n) fill(c, l.n, l.at, s->colour);
  free(l.at);
}

// Four objects, and the table of the places at which they begin.
static void put_file(const Canvas *c, const unsigned char *packed, size_t length) {
  long at[5] = {0}, n = 0;
  n += fprintf(c->out, "%%PDF-1.4\n%s", file_pdf_sign);
  at[1] = n, n += fprintf(c->out, "1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n");
  at[2] = n, n += fprintf(c->out, "2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n");
  at[3] = n;
  n += fprintf(c->out,
               "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 %.2f %.2f]/Resources<<>>/Contents 4 0 R>>\nendobj\n",
               0.48 * c->width, 0.48 * c->height);
  at[4] = n;
  n += fprintf(c->out, "4 0 obj\n<</Length %zu/Filter/FlateDecode>>\nstream\n", length);
  n += (long)fwrite(packed, 1, length, c->out);
  n += fprintf(c->out, "\nendstream\nendobj\n");
  fprintf(c->out, "xref\n0 5\n0000000000 65535 f \n");
  for (int i = 1; i < 5; i++) fprintf(c->out, "%010ld 00000 n \n", at[i]);
  fprintf(c->out, "trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n%ld\n%%%%EOF\n", n);
}

static bool finish(Canvas *c) {
  Pdf *p = c->own;
  bool good = p && p->page && !fclose(p->page) && !p->failed;
  uLongf length = good ? compressBound(p->length) : 0;
  unsigned char *packed = good ? malloc(length) : NULL;
  good = packed && compress2(packed, &length, (const unsigned char *)p->text, p->length, 9) == Z_OK;
  if (good) put_file(c, packed, length);
  if (p) free(p->text);
  free(packed), free(p);
  return good;
}

const CanvasKind canvas_pdf = {".pdf", FILE_PDF, begin, clip, stroke, fill, text, finish};
