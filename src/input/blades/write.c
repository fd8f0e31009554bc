// SPDX-License-Identifier: Apache-2.0
// A blade as a model file that a user can go on with: sections, axis, a clamped root, modes. Numbers have as many digits as
// are needed to read the same ones again.
#include "input/blades/blade.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
  fputc('\n', out);
}

static void print_sections(FILE *out, const Blade *b, const char *name) {
  fputs("# Stiffness: axial, shear along e2, e3, torsion, bending about e2, e3, about the axis. e1 is the tangent,\n"
        "# e2 and e3 are x and y of the twisted section. Inertia: about e1, e2, e3. `at`: part of the arc length.\n",
        out);
  fprintf(out, "sections:\n  %s:\n", name);
  for (int i = 0; i < b->sections; i++) print_section(out, b, i);
}

static void print_damping(FILE *out, const Blade *b) {
  static const char *const names[] = {"axial", "shear x", "shear y", "torsion", "bending x", "bending y"};
  if (all_zero(b->damping, 6)) return;
  fputs("      damping: ", out);
  print_number(out, b->damping[5]);
  fputs("  # s; in the file:", out);
  for (int i = 0; i < 6; i++) fprintf(out, "%s %s %g", i ? "," : "", names[i], b->damping[i]);
  fputc('\n', out);
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
