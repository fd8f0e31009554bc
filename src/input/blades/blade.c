// SPDX-License-Identifier: Apache-2.0
#include "input/blades/blade.h"

#include "input/yaml/files.h"
#include "limber/blade.h"
#include "mechanics/curve.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLADE_FORMAT(name, NAME, help) [LIMBER_BLADE_##NAME - 1] = &blade_##name,
const BladeFormat *const blade_formats[] = {
#include "input/blades/formats.def"
    NULL};
#undef BLADE_FORMAT

const BladeFormat *blade_format(const char *name, const char *text, size_t length) {
  for (int i = 0; blade_formats[i]; i++)
    if (name ? !strcmp(blade_formats[i]->name, name) : blade_formats[i]->recognises(text, length))
      return blade_formats[i];
  return NULL;
}

Error BladeAllocatePoints(Blade *b, int count) {
  b->points = count;
  TRY(StoreAllocate(b->store, (size_t)count * sizeof *b->point, &b->point));
  return 0;
}

Error BladeAllocateSections(Blade *b, int count) {
  b->sections = count;
  TRY(StoreAllocate(b->store, (size_t)count * sizeof *b->section, &b->section));
  TRY(StoreAllocate(b->store, (size_t)count * sizeof *b->asymmetry, &b->asymmetry));
  TRY(StoreAllocate(b->store, (size_t)count * sizeof *b->mass_defect, &b->mass_defect));
  TRY(StoreAllocate(b->store, (size_t)count * sizeof *b->line, &b->line));
  return 0;
}

// ---- outlines ----

static const double pi = 3.14159265358979323846;

static double corner_place(int i) { return 0.5 * (1 + cos(2 * pi * i / AIRFOIL_CORNERS)); }

// The height at x of a side, points `from` to `to`; along it x changes in one direction.
static double side_height(const double *x, const double *y, int from, int to, double at) {
  for (int i = from; i < to; i++) {
    double low = fmin(x[i], x[i + 1]), high = fmax(x[i], x[i + 1]);
    if (at < low || at > high) continue;
    return high > low ? y[i] + (at - x[i]) / (x[i + 1] - x[i]) * (y[i + 1] - y[i]) : y[i];
  }
  return fabs(at - x[from]) < fabs(at - x[to]) ? y[from] : y[to];
}

bool airfoil_of_points(int count, const double *x, const double *y, Airfoil *out) {
  int nose = 0;
  double tail = x[0], mean[2] = {0, 0};
  for (int i = 0; i < count; i++) nose = x[i] < x[nose] ? i : nose, tail = fmax(tail, x[i]);
  if (nose < 1 || nose + 1 >= count || !(tail - x[nose] > 0.5) || !(fabs(x[nose]) < 10) || !(tail < 10)) return false;
  for (int i = 0; i < count; i++) mean[i > nose] += y[i] / (i > nose ? count - nose - 1 : nose + 1);
  bool above = mean[0] > mean[1]; // the first side is the suction side
  for (int i = 0; i < AIRFOIL_CORNERS; i++) {
    double at = x[nose] + corner_place(i) * (tail - x[nose]);
    bool first = above == (i > AIRFOIL_CORNERS / 2 || i == 0);
    out->height[i] = side_height(x, y, first ? 0 : nose, first ? nose : count - 1, at) / (tail - x[nose]);
    if (!(fabs(out->height[i]) < 2)) return false;
  }
  return true;
}

void airfoil_of_thickness(double t, Airfoil *out) {
  double round = fmin(1, fmax(0, 2 * t - 1)); // sections of half the chord and more become circles
  for (int i = 0; i < AIRFOIL_CORNERS; i++) {
    double x = corner_place(i);
    double naca = 5 * (0.2969 * sqrt(x) - x * (0.1260 + x * (0.3516 - x * (0.2843 - 0.1036 * x))));
    double height = fmin(1, fmax(0, t)) * ((1 - round) * naca + round * sqrt(fmax(0, x * (1 - x))));
    out->height[i] = i > AIRFOIL_CORNERS / 2 ? height : -height;
  }
}

