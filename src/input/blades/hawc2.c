// SPDX-License-Identifier: Apache-2.0
// Main bodies of HAWC2: the .htc file has the axis (c2_def, half-chord points with twist) and names the file of
// sections (.st). Lines of the .htc end at a semicolon, `continue_in_file` reads another file. A row of the .st has 19
// columns
//   r m x_cg y_cg ri_x ri_y x_sh y_sh E G I_x I_y K k_x k_y A pitch x_e y_e
// or 30, r m x_cg y_cg ri_x ri_y pitch x_e y_e and the upper triangle of the stiffness at the elastic centre. Axes: x
// along the chord towards the leading edge, y towards the suction side, z towards the tip, from the half-chord point;
// principal axes are turned about z by `pitch`. In the axes of the root, x = y_H and y = -x_H, and the twist is about
// -z. Radii of gyration are about the elastic centre, as the manual has it, or about the mass centre, as some files
// have it. For pictures: the file that `ae_filename` names has rows of r, chord, relative thickness in % and a number.
#include "input/blades/blade.h"

#include "base/rotation.h"
#include "mechanics/section_matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE = 2000, PLAIN = 19, FULL = 30, AERO = 3, MOST_FILES = 30, MOST_AERO = 1000 };

// ---- the .htc file ----

typedef struct {
  const char *body;      // wanted
  const BladeText *file; // that is read
  BladeText from;        // that names the file of sections
  bool inside, axis, found, linked;
  char data[1000];
  int line;            // that names it
  char aero[1000];     // the file of chords; "": none
  BladeText aero_from; // that names it
  int set[2];
  int points; // that the file announces
  int files;  // that were opened
  int count;  // that were read
  Blade *b;
} Htc;

static int read_whole_number(const char *word) {
  long x = strtol(word, NULL, 10);
  return x < -1 || x > 100000000 ? -1 : (int)x;
}

// The words of a line up to its semicolon.
static int split_line(char *line, char *word[], int most) {
  int n = 0;
  line[strcspn(line, ";")] = 0;
  for (char *p = strtok(line, " \t\r"); p && n < most; p = strtok(NULL, " \t\r")) word[n++] = p;
  return n;
}

static Error AddPoint(Htc *h, Words *w, char *word[], int n) {
  double x[4];
  if (n < 6 || h->count >= h->points) {
    TRY(ReportMistake(w, "a section of c2_def is 'sec NUMBER x y z twist', as often as nsec says"));
    return 0;
  }
  for (int i = 0; i < 4; i++) {
    char *end;
    x[i] = strtod(word[2 + i], &end);
    if (*end || !isfinite(x[i])) TRY(ReportMistake(w, "'%s' is not a number", word[2 + i]));
  }
  h->b->point[h->count++] = (BladePoint){{x[1], -x[0], x[2]}, -x[3] * acos(-1) / 180, words_at(w)};
  return 0;
}

static Error TakeLine(Htc *h, Words *w, char *word[], int n) {
  if (n >= 2 && !strcasecmp(word[0], "name")) h->inside = !h->found && !strcmp(word[1], h->body);
  if (!h->inside || n < 2) return 0;
  if (!strcasecmp(word[0], "filename")) {
    snprintf(h->data, sizeof h->data, "%s", word[1]);
    h->from = *h->file, h->line = words_at(w);
  }
  if (!strncasecmp(word[0], "damping", 7))
    snprintf(h->b->damping_remark, sizeof h->b->damping_remark, "%.100s is not supported: give the beam a `damping`",
             word[0]);
  if (!strcasecmp(word[0], "set") && n >= 3)
    h->set[0] = read_whole_number(word[1]), h->set[1] = read_whole_number(word[2]);
  if (!strcasecmp(word[1], "c2_def")) h->axis = !strcasecmp(word[0], "begin");
  if (h->axis && !strcasecmp(word[0], "nsec")) {
    h->points = read_whole_number(word[1]);
    if (h->points < 2 || h->points > (w->end - w->p) / 10 + 2 || h->b->points)
      TRY(ReportMistake(w, "nsec is '%s'; a number of at least 2 is expected, with as many lines below", word[1]));
    else TRY(BladeAllocatePoints(h->b, h->points));
    h->b->axis_file = h->file->path;
  }
  if (h->axis && !strcasecmp(word[0], "sec") && w->good) TRY(AddPoint(h, w, word, n));
  if (!strcasecmp(word[0], "end") && !strcasecmp(word[1], "main_body")) h->found = true, h->inside = false;
  return 0;
}

