// SPDX-License-Identifier: Apache-2.0
// "blade 2 bending z 1, 83 % strain in blade 2": the part that moves most, how, its number among such modes of the part, and
// the part that is strained most.
#include "analyses/modes/shapes.h"

#include <stdarg.h>
#include <string.h>

void mode_part_name(Model m, int part, char *out, size_t size) {
  if (part >= m->components.count) {
    model_name_joint(m, part - m->components.count, out, size);
    return;
  }
  const ModelComponent *c = model_component(m, part);
  if (c->name && c->name[0]) snprintf(out, size, "%s", c->name);
  else snprintf(out, size, "%s %d", c->kind->name, part + 1);
}

static int largest(int n, const double *value) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (value[i] > value[best] * (1 + 1e-9)) best = i;
  return best;
}

typedef struct { // who moves, and how
  char text[160];
  bool sections; // its motion is told in axes of sections
  int motion;
} Mover;

// Parts that move about as much as the one that moves most, if that has less than 60 % of the energy.
static bool moves(const ModeShape *s, int first, int part) {
  if (part == first) return true;
  return s->kinetic[first] < 0.6 && s->kinetic[part] > 0.5 * s->kinetic[first];
}

static bool has_sections(Model m, int part) {
  const ModelComponent *c = model_component(m, part);
  return c->kind->axes && c->count > 0 && c->kind->points(model_element(m, c->first)->data) > 0;
}

static Mover find_mover(Model m, const ModeShape *s) {
  Mover out = {.text = ""};
  double motion[MOTIONS] = {0};
  int n = 0, first = largest(m->components.count, s->kinetic);
  out.sections = m->components.count > 0 && has_sections(m, first);
  for (int i = 0; i < m->components.count; i++) {
    char name[64];
    size_t at = strlen(out.text);
    if (!moves(s, first, i) || has_sections(m, i) != out.sections) continue;
    for (int k = 0; k < MOTIONS; k++) motion[k] += s->motion[i][k];
    if (n++ >= 3) continue;
    mode_part_name(m, i, name, sizeof name);
    snprintf(out.text + at, sizeof out.text - at, "%s%s", n > 1 ? " + " : "", name);
  }
  if (n > 3) {
    size_t at = strlen(out.text);
    snprintf(out.text + at, sizeof out.text - at, " + %d more", n - 3);
  }
  if (out.sections) motion[4] = motion[5] = 0; // rotations of sections come with bending
  out.motion = largest(MOTIONS, motion);
  return out;
}

static const char *motion_word(const Mover *w, const char *const words[2]) {
  static const char *const of_section[] = {"axial", "bending y", "bending z", "torsion", "", ""},
                           *const of_ground[] = {"along x", "along y", "along z", "about x", "about y", "about z"};
  if (!w->sections) return of_ground[w->motion];
  if (words && (w->motion == 1 || w->motion == 2) && words[w->motion - 1]) return words[w->motion - 1];
  return of_section[w->motion];
}

static bool is_pair(const Modes *m, int i, int j) {
  if (j < 0 || j >= m->count) return false;
  const Mode *a = &m->mode[i], *b = &m->mode[j];
  return hypot(a->re - b->re, a->im - b->im) <= 1e-5 * hypot(a->re, a->im);
}

static void add(char *name, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);
static void add(char *name, size_t size, const char *format, ...) {
  size_t at = strlen(name);
  va_list list;
  va_start(list, format);
  vsnprintf(name + at, size - at, format, list);
  va_end(list);
}

void mode_shapes_name(const Modes *modes, const char *const words[2], ModeShapes *out) {
  Model m = modes->pencil.s->layout.model;
  double rate = modes->pencil.spin.rate;
  for (int i = 0; i < out->count; i++) {
    ModeShape *s = &out->shape[i];
    size_t size = sizeof s->name;
    Mover w = find_mover(m, s);
    char start[192], part[64];
    int order = 1, strained = largest(out->parts, s->strain);
    snprintf(start, sizeof start, "%s %s", w.text, motion_word(&w, words));
    for (int j = 0; j < i; j++) {
      size_t n = strlen(start);
      order += !strncmp(out->shape[j].name, start, n) && out->shape[j].name[n] == ' ';
    }
    snprintf(s->name, size, "%s %d", start, order);
    mode_part_name(m, strained, part, sizeof part);
    if (s->elastic > 1e-6) add(s->name, size, ", %.0f %% strain in %s", 100 * s->strain[strained], part);
    else add(s->name, size, ", without strain");
    double seen = (s->whirl > 0 ? 1 : -1) * modes->mode[i].im + rate; // from the ground
    if (fabs(s->whirl) > 0.5) add(s->name, size, ", %s whirl", seen > 0 ? "forward" : "backward");
    if (is_pair(modes, i, i - 1) || is_pair(modes, i, i + 1)) add(s->name, size, ", pair");
  }
}
