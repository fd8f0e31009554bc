// SPDX-License-Identifier: Apache-2.0
#include "input/lint/section_findings.h"

#include "mechanics/section_matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LIMBER_ORDER  "axial, shear 2, shear 3, torsion, bending 2, bending 3"
#define BEAMDYN_ORDER "shear x, shear y, axial, bending about x, bending about y, torsion"

const SectionAxes section_axes_limber = {.name = "Limber",
                                         .along = "e1",
                                         .axis = {"e2", "e3"},
                                         .from = {0, 1},
                                         .sign = {1, 1},
                                         .angle_from = -1,
                                         .origin = "reference line",
                                         .sense = "",
                                         .order = LIMBER_ORDER,
                                         .row = {1, 2, 3, 4, 5, 6},
                                         .twist = ""};

const SectionAxes section_axes_vabs = {.name = "VABS",
                                       .along = "x1",
                                       .axis = {"x2", "x3"},
                                       .from = {0, 1},
                                       .sign = {1, 1},
                                       .angle_from = -1,
                                       .origin = "origin of the file",
                                       .sense = "",
                                       .order = "extension, shear 2, shear 3, twist, bending 2, bending 3",
                                       .row = {1, 2, 3, 4, 5, 6},
                                       .twist = ""};

#define BEAMDYN_AXES \
  .along = "z", .axis = {"x", "y"}, .from = {0, 1}, .sign = {1, 1}, .angle_from = 1, .origin = "reference axis", \
  .sense = "x towards the suction side, y towards the trailing edge", .order = BEAMDYN_ORDER, \
  .row = {3, 1, 2, 6, 4, 5}
const SectionAxes section_axes_beamdyn = {.name = "BeamDyn", BEAMDYN_AXES, .twist = "degrees"};
static const SectionAxes section_axes_elastodyn = {.name = "ElastoDyn", BEAMDYN_AXES, .twist = "degrees"};
const SectionAxes section_axes_windio = {
    .name = "WindIO", BEAMDYN_AXES, .twist = "degrees in version 2 of the format and radians in version 1"};

// Its matrices are at the elastic centre in principal axes: their entries are not those that are looked at.
const SectionAxes section_axes_hawc2 = {.name = "HAWC2",
                                        .along = "z",
                                        .axis = {"x", "y"},
                                        .from = {1, 0},
                                        .sign = {-1, 1},
                                        .angle_from = 0,
                                        .origin = "half-chord point (c2_def)",
                                        .sense = "x towards the leading edge, y towards the suction side",
                                        .order = "shear x, shear y, axial, bending about x, bending about y, torsion",
                                        .twist = "degrees"};

const SectionAxes *section_axes_of(const char *format) {
  if (!strcmp(format, "beamdyn")) return &section_axes_beamdyn;
  if (!strcmp(format, "elastodyn")) return &section_axes_elastodyn;
  if (!strcmp(format, "windio")) return &section_axes_windio;
  if (!strcmp(format, "hawc2")) return &section_axes_hawc2;
  return !strcmp(format, "vabs") ? &section_axes_vabs : &section_axes_limber;
}

const char *section_axis(const SectionAxes *a, int which) { return a->axis[a->from[0] == which ? 0 : 1]; }

void section_point(const SectionAxes *a, const double point[2], double out[2]) {
  for (int k = 0; k < 2; k++) out[k] = a->sign[k] * point[a->from[k]];
}

double section_angle(const SectionAxes *a, int from, double angle) {
  const double pi = acos(-1), e[2] = {a->from[from] == 0 ? a->sign[from] : 0, a->from[from] == 1 ? a->sign[from] : 0};
  angle -= atan2(e[1], e[0]);
  angle -= pi * round(angle / pi);
  return angle;
}

enum { SHEAR2 = 1, SHEAR3, TORSION, BENDING2, BENDING3 };

typedef struct {
  const LimberSection *s;
  const SectionAxes *axes;
  bool blade, definite;
  SectionFrame frame; // of the stiffness where it is definite
  double radius[2];   // of gyration, by stiffness and by inertia; 0: none
} Look;

