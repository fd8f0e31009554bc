// SPDX-License-Identifier: Apache-2.0
// Names modes, as in "blade 2 bending z 1, 83 % strain in blade 2": the part that moves most, how, its number among
// such modes of the part, and the part that is strained most. Modes of one eigenvalue that move alike share a name:
// "flap 1 of one, two, three, triple".
#include "analyses/modes/modes.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
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

typedef struct { // what moves, and how
  char text[160];
  bool sections; // its motion is described in section axes
  bool circles;  // bends along both axes of sections alike
  int motion;
  uint64_t who; // hash of the lines of beams that move
} Mover;

// ---- lines of beams ----

static bool has_sections(Model m, int part) {
  const ModelComponent *c = model_component(m, part);
  return c->kind->line.axes && c->count > 0 && c->kind->points(model_element(m, c->first)->data) > 0;
}

enum { NOBODY = -1, SEVERAL = -2 };

static int line_start(const int *line, int part) {
  while (line[part] != part) part = line[part];
  return part;
}

// Beams that continue each other, at a node that nothing else uses, are one line: line[i] is the first of them.
static PetscErrorCode FindLines(Model m, int *line) {
  int(*user)[2]; // components at each node
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(m->nodes.count, &user));
  for (int i = 0; i < m->nodes.count; i++) user[i][0] = user[i][1] = NOBODY;
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *el = model_element(m, e);
    for (int a = 0; a < el->nnode; a++) {
      int *u = user[model_element_nodes(m, el)[a]];
      if (u[0] == el->component || u[1] == el->component) continue;
      if (u[0] == NOBODY) u[0] = el->component;
      else u[1] = u[1] == NOBODY ? el->component : SEVERAL;
    }
  }
  for (int j = 0; j < m->joints.count; j++)
    for (int a = 0; a < model_joint(m, j)->nnode; a++) user[model_joint(m, j)->node[a]][1] = SEVERAL;
  for (int i = 0; i < m->components.count; i++) line[i] = i;
  for (int i = 0; i < m->nodes.count; i++) {
    const int *u = user[i];
    if (u[0] < 0 || u[1] < 0 || !has_sections(m, u[0]) || !has_sections(m, u[1])) continue;
    int a = line_start(line, u[0]), b = line_start(line, u[1]);
    line[PetscMax(a, b)] = PetscMin(a, b);
  }
  for (int i = 0; i < m->components.count; i++) line[i] = line_start(line, i);
  PetscCall(PetscFree(user));
  PetscFunctionReturn(0);
}

// ---- who moves ----

// Whether a part moves about as much as the one that moves most, if that has less than 60 % of the energy.
static bool moves(const ModeShape *s, int first, int part) {
  if (part == first) return true;
  return s->kinetic[first] < 0.6 && s->kinetic[part] > 0.5 * s->kinetic[first];
}

static Mover find_mover(Model m, const int *line, const ModeShape *s, const char *between) {
  Mover out = {.text = ""};
  double motion[MOTIONS] = {0};
  int n = 0, last = -1, first = largest(m->components.count, s->kinetic);
  out.sections = m->components.count > 0 && has_sections(m, first);
  for (int i = 0; i < m->components.count; i++) {
    char name[64];
    size_t at = strlen(out.text);
    if (!moves(s, first, i) || has_sections(m, i) != out.sections) continue;
    for (int k = 0; k < MOTIONS; k++) motion[k] += s->motion[i][k];
    if (line[i] != last) out.who = (out.who ^ (uint64_t)line[i]) * 1099511628211u;
    last = line[i];
    if (n++ >= 3) continue;
    mode_part_name(m, i, name, sizeof name);
    snprintf(out.text + at, sizeof out.text - at, "%s%s", n > 1 ? between : "", name);
  }
  if (n > 3) {
    size_t at = strlen(out.text);
    snprintf(out.text + at, sizeof out.text - at, "%s%d more", between, n - 3);
  }
  if (out.sections) motion[4] = motion[5] = 0; // rotations of sections belong to bending
  out.motion = largest(MOTIONS, motion);
  out.circles = out.sections && (out.motion == 1 || out.motion == 2) && motion[3 - out.motion] > motion[out.motion] / 3;
  return out;
}

static const char *motion_word(const Mover *w, const char *const words[2]) {
  static const char *const of_section[] = {"axial", "bending y", "bending z", "torsion", "", ""},
                           *const of_ground[] = {"along x", "along y", "along z", "about x", "about y", "about z"};
  if (!w->sections) return of_ground[w->motion];
  if (words && (w->motion == 1 || w->motion == 2) && words[w->motion - 1]) return words[w->motion - 1];
  return of_section[w->motion];
}

