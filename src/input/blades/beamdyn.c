// SPDX-License-Identifier: Apache-2.0
// Blades of BeamDyn (OpenFAST): a primary file with the key points of the axis, and a blade file, which it names, with
// 6x6 matrices of stiffness and inertia at stations. "DEFAULT" may stand for any value that is not read. Axes: x_r to
// the suction side, y_r to the trailing edge, z_r from the root to the tip; sections turn about -z_r by the twist.
// Matrices: forces along and moments about x, y, z of the section.
#include "input/blades/blade.h"
#include "input/blades/openfast.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// ---- the primary file ----

static Error ReadKeyPoints(Words *w, Blade *b, long count) {
  char line[OPENFAST_LINE];
  TRY(FindTitle(w, "kp_xr", line));
  words_line(w, line, sizeof line); // units
  TRY(BladeAllocatePoints(b, w->good ? (int)count : 0));
  for (int i = 0; i < b->points && w->good; i++) {
    BladePoint *p = &b->point[i];
    TRY(NextReal(w, "a coordinate of a key point", &p->at[0]));
    p->line = w->line;
    for (int k = 1; k < 3; k++) TRY(NextReal(w, "a coordinate of a key point", &p->at[k]));
    TRY(NextReal(w, "the initial twist of a key point", &p->twist));
    if (w->line != p->line) {
      w->line = p->line;
      TRY(ReportMistake(w, "a key point is four numbers in a line: kp_xr kp_yr kp_zr initial_twist"));
    }
    p->twist *= acos(-1) / 180;
    words_line(w, line, sizeof line);
  }
  return 0;
}

// BeamDyn lays a polynomial of z through the key points, of degree 6 at most. Through few points that differs from a
// spline: the polynomial itself is taken then. Through many it takes the nearest one, and the spline is nearer to the
// points.
enum { MOST_POLYNOMIAL = 7, PIECES = 20 };

static double polynomial_at(const BladePoint *p, int count, int what, double z) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    double term = what < 2 ? p[i].at[what] : p[i].twist;
    for (int j = 0; j < count; j++)
      if (j != i) term *= (z - p[j].at[2]) / (p[i].at[2] - p[j].at[2]);
    sum += term;
  }
  return sum;
}

static Error FollowPolynomial(Blade *b) {
  const BladePoint *p = b->point;
  int count = b->points;
  if (count < 3 || count > MOST_POLYNOMIAL) return 0;
  for (int i = 1; i < count; i++)
    if (!(p[i].at[2] > p[i - 1].at[2])) return 0;
  TRY(BladeAllocatePoints(b, (count - 1) * PIECES + 1));
  for (int i = 0; i < b->points; i++) {
    int k = i / PIECES, rest = i % PIECES;
    b->point[i] = p[k];
    if (!rest) continue;
    double z = p[k].at[2] + (p[k + 1].at[2] - p[k].at[2]) * rest / PIECES;
    b->point[i] = (BladePoint){
        {polynomial_at(p, count, 0, z), polynomial_at(p, count, 1, z), z}, polynomial_at(p, count, 2, z), p[k].line};
  }
  return 0;
}

static Error ReadPrimary(const BladeText *text, Blade *b, NamedValue *blade) {
  Words w = words_of(text->text, text->length, text->mistake);
  long members, points;
  TRY(FindCount(&w, "member_total", 1, &members));
  if (members > 1)
    TRY(ReportMistake(
        &w, "the axis has %ld members, which meet at kinks: give each member a file and a beam of its own", members));
  TRY(FindCount(&w, "kp_total", 2, &points));
  TRY(ReadKeyPoints(&w, b, points));
  if (w.good) TRY(FollowPolynomial(b));
  TRY(FindNamed(&w, "BldFile", blade));
  if (w.good) text->mistake->line = words_at(&w);
  return 0;
}

// ---- the blade file ----

static Error ReadMatrix(Words *w, const char *what, double out[6][6]) {
  for (int i = 0; i < 6; i++) {
    int line = 0;
    for (int j = 0; j < 6; j++) {
      TRY(NextReal(w, what, &out[i][j]));
      if (!j) line = w->line;
      if (line == w->line) continue;
      w->line = line;
      TRY(ReportMistake(w, "a row of a matrix is six numbers in a line"));
    }
  }
  return 0;
}

static Error ReadDamping(Words *w, Blade *b) {
  static const int order[6] = {2, 0, 1, 5, 3, 4};
  char line[OPENFAST_LINE];
  double mu[6];
  TRY(FindTitle(w, "mu1", line));
  words_line(w, line, sizeof line); // units
  for (int i = 0; i < 6; i++) TRY(NextReal(w, "a damping coefficient mu", &mu[i]));
  for (int i = 0; i < 6; i++) b->damping[i] = mu[order[i]];
  return 0;
}

static Error ReadBlade(const BladeText *text, Blade *b) {
  Words w = words_of(text->text, text->length, text->mistake);
  long stations;
  double at, k[6][6], m[6][6];
  NamedValue damping;
  char line[OPENFAST_LINE];
  b->section_file = text->path;
  TRY(FindCount(&w, "station_total", 2, &stations));
  TRY(FindNamed(&w, "damp_type", &damping));
  if (w.good && !strcmp(damping.value, "1")) TRY(ReadDamping(&w, b));
  if (w.good && !strcmp(damping.value, "2"))
    snprintf(b->damping_remark, sizeof b->damping_remark,
             "damping by modes (damp_type 2) is not supported: give the beam a `damping`");
  TRY(FindTitle(&w, "distributed properties", line));
  TRY(BladeAllocateSections(b, w.good ? (int)stations : 0));
  for (int i = 0; i < b->sections && w.good; i++) {
    TRY(NextReal(&w, "the position of a station, 0 .. 1", &at));
    b->line[i] = w.line;
    TRY(ReadMatrix(&w, "an entry of a stiffness matrix", k));
    TRY(ReadMatrix(&w, "an entry of a mass matrix", m));
    if (w.good) blade_section(b, i, at, k, m);
  }
  return 0;
}

// A blade file that is opened alone has sections and no axis.
static bool is_primary(const BladeText *text) {
  Words w = words_of(text->text, text->length, text->mistake);
  NamedValue found;
  char line[OPENFAST_LINE];
  while (words_line(&w, line, sizeof line)) {
    openfast_words(line, &found);
    if (!strcasecmp(found.name, "station_total")) return false;
    if (!strcasecmp(found.name, "member_total")) return true;
  }
  return true;
}

static Error ReadFile(const BladeText *text, Blade *b) {
  NamedValue name;
  BladeText blade = {0};
  if (!is_primary(text)) {
    TRY(ReadBlade(text, b));
    TRY(BladeStraightAxis(b, 1));
    return 0;
  }
  TRY(ReadPrimary(text, b, &name));
  if (text->mistake->text[0]) return 0;
  TRY(text->open(text, name.value, &blade));
  if (!text->mistake->text[0]) TRY(ReadBlade(&blade, b));
  return 0;
}

static bool recognises(const char *first, size_t length) { return openfast_is_of(first, length, "BEAMDYN"); }

const BladeFormat blade_beamdyn = {
    .name = "beamdyn", .program = "BeamDyn (OpenFAST)", .recognises = recognises, .read = ReadFile};