// ---- what follows from the numbers ----

// Inertia about axes through the mass centre along e2 and e3.
static void central_inertia(const LimberSection *s, double j[2]) {
  j[0] = s->inertia[1][1] - s->mass * s->centre[1] * s->centre[1];
  j[1] = s->inertia[2][2] - s->mass * s->centre[0] * s->centre[0];
}

// Bending stiffness about axes through the tension centre along e2 and e3.
static void central_bending(const LimberSection *s, double b[2]) {
  SectionFrame f;
  b[0] = s->stiffness[BENDING2][BENDING2], b[1] = s->stiffness[BENDING3][BENDING3];
  if (!section_frame(s, &f)) return;
  double c = cos(f.bending_angle), n = sin(f.bending_angle);
  b[0] = f.bending[0] * c * c + f.bending[1] * n * n, b[1] = f.bending[0] * n * n + f.bending[1] * c * c;
}

static int which_is_larger(double a, double b, double ratio) {
  if (!(a > 0 && b > 0)) return 0;
  return a > ratio * b ? 1 : b > ratio * a ? -1 : 0;
}

// Flanges of an I-beam may be stiffer in shear across its web: only a blade's skin says which way a section is wide.
SectionWidth section_width(const LimberSection *s, bool blade) {
  double i[2], b[2], ratio = blade ? 1.5 : 2;
  central_inertia(s, i);
  if (!(i[0] > 0 && i[1] > 0)) i[0] = s->inertia[1][1], i[1] = s->inertia[2][2];
  central_bending(s, b);
  return (SectionWidth){which_is_larger(s->stiffness[SHEAR3][SHEAR3], s->stiffness[SHEAR2][SHEAR2], blade ? 1.5 : 5),
                        which_is_larger(b[0], b[1], ratio), which_is_larger(i[0], i[1], ratio)};
}

static Look look_at(const LimberSection *s, const SectionAxes *axes, bool blade) {
  Look l = {.s = s, .axes = axes, .blade = blade};
  l.definite = section_frame(s, &l.frame);
  const SectionFrame *f = &l.frame;
  if (l.definite) l.radius[0] = sqrt((f->bending[0] + f->bending[1]) / f->axial);
  if (s->mass > 0 && f->inertia[0] + f->inertia[1] > 0) l.radius[1] = sqrt((f->inertia[0] + f->inertia[1]) / s->mass);
  return l;
}

// Mass and stiffness of most sections are spread alike: their centres lie within the section's radius of gyration. In
// blades of all sizes that are published they are less than half of it apart.
static bool centres_are_apart(const Look *l) {
  const double *t = l->frame.tension_centre, *m = l->s->centre;
  double apart = hypot(t[0] - m[0], t[1] - m[1]), offset = hypot(m[0], m[1]), radius = l->radius[0];
  double along = t[0] * m[0] + t[1] * m[1], most = l->blade ? 0.26 * hypot(t[0], t[1]) * offset : 0;
  if (apart > (l->blade ? 0.75 : 1.5) * radius) return true;
  return along < most && offset > 0.2 * radius && apart > 0.5 * radius;
}

static bool inertia_is_chosen(const LimberSection *s) { // rather than measured
  return s->inertia[0][0] == s->inertia[1][1] && s->inertia[1][1] == s->inertia[2][2];
}

static bool radii_differ(const Look *l) {
  double most = l->blade ? 10 : 30, ratio = l->radius[1] > 0 ? l->radius[0] / l->radius[1] : 1;
  double i[2];
  central_inertia(l->s, i);
  bool even = fabs(i[0] - i[1]) <= 1e-9 * fabs(i[0]); // as of a section that is only a number
  return l->definite && (l->blade || !even) && !inertia_is_chosen(l->s) && (ratio > most || ratio < 1 / most);
}

static double speed_of_sound(const LimberSection *s) { return sqrt(s->stiffness[0][0] / s->mass); }