PetscErrorCode ModeShapeNameMotion(Model m, const ModeShape *s, char *name, size_t size) {
  int *line;
  double sum = 0;
  PetscFunctionBegin;
  name[0] = 0;
  for (int i = 0; i < m->components.count; i++) sum += s->kinetic[i];
  if (!(sum > 0)) PetscFunctionReturn(0); // nothing has mass
  PetscCall(PetscMalloc1(m->components.count, &line));
  PetscCall(FindLines(m, line));
  Mover w = find_mover(m, line, s, " + ");
  if (w.sections) snprintf(name, size, "%s %s", w.text, motion_word(&w, NULL));
  PetscCall(PetscFree(line));
  PetscFunctionReturn(0);
}

static void add(char *name, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);
static void add(char *name, size_t size, const char *format, ...) {
  size_t at = strlen(name);
  va_list list;
  va_start(list, format);
  vsnprintf(name + at, size - at, format, list);
  va_end(list);
}

// "blade flap", "shaft forward whirl"
static void describe_motion(const Mover *w, const char *whirl, const char *const words[2], char *out, size_t size) {
  if (w->circles && *whirl) snprintf(out, size, "%s whirl", whirl);
  else snprintf(out, size, "%s", motion_word(w, words));
}

typedef struct { // description of a mode
  Mover mover;
  char motion[64];
  const char *whirl;  // "", forward, backward
  double from_ground; // rad/s, of whirl as seen from the ground
  int first, equal;   // the modes of its eigenvalue
  bool shares;        // its number with them ...
  bool lists;         // ... and its name, which lists the parts of all
} Told;

// ---- a rotor on a support ----

// "tower fore-aft", "pylon whirl forward", "revolute 'shaft' torsion": the part that is strained most and does not turn.
static void tell_support(const Modes *modes, const ModeShape *s, int part, Told *t) {
  Model m = modes->pencil.s->motion.layout.model;
  mode_part_name(m, part, t->mover.text, sizeof t->mover.text);
  t->mover.who = 1000 + (uint64_t)part;
  const Rotor *r = modes->pencil.spin.rotor;
  const double *motion = part < m->components.count ? s->motion[part] : NULL;
  bool turns = motion && has_sections(m, part) ? motion[3] > motion[0] + motion[1] + motion[2] : s->support < 1e-3;
  if (motion) turns = turns || r->turns[model_element_nodes(m, model_element(m, model_component(m, part)->first))[0]];
  snprintf(t->motion, sizeof t->motion, "%s",
           turns                         ? "torsion"
           : s->along > 0.5 * s->support ? "fore-aft"
           : fabs(s->circling) < 0.5     ? "side-side"
           : s->circling > 0             ? "whirl forward"
                                         : "whirl backward");
}

// "collective flap", "edge whirl backward"
static void tell_blades(const Modes *modes, const ModeShape *s, const char *const words[2], Told *t) {
  const Rotor *r = modes->pencil.spin.rotor;
  double motion[MOTIONS] = {0};
  char order[24] = "";
  int components = modes->pencil.s->motion.layout.model->components.count;
  for (int i = 0; i < components; i++)
    for (int k = 0; k < 4; k++)
      if (mode_part_of_blades(modes, i) && has_sections(modes->pencil.s->motion.layout.model, i)) {
        motion[k] += s->motion[i][k];
        t->mover.sections = true;
      }
  t->mover.motion = largest(4, motion);
  t->mover.who = (uint64_t)(10 * (s->wave + r->blades) + t->mover.motion);
  const char *word = t->mover.sections ? motion_word(&t->mover, words) : "blades";
  if (abs(s->wave) > 1) snprintf(order, sizeof order, " of order %d", abs(s->wave));
  if (s->whirl == 0) {
    snprintf(t->mover.text, sizeof t->mover.text, s->wave == 0 ? "collective" : "alternating");
    snprintf(t->motion, sizeof t->motion, "%s", word);
  } else {
    snprintf(t->mover.text, sizeof t->mover.text, "%s whirl%s", word, order);
    snprintf(t->motion, sizeof t->motion, s->wave < 0 ? "forward" : "backward");
  }
}