void blade_outline(const Blade *b, int i, Outline *out) {
  double corner[AIRFOIL_CORNERS][2];
  const BladeShape *q = b->shape ? &b->shape[i] : NULL;
  *out = (Outline){.numbers = true};
  if (q && q->diameter > 0) {
    outline_add_circle(out, 0.5 * q->diameter, false);
    outline_add_circle(out, fmax(0, 0.5 * q->diameter - q->wall), true);
  } else if (q && q->chord > 0) {
    for (int k = 0; k < AIRFOIL_CORNERS; k++)
      corner[k][0] = q->chord * q->airfoil.height[k] + q->above, corner[k][1] = q->chord * corner_place(k) - q->axis;
    outline_add(out, AIRFOIL_CORNERS, (const double(*)[2])corner);
  }
  if (!(outline_extent(out) < 1e100)) out->lines = 0;
}

Error BladeStraightAxis(Blade *b, double length) {
  TRY(BladeAllocatePoints(b, 2));
  b->point[1].at[2] = length;
  b->sections_only = true;
  return 0;
}

// Masses along x, y and z are the same, and moments of the mass stand in the matrix twice.
static double mass_defect(const double m[6][6], double x, double y) {
  double mass = m[0][0], most = 0;
  const double moments[3][3] = {{0, 0, -mass * y}, {0, 0, mass * x}, {mass * y, -mass * x, 0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double size = sqrt(mass * fmax(m[3 + j][3 + j], m[5][5]));
      if (mass > 0) most = fmax(most, fabs(m[i][j] - (i == j ? mass : 0)) / mass);
      if (size > 0) most = fmax(most, fabs(m[i][3 + j] - moments[i][j]) / size);
      if (size > 0) most = fmax(most, fabs(m[3 + j][i] - moments[i][j]) / size);
    }
  return most;
}

void blade_section(Blade *b, int i, double at, const double stiffness[6][6], const double mass[6][6]) {
  static const int order[6] = {2, 0, 1, 5, 3, 4}; // axial, shear along e2, e3, torsion, bending about e2, e3
  LimberSection *s = &b->section[i];
  *s = (LimberSection){.at = at};
  for (int j = 0; j < 6; j++)
    for (int k = 0; k < 6; k++) {
      double one = stiffness[order[j]][order[k]], other = stiffness[order[k]][order[j]];
      double size = sqrt(fabs(stiffness[order[j]][order[j]] * stiffness[order[k]][order[k]]));
      s->stiffness[j][k] = 0.5 * (one + other);
      if (size > 0) b->asymmetry[i] = fmax(b->asymmetry[i], fabs(one - other) / size);
    }
  s->mass = mass[0][0];
  if (s->mass > 0) s->centre[0] = mass[1][5] / s->mass, s->centre[1] = -mass[0][5] / s->mass;
  b->mass_defect[i] = mass_defect(mass, s->centre[0], s->centre[1]);
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++)
      s->inertia[j][k] = 0.5 * (mass[order[3 + j]][order[3 + k]] + mass[order[3 + k]][order[3 + j]]);
}

Error BladeStations(const Blade *b, LimberStation *station, bool *good) {
  Curve c = {0};
  void *memory;
  for (int i = 0; i < b->points; i++) {
    memcpy(station[i].at, b->point[i].at, sizeof station[i].at);
    station[i].twist = 0;
  }
  TRY(StoreAllocate(b->store, curve_room(b->points), &memory));
  *good = curve_through(&c, b->points, station, vec3(1, 0, 0), memory);
  double before = 0;
  for (int i = 0; i < b->points && *good; i++) {
    // e2 is perpendicular to the tangent; along the axis of the root it is seen at the angle of the twist.
    const Mat3 *axes = &c.stations->axes[i];
    Vec3 t = mat3_column(*axes, 0);
    double x = cos(b->point[i].twist), y = -sin(b->point[i].twist);
    *good = t.z > 0;
    if (!*good) break;
    Vec3 e2 = vec3(x, y, -(x * t.x + y * t.y) / t.z);
    double angle = atan2(vec3_dot(e2, mat3_column(*axes, 2)), vec3_dot(e2, mat3_column(*axes, 1)));
    station[i].twist = angle + 2 * acos(-1) * round((before - angle) / (2 * acos(-1)));
    before = station[i].twist;
  }
  return 0;
}

