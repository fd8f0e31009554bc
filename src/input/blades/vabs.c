// SPDX-License-Identifier: Apache-2.0
// Sections of VABS, as SONATA and others write them too: a .K file has titles with lines of '=' or '-' below, and
// numbers. Taken are "The 6X6 Mass Matrix" and the "Timoshenko Stiffness Matrix (1-extension; 2,3-shear, 4-twist;
// 5,6-bending)", both about the origin, in Limber's order. x1 is along the span; e2 and e3 are x2 and x3. The file
// names no units: SI is assumed.
#include "input/blades/blade.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { LINE = 2000 };

static const char mass_title[] = "The 6X6 Mass Matrix", stiffness_title[] = "Timoshenko Stiffness Matrix";

// Reads up to a line that begins with the title; `rest`: what may follow it.
static Error FindTitle(Words *w, const char *title, bool rest) {
  char line[LINE];
  size_t n = strlen(title);
  while (w->good && words_line(w, line, sizeof line)) {
    const char *p = line + strspn(line, " \t");
    if (strncasecmp(p, title, n) != 0) continue;
    p += n;
    if (rest || !p[strspn(p, " \t")]) return 0;
  }
  TRY(ReportMistake(w, "the file has no '%s'", title));
  return 0;
}

static void skip_rule(Words *w) {
  while (w->p < w->end && (isspace((unsigned char)*w->p) || *w->p == '=' || *w->p == '-')) {
    bool number = *w->p == '-' && w->p + 1 < w->end && (isdigit((unsigned char)w->p[1]) || w->p[1] == '.');
    if (number) return;
    w->line += *w->p++ == '\n';
  }
}

static Error ReadMatrix(const BladeText *text, const char *title, bool rest, double out[6][6], int *line) {
  Words w = words_of(text->text, text->length, text->mistake);
  w.good = !text->mistake->text[0];
  TRY(FindTitle(&w, title, rest));
  *line = words_at(&w);
  skip_rule(&w);
  for (int i = 0; i < 36; i++) TRY(NextReal(&w, "an entry of a 6x6 matrix", &out[i / 6][i % 6]));
  return 0;
}

static Error ReadFile(const BladeText *text, Blade *b) {
  // From Limber's order to that of BeamDyn, in which sections are made: x = e2, y = e3, z = e1.
  static const int order[6] = {1, 2, 0, 4, 5, 3};
  double k[6][6] = {{0}}, m[6][6] = {{0}}, stiffness[6][6], mass[6][6];
  int line;
  TRY(BladeAllocateSections(b, 1));
  TRY(ReadMatrix(text, mass_title, false, m, &line));
  TRY(ReadMatrix(text, stiffness_title, true, k, &b->line[0]));
  if (text->mistake->text[0]) return 0;
  for (int i = 0; i < 36; i++) {
    stiffness[i / 6][i % 6] = k[order[i / 6]][order[i % 6]];
    mass[i / 6][i % 6] = m[order[i / 6]][order[i % 6]];
  }
  blade_section(b, 0, 0, (const double(*)[6])stiffness, (const double(*)[6])mass);
  TRY(BladeStraightAxis(b, 1));
  return 0;
}

static bool recognises(const char *first, size_t length) {
  size_t n = strlen(mass_title);
  for (size_t i = 0; i + n <= length && i < 20000; i++)
    if (!strncasecmp(first + i, mass_title, n)) return true;
  return false;
}

const BladeFormat blade_vabs = {.name = "vabs", .program = "VABS", .recognises = recognises, .read = ReadFile};