// After the body: the file of chords, if the aerodynamics are those of this body.
static void take_aero(Htc *h, char *word[], int n) {
  if (n >= 2 && !strcasecmp(word[0], "ae_filename")) {
    snprintf(h->aero, sizeof h->aero, "%s", word[1]);
    h->aero_from = *h->file;
  }
  if (n >= 4 && !strcasecmp(word[0], "link") && !strcasecmp(word[2], "mbdy_c2_def") && !strcmp(word[3], h->body))
    h->linked = true;
}

static Error ReadHtc(const BladeText *text, Htc *h) {
  Words w = words_of(text->text, text->length, text->mistake);
  char line[LINE], *word[10];
  h->file = text;
  while (w.good && words_line(&w, line, sizeof line)) {
    int n = split_line(line, word, 10);
    if (h->found) take_aero(h, word, n);
    else if (n >= 2 && !strcasecmp(word[0], "continue_in_file")) {
      BladeText next = {0};
      text->mistake->line = words_at(&w);
      if (++h->files > MOST_FILES) {
        TRY(ReportMistake(&w, "continued in more than %d files", MOST_FILES));
        return 0;
      }
      TRY(text->open(text, word[1], &next));
      if (!text->mistake->text[0]) TRY(ReadHtc(&next, h));
      w.good = !text->mistake->text[0], h->file = text;
      if (w.good) text->mistake->file = text->path;
    } else TRY(TakeLine(h, &w, word, n));
  }
  return 0;
}

// ---- a row of the .st file ----

typedef double Matrix6[6][6];

// Strains in axes that are turned by `angle` about z, from strains in the axes before.
static void turned_strains(double angle, Matrix6 t) {
  double c = cos(angle), s = sin(angle);
  memset(t, 0, sizeof(Matrix6));
  for (int b = 0; b < 6; b += 3) t[b][b] = t[b + 1][b + 1] = c, t[b][b + 1] = s, t[b + 1][b] = -s, t[b + 2][b + 2] = 1;
}

// Strains at (x, y), from strains at the origin.
static void moved_strains(double x, double y, Matrix6 t) {
  memset(t, 0, sizeof(Matrix6));
  for (int i = 0; i < 6; i++) t[i][i] = 1;
  t[0][5] = -y, t[1][5] = x, t[2][3] = y, t[2][4] = -x;
}

// The stiffness of the 19 columns at the elastic centre in principal axes: E A, E I there, shear and torsion at (x, y).
static void plain_stiffness(const double *v, double x, double y, Matrix6 k) {
  double E = v[8], G = v[9], A = v[15];
  Matrix6 t;
  memset(k, 0, sizeof(Matrix6));
  k[0][0] = v[13] * G * A, k[1][1] = v[14] * G * A, k[5][5] = G * v[12];
  moved_strains(x, y, t);
  symmetric_transform((const double(*)[6])k, (const double(*)[6])t, k);
  k[2][2] = E * A, k[3][3] = E * v[10], k[4][4] = E * v[11];
}

static void add_steiner(double mass, double x, double y, double i[3]) { // xx, yy, xy
  i[0] += mass * y * y, i[1] += mass * x * x, i[2] -= mass * x * y;
}

static void add_row(Blade *b, int row, double length, const double *v, int columns, bool about_mass_centre) {
  const double *last = columns == PLAIN ? v + 16 : v + 6; // pitch, x_e, y_e
  double angle = last[0] * acos(-1) / 180, x = last[1], y = last[2], c = cos(angle), s = sin(angle), m = v[1];
  Matrix6 k, t, mass = {{0}};
  if (columns == PLAIN) {
    double dx = v[6] - x, dy = v[7] - y;
    plain_stiffness(v, c * dx + s * dy, -s * dx + c * dy, k);
  } else
    for (int i = 0, n = 9; i < 6; i++)
      for (int j = i; j < 6; j++, n++) k[i][j] = k[j][i] = v[n];
  turned_strains(angle, t);
  symmetric_transform((const double(*)[6])k, (const double(*)[6])t, k);
  moved_strains(x, y, t);
  symmetric_transform((const double(*)[6])k, (const double(*)[6])t, k);
  double ix = m * v[4] * v[4], iy = m * v[5] * v[5]; // about principal axes
  double inertia[3] = {c * c * ix + s * s * iy, s * s * ix + c * c * iy, c * s * (ix - iy)};
  if (!about_mass_centre) add_steiner(-m, v[2] - x, v[3] - y, inertia);
  add_steiner(m, v[2], v[3], inertia);
  for (int i = 0; i < 3; i++) mass[i][i] = m;
  mass[0][5] = mass[5][0] = -m * v[3], mass[1][5] = mass[5][1] = m * v[2];
  mass[2][3] = mass[3][2] = m * v[3], mass[2][4] = mass[4][2] = -m * v[2];
  mass[3][3] = inertia[0], mass[4][4] = inertia[1], mass[3][4] = mass[4][3] = inertia[2];
  mass[5][5] = inertia[0] + inertia[1];
  turned_strains(-acos(0), t); // x = y_H, y = -x_H
  symmetric_transform((const double(*)[6])k, (const double(*)[6])t, k);
  symmetric_transform((const double(*)[6])mass, (const double(*)[6])t, mass);
  blade_section(b, row, v[0] / length, (const double(*)[6])k, (const double(*)[6])mass);
}

