// SPDX-License-Identifier: Apache-2.0
#include "post/picture/canvas.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  int clips; // so far
  bool open; // a group that is cut off
} Svg;

static void put_text(FILE *out, const char *text) {
  while (*text) {
    const char *from = text;
    unsigned code = text_next(&text);
    if (code == '<') fputs("&lt;", out);
    else if (code == '>') fputs("&gt;", out);
    else if (code == '&') fputs("&amp;", out);
    else if (code == ' ') fputc(' ', out); // characters of control too, which XML forbids
    else if (code == 0xFFFD || code == 0xFFFE || code == 0xFFFF) fputs("\xEF\xBF\xBD", out);
    else fwrite(from, 1, (size_t)(text - from), out);
  }
}

// A number with two digits at most, without zeros at its end.
static void put_number(FILE *out, double v, const char *before) {
  char text[40];
  int n = snprintf(text, sizeof text, "%.2f", v == 0 ? 0 : v);
  while (n > 0 && text[n - 1] == '0') text[--n] = 0;
  if (n > 0 && text[n - 1] == '.') text[--n] = 0;
  fprintf(out, "%s%s", before, n == 2 && text[0] == '-' && text[1] == '0' ? "0" : text);
}

static void put_begin(const Canvas *c, const char *tag) {
  fprintf(c->out, c->class ? "<%s class=\"%s\"" : "<%s", tag, c->class);
}

static bool begin(Canvas *c, const char *title) {
  c->own = calloc(1, sizeof(Svg));
  fprintf(c->out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" width=\"%d\" height=\"%d\" viewBox=\"0 0 "
          "%d %d\" "
          "font-family=\"DejaVu Sans,Verdana,Geneva,sans-serif\" stroke-linecap=\"round\" "
          "stroke-linejoin=\"round\">\n<title>",
          c->width, c->height, c->width, c->height);
  put_text(c->out, title);
  fprintf(c->out, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", c->width, c->height);
  return c->own != NULL;
}

static void clip(Canvas *c, const double box[4]) {
  Svg *s = c->own;
  if (s->open) fputs("</g>\n", c->out);
  s->open = box != NULL;
  if (!box) return;
  fprintf(c->out, "<clipPath id=\"c%d\"><rect", ++s->clips);
  put_number(c->out, box[0], " x=\""), put_number(c->out, box[1], "\" y=\"");
  put_number(c->out, box[2] - box[0], "\" width=\""), put_number(c->out, box[3] - box[1], "\" height=\"");
  fprintf(c->out, "\"/></clipPath>\n<g clip-path=\"url(#c%d)\">\n", s->clips);
}

static void put_path(Canvas *c, int n, const CanvasPoint *p, bool closed) {
  bool pen = false;
  fputs(" d=\"", c->out);
  for (int i = 0; i < n; i++) {
    bool gap = isnan(p[i].x) || isnan(p[i].y);
    if (!gap) put_number(c->out, p[i].x, pen ? "L" : "M"), put_number(c->out, p[i].y, " ");
    bool last = i + 1 == n || isnan(p[i + 1].x) || isnan(p[i + 1].y);
    if (!gap && last && !pen && !closed) fputs("h0", c->out); // a dot
    if (!gap && last && closed) fputc('Z', c->out);
    pen = !gap;
  }
  fputs("\"/>\n", c->out);
}

static void stroke(Canvas *c, int n, const CanvasPoint *p, const Pen *pen) {
  double dash[4];
  int dashes = dash_lengths(pen->dash, dash);
  put_begin(c, "path");
  fprintf(c->out, " fill=\"none\" stroke=\"#%06x\"", pen->colour);
  put_number(c->out, pen->width, " stroke-width=\"");
  fputc('"', c->out);
  for (int i = 0; i < dashes; i++)
    put_number(c->out, dash[i] * pen->width, i ? " " : " stroke-linecap=\"butt\" stroke-dasharray=\"");
  if (dashes) fputc('"', c->out);
  put_path(c, n, p, false);
}

static void fill(Canvas *c, int n, const CanvasPoint *p, unsigned colour) {
  put_begin(c, "path");
  fprintf(c->out, " fill=\"#%06x\"", colour);
  put_path(c, n, p, true);
}

static void text(Canvas *c, const TextStyle *s, const char *words) {
  static const char *const anchor[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  put_begin(c, "text");
  put_number(c->out, s->x, " x=\""), put_number(c->out, s->y, "\" y=\"");
  put_number(c->out, s->size, "\" font-size=\"");
  fprintf(c->out, "\"%s fill=\"#%06x\"", anchor[s->anchor], s->colour);
  if (s->edge > 0)
    put_number(c->out, s->edge, " paint-order=\"stroke\" stroke=\"#fff\" stroke-width=\""), fputc('"', c->out);
  if (s->upwards) {
    put_number(c->out, s->x, " transform=\"rotate(-90 "), put_number(c->out, s->y, " ");
    fputs(")\"", c->out);
  }
  fputc('>', c->out);
  put_text(c->out, words);
  fputs("</text>\n", c->out);
}

static bool finish(Canvas *c) {
  fputs("</svg>\n", c->out);
  free(c->own);
  return true;
}

// A page has many pictures: clip paths, which need names, are left out.
static bool begin_in_page(Canvas *c, const char *title) {
  c->own = calloc(1, sizeof(Svg));
  fprintf(c->out, "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\"><title>", c->width, c->height);
  put_text(c->out, title);
  fputs("</title>\n", c->out);
  return c->own != NULL;
}

static void clip_nothing(Canvas *c, const double box[4]) { (void)c, (void)box; }

const CanvasKind canvas_page = {"", FILE_HTML, begin_in_page, clip_nothing, stroke, fill, text, finish};
const CanvasKind canvas_svg = {".svg", FILE_SVG, begin, clip, stroke, fill, text, finish};