const char *blade_formats_text(char *text, size_t size) {
  text[0] = 0;
  for (int i = 0; blade_formats[i]; i++) {
    size_t n = strlen(text);
    snprintf(text + n, size - n, "%s%s", i ? ", " : "", blade_formats[i]->name);
  }
  return text;
}

// ---- through an opener ----

static SourceLocation whole_file(const BladeSource *s) { return (SourceLocation){0, s->length, s->file}; }

// A file that another names.
static Error OpenNamed(const BladeText *by, const char *name, BladeText *out) {
  BladeOpener *o = by->self;
  BladeSource source = {0};
  *out = *by;
  TRY(o->open(o, by->path, name, &source));
  if (!source.text) {
    if (by->path) by->mistake->file = by->path;
    snprintf(by->mistake->text, sizeof by->mistake->text, "%s", source.why);
    return 0;
  }
  out->path = source.path, out->text = source.text, out->length = source.length, out->all = whole_file(&source);
  out->mistake->file = source.path;
  return 0;
}

static bool is_small(const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!(fabs(x[i]) < 1e100)) return false;
  return true;
}

static void report_first_mistake(ImportMistake *m, const char *file, int line, const char *text) {
  if (m->text[0]) return;
  m->file = file, m->line = line;
  snprintf(m->text, sizeof m->text, "%s", text);
}

static const char too_large[] = "a number is too large: at most 1e100";

static void check_axis(const Blade *b, ImportMistake *m) {
  for (int i = 0; i < b->points; i++) {
    const BladePoint *p = &b->point[i];
    if (!is_small(p->at, 3) || !is_small(&p->twist, 1)) report_first_mistake(m, b->axis_file, p->line, too_large);
    double away = 0;
    for (int k = 0; i && k < 3; k++) away = fmax(away, fabs(p->at[k] - p[-1].at[k]));
    if (i && !(away > 0))
      report_first_mistake(m, b->axis_file, p->line, "the point of the axis coincides with the previous one");
  }
  if (b->points < 2) report_first_mistake(m, b->axis_file, 1, "the axis needs two points or more");
}

static Error CheckDirection(const Blade *b, ImportMistake *m) {
  LimberStation *station;
  bool good = true;
  if (m->text[0] || b->sections_only) return 0;
  TRY(StoreAllocate(b->store, (size_t)b->points * sizeof *station, &station));
  TRY(BladeStations(b, station, &good));
  if (!good)
    report_first_mistake(m, b->axis_file, b->point[0].line, "the axis must run from the root along z, and never back");
  return 0;
}

static void check_sections(const Blade *b, ImportMistake *m) {
  for (int i = 0; i < b->sections; i++) {
    const LimberSection *s = &b->section[i];
    bool small = is_small(s->stiffness[0], 36) && is_small(s->inertia[0], 9) && is_small(&s->mass, 1);
    if (!small || !is_small(s->centre, 2)) report_first_mistake(m, b->section_file, b->line[i], too_large);
    if (i && !(s[-1].at < s->at))
      report_first_mistake(m, b->section_file, b->line[i], "the stations of sections must increase along the axis");
    if (!(s->at >= 0 && s->at <= 1 + 1e-9))
      report_first_mistake(m, b->section_file, b->line[i],
                           "the station of a section must be in 0 .. 1, a fraction of the length");
  }
  if (b->sections < 1) report_first_mistake(m, b->section_file, 1, "there is no section");
}