static bool section_shows(const Look *l, SectionFinding what) {
  const LimberSection *s = l->s;
  const double(*k)[6] = s->stiffness, (*j)[3] = s->inertia;
  double central[2], sum = j[1][1] + j[2][2];
  SectionWidth w = section_width(s, l->blade);
  bool crossed = w.bending * w.inertia < 0;
  int known = w.shear ? w.shear : l->blade; // that shows which of the two is swapped
  central_inertia(s, central);
  switch (what) {
  case SECTION_SHEAR_ABOVE_AXIAL: return k[0][0] > 0 && fmax(k[SHEAR2][SHEAR2], k[SHEAR3][SHEAR3]) > 1.5 * k[0][0];
  case SECTION_TORSION_ABOVE_BENDING:
    return k[TORSION][TORSION] > 1.5 * (k[BENDING2][BENDING2] + k[BENDING3][BENDING3]);
  case SECTION_POLAR_INERTIA:
    if (inertia_is_chosen(s) || !(sum > 0)) return false;
    return j[0][0] > 1.001 * sum || (j[0][0] < (l->blade ? 0.98 : 0.9) * sum && (j[0][0] > 0 || l->blade));
  case SECTION_CROSSED: return crossed && !known;
  case SECTION_BENDING_SWAPPED: return crossed && w.bending * known < 0;
  case SECTION_INERTIA_SWAPPED: return crossed && w.inertia * known < 0;
  case SECTION_SHEAR_SWAPPED: return !crossed && w.shear * w.bending < 0;
  case SECTION_WITHOUT_AXIAL: return !(k[0][0] > 0);
  case SECTION_WITHOUT_SHEAR: return !(k[SHEAR2][SHEAR2] > 0 && k[SHEAR3][SHEAR3] > 0);
  case SECTION_WITHOUT_TORSION: return !(k[TORSION][TORSION] > 0);
  case SECTION_NOT_DEFINITE:
    return !l->definite && k[0][0] > 0 && k[SHEAR2][SHEAR2] > 0 && k[SHEAR3][SHEAR3] > 0 && k[TORSION][TORSION] > 0;
  case SECTION_CENTRES_APART: return l->definite && centres_are_apart(l) && !radii_differ(l);
  case SECTION_INERTIA_TOO_SMALL:
    return (central[0] < 0 || central[1] < 0) && sum > 0 && !(crossed && known == w.bending);
  case SECTION_UNITS:
    return k[0][0] > 0 &&
           (speed_of_sound(s) < (l->blade ? 300 : 10) || speed_of_sound(s) > (l->blade ? 20000 : 300000));
  case SECTION_RADII: return radii_differ(l);
  case SECTION_FINDINGS: break;
  }
  return false;
}

int section_findings(const LimberSection *s, const SectionAxes *axes, bool blade,
                     SectionFinding found[SECTION_FINDINGS]) {
  const Look l = look_at(s, axes, blade);
  int count = 0;
  if (!(s->mass > 0)) return 0; // a spring rather than a beam
  for (int i = 0; i <= SECTION_TORSION_ABOVE_BENDING; i++)
    if (section_shows(&l, (SectionFinding)i)) found[count++] = (SectionFinding)i;
  if (count) return count; // rows in another order: what else is odd follows from that
  for (int i = 0; i < SECTION_FINDINGS; i++)
    if (section_shows(&l, (SectionFinding)i)) found[count++] = (SectionFinding)i;
  return count;
}

// ---- in words ----

// The largest of the first three rows shows whose order the matrix has.
static const SectionAxes *other_order(const Look *l) {
  const SectionAxes *a = l->axes;
  int row = a->row[l->s->stiffness[SHEAR2][SHEAR2] > l->s->stiffness[SHEAR3][SHEAR3] ? SHEAR2 : SHEAR3];
  if (a->row[0] == 1) return row == section_axes_beamdyn.row[0] ? &section_axes_beamdyn : NULL;
  return row == section_axes_limber.row[0] ? &section_axes_limber : NULL;
}

