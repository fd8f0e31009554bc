// SPDX-License-Identifier: Apache-2.0
#include "post/picture/sheet.h"

#include <stdarg.h>
#include <string.h>

static const double pi = 3.141592653589793;

const char *given_name(const char *name) { return name && !strchr(name, '#') ? name : NULL; }

Pixel pixel_unit(Pixel a, Pixel b, Pixel otherwise) {
  double l = pixel_distance(a, b);
  return l > 1e-9 ? pixel((b.x - a.x) / l, (b.y - a.y) / l) : otherwise;
}

Pixel sheet_direction(const Sheet *s, Vec3 d) { return pixel(vec3_dot(s->view.right, d), -vec3_dot(s->view.up, d)); }
double sheet_depth(const Sheet *s, Vec3 d) { return vec3_dot(s->view.out, d); }

Pixel sheet_project(const Sheet *s, Vec3 x) {
  return pixel_move(pixel(0.5 * s->width, 0.5 * s->height), s->scale, sheet_direction(s, vec3_sub(x, s->centre)));
}

static void put_bytes(Sheet *s, const char *text, size_t length) {
  ModelArray *a = &s->text;
  if (s->error) return;
  if ((size_t)a->count + length > (size_t)a->room) {
    int room = 2 * (a->count + (int)length) + 4096;
    s->error = MemoryResize((size_t)room, &a->data);
    if (s->error) return;
    a->room = room;
  }
  memcpy((char *)a->data + a->count, text, length);
  a->count += (int)length;
}

void sheet_put(Sheet *s, const char *format, ...) {
  char text[1000];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  put_bytes(s, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

void sheet_text(Sheet *s, Pixel at, const char *style, const char *text) {
  sheet_put(s, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", style, at.x, at.y);
  for (; *text; text++) {
    if (*text == '&') sheet_put(s, "&amp;");
    else if (*text == '<') sheet_put(s, "&lt;");
    else if (*text == '>') sheet_put(s, "&gt;");
    else if (!strncmp(text, "\xEF\xBF\xBE", 3) || !strncmp(text, "\xEF\xBF\xBF", 3)) // XML forbids them
      put_bytes(s, "\xEF\xBF\xBD", 3), text += 2;
    else if ((unsigned char)*text >= ' ') put_bytes(s, text, 1);
  }
  sheet_put(s, "</text>\n");
}

enum { MOST_STRETCHES = 20000 };

void sheet_avoid(Sheet *s, Pixel a, Pixel b) {
  AvoidedLine *q;
  if (s->error || s->stretches.count >= MOST_STRETCHES) return;
  s->error = ArrayAdd(&s->stretches, sizeof *q, &q);
  if (!s->error) *q = (AvoidedLine){a, b};
}

void sheet_line(Sheet *s, Pixel a, Pixel b, const char *style) {
  sheet_put(s, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", style, a.x, a.y, b.x, b.y);
  sheet_avoid(s, a, b);
}

void sheet_circle(Sheet *s, Pixel at, double radius, const char *style) {
  sheet_put(s, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", style, at.x, at.y, radius);
}

static void draw_arrow_head(Sheet *s, Pixel at, Pixel d, const char *style) {
  Pixel n = pixel_normal(d), foot = pixel_move(at, -8, d), a = pixel_move(foot, 3.5, n), b = pixel_move(foot, -3.5, n);
  sheet_put(s, "<path class=\"%s head\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>\n", style, at.x, at.y, a.x, a.y, b.x,
            b.y);
}

void sheet_arrow(Sheet *s, Pixel a, Pixel b, const char *style) {
  Pixel d = pixel_unit(a, b, pixel(1, 0));
  sheet_line(s, a, pixel_move(b, -6, d), style);
  sheet_avoid(s, pixel_move(pixel_move(b, -8, d), -4, pixel_normal(d)), b);
  sheet_avoid(s, pixel_move(pixel_move(b, -8, d), 4, pixel_normal(d)), b);
  draw_arrow_head(s, b, d, style);
}

void sheet_box(Sheet *s, Pixel at, Pixel along, double length, double width, const char *style) {
  Pixel n = pixel_normal(along);
  sheet_put(s, "<path class=\"%s\" d=\"M", style);
  for (int i = 0; i < 4; i++) {
    Pixel p =
        pixel_move(pixel_move(at, (i == 0 || i == 3 ? -0.5 : 0.5) * length, along), (i < 2 ? -0.5 : 0.5) * width, n);
    sheet_put(s, "%s%.1f %.1f", i ? "L" : "", p.x, p.y);
  }
  sheet_put(s, "Z\"/>\n");
}

void sheet_hatch(Sheet *s, Pixel at, Pixel along, double length) {
  Pixel n = pixel_normal(along), a = pixel_move(at, -0.5 * length, along);
  sheet_line(s, a, pixel_move(a, length, along), "ground");
  int strokes = (int)(length / 5);
  for (int i = 0; i < strokes; i++) {
    Pixel p = pixel_move(a, (i + 1) * length / strokes, along), q = pixel_move(pixel_move(p, 5, n), -5, along);
    sheet_put(s, "<line class=\"hatch\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", p.x, p.y, q.x, q.y);
  }
  sheet_avoid(s, pixel_move(a, 5, n), pixel_move(pixel_move(a, length, along), 5, n));
}

void sheet_turn(Sheet *s, Pixel at, Vec3 axis, double radius, const char *style) {
  enum { PIECES = 24 };
  Vec3 e3 = vec3_unit(axis), e1 = vec3_normal(e3), e2 = vec3_cross(e3, e1);
  Pixel last = at, p = at;
  sheet_put(s, "<path class=\"%s\" fill=\"none\" d=\"M", style);
  for (int i = 0; i <= PIECES; i++) {
    double angle = 1.5 * pi * i / PIECES;
    last = p;
    p = pixel_move(at, radius, sheet_direction(s, vec3_axpy(vec3_scale(cos(angle), e1), sin(angle), e2)));
    sheet_put(s, "%s%.1f %.1f", i ? "L" : "", p.x, p.y);
    if (i) sheet_avoid(s, last, p);
  }
  sheet_put(s, "\"/>\n");
  Pixel d = pixel_unit(last, p, pixel(1, 0));
  draw_arrow_head(s, pixel_move(p, 4, d), d, style);
}

void sheet_into(Sheet *s, Pixel at, bool towards, const char *style) {
  sheet_circle(s, at, 5, style);
  if (towards) sheet_circle(s, at, 1.5, "dot");
  for (int i = 0; i < 2 && !towards; i++)
    sheet_line(s, pixel(at.x - 3.5, at.y + (i ? 3.5 : -3.5)), pixel(at.x + 3.5, at.y - (i ? 3.5 : -3.5)), style);
}
