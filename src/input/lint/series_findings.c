// SPDX-License-Identifier: Apache-2.0
#include "input/lint/series_findings.h"

#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "mechanics/section_matrix.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST = SECTION_FINDINGS + 16 };

typedef struct {
  Store *store;
  const SectionSeries *s;
  SectionFrame *frame;
  bool *definite;
  double *radius; // of gyration, by stiffness; 0: none
  SeriesFinding *found;
  int count;
} Search;

static double in_degrees(double angle) { return angle * 180 / acos(-1); }

// Whether sections along a blade's axes taper as those of a blade do, so that e3 is the chord.
static bool series_is_blade(const SectionSeries *s) {
  double root = s->count ? s->section[0].mass : 0, tip = s->count ? s->section[s->count - 1].mass : 0;
  return s->count >= 4 && tip > 0 && tip < 0.5 * root;
}

static Error AddFinding(Search *q, FindingLevel level, const char *name, bool whole, SeriesFinding **out) {
  SeriesFinding *f = &q->found[q->count++];
  *f = (SeriesFinding){.level = level, .name = name, .whole = whole};
  TRY(StoreAllocate(q->store, (size_t)q->s->count * sizeof *f->at, &f->at));
  *out = f;
  return 0;
}

static Error AddWhole(Search *q, FindingLevel level, const char *name, const char *format, ...) PRINTF_LIKE(4, 5);
static Error AddWhole(Search *q, FindingLevel level, const char *name, const char *format, ...) {
  SeriesFinding *f;
  va_list list;
  TRY(AddFinding(q, level, name, true, &f));
  for (int i = 0; i < q->s->count; i++) f->at[i] = true;
  va_start(list, format);
  vsnprintf(f->text, sizeof f->text, format, list);
  va_end(list);
  return 0;
}

// ---- axes ----

// Along the blade from where it is no longer round.
static bool is_outboard(const Search *q, int i) { return q->s->section[i].at >= 0.3; }

// All that says which way a section is wide says the wrong way.
static bool is_turned(const Search *q, int i) {
  SectionWidth w = section_width(&q->s->section[i], true);
  return (w.shear < 0) + (w.bending < 0) + (w.inertia < 0) >= 2 && w.shear <= 0 && w.bending <= 0 && w.inertia <= 0;
}

static bool mass_is_flapwise(const Search *q, int i) {
  const double *m = q->s->section[i].centre;
  return fabs(m[0]) > fabs(m[1]) && fabs(m[0]) > 0.1 * q->radius[i];
}

static Error FindWhere(Search *q, const char *name, bool (*is)(const Search *q, int i), const char *text) {
  SeriesFinding *f;
  int all = 0, some = 0;
  for (int i = 0; i < q->s->count; i++)
    if (is_outboard(q, i)) all++, some += is(q, i);
  if (all < 2 || some < 0.7 * all) return 0;
  TRY(AddFinding(q, FINDING_WARNING, name, false, &f));
  for (int i = 0; i < q->s->count; i++) f->at[i] = is(q, i);
  snprintf(f->text, sizeof f->text, "%s", text);
  return 0;
}

static Error FindAxes(Search *q) {
  const SectionAxes *a = q->s->axes;
  char text[500];
  int before = q->count;
  snprintf(
      text, sizeof text,
      " is wide along %s by stiffness and inertia, where a blade of %s is thin (%s): its axes are swapped; turn the "
      "matrices by 90 degrees about %s",
      section_axis(a, 0), a->name, a->sense, a->along);
  TRY(FindWhere(q, "axes-swapped", is_turned, text));
  if (q->count > before) return 0;
  snprintf(
      text, sizeof text,
      " has its mass centre further from the axis along %s, where a blade is thin, than along %s, its chord: are the "
      "two coordinates of the mass centre swapped?",
      section_axis(a, 0), section_axis(a, 1));
  TRY(FindWhere(q, "mass-centre-swapped", mass_is_flapwise, text));
  return 0;
}

// ---- reference points ----

static Error FindReference(Search *q) {
  int tension = 0, mass = 0, on_tension = 0, on_mass = 0, definite = 0, n = q->s->count;
  for (int i = 0; i < n; i++) {
    const double *t = q->frame[i].tension_centre, *m = q->s->section[i].centre, r = q->radius[i];
    if (!q->definite[i]) continue;
    definite++;
    on_tension += hypot(t[0], t[1]) < 1e-6 * r, on_mass += hypot(m[0], m[1]) < 1e-6 * r;
    tension += hypot(t[0], t[1]) > 0.1 * r, mass += hypot(m[0], m[1]) > 0.1 * r;
  }
  if (n < 3 || definite < n) return 0;
  if (on_tension == n && 2 * mass > n)
    TRY(AddWhole(
        q, FINDING_WARNING, "about-tension-centre",
        " has its tension centre on the axis at all stations, but its mass centre off it at most stations: is the "
        "stiffness about the elastic centre? It must be about the axis"));
  if (on_mass == n && 2 * tension > n)
    TRY(AddWhole(
        q, FINDING_WARNING, "about-mass-centre",
        " has its mass centre on the axis at all stations, but its tension centre off it at most stations: is the mass "
        "centre left out? Inertia must be about the axis"));
  return 0;
}