static void write_order(const Look *l, char *text, size_t size) {
  const double(*k)[6] = l->s->stiffness;
  int most = k[SHEAR2][SHEAR2] > k[SHEAR3][SHEAR3] ? SHEAR2 : SHEAR3;
  const SectionAxes *other = other_order(l);
  int n = snprintf(text, size, " is stiffer in shear along %s (%g N) than in tension (%g N): the order is %s",
                   section_axis(l->axes, most - SHEAR2), k[most][most], k[0][0], l->axes->order);
  if (other && n > 0 && (size_t)n < size)
    snprintf(text + n, size - (size_t)n, "; it looks like that of %s, %s",
             other == &section_axes_limber ? "Limber and VABS" : other->name, other->order);
}

// Says which coupling is larger than its diagonal allows.
static void write_indefinite(const Look *l, char *text, size_t size) {
  const double(*k)[6] = l->s->stiffness;
  const int *row = l->axes->row;
  for (int i = 0; i < 6; i++)
    for (int j = i + 1; j < 6; j++)
      if (row[0] && k[i][j] * k[i][j] >= k[i][i] * k[j][j]) {
        int a = row[i] < row[j] ? row[i] : row[j], b = row[i] + row[j] - a;
        snprintf(text, size,
                 " has a stiffness that is not positive definite: the coupling K%d%d = %g is larger than sqrt(K%d%d "
                 "K%d%d) = %g: check its unit and its place",
                 a, b, k[i][j], a, a, b, b, sqrt(fmax(0, k[i][i] * k[j][j])));
        return;
      }
  snprintf(text, size, " has a stiffness that is not positive definite: check the signs and sizes of the couplings");
}

static void write_apart(const Look *l, char *text, size_t size) {
  double t[2], m[2];
  char entries[100] = "";
  const int *r = l->axes->row;
  section_point(l->axes, l->frame.tension_centre, t);
  section_point(l->axes, l->s->centre, m);
  if (r[0] == 3) snprintf(entries, sizeof entries, " (K34 and K35, or M16, M26, M34 and M35)");
  else if (r[0]) snprintf(entries, sizeof entries, " (K15 and K16, or the mass centre)");
  snprintf(
      text, size,
      " has its tension centre at (%.3g, %.3g) m and its mass centre at (%.3g, %.3g) m, far apart: one of them has "
      "a wrong sign or swapped coordinates%s, or stiffness and inertia are about different points",
      t[0], t[1], m[0], m[1], entries);
}

static void write_units(const Look *l, char *text, size_t size) {
  double c = speed_of_sound(l->s), thousand = sqrt(1000.0);
  const char *guess = c * thousand > 1000 && c * thousand < 15000   ? ": is it in kN?"
                      : c / thousand > 1000 && c / thousand < 15000 ? ": is the mass in t?"
                                                                    : "";
  snprintf(text, size,
           " has a speed of sound along the beam of sqrt(EA/m) = %.3g m/s, which no material has: check the units of "
           "stiffness (N) and mass (kg/m)%s",
           c, guess);
}

static void write_swapped(const Look *l, SectionFinding what, char *text, size_t size) {
  SectionWidth w = section_width(l->s, l->blade);
  const char *of = "bending stiffnesses", *others = w.shear ? "shear stiffness and inertia" : "inertia, and as a blade";
  int way = w.bending;
  if (what == SECTION_INERTIA_SWAPPED)
    way = w.inertia, of = "inertias",
    others = w.shear ? "shear and bending stiffness" : "bending stiffness, and as a blade";
  if (what == SECTION_SHEAR_SWAPPED) way = w.shear, of = "shear stiffnesses", others = "bending stiffness";
  snprintf(text, size, " is wide along %s by its %s, but along %s by its %s: the two %s are swapped",
           section_axis(l->axes, way > 0), of, section_axis(l->axes, way < 0), others, of);
}

static void write_polar(const Look *l, char *text, size_t size) {
  const double(*j)[3] = l->s->inertia;
  const SectionAxes *a = l->axes;
  snprintf(text, size,
           " has an inertia of %g about %s, which must be the sum of %g and %g about %s and %s%s: give it the sum",
           j[0][0], a->along, j[1][1], j[2][2], section_axis(a, 0), section_axis(a, 1),
           j[0][0] > j[1][1] + j[2][2] ? "; no mass has more" : "");
}

