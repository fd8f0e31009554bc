// SPDX-License-Identifier: Apache-2.0
// STL: a binary file has 80 bytes, the number of triangles, and for each 12 floats and 2 bytes, little-endian; a text
// has `solid`, and `vertex x y z` three times for each. Normals follow from the order of the corners.
#include "input/shapes/shape.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t number_at(const char *p) {
  const unsigned char *b = (const unsigned char *)p;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const char *p) {
  uint32_t bits = number_at(p);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static Error ReadBinary(const char *text, size_t length, Triangles *out, ShapeMistake *mistake) {
  uint32_t count = number_at(text + 80);
  if ((length - 84) / 50 < count) {
    snprintf(mistake->text, sizeof mistake->text, "it ends after %zu of %u triangles", (length - 84) / 50, count);
    return 0;
  }
  for (uint32_t i = 0; i < count && !mistake->text[0]; i++) {
    double corner[3][3];
    for (int k = 0; k < 9; k++) corner[k / 3][k % 3] = float_at(text + 84 + 50 * (size_t)i + 12 + 4 * k);
    TRY(AddTriangle(out, (const double(*)[3])corner, mistake));
  }
  return 0;
}

// The rest of a line after a word with which it begins, blanks aside; NULL: it begins otherwise.
static const char *after_word(const char *line, const char *end, const char *word) {
  size_t n = strlen(word);
  while (line < end && (*line == ' ' || *line == '\t')) line++;
  return (size_t)(end - line) > n && !strncmp(line, word, n) && (line[n] == ' ' || line[n] == '\t') ? line + n : NULL;
}

static Error ReadText(const char *text, size_t length, Triangles *out, ShapeMistake *mistake) {
  const char *end = text + length, *next;
  double corner[3][3];
  int corners = 0;
  for (const char *line = text; line < end && !mistake->text[0]; line = next) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    next = stop ? stop + 1 : end, mistake->line++;
    const char *rest = after_word(line, stop ? stop : end, "vertex");
    char copy[200], *p = copy;
    if (after_word(line, stop ? stop : end, "outer")) corners = 0;
    if (!rest) continue;
    snprintf(copy, sizeof copy, "%.*s", (int)((stop ? stop : end) - rest < 199 ? (stop ? stop : end) - rest : 199),
             rest);
    for (int k = 0; k < 3; k++) {
      char *after;
      corner[corners][k] = strtod(p, &after);
      if (after == p) {
        snprintf(mistake->text, sizeof mistake->text, "'vertex' needs three numbers");
        return 0;
      }
      p = after;
    }
    if (++corners < 3) continue;
    corners = 0;
    TRY(AddTriangle(out, (const double(*)[3])corner, mistake));
  }
  return 0;
}

// A binary file may begin with `solid`, too: its length decides.
static Error ReadStl(const char *text, size_t length, Triangles *out, ShapeMistake *mistake) {
  bool binary = length >= 84 && (length == 84 + 50 * (size_t)number_at(text + 80) || strncmp(text, "solid", 5) ||
                                 memchr(text, 0, length));
  if (!binary && (length < 5 || strncmp(text, "solid", 5))) {
    snprintf(mistake->text, sizeof mistake->text,
             "this is not an STL file: it neither begins with 'solid' nor has a binary head");
    return 0;
  }
  return (binary ? ReadBinary : ReadText)(text, length, out, mistake);
}

const ShapeFormat shape_format_stl = {"STL", ".stl", ReadStl};
