// SPDX-License-Identifier: Apache-2.0
#include "post/section/section.h"

#include "input/lint/blade_findings.h"
#include "mechanics/curve.h"
#include "mechanics/element.h"

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
  for (int i = 0; i < of->count; i++) shape[i] = of->outline && of->outline[i];
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
