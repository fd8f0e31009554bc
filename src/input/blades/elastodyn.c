// SPDX-License-Identifier: Apache-2.0
// Blades and towers of ElastoDyn (OpenFAST): a primary file with lengths, which names a file of the blade and one of the
// tower. Such a file has a table: place, twist, mass and bending stiffness of stations, in the columns that its line of
// titles names. Files of FAST 7 have more columns, of which the stiffnesses of torsion and of stretch are read. Factors
// of the file multiply masses and stiffnesses. Axes: x downwind (to the suction side), y to the trailing edge; sections of
// a blade turn about -z by the twist.
//
// ElastoDyn's beams neither stretch nor shear nor twist. What is not known is stiffer than any material makes it: EA is
// m c^2 with the speed of sound c, GJ the sum of both EI; GA is EA. Moments of inertia are those of a homogeneous
// section: m EI/EA.
#include "input/blades/blade.h"
#include "input/blades/openfast.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const double STIFF = 15e3; // m/s, the speed of sound
enum { PLACE, TWIST, MASS, FLAP, EDGE, TORSION, STRETCH, COLUMNS, MOST_COLUMNS = 30 };

typedef struct {
  const char *what, *count, *table; // the table: as the lines of titles of blocks call it
  const char *column[COLUMNS];      // NULL: there is none
  const char *factor[COLUMNS];      // of the columns
  const char *tuner[3], *damping;
} Kind;

static const Kind blade_kind = {"blade",
                                "NBlInpSt",
                                "BlFract",
                                {"BlFract", "StrcTwst", "BMassDen", "FlpStff", "EdgStff", "GJStff", "EAStff"},
                                {[MASS] = "AdjBlMs", [FLAP] = "AdjFlSt", [EDGE] = "AdjEdSt"},
                                {"FlStTunr"},
                                "BldFlDmp, BldEdDmp"};
static const Kind tower_kind = {"tower",
                                "NTwInpSt",
                                "HtFract",
                                {"HtFract", NULL, "TMassDen", "TwFAStif", "TwSSStif", "TwGJStif", "TwEAStif"},
                                {[MASS] = "AdjTwMa", [FLAP] = "AdjFASt", [EDGE] = "AdjSSSt"},
                                {"FAStTunr", "SSStTunr"},
                                "TwrFADmp, TwrSSDmp"};

// The words of a line, divided by blanks and commas.
static int split_line(char *line, char *word[MOST_COLUMNS]) {
  int n = 0;
  for (char *p = strtok(line, " \t,"); p && n < MOST_COLUMNS; p = strtok(NULL, " \t,")) word[n++] = p;
  return n;
}

// ---- the table ----

typedef struct {
  const Kind *kind;
  int column[COLUMNS]; // in which each is, -1: in none
  double factor[COLUMNS];
} Table;

// What tunes a mode has no counterpart in a beam.
static void remark_tuners(const BladeText *text, const Kind *kind, Blade *b) {
  for (int i = 0; kind->tuner[i]; i++) {
    ImportMistake ignored = {0};
    Words w = words_of(text->text, text->length, &ignored);
    NamedValue found;
    double value;
    while (openfast_next(&w, kind->tuner[i], &found)) {
      if (WordReal(&w, found.value, "a factor", &value) || !w.good || value == 1) continue;
      snprintf(b->remark, sizeof b->remark, "%.40s is %.40s: it tunes a mode of ElastoDyn and is not used", found.name,
               found.value);
      return;
    }
  }
}

static Error ReadFactors(const BladeText *text, Table *t) {
  for (int c = 0; c < COLUMNS; c++) {
    Words w = words_of(text->text, text->length, text->mistake);
    NamedValue found;
    t->factor[c] = 1;
    if (!t->kind->factor[c] || text->mistake->text[0]) continue;
    TRY(FindNamed(&w, t->kind->factor[c], &found));
    if (w.good) TRY(WordReal(&w, found.value, "a factor", &t->factor[c]));
  }
  return 0;
}