static bool is_outside(const Search *q, int i) {
  const SectionFrame *f = &q->frame[i];
  double c = q->s->chord[i];
  return c > 0 && (fabs(q->s->section[i].centre[1]) > c || (q->definite[i] && fabs(f->tension_centre[1]) > c));
}

static Error FindOutside(Search *q) {
  SeriesFinding *f;
  int some = 0;
  for (int i = 0; q->s->chord && i < q->s->count; i++) some += is_outside(q, i);
  if (!some) return 0;
  TRY(AddFinding(q, FINDING_WARNING, "centre-outside", false, &f));
  for (int i = 0; i < q->s->count; i++) f->at[i] = is_outside(q, i);
  snprintf(f->text, sizeof f->text,
           " has its mass centre or its tension centre further from the axis than the chord is long: check the "
           "reference point and the units");
  return 0;
}

// ---- twist ----

static double mean_twist(const SectionSeries *s, double from, double to) {
  double sum = 0;
  int n = 0;
  for (int i = 0; i < s->points; i++)
    if (s->place[i] >= from - 1e-9 && s->place[i] <= to + 1e-9) sum += s->twist[i], n++;
  return n ? sum / n : NAN;
}

static Error FindTwist(Search *q) {
  const SectionSeries *s = q->s;
  double low = INFINITY, high = -INFINITY, jump = 0, sign = s->axes == &section_axes_hawc2 ? -1 : 1;
  for (int i = 0; i < s->points; i++) {
    low = fmin(low, s->twist[i]), high = fmax(high, s->twist[i]);
    if (i) jump = fmax(jump, fabs(s->twist[i] - s->twist[i - 1]));
  }
  double range = s->points > 1 ? in_degrees(high - low) : 0;
  if (range > 90)
    return AddWhole(q, FINDING_WARNING, "twist-unit",
                    " turns by %.4g degrees between root and tip: in %s twist is in %s; check its unit", range,
                    s->axes->name, s->axes->twist);
  if (range > 0.03 && range < 0.6)
    return AddWhole(q, FINDING_WARNING, "twist-unit",
                    " turns by only %.2g degrees between root and tip: in %s twist is in %s; check its unit", range,
                    s->axes->name, s->axes->twist);
  if (in_degrees(jump) > 30)
    return AddWhole(q, FINDING_WARNING, "twist-jump",
                    " has twists %.3g degrees apart at neighbouring points of its axis: look for one that is wrong",
                    in_degrees(jump));
  double in = mean_twist(s, 0.1, 0.45), out = mean_twist(s, 0.8, 1);
  if (in_degrees(in - out) < -2)
    return AddWhole(
        q, FINDING_WARNING, "twist-sign",
        " has a twist of %.3g degrees inboard and of %.3g degrees near the tip: in %s the twist of a blade %s "
        "towards the tip; change its sign",
        sign * in_degrees(in), sign * in_degrees(out), s->axes->name, sign > 0 ? "falls" : "rises");
  return 0;
}

// ---- remarks ----

static Error FindAsymmetry(Search *q) {
  SeriesFinding *f;
  double most = 0;
  for (int i = 0; q->s->asymmetry && i < q->s->count; i++) most = fmax(most, q->s->asymmetry[i]);
  if (most <= 1e-12) return 0;
  TRY(AddFinding(q, most > 1e-6 ? FINDING_WARNING : FINDING_REMARK, "asymmetric", false, &f));
  for (int i = 0; i < q->s->count; i++) f->at[i] = q->s->asymmetry[i] > 1e-3 * most;
  snprintf(f->text, sizeof f->text,
           " has a stiffness matrix that is not symmetric: entries differ by up to %.2g of sqrt(Kii Kjj); Limber uses "
           "their mean%s",
           most, most > 1e-6 ? ", but one of them is wrong" : "");
  return 0;
}

