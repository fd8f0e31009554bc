// SPDX-License-Identifier: Apache-2.0
// The outline of a beam in the air, from the chord, twist and quarter point of its sections. Neither the model nor the
// polars contain the thickness: a section whose lift depends on the angle of attack is drawn as NACA 0020, one without
// lift as a circle.
#include "mechanics/airfoil.h"
#include "post/picture/scene.h"

#include <math.h>

enum { MOST_ELEMENTS = 200 }; // of a beam, and of the air along it
static const double pi = 3.141592653589793, thickness = 0.2, thin_slope = 5;

// The place, 0 to 1 of the beam, of an element that begins with the nodes of one of the beam's; -1: it does not.
static double place_along(Model m, const ModelComponent *beam, const ModelElement *q, double at) {
  const int *node = model_element_nodes(m, q);
  for (int i = 0; i < beam->count && q->nnode > 2; i++) {
    const int *own = model_element_nodes(m, model_element(m, beam->first + i));
    if (own[0] == node[0] && own[1] == node[1]) return (i + at) / beam->count;
  }
  return -1;
}

typedef struct {
  const Airfoil *air;
  double at;
} Section;

// The sections before and behind a place, each the same at the ends.
static bool find_sections(Model m, const ModelComponent *beam, double at, Section side[2]) {
  side[0] = (Section){.at = -1}, side[1] = (Section){.at = 2};
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    for (int e = c->first; c->kind->around && c->count <= MOST_ELEMENTS && e < c->first + c->count; e++) {
      const ModelElement *q = model_element(m, e);
      ElementPoint p;
      element_point(q->kind, q->data, 0, &p);
      double place = p.flow == &airfoil_flow ? place_along(m, beam, q, p.at) : -1;
      if (place < 0) continue;
      if (place <= at && place > side[0].at) side[0] = (Section){p.of, place};
      if (place >= at && place < side[1].at) side[1] = (Section){p.of, place};
    }
  }
  for (int i = 0; i < 2; i++)
    if (!side[i].air) side[i] = side[1 - i];
  return side[0].air;
}

static double half_height(double x, double round) {
  double root = sqrt(x), thin = 0.2969 * root - x * (0.126 + x * (0.3516 - x * (0.2843 - 0.1036 * x)));
  return (1 - round) * 5 * thickness * thin + round * sqrt(x - x * x);
}

bool airfoil_outline(Model m, const ModelComponent *beam, double at, Outline *out) {
  Section side[2];
  double corner[OUTLINE_ROUND][2], value[5] = {0};
  if (beam->count > MOST_ELEMENTS || !find_sections(m, beam, at, side)) return false;
  double part = side[1].at > side[0].at ? (at - side[0].at) / (side[1].at - side[0].at) : 0;
  for (int i = 0; i < 2; i++) {
    const Airfoil *a = side[i].air;
    const double own[5] = {a->chord, a->twist, a->at[0], a->at[1], fmin(1, fmax(0, airfoil_slope(a) / thin_slope))};
    for (int k = 0; k < 5; k++) value[k] += (i ? part : 1 - part) * own[k];
  }
  double c = value[0] * cos(value[1]), s = value[0] * sin(value[1]);
  for (int i = 0; i < OUTLINE_ROUND; i++) {
    double angle = 2 * pi * i / OUTLINE_ROUND, x = 0.5 * (1 - cos(angle)), along = 0.25 - x,
           up = copysign(half_height(x, 1 - value[4]), sin(angle));
    corner[i][0] = value[2] + along * c - up * s, corner[i][1] = value[3] + along * s + up * c;
  }
  *out = (Outline){.numbers = true};
  outline_add(out, OUTLINE_ROUND, (const double(*)[2])corner);
  return true;
}