static Error FindColumns(Words *w, Table *t) {
  char line[OPENFAST_LINE], *word[MOST_COLUMNS];
  TRY(FindTitle(w, t->kind->table, line));
  int n = w->good ? split_line(line, word) : 0;
  for (int c = 0; c < COLUMNS; c++) {
    const char *name = t->kind->column[c];
    t->column[c] = -1;
    for (int i = 0; i < n && name; i++)
      if (!strcasecmp(word[i], name)) t->column[c] = i;
    if (name && c < TORSION && t->column[c] < 0) TRY(ReportMistake(w, "the table has no column '%s'", name));
  }
  words_line(w, line, sizeof line); // units
  return 0;
}

static Error ReadRow(Words *w, const Table *t, double *row) {
  char line[OPENFAST_LINE], *word[MOST_COLUMNS];
  bool more = words_line(w, line, sizeof line);
  int n = more ? split_line(line, word) : 0;
  for (int c = 0; c < COLUMNS; c++) {
    row[c] = 0;
    if (t->column[c] < 0) continue;
    if (n <= t->column[c])
      TRY(ReportMistake(w, "%s where %s is expected", more ? "the row ends" : "the file ends", t->kind->column[c]));
    else TRY(WordReal(w, word[t->column[c]], t->kind->column[c], &row[c]));
    row[c] *= t->factor[c];
  }
  if (!(row[MASS] > 0) || !(row[FLAP] > 0) || !(row[EDGE] > 0))
    TRY(ReportMistake(w, "mass and stiffness must be above 0"));
  return 0;
}

// ---- sections ----

static void add_section(const BladeText *text, Blade *b, int i, const double *row) {
  double stiff = row[MASS] * STIFF * STIFF, k[6][6] = {{0}}, m[6][6] = {{0}};
  double stretch = row[STRETCH] > 0 ? row[STRETCH] : text->stretch > 0 ? text->stretch : stiff;
  double torsion = row[TORSION] > 0 ? row[TORSION] : text->torsion > 0 ? text->torsion : row[FLAP] + row[EDGE];
  k[0][0] = k[1][1] = k[2][2] = stretch;                       // sections are stiffer in tension than in shear
  k[3][3] = row[EDGE], k[4][4] = row[FLAP], k[5][5] = torsion; // about x, y, z
  for (int j = 0; j < 3; j++) m[j][j] = row[MASS];
  m[3][3] = row[MASS] * row[EDGE] / stretch, m[4][4] = row[MASS] * row[FLAP] / stretch, m[5][5] = m[3][3] + m[4][4];
  blade_section(b, i, row[PLACE], (const double(*)[6])k, (const double(*)[6])m);
}

static void remark_stiff(const BladeText *text, const Table *t, Blade *b) {
  bool torsion = t->column[TORSION] < 0 && !(text->torsion > 0),
       stretch = t->column[STRETCH] < 0 && !(text->stretch > 0);
  size_t n = strlen(b->remark);
  if (torsion || stretch)
    snprintf(b->remark + n, sizeof b->remark - n,
             "%sit has no stiffness of %s: the beam is stiff there; give %s, or the column%s %s%s%s of the table",
             n ? "; " : "",
             torsion && stretch ? "torsion and stretch"
             : torsion          ? "torsion"
                                : "stretch",
             torsion && stretch ? "'torsion' and 'stretch'"
             : torsion          ? "'torsion'"
                                : "'stretch'",
             torsion && stretch ? "s" : "", torsion ? t->kind->column[TORSION] : "", torsion && stretch ? " and " : "",
             stretch ? t->kind->column[STRETCH] : "");
}

// The axis is straight. Its points have the twist, so that there is one at each station.
static Error AddAxis(Words *w, Blade *b, double first, double length, const double (*row)[COLUMNS]) {
  int last = b->sections - 1;
  if (last && (row[0][PLACE] != 0 || row[last][PLACE] != 1))
    TRY(ReportMistake(w, "the first station must be at 0 and the last one at 1"));
  TRY(BladeAllocatePoints(b, last ? b->sections : 2));
  for (int i = 0; i < b->points; i++) {
    int s = last ? i : 0;
    double place = last ? row[i][PLACE] : i;
    b->point[i] = (BladePoint){{0, 0, first + place * length}, row[s][TWIST] * acos(-1) / 180, b->line[s]};
  }
  return 0;
}

