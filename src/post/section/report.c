// SPDX-License-Identifier: Apache-2.0
#include "input/lint/series_findings.h"
#include "mechanics/curve.h"
#include "mechanics/element.h"
#include "post/picture/scene.h"
#include "post/section/section.h"

#include <math.h>
#include <string.h>

enum { PIECES = 16 }; // between two stations, of the integral of the mass

// Where a stiffness is missing, what does not depend on it is still known.
static bool known_frame(const LimberSection *s, SectionFrame *out, int *missing) {
  LimberSection t = *s;
  double size = fmax(s->stiffness[4][4], s->stiffness[5][5]);
  *missing = 0;
  for (int i = 0; i < 4; i++) {
    if (s->stiffness[i][i] > 0) continue;
    *missing |= 1 << i;
    for (int j = 0; j < 6; j++) t.stiffness[i][j] = t.stiffness[j][i] = 0;
    t.stiffness[i][i] = size;
  }
  return section_frame(&t, out);
}

static Error FillFrames(Store *s, SectionReport *r) {
  size_t n = (size_t)r->series.count;
  int nearer = 0; // to the first axis of the file than to the second
  TRY(StoreAllocate(s, n * sizeof *r->frame, &r->frame));
  TRY(StoreAllocate(s, n * sizeof *r->definite, &r->definite));
  TRY(StoreAllocate(s, n * sizeof *r->missing, &r->missing));
  for (int i = 0; i < r->series.count; i++) {
    r->definite[i] = known_frame(&r->series.section[i], &r->frame[i], &r->missing[i]);
    bool first = fabs(section_angle(r->series.axes, 0, r->frame[i].bending_angle)) < acos(-1) / 4 + 1e-9;
    nearer += first ? 1 : -1;
  }
  r->angle_from = r->series.axes->angle_from < 0 ? nearer < 0 : r->series.axes->angle_from;
  TRY(FindInSeries(s, &r->series, &r->finding, &r->findings));
  return 0;
}

// ---- totals ----

typedef struct {
  double mass, centre[2];
} MassAt;

// Mass and its moments are straight between stations, and even beyond the first and the last.
static MassAt mass_at(const SectionSeries *s, double at) {
  int i = 0;
  while (i + 2 < s->count && s->section[i + 1].at < at) i++;
  const LimberSection *a = &s->section[i], *b = s->count > 1 ? &s->section[i + 1] : a;
  double t = b->at > a->at ? fmin(1, fmax(0, (at - a->at) / (b->at - a->at))) : 0;
  MassAt m = {(1 - t) * a->mass + t * b->mass, {0}};
  for (int k = 0; k < 2 && m.mass > 0; k++)
    m.centre[k] = ((1 - t) * a->mass * a->centre[k] + t * b->mass * b->centre[k]) / m.mass;
  return m;
}

static double mass_of(const SectionSeries *s) { // over a length of 1
  double sum = s->section[0].at * s->section[0].mass, last = s->section[s->count - 1].at;
  for (int i = 0; i + 1 < s->count; i++)
    sum += 0.5 * (s->section[i + 1].at - s->section[i].at) * (s->section[i].mass + s->section[i + 1].mass);
  return sum + (1 - last) * s->section[s->count - 1].mass;
}

static void add_moment(const SectionSeries *s, const Curve *c, double from, double to, double moment[3]) {
  for (int k = 0; k < PIECES; k++) {
    double width = (to - from) / PIECES, at = from + (k + 0.5) * width;
    MassAt m = mass_at(s, at);
    Vec3 x[4];
    curve_at(c, at, x);
    Vec3 p = vec3_add(x[0], vec3_add(vec3_scale(m.centre[0], x[2]), vec3_scale(m.centre[1], x[3])));
    moment[0] += m.mass * width * p.x, moment[1] += m.mass * width * p.y, moment[2] += m.mass * width * p.z;
  }
}

