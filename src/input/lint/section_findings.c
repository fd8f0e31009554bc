// SPDX-License-Identifier: Apache-2.0
#include "input/lint/section_findings.h"

#include "mechanics/section_frame.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define ORDER "the order is axial, shear 2, shear 3, torsion, bending 2, bending 3"

// Inertia about axes through the mass centre along e2 and e3.
static void central_inertia(const LimberSection *s, double j[2]) {
  j[0] = s->inertia[1][1] - s->mass * s->centre[1] * s->centre[1];
  j[1] = s->inertia[2][2] - s->mass * s->centre[0] * s->centre[0];
}

static bool across(double a, double b, double c, double d, double ratio) { // a against b, and c against d
  return a > 0 && b > 0 && c > 0 && d > 0 && ((a > ratio * b && d > ratio * c) || (b > ratio * a && c > ratio * d));
}

// Mass and stiffness of most sections are spread alike: their centres lie within the section's radius of gyration.
static bool centres_are_apart(const LimberSection *s, const SectionFrame *f) {
  double apart = hypot(f->tension_centre[0] - s->centre[0], f->tension_centre[1] - s->centre[1]);
  double radius = sqrt((f->bending[0] + f->bending[1]) / f->axial);
  double offset = hypot(s->centre[0], s->centre[1]);
  bool opposite = f->tension_centre[0] * s->centre[0] + f->tension_centre[1] * s->centre[1] < 0;
  return apart > 1.5 * radius || (opposite && offset > 0.2 * radius && apart > 0.5 * radius);
}

static bool finds(const LimberSection *s, const SectionFrame *f, bool definite, SectionFinding what) {
  const double(*k)[6] = s->stiffness, (*j)[3] = s->inertia, shear = fmax(k[1][1], k[2][2]);
  double central[2], speed = sqrt(k[0][0] / s->mass);
  central_inertia(s, central);
  switch (what) {
  case SECTION_SHEAR_ABOVE_AXIAL: return shear > 1.5 * k[0][0];
  case SECTION_TORSION_ABOVE_BENDING: return k[3][3] > 1.5 * (k[4][4] + k[5][5]);
  case SECTION_POLAR_INERTIA: {
    double sum = j[1][1] + j[2][2];
    if (j[0][0] == j[1][1] && j[1][1] == j[2][2]) return false; // chosen rather than measured
    return sum > 0 && (j[0][0] > 1.001 * sum || (j[0][0] > 0 && j[0][0] < 0.9 * sum));
  }
  case SECTION_BENDING_SWAPPED: return across(k[4][4], k[5][5], central[0], central[1], 2);
  case SECTION_SHEAR_SWAPPED: return across(k[1][1], k[2][2], k[5][5], k[4][4], 1.5);
  case SECTION_WITHOUT_SHEAR: return !(k[1][1] > 0 && k[2][2] > 0);
  case SECTION_WITHOUT_TORSION: return !(k[3][3] > 0);
  case SECTION_NOT_DEFINITE: return !definite && k[1][1] > 0 && k[2][2] > 0 && k[3][3] > 0;
  case SECTION_CENTRES_APART: return definite && centres_are_apart(s, f);
  case SECTION_INERTIA_TOO_SMALL: return (central[0] < 0 || central[1] < 0) && j[1][1] + j[2][2] > 0;
  case SECTION_UNITS: return k[0][0] > 0 && (speed < 10 || speed > 300000);
  case SECTION_FINDINGS: break;
  }
  return false;
}

int section_findings(const LimberSection *s, SectionFinding found[SECTION_FINDINGS]) {
  SectionFrame f;
  int count = 0;
  bool definite = section_frame(s, &f);
  for (int i = 0; s->mass > 0 && i < SECTION_FINDINGS; i++) // without mass it is a spring rather than a beam
    if (finds(s, &f, definite, (SectionFinding)i)) found[count++] = (SectionFinding)i;
  return count;
}

const char *section_finding_text(const LimberSection *s, SectionFinding what, char *text, size_t size) {
  const double(*k)[6] = s->stiffness, (*j)[3] = s->inertia;
  SectionFrame f;
  switch (what) {
  case SECTION_SHEAR_ABOVE_AXIAL:
    snprintf(text, size, " is stiffer in shear (%g N) than in tension (%g N): " ORDER, fmax(k[1][1], k[2][2]), k[0][0]);
    break;
  case SECTION_TORSION_ABOVE_BENDING:
    snprintf(text, size, " is stiffer in torsion (%g N m2) than in bending about both axes together (%g N m2): " ORDER,
             k[3][3], k[4][4] + k[5][5]);
    break;
  case SECTION_POLAR_INERTIA:
    if (j[0][0] > j[1][1] + j[2][2])
      snprintf(text, size, ": no mass has the inertia %g about e1, which is more than %g + %g about e2 and e3", j[0][0],
               j[1][1], j[2][2]);
    else
      snprintf(text, size, ": the inertia %g about e1 is less than %g + %g about e2 and e3, of which it is the sum",
               j[0][0], j[1][1], j[2][2]);
    break;
  case SECTION_BENDING_SWAPPED:
    snprintf(text, size,
             " is stiff against bending about e%d, but its inertia is large about e%d: are two numbers swapped?",
             k[4][4] > k[5][5] ? 2 : 3, k[4][4] > k[5][5] ? 3 : 2);
    break;
  case SECTION_SHEAR_SWAPPED:
    snprintf(
        text, size,
        " is wide along e%d by its bending stiffness, but stiff in shear along e%d: are shear 2 and shear 3 swapped?",
        k[4][4] > k[5][5] ? 3 : 2, k[4][4] > k[5][5] ? 2 : 3);
    break;
  case SECTION_WITHOUT_SHEAR:
    snprintf(
        text, size,
        " has no shear stiffness along e%d: give it one, G times the area of the walls along it if it is not known",
        k[1][1] > 0 ? 3 : 2);
    break;
  case SECTION_WITHOUT_TORSION: snprintf(text, size, " has no torsional stiffness: give it G J"); break;
  case SECTION_NOT_DEFINITE:
    snprintf(text, size, ": its stiffness is not positive definite: look at the signs and sizes of the couplings");
    break;
  case SECTION_CENTRES_APART:
    section_frame(s, &f);
    snprintf(text, size,
             ": its tension centre (%.3g, %.3g) m and its mass centre (%.3g, %.3g) m lie far apart: has one of them "
             "the wrong sign, or another reference point?",
             f.tension_centre[0], f.tension_centre[1], s->centre[0], s->centre[1]);
    break;
  case SECTION_INERTIA_TOO_SMALL:
    snprintf(text, size,
             ": its inertia is less than its mass has at the mass centre: inertia is about the reference line, not "
             "about the mass centre");
    break;
  case SECTION_UNITS:
    snprintf(text, size,
             ": the speed of sound along the beam is sqrt(EA/m) = %.3g m/s, which no material has: look at "
             "the units",
             sqrt(k[0][0] / s->mass));
    break;
  case SECTION_FINDINGS: text[0] = 0;
  }
  return text;
}