// Reads the file of a blade or tower. `length` 0: it is not known.
static Error ReadTable(const BladeText *text, const Kind *kind, double first, double length, Blade *b) {
  Words w = words_of(text->text, text->length, text->mistake);
  Table t = {.kind = kind};
  double(*row)[COLUMNS];
  long stations;
  b->section_file = text->path, b->named = true;
  TRY(FindCount(&w, kind->count, 1, &stations));
  if (w.good) TRY(ReadFactors(text, &t));
  w.good = !text->mistake->text[0];
  if (w.good) TRY(FindColumns(&w, &t));
  if (!w.good) return 0;
  TRY(BladeAllocateSections(b, (int)stations));
  TRY(StoreAllocate(b->store, (size_t)stations * sizeof *row, &row));
  for (int i = 0; i < b->sections && w.good; i++) {
    TRY(ReadRow(&w, &t, row[i]));
    b->line[i] = words_at(&w);
    if (w.good) add_section(text, b, i, row[i]);
  }
  if (!w.good) return 0;
  remark_tuners(text, kind, b);
  remark_stiff(text, &t, b);
  snprintf(b->damping_remark, sizeof b->damping_remark,
           "damping by modes (%s) is not supported: give the beam a `damping`", kind->damping);
  if (length > 0) TRY(AddAxis(&w, b, first, length, (const double(*)[COLUMNS])row));
  else TRY(BladeStraightAxis(b, 1));
  return 0;
}

// ---- the primary file ----

static bool has_line(const BladeText *text, const char *name) {
  ImportMistake ignored = {0};
  Words w = words_of(text->text, text->length, &ignored);
  NamedValue found;
  return openfast_next(&w, name, &found);
}

static Error ReadLength(const BladeText *text, const char *name, double *out) {
  Words w = words_of(text->text, text->length, text->mistake);
  NamedValue found;
  *out = 0;
  if (text->mistake->text[0]) return 0;
  TRY(FindNamed(&w, name, &found));
  if (w.good) TRY(WordReal(&w, found.value, "a length", out));
  return 0;
}

static Error ReadPrimary(const BladeText *text, const Kind *kind, Blade *b) {
  bool tower = kind == &tower_kind;
  double first, last;
  BladeText file = {0};
  NamedValue name;
  TRY(ReadLength(text, tower ? "TowerBsHt" : "HubRad", &first));
  TRY(ReadLength(text, tower ? "TowerHt" : "TipRad", &last));
  if (text->mistake->text[0]) return 0;
  Words w = words_of(text->text, text->length, text->mistake);
  TRY(FindNamed(&w, tower ? "TwrFile" : "BldFile", &name));
  if (!(last > first)) TRY(ReportMistake(&w, "the %s has no length: %g m to %g m", kind->what, first, last));
  if (!w.good) return 0;
  text->mistake->line = words_at(&w);
  TRY(text->open(text, name.value, &file));
  if (text->mistake->text[0]) return 0;
  if (!has_line(&file, kind->count)) {
    Words none = words_of(file.text, file.length, file.mistake);
    TRY(ReportMistake(&none, "the file has no line '%s': it is not one of a %s", kind->count, kind->what));
    return 0;
  }
  TRY(ReadTable(&file, kind, tower ? first : 0, last - first, b));
  return 0;
}

static Error ReadFile(const BladeText *text, Blade *b) {
  Words w = words_of(text->text, text->length, text->mistake);
  const Kind *alone = has_line(text, blade_kind.count)   ? &blade_kind
                      : has_line(text, tower_kind.count) ? &tower_kind
                                                         : NULL,
             *wanted = text->part && !strcmp(text->part, "tower") ? &tower_kind : &blade_kind;
  if (text->part && strcmp(text->part, wanted->what) != 0)
    TRY(ReportMistake(&w, "the parts are blade and tower, not '%.100s'", text->part));
  else if (alone && text->part && alone != wanted)
    TRY(ReportMistake(&w, "the file is one of a %s, not of a %s", alone->what, wanted->what));
  else if (alone) TRY(ReadTable(text, alone, 0, 0, b));
  else TRY(ReadPrimary(text, wanted, b));
  return 0;
}

static bool recognises(const char *first, size_t length) { return openfast_is_of(first, length, "ELASTODYN"); }

const BladeFormat blade_elastodyn = {
    .name = "elastodyn", .program = "ElastoDyn (OpenFAST)", .recognises = recognises, .read = ReadFile};
