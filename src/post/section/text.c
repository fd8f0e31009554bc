// SPDX-License-Identifier: Apache-2.0
// The report as text: totals, two tables with a row a station, what looks wrong.
#include "post/section/section.h"

#include <math.h>
#include <string.h>

static void print_value(int width, const char *format, double value) {
  char text[40];
  if (isnan(value)) printf("%*s", width, "-");
  else {
    snprintf(text, sizeof text, format, value);
    printf("%*s", width, text);
  }
}

// What the digits do not show is a zero, without a sign.
static void print_distance(double value) { print_value(9, "%.4f", fabs(value) < 5e-5 ? 0 : value); }
static void print_share(double value) { print_value(9, "%.2f", fabs(value) < 5e-3 ? 0 : value); }
static void print_angle(double value) { print_value(9, "%.2f", fabs(value) < 5e-3 ? 0 : value); }
static void print_number(double value) { print_value(12, "%.5g", value); }

static void print_at(const SectionReport *r, int i, double at) {
  printf("%7d", i + 1);
  if (r->length > 0) printf("%10.3f", at * r->length);
  printf("%8.2f", 100 * at);
}

static void print_head(const SectionReport *r, const char *first, const char *second) {
  printf("%7s%s%8s%s\n", "station", r->length > 0 ? "        at" : "", r->length > 0 ? "" : "at", first);
  printf("%7s%s%8s%s\n", "", r->length > 0 ? "         m" : "", "%", second);
}

static void print_stiffness(const SectionReport *r) {
  char first[200], second[200];
  snprintf(first, sizeof first, "%12s%12s%12s%12s%12s%12s%12s", "mass", "EA", "EI min", "EI max", "GJ", "GA min",
           "GA max");
  snprintf(second, sizeof second, "%12s%12s%12s%12s%12s%12s%12s", "kg/m", "N", "N m2", "N m2", "N m2", "N", "N");
  puts("");
  print_head(r, first, second);
  for (int i = 0; i < r->series.count; i++) {
    StationValues v = station_values(r, i);
    print_at(r, i, v.at);
    const double number[] = {v.mass, v.axial, v.bending[0], v.bending[1], v.torsion, v.shear[0], v.shear[1]};
    for (int k = 0; k < 7; k++) print_number(number[k]);
    puts("");
  }
}

// Centres of small sections are told in mm.
static bool is_small(const SectionReport *r) {
  double most = 0;
  for (int i = 0; i < r->series.count; i++) {
    StationValues v = station_values(r, i);
    const double *centre[] = {v.tension, v.shear_centre, v.mass_centre};
    for (int k = 0; k < 6; k++) most = fmax(most, fabs(centre[k / 2][k % 2])); // NAN is none
  }
  return most > 1e-9 && most < 0.05;
}

static void print_centres(const SectionReport *r) {
  const char *const *a = r->series.axes->axis;
  bool small = is_small(r);
  double unit = small ? 1e3 : 1;
  char first[200], second[200], x[20], y[20];
  snprintf(x, sizeof x, "%s %s", a[0], small ? "mm" : "m"), snprintf(y, sizeof y, "%s %s", a[1], small ? "mm" : "m");
  snprintf(first, sizeof first, "%18s%18s%18s%9s%9s", "tension centre", "shear centre", "mass centre", "bending",
           "inertia");
  snprintf(second, sizeof second, "%9s%9s%9s%9s%9s%9s%9s%9s", x, y, x, y, x, y, "deg", "deg");
  puts("");
  print_head(r, first, second);
  for (int i = 0; i < r->series.count; i++) {
    StationValues v = station_values(r, i);
    print_at(r, i, v.at);
    for (int k = 0; k < 2; k++) print_distance(unit * v.tension[k]);
    for (int k = 0; k < 2; k++) print_distance(unit * v.shear_centre[k]);
    for (int k = 0; k < 2; k++) print_distance(unit * v.mass_centre[k]);
    print_angle(v.bending_angle);
    print_angle(v.inertia_angle);
    puts("");
  }
}