static Error FillTotals(Store *store, const Blade *b, SectionReport *r) {
  Curve c = {0};
  LimberStation *station;
  void *memory;
  bool good;
  double moment[3] = {0};
  const SectionSeries *s = &r->series;
  TRY(StoreAllocate(store, (size_t)b->points * sizeof *station, &station));
  TRY(StoreAllocate(store, curve_room(b->points), &memory));
  TRY(BladeStations(b, station, &good));
  if (!good || !curve_through(&c, b->points, station, vec3(1, 0, 0), memory)) return 0;
  if (b->sections_only && c.length == 1) return 0;
  r->length = c.length, r->mass = c.length * mass_of(s);
  if (!(r->mass > 0) || b->sections_only) return 0;
  for (int i = 0; i <= s->count; i++)
    add_moment(s, &c, i ? s->section[i - 1].at : 0, i < s->count ? s->section[i].at : 1, moment);
  for (int k = 0; k < 3; k++) r->centre[k] = moment[k] * c.length / r->mass;
  r->has_centre = true;
  return 0;
}

// ---- a blade ----

Error ReportBlade(Store *s, const Blade *b, const char *part, SectionReport *out) {
  *out = (SectionReport){.name = part ? part : "", .airfoil = part_is_blade(part), .program = b->format->program};
  TRY(StoreText(s, b->remark, strlen(b->remark), &out->remark[0]));
  TRY(StoreText(s, b->damping_remark, strlen(b->damping_remark), &out->remark[1]));
  TRY(SeriesOfBlade(s, b, part, &out->series));
  TRY(FillTotals(s, b, out));
  TRY(FillFrames(s, out));
  return 0;
}

// ---- a section of a model ----

static double component_length(const LimberModel m, const ModelComponent *c) {
  double length = 0, weight, at;
  for (int e = c->first; e < c->first + c->count; e++) {
    const ModelElement *element = model_element(m, e);
    for (int g = 0; g < element->kind->points(element->data); g++) {
      element_point_position(element->kind, element->data, g, &weight, &at);
      length += weight;
    }
  }
  return length;
}

Error ReportModelSection(Store *s, const LimberModel m, int section, SectionReport *out) {
  const ModelSection *of = model_section(m, section);
  bool *shape, same = true;
  *out = (SectionReport){.name = of->name, .of_model = true, .program = "Limber", .remark = {"", ""}};
  TRY(StoreAllocate(s, (size_t)of->count * sizeof *shape, &shape));
  for (int i = 0; i < of->count; i++) shape[i] = model_section_has_shape(of, i);
  out->series =
      (SectionSeries){.section = of->station, .count = of->count, .axes = &section_axes_limber, .shape = shape};
  for (int i = 0; i < m->components.count; i++) out->uses += model_component(m, i)->section == section;
  TRY(StoreAllocate(s, (size_t)out->uses * sizeof *out->use, &out->use));
  out->uses = 0;
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    if (c->section != section) continue;
    double length = component_length(m, c);
    out->use[out->uses++] = (SectionUse){c->name, length, length * mass_of(&out->series)};
    same = same && fabs(length - out->use[0].length) <= 1e-9 * length;
  }
  if (out->uses && same) out->length = out->use[0].length, out->mass = out->use[0].mass;
  TRY(FillFrames(s, out));
  return 0;
}

// ---- values ----

StationValues station_values(const SectionReport *r, int i) {
  const SectionSeries *s = &r->series;
  const SectionFrame *f = &r->frame[i];
  const double degree = acos(-1) / 180;
  bool good = r->definite[i];
  StationValues v = {.at = s->section[i].at, .mass = s->section[i].mass, .chord = s->chord ? s->chord[i] : 0};
  bool axial = good && !(r->missing[i] & 1), shear = good && !(r->missing[i] & 6),
       torsion = good && !(r->missing[i] & 8);
  v.axial = axial ? f->axial : NAN, v.torsion = torsion ? f->torsion : NAN;
  section_point(s->axes, f->tension_centre, v.tension);
  section_point(s->axes, f->shear_centre, v.shear_centre);
  section_point(s->axes, f->mass_centre, v.mass_centre);
  for (int k = 0; k < 2; k++) {
    v.bending[k] = good ? f->bending[k] : NAN, v.shear[k] = shear ? f->shear[k] : NAN;
    if (!axial) v.tension[k] = NAN;
    if (!shear || !torsion) v.shear_centre[k] = NAN;
  }
  bool round = !good || f->bending[1] < 1.05 * f->bending[0], even = f->inertia[1] < 1.05 * f->inertia[0];
  v.bending_angle = round ? NAN : section_angle(s->axes, r->angle_from, f->bending_angle) / degree;
  v.inertia_angle =
      even || !(f->inertia[0] > 0) ? NAN : section_angle(s->axes, r->angle_from, f->inertia_angle) / degree;
  return v;
}

