// SPDX-License-Identifier: Apache-2.0
// Adds joints and couplings to a model, finds the nodes that they act on, and evaluates prescribed coordinates.
#include "mechanics/simplex.h"
#include "model/adders.h"
#include "model/model.h"
#include "model/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Replaces the caller's numbers, if any, with a copy that the model owns.
static Error CopyNumbers(LimberModel m, int count, const double **numbers) {
  double *own;
  if (!*numbers) return 0;
  TRY(ModelAllocate(m, (size_t)count * sizeof *own, &own));
  memcpy(own, *numbers, (size_t)count * sizeof *own);
  *numbers = own;
  return 0;
}

// Why a joint moves nothing: its nodes are all fixed, or are not two different ones.
static Reason joint_without_motion(Model m, const ModelJoint *j) {
  bool fixed = j->nnode > 2; // the last is the ground
  for (int i = 0; i + 1 < j->nnode; i++) fixed = fixed && model_node(m, j->node[i])->kind == NODE_FIXED;
  return fixed && j->node[0] != j->node[1]
             ? reason(REASON_CONFLICT, "nodes",
                      "neither of its nodes can move: remove `kind: fixed` from the one that should move")
             : reason(REASON_VALUE, "nodes", "a joint connects two different nodes");
}

static Error AddJoint(LimberModel m, const JointKind *k, const char *kind, const char *name, const void *params,
                      int *id) {
  ModelJoint *j = NULL;
  bool good;
  int nodes[MAX_LOCAL_NODES];
  JointNodes at = {0};
  TRY(ModelCheckNodes(m, kind, name, &k->fields, params, true, &good));
  if (!good) return 0;
  ModelJoint made = {.kind = k, .joint = {.ncoord = k->ncoord}};
  Reason wrong = no_reason();
  char text[600];
  int count = field_nodes(&k->fields, params, nodes);
  if (k->ties) {
    at.ntie = k->ties(params, at.tie);
    wrong = model_tied_nodes(m, count, nodes, &at, &made, text, sizeof text);
    TRY(ModelAllocate(m, MAX_TIE_TERMS * sizeof *at.term, &at.term));
    if (!wrong.text) TRY(ModelTiedFormula(m, k, params, &at, &wrong));
  } else if (!model_joint_nodes(m, count, nodes, &at, &made)) wrong = joint_without_motion(m, &made);
  Joint joint = made.joint;
  joint.geometry.at[0] = at.x[0][0], joint.geometry.at[1] = at.x[at.nnode > 2][0];
  if (!wrong.text) wrong = k->prepare(params, &at, &joint);
  if (!wrong.text && joint.outside)
    wrong = reason(REASON_GEOMETRY, "nodes",
                   "a body without thickness carries only what lies in its plane, or on its line: give it a thickness");
  if (!wrong.text) wrong = joint_laws(k, params, &joint);
  for (int c = 0; c < joint.ncoord && !wrong.text; c++) {
    TRY(CopyNumbers(m, 2, &joint.law[c].limits));
    TRY(CopyNumbers(m, 1, &joint.law[c].start));
    TRY(CopyNumbers(m, 1, &joint.law[c].initial_rate));
    TRY(CopyNumbers(m, 2 * joint.law[c].pairs, &joint.law[c].table));
  }
  joint_complete(&joint);
  if (wrong.text) return ModelReportReason(m, kind, name, wrong);
  *id = m->joints.count;
  TRY(ArrayAdd(&m->joints, sizeof *j, &j));
  *j = made, j->joint = joint;
  void *copy;
  TRY(ModelAllocate(m, k->fields.size, &copy));
  j = &((ModelJoint *)m->joints.data)[m->joints.count - 1];
  j->params = memcpy(copy, params, k->fields.size);
  TRY(ModelCopyString(m, name, &j->name));
  return 0;
}

Error ModelAddInterface(LimberModel m, const char *name, const InterfaceTie *tie) {
  const JointKind *kind = tie->mean ? &joint_interface_rotation : &joint_interface;
  int id;
  return AddJoint(m, kind, kind->name, name, tie, &id);
}

// For pictures, the point is at the joint.
Error ModelAddInertia(LimberModel m, int joint, int coord, double inertia, bool lent, int *added) {
  const ModelJoint *of = model_joint(m, joint);
  const Vec3 x[4] = {of->joint.geometry.at[0]};
  CoordinateInertia q = {joint, LIMBER_NONE, of->kind->coord_names[coord], inertia};
  int id;
  char name[300];
  snprintf(name, sizeof name, "%.200s.%s%s", of->name ? of->name : of->kind->name, q.coordinate, lent ? ".lent" : "");
  TRY(ModelAddNode(m, NODE_POINT, name, x, &q.point));
  ModelNode *point = &((ModelNode *)m->nodes.data)[q.point];
  point->own = point->abstract = true, point->lent = lent;
  if (added) *added = q.point;
  TRY(AddJoint(m, &joint_coordinate_inertia, joint_coordinate_inertia.name, name, &q, &id));
  return 0;
}