// Blades, if they have most of the strain energy.
static Told tell_rotor(const Modes *modes, const char *const words[2], int i, const ModeShape *s) {
  Model m = modes->pencil.s->motion.layout.model;
  Told t = {.whirl = "", .first = i, .equal = 1};
  double blades = 0, most = -1;
  int part = -1;
  for (int k = 0; k < m->components.count + m->joints.count; k++) {
    if (mode_part_of_blades(modes, k)) blades += s->strain[k];
    else if (s->strain[k] > most * (1 + 1e-9)) most = s->strain[k], part = k;
  }
  if (part < 0 || blades >= 0.5) tell_blades(modes, s, words, &t);
  else tell_support(modes, s, part, &t);
  return t;
}

static Told tell(const Modes *modes, const int *line, const char *const words[2], int i, const ModeShape *s,
                 const char *between) {
  if (modes->pencil.spin.rotor) return tell_rotor(modes, words, i, s);
  Told t = {
      .mover = find_mover(modes->pencil.s->motion.layout.model, line, s, between), .whirl = "", .first = i, .equal = 1};
  double seen = (s->whirl > 0 ? 1 : -1) * modes->mode[i].im + modes->pencil.spin.rate;
  if (fabs(s->whirl) > 0.5) t.whirl = seen > 0 ? "forward" : "backward", t.from_ground = fabs(seen);
  describe_motion(&t.mover, t.whirl, words, t.motion, sizeof t.motion);
  return t;
}

// The part with most strain energy; -1: there is less than 1 % of the kinetic energy, as under gravity alone.
static int strained_part(const ModeShape *s, int parts) { return s->elastic > 0.01 ? largest(parts, s->strain) : -1; }

// The number of a mode among those of the same lines and motion; whirls are ordered by frequency seen from the ground.
static int order_of(const Told *told, int count, int i) {
  int order = 1;
  i = told[i].shares ? told[i].first : i;
  for (int j = 0; j < count; j++) {
    if (told[j].shares && j != told[j].first) continue;
    if (told[j].mover.who != told[i].mover.who || strcmp(told[j].motion, told[i].motion) != 0) continue;
    order += told[i].mover.circles && *told[i].whirl ? told[j].from_ground < told[i].from_ground : j < i;
  }
  return order;
}

// ---- equal eigenvalues ----

// Adds up the energies of modes.
static void add_shapes(int components, int count, const ModeShape *shape, ModeShape *sum) {
  for (int i = 0; i < components; i++) {
    sum->kinetic[i] = 0;
    for (int k = 0; k < MOTIONS; k++) sum->motion[i][k] = 0;
    for (int j = 0; j < count; j++) {
      sum->kinetic[i] += shape[j].kinetic[i] / count;
      for (int k = 0; k < MOTIONS; k++) sum->motion[i][k] += shape[j].motion[i][k];
    }
  }
  sum->whirl = shape[0].whirl;
  for (int j = 1; j < count; j++)
    if (shape[j].whirl * sum->whirl <= 0) sum->whirl = 0;
}

// Modes of one eigenvalue get one description if all move in the same way.
static PetscErrorCode ShareNames(const Modes *modes, const int *line, const char *const words[2], const ModeShapes *all,
                                 Told *told) {
  int components = modes->pencil.s->motion.layout.model->components.count;
  ModeShape sum = {0};
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(components, &sum.kinetic, components, &sum.motion));
  for (int i = 0, n; i < all->count; i += n) {
    n = modes_multiplicity(all->count - i, modes->mode + i);
    bool alike = n > 1, same_part = true;
    for (int j = 0; j < n; j++) {
      told[i + j].first = i, told[i + j].equal = n;
      alike = alike && !strcmp(told[i + j].motion, told[i].motion);
      same_part = same_part && !strcmp(told[i + j].mover.text, told[i].mover.text);
    }
    if (!alike) continue;
    add_shapes(components, n, all->shape + i, &sum);
    Told one = tell(modes, line, words, i, &sum, ", ");
    one.equal = n, one.lists = true;
    for (int j = 0; j < n; j++) {
      if (!same_part) told[i + j] = one;
      told[i + j].shares = true;
    }
  }
  PetscCall(PetscFree2(sum.kinetic, sum.motion));
  PetscFunctionReturn(0);
}

static void add_equal(char *name, size_t size, int equal) {
  if (equal == 2) add(name, size, ", pair");
  else if (equal == 3) add(name, size, ", triple");
  else if (equal > 3) add(name, size, ", %d equal", equal);
}