int chord_axis(const SectionReport *r) { return r->series.axes->from[0] == 1 ? 0 : 1; }

// The report as text and as JSON. The text has totals, two tables with a row per station, and what looks wrong.

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

// Centres of small sections are printed in mm.
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

// The report as JSON, for programs: SI, but for angles in degrees; null where there is no value.

static void put_number(FILE *out, double value) {
  if (isfinite(value)) fprintf(out, "%.17g", value == 0 ? 0 : value);
  else fputs("null", out);
}

static void put_member(FILE *out, const char *name, double value) {
  fprintf(out, ",\"%s\":", name);
  put_number(out, value);
}

static void put_pair(FILE *out, const char *name, const double value[2]) {
  fprintf(out, ",\"%s\":[", name);
  put_number(out, value[0]);
  fputc(',', out);
  put_number(out, value[1]);
  fputc(']', out);
}

static void put_text(FILE *out, const char *name, const char *text) {
  fprintf(out, ",\"%s\":", name);
  json_text(out, text);
}

static void put_station(const SectionReport *r, int i, FILE *out) {
  StationValues v = station_values(r, i);
  fprintf(out, "%s\n    {\"station\":%d", i ? "," : "", i + 1);
  put_member(out, "at", v.at);
  put_member(out, "position", r->length > 0 ? v.at * r->length : NAN);
  put_member(out, "mass", v.mass);
  put_member(out, "EA", v.axial);
  put_pair(out, "EI", v.bending);
  put_member(out, "GJ", v.torsion);
  put_pair(out, "GA", v.shear);
  put_pair(out, "tension_centre", v.tension);
  put_pair(out, "shear_centre", v.shear_centre);
  put_pair(out, "mass_centre", v.mass_centre);
  put_member(out, "bending_angle", v.bending_angle);
  put_member(out, "inertia_angle", v.inertia_angle);
  put_member(out, "chord", v.chord > 0 ? v.chord : NAN);
  fputc('}', out);
}

static void put_finding(const SectionReport *r, int i, FILE *out) {
  const SeriesFinding *f = &r->finding[i];
  int n = 0;
  fprintf(out, "%s\n    {\"level\":\"%s\",\"name\":\"%s\",\"stations\":[", i ? "," : "",
          f->level == FINDING_WARNING ? "warning" : "remark", f->name);
  for (int k = 0; k < r->series.count; k++)
    if (f->at[k]) fprintf(out, "%s%d", n++ ? "," : "", k + 1);
  fputc(']', out);
  put_text(out, "text", f->text + (f->text[0] == ' '));
  fputc('}', out);
}

void print_section_json(const SectionReport *r, FILE *out) {
  const SectionAxes *a = r->series.axes;
  double c[2];
  section_point(a, r->centre, c);
  fputs("{\"name\":", out);
  json_text(out, r->name);
  put_text(out, "program", r->program);
  fprintf(out, ",\"axes\":[\"%s\",\"%s\"],\"along\":\"%s\",\"angles_from\":\"%s\"", a->axis[0], a->axis[1], a->along,
          a->axis[r->angle_from]);
  put_member(out, "length", r->length > 0 ? r->length : NAN);
  put_member(out, "mass", r->length > 0 ? r->mass : NAN);
  if (r->has_centre) {
    const double centre[3] = {c[0], c[1], r->centre[2]};
    for (int k = 0; k < 3; k++) fputs(k ? "," : ",\"mass_centre\":[", out), put_number(out, centre[k]);
    fputc(']', out);
  }
  fputs(",\n   \"stations\":[", out);
  for (int i = 0; i < r->series.count; i++) put_station(r, i, out);
  fputs("],\n   \"findings\":[", out);
  for (int i = 0; i < r->findings; i++) put_finding(r, i, out);
  fputs("]}", out);
}
