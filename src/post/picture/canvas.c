// SPDX-License-Identifier: Apache-2.0
#include "post/picture/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const CanvasKind *canvas_kind(const char *path) {
  static const CanvasKind *const kinds[] = {&canvas_png, &canvas_svg, &canvas_pdf};
  size_t n = strlen(path);
  for (int i = 0; i < 3; i++) {
    size_t m = strlen(kinds[i]->ending);
    if (n > m && !strcmp(path + n - m, kinds[i]->ending)) return kinds[i];
  }
  return NULL;
}

bool canvas_takes(const char *path, Refusal *wrong) {
  if (is_device(path) || canvas_kind(path)) return true;
  return refuse(wrong, "a picture ends in .png, .svg or .pdf, not as '%s'", path), false;
}

const CanvasKind *canvas_kind_or(const char *path, const CanvasKind *other) {
  const CanvasKind *kind = canvas_kind(path);
  return kind ? kind : other;
}

int dash_lengths(int dash, double length[4]) {
  static const double lengths[][4] = {{4, 2.5}, {1, 2}, {4, 2, 1, 2}, {8, 3}};
  if (dash <= 0) return 0;
  dash = (dash - 1) % 4;
  memcpy(length, lengths[dash], sizeof lengths[dash]);
  return lengths[dash][2] > 0 ? 4 : 2;
}

// Letters of DejaVu Sans: their widths and outlines.

enum { EM = 2048, CURVE_PIECES = 4, UNKNOWN = 0xFFFD };

typedef struct {
  unsigned code;
  int advance;
  const char *path;
} Glyph;

#define GLYPH(code, advance, path) {code, advance, path},
static const Glyph glyphs[] = {
// by code
#include "glyphs.def"
};
#undef GLYPH
enum { GLYPHS = sizeof glyphs / sizeof glyphs[0] };

void points_add(PointList *l, double x, double y) {
  if (l->failed) return;
  if (l->n == l->room) {
    int room = l->room ? 2 * l->room : 256;
    CanvasPoint *at = realloc(l->at, (size_t)room * sizeof *at);
    if (!at) {
      l->failed = true;
      return;
    }
    l->at = at, l->room = room;
  }
  l->at[l->n++] = (CanvasPoint){x, y};
}

unsigned text_next(const char **text) {
  const unsigned char *s = (const unsigned char *)*text;
  int more = s[0] < 0x80                   ? 0
             : s[0] >= 0xC2 && s[0] < 0xE0 ? 1
             : (s[0] & 0xF0) == 0xE0       ? 2
             : (s[0] & 0xF8) == 0xF0       ? 3
                                           : -1;
  unsigned code = more <= 0 ? s[0] : s[0] & (0x3Fu >> more);
  ++*text;
  if (more < 0) return UNKNOWN;
  for (int i = 1; i <= more; i++) {
    if ((s[i] & 0xC0) != 0x80) return UNKNOWN;
    code = code << 6 | (s[i] & 0x3Fu);
    ++*text;
  }
  static const unsigned least[] = {0, 0x80, 0x800, 0x10000}; // what is written longer than it need be is none
  if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return UNKNOWN;
  return code < ' ' ? ' ' : code;
}

static const Glyph *find_glyph(unsigned code) {
  int low = 0, high = GLYPHS - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (glyphs[middle].code < code) low = middle + 1;
    else high = middle;
  }
  return glyphs[low].code == code ? &glyphs[low] : &glyphs[GLYPHS - 1]; // the last stands for all others
}

double text_width(const char *text, double size) {
  double width = 0;
  while (*text) width += find_glyph(text_next(&text))->advance;
  return width * size / EM;
}

// From letters to the picture.
typedef struct {
  double x, y, scale;
  bool upwards;
} Place;

static void add_at(PointList *out, const Place *p, double x, double y) {
  double a = p->scale * x, b = -p->scale * y;
  if (p->upwards) points_add(out, p->x + b, p->y - a);
  else points_add(out, p->x + a, p->y + b);
}

static void add_glyph(PointList *out, const char *path, const Place *p) {
  double at[2] = {0, 0};
  while (*path) {
    char command = *path++, *end;
    double v[4] = {0};
    int n = command == 'Q' ? 4 : 2;
    for (int i = 0; i < n; i++) v[i] = strtol(path, &end, 10), path = end;
    if (command == 'M' && out->n) points_add(out, NAN, NAN);
    for (int k = 1; command == 'Q' && k < CURVE_PIECES; k++) {
      double t = (double)k / CURVE_PIECES, s = 1 - t;
      add_at(out, p, s * s * at[0] + 2 * s * t * v[0] + t * t * v[2], s * s * at[1] + 2 * s * t * v[1] + t * t * v[3]);
    }
    at[0] = v[n - 2], at[1] = v[n - 1];
    add_at(out, p, at[0], at[1]);
  }
}

void text_outline(const char *text, const TextStyle *style, PointList *out) {
  double width = text_width(text, style->size);
  double back = style->anchor == TEXT_START ? 0 : style->anchor == TEXT_MIDDLE ? 0.5 * width : width;
  Place p = {style->x, style->y, style->size / EM, style->upwards};
  if (p.upwards) p.y += back;
  else p.x -= back;
  while (*text) {
    const Glyph *g = find_glyph(text_next(&text));
    add_glyph(out, g->path, &p);
    if (p.upwards) p.y -= g->advance * p.scale;
    else p.x += g->advance * p.scale;
  }
}

void text_shorten(char *text, double size, double width) {
  static const char dots[] = "\xE2\x80\xA6";
  size_t n = strlen(text), left = n / 2, right = n / 2;
  char *whole = text_width(text, size) > width ? malloc(n + 1) : NULL;
  if (!whole) return;
  memcpy(whole, text, n + 1);
  while (left > 1 && right + 1 < n) { // both halves lose a character, at the limits of characters
    left--, right++;
    while (left > 1 && ((unsigned char)whole[left] & 0xC0) == 0x80) left--;
    while (right < n && ((unsigned char)whole[right] & 0xC0) == 0x80) right++;
    if (left + strlen(dots) + n - right > n) continue;
    memcpy(text, whole, left), memcpy(text + left, dots, 3), memcpy(text + left + 3, whole + right, n - right + 1);
    if (text_width(text, size) <= width) break;
  }
  free(whole);
}