PetscErrorCode ModeShapesName(const Modes *modes, const char *const words[2], ModeShapes *out) {
  Model m = modes->pencil.s->motion.layout.model;
  int *line;
  Told *told;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(m->components.count, &line, out->count, &told));
  PetscCall(FindLines(m, line));
  for (int i = 0; i < out->count; i++) told[i] = tell(modes, line, words, i, &out->shape[i], " + ");
  if (!modes->pencil.spin.rotor) PetscCall(ShareNames(modes, line, words, out, told));
  for (int i = 0; i < out->count; i++) {
    const Told *t = &told[i];
    ModeShape *s = &out->shape[i];
    size_t size = sizeof s->name;
    char part[64];
    int strained = strained_part(s, out->parts), order = order_of(told, out->count, i);
    s->name[0] = 0;
    if (t->lists) add(s->name, size, "%s %d of %s", t->motion, order, t->mover.text);
    else add(s->name, size, "%s %s %d", t->mover.text, t->motion, order);
    if (strained >= 0 && !t->lists) {
      mode_part_name(m, strained, part, sizeof part);
      add(s->name, size, ", %.0f %% strain in %s", 100 * s->strain[strained], part);
    } else if (strained < 0) add(s->name, size, ", without strain");
    if (*t->whirl && !t->mover.circles) add(s->name, size, ", %s whirl", t->whirl);
    add_equal(s->name, size, t->equal);
  }
  PetscCall(PetscFree2(line, told));
  PetscFunctionReturn(0);
}

// A direction in words: the node that moves most, and how.

// The largest displacement or rotation in a vector, and its node; the first of nodes that move alike.
static PetscErrorCode LargestNode(const Layout *layout, Vec direction, bool turns, double *largest, int *node,
                                  Vec3 *moves) {
  const double *d;
  double own = 0, found[3] = {0};
  int first = INT_MAX;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(direction, &d));
  for (int pass = 0; pass < 2; pass++) {
    for (PetscInt b = 0; b < layout->nblock_own; b++) {
      PetscInt local = layout->block_node[b];
      if (local < 0 || (b != layout->node_block[local]) != turns || layout_is_abstract(layout, local)) continue;
      double size = vec3_norm(vec3_of(d + 3 * b));
      if (pass == 0) own = PetscMax(own, size);
      else if (size > 0 && size >= (1 - 1e-6) * *largest && layout->node[local] < first)
        first = (int)layout->node[local], vec3_to(vec3_of(d + 3 * b), found);
    }
    if (pass == 0) PetscCallMPI(MPI_Allreduce(&own, largest, 1, MPI_DOUBLE, MPI_MAX, layout->comm));
  }
  PetscCall(VecRestoreArrayRead(direction, &d));
  PetscCallMPI(MPI_Allreduce(&first, node, 1, MPI_INT, MPI_MIN, layout->comm));
  for (int i = 0; i < 3; i++) found[i] = first == *node && first < INT_MAX ? found[i] : 0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, found, 3, MPI_DOUBLE, MPI_SUM, layout->comm));
  *moves = vec3_of(found);
  PetscFunctionReturn(0);
}

static double rounded(double x) { return fabs(x) < 5e-4 ? 0 : x; }

PetscErrorCode ModeDescribeDirection(const Layout *layout, Vec direction, char *text, size_t size) {
  double displaced, turned;
  int node[2];
  Vec3 moves[2];
  char name[200];
  PetscFunctionBegin;
  PetscCall(LargestNode(layout, direction, false, &displaced, &node[0], &moves[0]));
  PetscCall(LargestNode(layout, direction, true, &turned, &node[1], &moves[1]));
  int which = displaced > 1e-6 * layout->length * turned ? 0 : 1;
  text[0] = 0;
  if (node[which] == INT_MAX) PetscFunctionReturn(0);
  double v[3], most;
  vec3_to(vec3_scale(1 / vec3_norm(moves[which]), moves[which]), v);
  most = fabs(v[0]) > fabs(v[1]) - 1e-6 ? v[0] : v[1];
  most = fabs(most) > fabs(v[2]) - 1e-6 ? most : v[2];
  model_name_node(layout->model, node[which], name, sizeof name);
  snprintf(text, size, "%s %s most, %s (%.3g, %.3g, %.3g)", name, which ? "turns" : "moves", which ? "about" : "along",
           rounded(copysign(1, most) * v[0]), rounded(copysign(1, most) * v[1]), rounded(copysign(1, most) * v[2]));
  PetscFunctionReturn(0);
}