// ---- the .st file ----

static int count_numbers(const char *line, double *out, int most) {
  int n = 0;
  char *end;
  for (const char *p = line; n < most; p = end) {
    double x = strtod(p, &end);
    if (end == p || !isfinite(x)) break;
    out[n++] = x;
  }
  return n;
}

// Reads up to the line that begins with "#SET" and then "$SUBSET n": n.
static Error FindSet(Words *w, const int set[2], long *rows) {
  char line[LINE];
  bool inside = false;
  *rows = 0;
  while (words_line(w, line, sizeof line)) {
    const char *p = line + strspn(line, " \t");
    if (*p == '#') inside = read_whole_number(p + 1) == set[0];
    if (inside && *p == '$' && read_whole_number(p + 1) == set[1]) {
      char *end;
      strtol(p + 1, &end, 10);
      *rows = read_whole_number(end);
      if (*rows < 2 || *rows > (w->end - w->p) / PLAIN)
        TRY(ReportMistake(w, "a set has 2 rows or more, not %ld", *rows));
      return 0;
    }
  }
  TRY(ReportMistake(w, "the file has no set '#%d' with '$%d ROWS'", set[0], set[1]));
  return 0;
}

static Error ReadSections(const BladeText *text, const int set[2], Blade *b, double *length) {
  Words w = words_of(text->text, text->length, text->mistake);
  char line[8 * LINE];
  long rows;
  int columns = 0;
  double(*v)[FULL];
  b->section_file = text->path;
  TRY(FindSet(&w, set, &rows));
  if (!w.good) return 0;
  TRY(StoreAllocate(b->store, (size_t)rows * sizeof *v, &v));
  TRY(BladeAllocateSections(b, (int)rows));
  for (long i = 0; i < rows && w.good; i++) {
    int n = words_line(&w, line, sizeof line) ? count_numbers(line, v[i], FULL) : 0;
    if (i == 0) columns = n;
    b->line[i] = words_at(&w);
    if (n != columns || (n != PLAIN && n != FULL))
      TRY(ReportMistake(&w, "row %ld has %d numbers; 19 or 30 are expected, in all rows", i + 1, n));
  }
  if (w.good && !(v[rows - 1][0] > 0)) TRY(ReportMistake(&w, "the last row must have the length of the body"));
  *length = v[rows - 1][0];
  for (long i = 0; i < rows && w.good; i++) add_row(b, (int)i, *length, v[i], columns, text->about_mass_centre);
  return 0;
}

// ---- the file of chords, for pictures; one that cannot be read is no mistake ----

// The rows of the first set; 0: there are none.
static int read_aero(const BladeText *text, double (*row)[AERO]) {
  ImportMistake ignored = {0};
  Words w = words_of(text->text, text->length, &ignored);
  char line[LINE];
  double head[2] = {0};
  if (!words_line(&w, line, sizeof line) || !words_line(&w, line, sizeof line)) return 0;
  int rows = count_numbers(line, head, 2) == 2 && head[1] >= 2 && head[1] <= MOST_AERO ? (int)head[1] : 0;
  for (int i = 0; i < rows; i++) {
    if (!words_line(&w, line, sizeof line) || count_numbers(line, row[i], AERO) < AERO) return 0;
    if (!(row[i][1] > 0) || !(row[i][2] > 0) || row[i][2] > 100 || (i && !(row[i][0] > row[i - 1][0]))) return 0;
  }
  return rows;
}