static Error FindMassDefect(Search *q) {
  SeriesFinding *f;
  double most = 0;
  for (int i = 0; q->s->mass_defect && i < q->s->count; i++) most = fmax(most, q->s->mass_defect[i]);
  if (most <= 1e-4) return 0;
  TRY(AddFinding(q, FINDING_WARNING, "mass-matrix", false, &f));
  for (int i = 0; i < q->s->count; i++) f->at[i] = q->s->mass_defect[i] > 1e-4;
  snprintf(
      f->text, sizeof f->text,
      " has a mass matrix whose entries contradict each other: M11 = M22 = M33 = m, M34 = -M16 = m y and M26 = -M35 = "
      "m x with the mass centre (x, y), in both triangles; the mass centre is taken from M16 and M26");
  return 0;
}

static bool is_round(const Search *q, int i) {
  return q->definite[i] && q->frame[i].bending[1] < 1.05 * q->frame[i].bending[0];
}

static Error FindRound(Search *q) {
  SeriesFinding *f;
  int some = 0;
  for (int i = 0; i < q->s->count; i++) some += is_round(q, i);
  if (!some || q->s->count < 3) return 0;
  TRY(AddFinding(q, FINDING_REMARK, "round", false, &f));
  for (int i = 0; i < q->s->count; i++) f->at[i] = is_round(q, i);
  snprintf(f->text, sizeof f->text,
           " is nearly circular, with bending stiffnesses less than 5 %% apart: the angle of its principal axes%s has "
           "no meaning and is not shown",
           q->s->axes == &section_axes_hawc2 ? ", `pitch` in the file," : "");
  return 0;
}

// The same along both axes, which a section that is wider one way than the other does not have.
static Error FindChosenShear(Search *q) {
  const LimberSection *s = q->s->section;
  double part = s[0].stiffness[1][1] / s[0].stiffness[0][0];
  bool even = part > 0, wide = false;
  for (int i = 0; i < q->s->count; i++) {
    wide = wide || (q->definite[i] && q->frame[i].bending[1] > 1.5 * q->frame[i].bending[0]);
    for (int k = 1; k < 3; k++) even = even && fabs(s[i].stiffness[k][k] / s[i].stiffness[0][0] - part) < 1e-3 * part;
  }
  if (!even || !wide || q->s->count < 4) return 0;
  return AddWhole(q, FINDING_REMARK, "shear-chosen",
                  " has shear stiffnesses that are %.3g times EA along both axes and at all stations: they were chosen "
                  "rather than computed",
                  part);
}

// ---- all ----