static void print_chord(const SectionReport *r) {
  char first[200], second[200];
  int along = chord_axis(r), across = !along;
  const char *const *a = r->series.axes->axis;
  if (!r->series.chord) return;
  snprintf(first, sizeof first, "%9s%18s%18s%18s", "chord", "tension centre", "shear centre", "mass centre");
  snprintf(second, sizeof second, "%9s%9s%9s%9s%9s%9s%9s", "m", a[along], a[across], a[along], a[across], a[along],
           a[across]);
  printf("\nIn %% of the chord from the %s, not from the leading edge; %s:\n", r->series.axes->origin,
         r->series.axes->sense);
  print_head(r, first, second);
  for (int i = 0; i < r->series.count; i++) {
    StationValues v = station_values(r, i);
    const double *centre[] = {v.tension, v.shear_centre, v.mass_centre};
    print_at(r, i, v.at);
    print_distance(v.chord);
    for (int k = 0; k < 3; k++) {
      print_share(v.chord > 0 ? 100 * centre[k][along] / v.chord : NAN);
      print_share(v.chord > 0 ? 100 * centre[k][across] / v.chord : NAN);
    }
    puts("");
  }
}

static void print_uses(const SectionReport *r) {
  enum { SHOWN = 6 };
  for (int i = 0; i < r->uses && i < SHOWN; i++)
    printf("  %-13s %s, %.6g m, %.6g kg\n", i ? "" : "used by", r->use[i].name, r->use[i].length, r->use[i].mass);
  if (r->uses > SHOWN) printf("  %-13s and %d more\n", "", r->uses - SHOWN);
}

static void print_totals(const SectionReport *r, const char *file) {
  const SectionAxes *a = r->series.axes;
  int n = r->series.count;
  if (r->of_model) printf("%s: section '%s', %d station%s\n", file, r->name, n, n == 1 ? "" : "s");
  else printf("%s%s%s: %s, %d station%s\n", file, *r->name ? ", " : "", r->name, r->program, n, n == 1 ? "" : "s");
  if (r->uses) print_uses(r);
  else if (!r->of_model && r->length > 0) {
    printf("  %-13s %.6g m along the axis\n", "length", r->length);
    printf("  %-13s %.6g kg\n", "mass", r->mass);
  }
  if (r->has_centre) {
    double c[2];
    section_point(a, r->centre, c);
    printf("  %-13s %s %.4g m, %s %.4g m, %s %.5g m in the axes of the root\n", "mass centre", a->axis[0], c[0],
           a->axis[1], c[1], a->along, r->centre[2]);
  }
  printf("  %-13s %s, %s of the section, from the %s%s%s\n", "centres", a->axis[0], a->axis[1], a->origin,
         r->airfoil && *a->sense ? "; " : "", r->airfoil ? a->sense : "");
  printf("  %-13s from %s about %s to the principal axis of the smaller bending stiffness or inertia\n", "angles",
         a->axis[r->angle_from], a->along);
  for (int i = 0; i < 2; i++)
    if (*r->remark[i]) printf("  %-13s %s\n", "not read", r->remark[i]);
}

// Lines of at most 100 columns, the second and the following ones indented.
static void print_wrapped(const char *text) {
  enum { WIDTH = 100 };
  int column = 0;
  while (*text) {
    int n = (int)strcspn(text, " ");
    if (column && column + n + 1 > WIDTH) printf("\n     "), column = 5;
    printf("%s%.*s", column ? " " : "  ", n, text);
    column += n + (column ? 1 : 2);
    text += n;
    while (*text == ' ') text++;
  }
  puts("");
}

static void print_findings(const SectionReport *r) {
  static const char *const level[] = {"warning", "remark"};
  char stations[200], text[1200];
  puts("");
  if (!r->findings) puts("Nothing looks wrong.");
  for (int i = 0; i < r->findings; i++) {
    const SeriesFinding *f = &r->finding[i];
    finding_stations(f, r->series.count, stations, sizeof stations);
    if (f->whole) stations[0] = 0;
    snprintf(text, sizeof text, "%s: %s%sthe %s%s", level[f->level], stations, *stations ? ": " : "",
             f->whole && r->series.blade ? "blade" : "section", f->text);
    print_wrapped(text);
  }
}

void print_section(const SectionReport *r, const char *file) {
  print_totals(r, file);
  print_stiffness(r);
  print_centres(r);
  print_chord(r);
  print_findings(r);
}