static Error AddShapes(Htc *h, double length) {
  Blade *b = h->b;
  BladeText data = {0};
  double(*row)[AERO];
  ImportMistake ignored = {0};
  BladeText by = h->aero_from;
  if (!h->linked || !h->aero[0]) return 0;
  by.mistake = &ignored;
  TRY(by.open(&by, h->aero, &data));
  if (ignored.text[0]) return 0;
  TRY(StoreAllocate(b->store, MOST_AERO * sizeof *row, &row));
  int rows = read_aero(&data, row);
  if (!rows) return 0;
  TRY(StoreAllocate(b->store, (size_t)b->sections * sizeof *b->chord, &b->chord));
  TRY(StoreAllocate(b->store, (size_t)b->sections * sizeof *b->shape, &b->shape));
  for (int s = 0, i = 0; s < b->sections; s++) {
    double r = b->section[s].at * length;
    while (i + 2 < rows && r > row[i + 1][0]) i++;
    double part = fmin(fmax((r - row[i][0]) / (row[i + 1][0] - row[i][0]), 0), 1);
    double chord = row[i][1] + part * (row[i + 1][1] - row[i][1]);
    double thickness = row[i][2] + part * (row[i + 1][2] - row[i][2]);
    b->chord[s] = chord;
    b->shape[s] = (BladeShape){.chord = chord, .axis = chord / 2};
    airfoil_of_thickness(thickness / 100, &b->shape[s].airfoil);
  }
  return 0;
}

// Whether a file is one of sections: "#1" and "$1 ROWS" at the start of lines.
static bool is_data(const char *text, size_t length) {
  bool set = false, line = true;
  for (size_t i = 0; i + 1 < length && i < 20000; i++) {
    bool digit = line && text[i + 1] >= '0' && text[i + 1] <= '9';
    if (digit && text[i] == '#') set = true;
    if (digit && text[i] == '$' && set) return true;
    line = text[i] == '\n' || (line && (text[i] == ' ' || text[i] == '\t'));
  }
  return false;
}

// Towers run along -z, for HAWC2's z is down: they are turned over about y_H, so that they leave the root along z.
static void turn_over(Blade *b) {
  if (!(b->point[b->points - 1].at[2] < b->point[0].at[2])) return;
  for (int i = 0; i < b->points; i++)
    for (int k = 1; k < 3; k++) b->point[i].at[k] = 0 - b->point[i].at[k];
  snprintf(b->remark, sizeof b->remark,
           "the body runs along -z and was turned over about y: its z and x are now those of the root times -1");
}

static Error ReadFile(const BladeText *text, Blade *b) {
  Htc h = {.body = text->part ? text->part : "blade1", .set = {1, 1}, .b = b};
  BladeText data = {0};
  double length;
  if (is_data(text->text, text->length)) {
    TRY(ReadSections(text, h.set, b, &length));
    if (!text->mistake->text[0]) TRY(BladeStraightAxis(b, length));
    return 0;
  }
  TRY(ReadHtc(text, &h));
  if (text->mistake->text[0]) return 0;
  if (!h.count || h.count < h.points || !h.data[0]) {
    text->mistake->line = 1, text->mistake->file = text->path;
    snprintf(text->mistake->text, sizeof text->mistake->text, "there is no main_body '%s' with a c2_def and a filename",
             h.body);
    return 0;
  }
  turn_over(b);
  BladeText user = *text;
  user.path = NULL;
  text->mistake->line = h.line;
  TRY(text->open(text->data ? &user : &h.from, text->data ? text->data : h.data, &data));
  if (!text->mistake->text[0]) TRY(ReadSections(&data, h.set, b, &length));
  if (!text->mistake->text[0]) TRY(AddShapes(&h, length));
  return 0;
}

static bool recognises(const char *first, size_t length) {
  static const char *const keys[] = {"begin new_htc_structure", "begin main_body", "begin simulation"};
  for (size_t i = 0; i < length && i < 4000; i++)
    for (int k = 0; k < 3; k++)
      if (i + strlen(keys[k]) <= length && !strncasecmp(first + i, keys[k], strlen(keys[k]))) return true;
  return is_data(first, length);
}

const BladeFormat blade_hawc2 = {.name = "hawc2", .program = "HAWC2", .recognises = recognises, .read = ReadFile};