Error ModelAddJoint(LimberModel m, const char *kind, const char *name, const void *params, int *id) {
  const JointKind *k = joint_find(kind);
  int added = LIMBER_NONE;
  if (!k) TRY(ModelReportUnknownKind(m, "joint", kind, name));
  if (k) TRY(AddJoint(m, k, kind, name, params, &added));
  for (int c = 0; added >= 0 && c < model_joint(m, added)->joint.ncoord; c++)
    if (model_joint(m, added)->joint.law[c].inertia > 0)
      TRY(ModelAddInertia(m, added, c, model_joint(m, added)->joint.law[c].inertia, false, NULL));
  if (id) *id = added;
  return 0;
}

// Bodies of points (mechanics/simplex.h) in place of nodes.

int model_body(Model m, int id) {
  int component = id < 0 ? LIMBER_BODY((LimberElementId){id}).index : -1; // the macro is its own inverse
  return component >= 0 && component < m->components.count && model_component(m, component)->kind->body &&
                 model_component(m, component)->count == 1
             ? component
             : -1;
}

bool model_joint_nodes(Model m, int count, const int *named, JointNodes *at, ModelJoint *j) {
  bool moves = false;
  int vec = 0;
  at->nnode = count + 1;
  for (int a = 0; a <= count; a++) {
    int id = a < count ? named[a] : GROUND;
    int component = model_body(m, id), first = j->nnode;
    if (a < count && first + (component >= 0 ? SIMPLEX_POINTS : 1) >= MAX_LOCAL_NODES) return false;
    at->first[a] = vec;
    if (component >= 0) {
      const ModelElement *e = model_element(m, model_component(m, component)->first);
      memcpy(at->x[a], model_node(m, GROUND)->x, sizeof at->x[a]);
      at->kind[a] = NODE_FRAME, at->points[a] = e->nnode;
      for (int p = 0; p < e->nnode; p++) { // equal masses: the centre is their mean
        j->node[j->nnode++] = model_element_nodes(m, e)[p];
        at->point[a][p] = model_node(m, model_element_nodes(m, e)[p])->x[0];
        at->x[a][0] = vec3_axpy(at->x[a][0], 1.0 / e->nnode, at->point[a][p]);
      }
      vec += e->nnode, moves = j->bodies = true;
    } else {
      at->kind[a] = model_node(m, id)->kind;
      memcpy(at->x[a], model_node(m, id)->x, sizeof at->x[a]);
      j->node[j->nnode++] = id;
      vec += node_vectors(at->kind[a]), moves = moves || at->kind[a] != NODE_FIXED;
    }
    if (a + 1 == count) j->last = first, j->points = at->points[a];
  }
  for (int b = 1; b + 1 < j->nnode; b++)
    for (int a = 0; a < b; a++)
      if (j->node[a] == j->node[b]) return false;
  return moves;
}

// The nodes of a coupling are those of the joints that it ties.

// Finds the coordinate that a tie names, or the first with the unit that it needs. Returns NULL, or what is wrong.
static const char *find_coord(const ModelJoint *of, JointTie *tie, char *text, size_t size) {
  const JointKind *kind = of->kind;
  if (kind->ties) return "a coupling connects joints, not other couplings";
  tie->coord = tie->coordinate ? joint_coord(kind, tie->coordinate) : 0;
  if (!tie->coordinate && tie->unit)
    while (tie->coord < of->joint.ncoord && strcmp(kind->coord_units[tie->coord], tie->unit)) tie->coord++;
  bool there = tie->coord >= 0 && tie->coord < of->joint.ncoord;
  if (there && (!tie->unit || !strcmp(kind->coord_units[tie->coord], tie->unit))) return NULL;
  int n = snprintf(text, size, "%s '%.200s' has no ", kind->name, shown_name(of->name));
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

// Index of a node among those of the coupling; a new node is appended. -1: there is no room.
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

// If velocities are projected, a component has room for this many blocks of tied nodes besides the coupling's own.
enum { MOST_BLOCKS = 8 };
static const char too_many[] = "its joints connect more than four bodies";

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
        return reason(REASON_CONFLICT, tie_field(j->kind, t), "it couples a coordinate of a joint to itself");
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

// Checks that the formula names each coordinate, and that at the start, where all coordinates are zero, it is zero and
// has a derivative that is not.
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

// Coordinates that a function of time prescribes.

double model_drive_start(Model m, const Load *l) {
  const double *start = l->target == LOAD_JOINT ? model_joint(m, l->id)->joint.law[l->coord].start : NULL;
  return start ? *start : 0;
}

double model_drive(Model m, const Load *l, double t, double h, double zn) {
  double end = model_amplitude(m, l->amplitude, t + h);
  if (l->drive == DRIVE_MOTION) return model_drive_start(m, l) + end - model_amplitude(m, l->amplitude, 0);
  double now = model_amplitude(m, l->amplitude, t), middle = model_amplitude(m, l->amplitude, t + 0.5 * h);
  return zn + h / 6 * (now + 4 * middle + end); // Simpson
}

double model_drive_rate(Model m, const Load *l, double t) {
  return l->drive == DRIVE_RATE ? model_amplitude(m, l->amplitude, t) : model_amplitude_rate(m, l->amplitude, t);
}
