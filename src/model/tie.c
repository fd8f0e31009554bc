// SPDX-License-Identifier: Apache-2.0
// The nodes of a coupling are those of the joints that it ties.
#include "model/model.h"
#include "model/tape_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The coordinate of its joint that a tie names, or the first of the unit that it asks for: NULL, or what is wrong.
static const char *find_coord(const ModelJoint *of, JointTie *tie, char *text, size_t size) {
  const JointKind *kind = of->kind;
  if (kind->ties) return "a coupling ties joints, not other couplings";
  tie->coord = tie->coordinate ? joint_coord(kind, tie->coordinate) : 0;
  if (!tie->coordinate && tie->unit)
    while (tie->coord < of->joint.ncoord && strcmp(kind->coord_units[tie->coord], tie->unit)) tie->coord++;
  bool there = tie->coord >= 0 && tie->coord < of->joint.ncoord;
  if (there && (!tie->unit || !strcmp(kind->coord_units[tie->coord], tie->unit))) return NULL;
  int n = snprintf(text, size, "%s '%.200s' has no ", kind->name, of->name ? of->name : "?");
  if (tie->coordinate) snprintf(text + n, size - (size_t)n, "coordinate '%.80s'", tie->coordinate);
  else
    snprintf(text + n, size - (size_t)n, "%s",
             !tie->unit                  ? "coordinate"
             : !strcmp(tie->unit, "rad") ? "angle, as a `revolute` has"
                                         : "slide, as a `prismatic` has");
  for (int c = 0; c < of->joint.ncoord && tie->coordinate; c++) {
    n = (int)strlen(text);
    snprintf(text + n, size - (size_t)n, "%s%s", c ? ", " : "; it has ", kind->coord_names[c]);
  }
  return text;
}

// The place of a node among those of the coupling, where it is added if it is new; -1: there is no room.
static int place_of(int node, ModelJoint *j) {
  int i = 0;
  while (i < j->nnode && j->node[i] != node) i++;
  if (i < j->nnode) return i;
  if (j->nnode + 1 >= MAX_LOCAL_NODES) return -1; // the ground comes last
  j->node[j->nnode++] = node;
  return i;
}

// The field that names joint t of a coupling.
static const char *tie_field(const JointKind *kind, int t) {
  for (int i = 0; i < kind->fields.count; i++)
    if (kind->fields.field[i].type == FIELD_JOINT && t-- == 0) return kind->fields.field[i].name;
  return NULL;
}

static void fill_nodes(Model m, JointNodes *at, ModelJoint *j) {
  at->nnode = j->nnode;
  for (int a = 0, vec = 0; a < j->nnode; a++) {
    at->kind[a] = model_node(m, j->node[a])->kind, at->first[a] = vec;
    memcpy(at->x[a], model_node(m, j->node[a])->x, sizeof at->x[a]);
    vec += node_vectors(at->kind[a]);
  }
}

// With velocities that are projected, this many blocks of tied nodes and the coupling's own are all that a component has room for.
enum { MOST_BLOCKS = 8 };
static const char too_many[] = "its joints tie more than four bodies";

Reason model_tied_nodes(Model m, int count, const int *own, JointNodes *at, ModelJoint *j, char *text, size_t size) {
  int moves = 0;
  for (int t = 0; t < at->ntie; t++) {
    JointTie *tie = &at->tie[t];
    if (tie->joint < 0 || tie->joint >= m->joints.count)
      return reason(REASON_VALUE, tie_field(j->kind, t), "its joint is not in the model");
    const ModelJoint *of = model_joint(m, tie->joint);
    const char *error = find_coord(of, tie, text, size);
    if (error) return reason(REASON_VALUE, tie_field(j->kind, t), error);
    for (int s = 0; s < t; s++)
      if (at->tie[s].joint == tie->joint && at->tie[s].coord == tie->coord)
        return reason(REASON_CONFLICT, tie_field(j->kind, t), "it ties a coordinate of a joint to itself");
    tie->kind = of->kind, tie->of = &of->joint;
    j->bodies = j->bodies || of->bodies;
    for (int a = 0; a < of->nnode; a++) {
      if (of->node[a] == GROUND) continue;
      if (place_of(of->node[a], j) < 0) return reason(REASON_LIMIT, tie_field(j->kind, 0), too_many);
    }
  }
  for (int a = 0; a < j->nnode; a++) moves += node_blocks(model_node(m, j->node[a])->kind);
  if (!moves) return reason(REASON_VALUE, tie_field(j->kind, 0), "none of its joints moves");
  if (moves > MOST_BLOCKS) return reason(REASON_LIMIT, tie_field(j->kind, 0), too_many);
  for (int a = 0; a < count; a++)
    if (place_of(own[a], j) < 0) return reason(REASON_LIMIT, tie_field(j->kind, 0), too_many);
  j->last = j->nnode - 1;
  j->node[j->nnode++] = GROUND;
  fill_nodes(m, at, j);
  for (int t = 0; t < at->ntie; t++) {
    const ModelJoint *of = model_joint(m, at->tie[t].joint);
    for (int a = 0, vec = 0; a < of->nnode; a++) {
      int i = 0;
      while (j->node[i] != of->node[a]) i++;
      for (int v = 0; v < node_vectors(at->kind[i]); v++) at->tie[t].vec[vec++] = at->first[i] + v;
    }
  }
  return no_reason();
}

// ---- formulae ----

// At the start all coordinates are zero, and the formula is, too; it names each coordinate, and moves with one of them at least.
static void check_start(const Tape *t, int names, const char *const *name, char *error, size_t size) {
  const double zero[TAPE_NAMES] = {0};
  Jet j;
  bool moves = false;
  tape_evaluate(t, zero, &j);
  for (int i = 0; i < names; i++) {
    if (!tape_uses(t, i)) {
      snprintf(error, size, "its `formula` does not name `%s`", name[i]);
      return;
    }
    moves = moves || j.d[i] != 0;
  }
  for (int i = 0; i < names; i++)
    if (!isfinite(j.value) || !isfinite(j.d[i]))
      snprintf(error, size,
               "its `formula` has no finite value or derivative at the start, where all coordinates are 0");
  if (*error) return;
  if (fabs(j.value) > 1e-12)
    snprintf(error, size, "its `formula` is %.15g at the start, where all coordinates are 0: subtract this", j.value);
  else if (!moves) snprintf(error, size, "its `formula` has no derivative other than 0 at the start");
}

Error ModelTiedFormula(LimberModel m, const JointKind *kind, const void *params, JointNodes *at, Reason *wrong) {
  const LimberFormula *f = kind->formula ? (const LimberFormula *)((const char *)params + kind->formula) : NULL;
  FormulaMistake mistake;
  char *error;
  Tape *tape;
  if (!f || !f->text) return 0;
  TRY(ModelAllocate(m, sizeof *tape, &tape));
  TRY(ModelAllocate(m, tape_room(f->text) * sizeof *tape->step, &tape->step));
  TRY(ModelAllocate(m, 400, &error));
  if (!tape_read_smooth(f, at->ntie, &kind->coord_names[1], tape, &mistake))
    snprintf(error, 400, "its `formula`: %s", mistake.text);
  else check_start(tape, at->ntie, &kind->coord_names[1], error, 400);
  at->formula = tape;
  if (*error) *wrong = reason(REASON_VALUE, "formula", error);
  return 0;
}