static Error ReadText(BladeOpener *o, const BladeSource *source, const BladeChoices *c, Blade *out,
                      ImportMistake *mistake) {
  char known[200];
  int errors = o->diagnostics->errors;
  out->axis_file = out->section_file = source->path;
  out->format = blade_format(c->format, source->text, source->length);
  mistake->file = source->path, mistake->line = 1;
  if (!out->format) {
    snprintf(mistake->text, sizeof mistake->text, "%s; there are %s",
             c->format ? "there is no such format" : "the format of the file is not recognised",
             blade_formats_text(known, sizeof known));
    return 0;
  }
  const BladeText text = {.path = source->path,
                          .text = source->text,
                          .length = source->length,
                          .all = whole_file(source),
                          .diagnostics = o->diagnostics,
                          .count = o->count,
                          .part = c->part,
                          .data = c->data,
                          .about_mass_centre = c->about_mass_centre,
                          .torsion = c->torsion,
                          .stretch = c->stretch,
                          .mistake = mistake,
                          .open = OpenNamed,
                          .self = o};
  TRY(out->format->read(&text, out));
  if (mistake->text[0] || o->diagnostics->errors > errors) return 0;
  check_axis(out, mistake);
  TRY(CheckDirection(out, mistake));
  check_sections(out, mistake);
  return 0;
}

Error BladeRead(BladeOpener *o, const char *name, const BladeChoices *choices, Blade *out, ImportMistake *mistake,
                bool *good) {
  BladeSource source = {0};
  int errors = o->diagnostics->errors;
  *out = (Blade){.store = o->store};
  *mistake = (ImportMistake){0};
  TRY(o->open(o, NULL, name, &source));
  if (source.text) TRY(ReadText(o, &source, choices, out, mistake));
  else if (source.why) {
    mistake->file = source.path;
    snprintf(mistake->text, sizeof mistake->text, "%s", source.why);
  }
  *good = source.text && !mistake->text[0] && o->diagnostics->errors == errors;
  return 0;
}

// ---- from the disk ----

// Of a file that another names no line is printed: it may be anybody's.
static Error ReadDisk(BladeOpener *o, const char *path, bool named, BladeSource *out, int *error) {
  SourceText got = {0};
  const char *copy;
  out->path = path;
  TRY(SourceRead(path, &source_rule_model, &got));
  *error = got.error;
  if (!got.text) {
    char why[1500];
    snprintf(why, sizeof why, "cannot read '%s': %s", path, source_error(got.error));
    TRY(StoreText(o->store, why, strlen(why), &out->why));
    return 0;
  }
  Error failed = StoreText(o->store, got.text, got.length, &copy);
  out->length = got.length;
  memory_free(&got.text);
  TRY(failed);
  out->text = copy;
  TRY(DiagnosticsAddFile(o->diagnostics, path, out->text, out->length, &out->file));
  o->diagnostics->file[out->file].hidden = named;
  return 0;
}

// Relative to the file that names it; HAWC2 has names relative to the folder above, in which it is started.
static Error OpenDisk(BladeOpener *o, const char *by, const char *name, BladeSource *out) {
  char above[1100];
  const char *path, *other;
  int error;
  TRY(JoinNames(o->store, by ? by : "", name, &path));
  TRY(ReadDisk(o, by ? path : name, by != NULL, out, &error));
  if (out->text || !by || error != ENOENT || *name == '/') return 0;
  BladeSource second = {0};
  snprintf(above, sizeof above, "../%s", name);
  TRY(JoinNames(o->store, by, above, &other));
  TRY(ReadDisk(o, other, true, &second, &error));
  if (second.text) *out = second;
  return 0;
}