// Whether something follows from what has been found along the span.
static bool follows_from_span(const Search *q, SectionFinding f) {
  static const struct {
    const char *cause;
    SectionFinding consequence;
  } all[] = {{"axes-swapped", SECTION_CENTRES_APART},         {"mass-centre-swapped", SECTION_CENTRES_APART},
             {"about-tension-centre", SECTION_CENTRES_APART}, {"about-mass-centre", SECTION_CENTRES_APART},
             {"asymmetric", SECTION_CENTRES_APART},           {"mass-centre-swapped", SECTION_INERTIA_TOO_SMALL}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    for (int k = 0; k < q->count; k++)
      if (all[i].consequence == f && q->found[k].level == FINDING_WARNING && !strcmp(q->found[k].name, all[i].cause))
        return true;
  return false;
}

// What single sections show. The numbers of a text are those of the station in the middle of those concerned.
static Error FindInSections(Search *q) {
  const SectionSeries *s = q->s;
  int(*where)[SECTION_FINDINGS], count[SECTION_FINDINGS] = {0};
  TRY(StoreAllocate(q->store, (size_t)s->count * sizeof *where, &where));
  for (int i = 0; i < s->count; i++) {
    SectionFinding found[SECTION_FINDINGS];
    int n = section_findings(&s->section[i], s->axes, s->blade, found);
    for (int k = 0; k < n; k++) {
      if (!(s->shape && s->shape[i] && found[k] != SECTION_UNITS) && !follows_from_span(q, found[k]))
        where[i][found[k]] = ++count[found[k]];
    }
  }
  for (int k = 0; k < SECTION_FINDINGS; k++) {
    SeriesFinding *f;
    if (!count[k]) continue;
    TRY(AddFinding(q, FINDING_WARNING, section_finding_name((SectionFinding)k), false, &f));
    for (int i = 0; i < s->count; i++) {
      f->at[i] = where[i][k] > 0;
      if (where[i][k] == (count[k] + 1) / 2)
        section_finding_text(&s->section[i], s->axes, s->blade, (SectionFinding)k, f->text, sizeof f->text);
    }
  }
  return 0;
}

static Error PrepareSearch(Search *q) {
  size_t n = (size_t)q->s->count;
  TRY(StoreAllocate(q->store, n * sizeof *q->frame, &q->frame));
  TRY(StoreAllocate(q->store, n * sizeof *q->definite, &q->definite));
  TRY(StoreAllocate(q->store, n * sizeof *q->radius, &q->radius));
  TRY(StoreAllocate(q->store, MOST * sizeof *q->found, &q->found));
  for (int i = 0; i < q->s->count; i++) {
    const SectionFrame *f = &q->frame[i];
    q->definite[i] = section_frame(&q->s->section[i], &q->frame[i]);
    if (q->definite[i]) q->radius[i] = sqrt((f->bending[0] + f->bending[1]) / f->axial);
  }
  return 0;
}

static void put_warnings_first(Search *q) {
  for (int i = 1; i < q->count; i++)
    for (int k = i; k > 0 && q->found[k].level < q->found[k - 1].level; k--) {
      SeriesFinding f = q->found[k];
      q->found[k] = q->found[k - 1], q->found[k - 1] = f;
    }
}

Error FindInSeries(Store *store, const SectionSeries *s, SeriesFinding **out, int *count) {
  Search q = {.store = store, .s = s};
  *count = 0;
  if (s->count <= 0) return 0;
  TRY(PrepareSearch(&q));
  if (s->blade) TRY(FindAxes(&q));
  if (s->blade) TRY(FindReference(&q)); // the line of another beam may be chosen to run through one of its centres
  TRY(FindOutside(&q));
  TRY(FindMassDefect(&q));
  TRY(FindAsymmetry(&q));
  TRY(FindInSections(&q));
  if (s->blade) TRY(FindTwist(&q));
  TRY(FindRound(&q));
  TRY(FindChosenShear(&q));
  put_warnings_first(&q);
  *out = q.found, *count = q.count;
  return 0;
}

const char *finding_stations(const SeriesFinding *f, int stations, char *text, size_t size) {
  int all = 0, runs = 0;
  text[0] = 0;
  for (int i = 0; i < stations; i++) all += f->at[i];
  if (stations < 2) return text;
  if (all == stations) return snprintf(text, size, "all %d stations", stations), text;
  snprintf(text, size, "station%s ", all == 1 ? "" : "s");
  for (int i = 0; i < stations; i++) {
    int last = i;
    if (!f->at[i]) continue;
    while (last + 1 < stations && f->at[last + 1]) last++;
    size_t n = strlen(text);
    if (++runs > 6) return snprintf(text + n, size - n, " ... of %d", stations), text;
    snprintf(text + n, size - n, last > i ? "%s%d to %d" : "%s%d", runs > 1 ? ", " : "", i + 1, last + 1);
    i = last;
  }
  size_t n = strlen(text);
  snprintf(text + n, size - n, " of %d", stations);
  return text;
}

bool part_is_blade(const char *part) { return !part || !strncmp(part, "blade", 5); }

static Error FillTwist(Store *s, const Blade *b, SectionSeries *out) {
  double *place, *twist, length = 0;
  TRY(StoreAllocate(s, (size_t)b->points * sizeof *place, &place));
  TRY(StoreAllocate(s, (size_t)b->points * sizeof *twist, &twist));
  for (int i = 0; i < b->points; i++) {
    const double *x = b->point[i].at, *y = b->point[i ? i - 1 : 0].at;
    length += sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
    place[i] = length, twist[i] = b->point[i].twist;
  }
  for (int i = 0; i < b->points && length > 0; i++) place[i] /= length;
  out->place = place, out->twist = twist, out->points = b->points;
  return 0;
}

Error SeriesOfBlade(Store *s, const Blade *b, const char *part, SectionSeries *out) {
  *out = (SectionSeries){.section = b->section,
                         .count = b->sections,
                         .axes = section_axes_of(b->format->name),
                         .asymmetry = b->asymmetry,
                         .mass_defect = b->mass_defect,
                         .chord = b->chord};
  if (b->named) {
    bool *shape;
    TRY(StoreAllocate(s, (size_t)b->sections * sizeof *shape, &shape));
    for (int i = 0; i < b->sections; i++) shape[i] = true;
    out->shape = shape;
  }
  out->blade = part_is_blade(part) && out->axes->sense[0] && series_is_blade(out);
  if (!b->sections_only) TRY(FillTwist(s, b, out));
  return 0;
}

// Of asymmetry the reader of the file warns.
static Error ReportFindings(Reader *r, SourceLocation at, const Blade *b, const char *part, const char *name,
                            Store *store) {
  SectionSeries s;
  TRY(SeriesOfBlade(store, b, part, &s));
  s.asymmetry = NULL;
  TRY(ReportSeries(r, at, name, &s, store));
  return 0;
}

Error WarnAboutBlade(Reader *r, SourceLocation at, const Blade *b, const char *part, int section) {
  Store store = {0};
  Error error = ReportFindings(r, at, b, part, model_section(r->model, section)->name, &store);
  model_section_set_of_file(r->model, section);
  TRY(StoreDestroy(&store));
  return error;
}