const char *section_finding_text(const LimberSection *s, const SectionAxes *axes, bool blade, SectionFinding what,
                                 char *text, size_t size) {
  const double(*k)[6] = s->stiffness;
  const Look l = look_at(s, axes, blade);
  text[0] = 0;
  switch (what) {
  case SECTION_SHEAR_ABOVE_AXIAL: write_order(&l, text, size); break;
  case SECTION_TORSION_ABOVE_BENDING:
    snprintf(text, size,
             " is stiffer in torsion (%g N m2) than in bending about both axes together (%g N m2): the order is %s",
             k[TORSION][TORSION], k[BENDING2][BENDING2] + k[BENDING3][BENDING3], axes->order);
    break;
  case SECTION_POLAR_INERTIA: write_polar(&l, text, size); break;
  case SECTION_CROSSED: {
    int first = section_width(s, blade).bending > 0;
    snprintf(text, size,
             " is stiff against bending about %s, but its inertia is large about %s: are two numbers swapped?",
             section_axis(axes, !first), section_axis(axes, first));
    break;
  }
  case SECTION_BENDING_SWAPPED:
  case SECTION_INERTIA_SWAPPED:
  case SECTION_SHEAR_SWAPPED: write_swapped(&l, what, text, size); break;
  case SECTION_WITHOUT_AXIAL: snprintf(text, size, " has no axial stiffness: give it E A"); break;
  case SECTION_WITHOUT_SHEAR: {
    bool both = !(k[SHEAR2][SHEAR2] > 0 || k[SHEAR3][SHEAR3] > 0);
    snprintf(text, size,
             " has no shear stiffness along %s%s%s: give it one, G times the area of the walls along it if it is not "
             "known",
             section_axis(axes, k[SHEAR2][SHEAR2] > 0), both ? " and " : "", both ? section_axis(axes, 1) : "");
    break;
  }
  case SECTION_WITHOUT_TORSION: snprintf(text, size, " has no torsional stiffness: give it G J"); break;
  case SECTION_NOT_DEFINITE: write_indefinite(&l, text, size); break;
  case SECTION_CENTRES_APART: write_apart(&l, text, size); break;
  case SECTION_INERTIA_TOO_SMALL:
    snprintf(text, size,
             " has less inertia than its mass has at the mass centre: give the inertia about the reference line, not "
             "about the mass centre");
    break;
  case SECTION_UNITS: write_units(&l, text, size); break;
  case SECTION_RADII:
    snprintf(text, size,
             " has a radius of gyration of %.3g m by its stiffness, sqrt(EI/EA), but of %.3g m by its inertia, "
             "sqrt(I/m): check their units, m and not mm",
             l.radius[0], l.radius[1]);
    break;
  case SECTION_FINDINGS: break;
  }
  return text;
}

const char *section_finding_name(SectionFinding f) {
  switch (f) {
  case SECTION_SHEAR_ABOVE_AXIAL: return "order";
  case SECTION_TORSION_ABOVE_BENDING: return "torsion-above-bending";
  case SECTION_POLAR_INERTIA: return "polar-inertia";
  case SECTION_CROSSED: return "crossed";
  case SECTION_BENDING_SWAPPED: return "bending-swapped";
  case SECTION_INERTIA_SWAPPED: return "inertia-swapped";
  case SECTION_SHEAR_SWAPPED: return "shear-swapped";
  case SECTION_WITHOUT_AXIAL: return "without-axial";
  case SECTION_WITHOUT_SHEAR: return "without-shear";
  case SECTION_WITHOUT_TORSION: return "without-torsion";
  case SECTION_NOT_DEFINITE: return "not-definite";
  case SECTION_CENTRES_APART: return "centres-apart";
  case SECTION_INERTIA_TOO_SMALL: return "inertia-too-small";
  case SECTION_UNITS: return "units";
  case SECTION_RADII: return "radii";
  case SECTION_FINDINGS: break;
  }
  return "";
}