// The place of a line in a file of the diagnostics.
static SourceLocation line_of(const Diagnostics *n, const char *path, int line) {
  int file = n->files - 1;
  while (file > 0 && strcmp(n->file[file].name, path) != 0) file--;
  const char *text = n->file[file].text, *end = text + n->file[file].length, *p = text;
  for (int i = 1; i < line && p; i++) {
    p = memchr(p, '\n', (size_t)(end - p));
    if (p) p++;
  }
  if (!p) p = end;
  const char *stop = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
  return (SourceLocation){(size_t)(p - text), (size_t)((stop ? stop : end) - text), file};
}

Error BladeOpen(const char *path, const BladeChoices *choices, Store *store, Diagnostics *n, Blade *out, bool *good) {
  static const BladeChoices none = {0};
  TreeCount count = {0};
  BladeOpener o = {OpenDisk, store, n, &count};
  ImportMistake mistake;
  int files = n->files, file;
  TRY(BladeRead(&o, path, choices ? choices : &none, out, &mistake, good));
  if (!mistake.text[0]) return 0;
  if (n->files == files) TRY(DiagnosticsAddFile(n, path, "", 0, &file));
  TRY(DiagnosticsAdd(n, DIAGNOSTIC_ERROR, line_of(n, mistake.file, mistake.line), "%s", mistake.text));
  return 0;
}

// A blade as a model file that a user can extend: sections, axis, a clamped root, modes. Numbers have as many
// digits as are needed to read the same ones again.

static void print_number(FILE *out, double x) {
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, x == 0 ? 0 : x); // no -0
    if (strtod(text, NULL) == x) break;
  }
  fputs(text, out);
}

static void print_numbers(FILE *out, int count, const double *x) {
  fputc('[', out);
  for (int i = 0; i < count; i++) {
    if (i) fputs(", ", out);
    print_number(out, x[i]);
  }
  fputc(']', out);
}

static void print_matrix(FILE *out, int size, const double *x, const char *indent) {
  for (int i = 0; i < size; i++) {
    fputs(i ? indent : "[", out);
    print_numbers(out, size, x + i * size);
    fputs(i + 1 < size ? ",\n" : "]", out);
  }
}

// A text of others, in a comment or in quotes: on one line, and what would end it is left out.
static void print_text(FILE *out, const char *text) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    fputc(c < 0x20 || c == 0x7f || c == '"' || c == '\\' ? '?' : c, out);
  }
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool all_zero(const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (x[i] != 0) return false;
  return true;
}

// The outer line, with enough digits for a picture.
static void print_outline(FILE *out, const Outline *o) {
  for (int i = 0; o->lines && i < o->end[0]; i++)
    fprintf(out, "%s[%.5g, %.5g]%s", i ? ", " : "\n      outline: [", o->corner[i][0] + 0.0, o->corner[i][1] + 0.0,
            i + 1 < o->end[0] ? "" : "]");
}

static void print_section(FILE *out, const Blade *b, int i) {
  const LimberSection *s = &b->section[i];
  fputs("    - at: ", out);
  print_number(out, s->at);
  fprintf(out, "  # line %d of ", b->line[i]);
  print_text(out, file_name(b->section_file));
  if (b->chord) fprintf(out, ", chord %.4g m", b->chord[i]);
  if (b->asymmetry[i] > 1e-9)
    fprintf(out, "; its stiffness was not symmetric, by %.2g of the diagonal", b->asymmetry[i]);
  fputs("\n      stiffness: ", out);
  print_matrix(out, 6, s->stiffness[0], "                  ");
  fputs("\n      mass: ", out);
  print_number(out, s->mass);
  if (!all_zero(s->centre, 2)) {
    fputs("\n      centre: ", out);
    print_numbers(out, 2, s->centre);
  }
  fputs("\n      inertia: ", out);
  print_matrix(out, 3, s->inertia[0], "                ");
  Outline outline;
  blade_outline(b, i, &outline);
  print_outline(out, &outline);
  fputc('\n', out);
}

static void print_sections(FILE *out, const Blade *b, const char *name) {
  fputs("# Stiffness: axial, shear along e2, e3, torsion, bending about e2, e3, about the axis. e1 is the tangent,\n# "
        "e2 and e3 are x and y of the twisted section. Inertia: about e1, e2, e3. `at`: fraction of the arc length.\n",
        out);
  fprintf(out, "sections:\n  %s:\n", name);
  for (int i = 0; i < b->sections; i++) print_section(out, b, i);
}

static void print_damping(FILE *out, const Blade *b) {
  bool same = true;
  if (all_zero(b->damping, 6)) return;
  for (int i = 1; i < 6; i++) same = same && b->damping[i] == b->damping[0];
  fputs(same ? "      damping: " : "      strain_damping: ", out);
  if (same) print_number(out, b->damping[0]);
  else print_numbers(out, 6, b->damping);
  fputs(same ? "  # s\n" : "  # s: axial, shear x, shear y, torsion, bending x, bending y\n", out);
}

static void print_beam(FILE *out, const Blade *b, const char *name, const LimberStation *station) {
  fprintf(out, "elements:\n  - beam:\n      name: %s\n      from: root\n      section: %s\n      elements: %d\n", name,
          name, b->sections < 20 ? 20 : b->sections);
  print_damping(out, b);
  fputs("      up: [1, 0, 0]\n      stations:  # position in m, twist about e1 in rad; key points of ", out);
  print_text(out, file_name(b->axis_file));
  fputc('\n', out);
  for (int i = 0; i < b->points; i++) {
    fputs("        - {at: ", out);
    print_numbers(out, 3, station[i].at);
    fputs(", twist: ", out);
    print_number(out, station[i].twist);
    fputs("}\n", out);
  }
}

static void print_head(FILE *out, const Blade *b, const char *file, const char *name) {
  fputs("# From ", out);
  print_text(out, file_name(file));
  fprintf(out, " (%s), written by limber import.\n", b->format->program);
  fputs("# Axes: z from the root to the tip, x to the suction side, y to the trailing edge.\n", out);
  const char *const remarks[] = {b->remark, b->damping_remark};
  for (int i = 0; i < 2; i++) {
    if (!remarks[i][0]) continue;
    fputs("# ", out);
    print_text(out, remarks[i]);
    fputc('\n', out);
  }
  if (b->sections_only) fputs("# The file has sections and no axis: include this one in a model with a beam.\n", out);
  fprintf(out, "limber: 1\n");
  if (b->sections_only) return;
  fprintf(out, "title: \"%s of ", name);
  print_text(out, file_name(file));
  fputs("\"\n", out);
}

// A name of a model: what else a part of a file may be called is replaced.
static const char *plain_name(const char *name, char *text, size_t size) {
  snprintf(text, size, "%s", name);
  for (char *p = text; *p; p++)
    if (!isalnum((unsigned char)*p) && *p != '_' && *p != '-') *p = '_';
  return isalpha((unsigned char)text[0]) ? text : "blade";
}

Error BladeWriteModel(const Blade *b, const char *file, const char *part, FILE *out) {
  char name[100];
  LimberStation *station;
  bool good;
  plain_name(part ? part : "blade", name, sizeof name);
  print_head(out, b, file, name);
  fputc('\n', out);
  if (b->sections_only) {
    print_sections(out, b, name);
    return 0;
  }
  TRY(StoreAllocate(b->store, (size_t)b->points * sizeof *station, &station));
  TRY(BladeStations(b, station, &good));
  fputs("nodes:\n  root: ", out);
  print_numbers(out, 3, station[0].at);
  fputs("\n\n", out);
  print_sections(out, b, name);
  fputc('\n', out);
  print_beam(out, b, name, station);
  fputs("\njoints:\n  - weld: {name: clamp, nodes: [ground, root]}\n\nmodes: {count: 10}\n", out);
  return 0;
}
