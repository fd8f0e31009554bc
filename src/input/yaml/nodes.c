// SPDX-License-Identifier: Apache-2.0
// The parts `nodes`, and `motion`: the velocities of all nodes at the start. Those of single nodes go on top of it.
#include "input/yaml/nodes.h"

#include "base/vec3.h"
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "input/yaml/fields.h"

#include <string.h>

static const char *node_kind_name(int i) {
  static const char *const names[] = {"frame", "point", "fixed", NULL};
  return names[i];
}
static const FieldMore node_kinds = {NULL, node_kind_name};

typedef struct {
  double at[3], axes[9], velocity[3], angular[3];
  const char *kind;
  RotateText rotate;
} NodeText;

static const Field node_fields[] = {
    {"at", FIELD_REALS, 3, offsetof(NodeText, at), "m", true, 0, "position, in ground axes", &field_position},
    {"kind", FIELD_TEXT, 1, offsetof(NodeText, kind), "", false, 0,
     "frame (6 degrees of freedom; the default), point (3 degrees of freedom), or fixed (to the ground)", &node_kinds},
    {"axes", FIELD_REALS, 9, offsetof(NodeText, axes), "", false, 0,
     "its three axes in ground axes; default: the ground's", NULL},
    {"rotate", FIELD_MAP, 1, offsetof(NodeText, rotate), "", false, 0,
     "rotates its axes from the ground's: {about: [x, y, z], by: 90 deg}", &rotate_more},
    {"velocity", FIELD_REALS, 3, offsetof(NodeText, velocity), "m s-1", false, 0, "initial velocity, in ground axes",
     &field_direction},
    {"angular_velocity", FIELD_REALS, 3, offsetof(NodeText, angular), "rad s-1", false, 0,
     "initial angular velocity, in ground axes", &field_direction},
};
static const FieldTable node_table = FIELDS(node_fields, NodeText);
static const Kind kind_node = {
    "node", "A node that elements and joints share: with 6 or 3 degrees of freedom, or fixed to the ground.",
    &node_table};

typedef struct { // of a node that has an initial velocity of its own
  int node;
  bool velocity, angular; // which of them are given
  double initial[2][3];
} OwnMotion;

typedef struct {     // while a file is read
  OwnMotion *motion; // in the order of the file
  int count, room;
  NodeGroup group;
} NodesData;

NodeGroup *node_group(const Reader *r) {
  NodesData *d = part_data(r, &part_nodes);
  return &d->group;
}

// Velocities of single nodes go on top of `motion`, which comes later: they wait.
static Error KeepMotion(Reader *r, int id, const Form *form, const NodeText *text) {
  NodesData *d = part_data(r, &part_nodes);
  OwnMotion m = {.node = id, .velocity = form_given(form, "velocity"), .angular = form_given(form, "angular_velocity")};
  if (!m.velocity && !m.angular) return 0;
  memcpy(m.initial[0], text->velocity, sizeof text->velocity);
  memcpy(m.initial[1], text->angular, sizeof text->angular);
  TRY(StoreGrow(&r->store, sizeof m, d->count, d->count + 1, &d->room, &d->motion));
  d->motion[d->count++] = m;
  return 0;
}

static Error ReadNode(Reader *r, const Tree *key, const char *name, const Tree *entry, int *id) {
  static const char *const frame_only[] = {"axes", "rotate", "angular_velocity"}, *const moving_only[] = {
                                                                                      "velocity", "angular_velocity"};
  NodeText text;
  bool good, axes, point, fixed;
  Form form = {&node_table, &text, 0, 0, 0};
  Tree list = {.kind = TREE_MAP, .at = entry->at, .text = "", .count = 1};
  Tree at = {.kind = TREE_WORD, .at = entry->at, .text = "at"}, *keys[] = {&at}, *entries[] = {(Tree *)entry};
  *id = BROKEN;
  list.key = keys, list.entry = entries;
  if (entry->kind == TREE_LIST) entry = &list; // C: [0, 0, 1] is short for C: {at: [0, 0, 1]}
  TRY(FormsRead(r, "node", key->at, entry, 1, &form, &good));
  TRY(ReadAxes(r, "a node", &form, entry, &text.rotate, text.axes, &axes, &good));
  point = text.kind && !strcmp(text.kind, "point");
  fixed = text.kind && !strcmp(text.kind, "fixed");
  for (int i = 0; fixed && i < 2; i++)
    if (form_given(&form, moving_only[i])) {
      good = false;
      TRY(ReportError(r, tree_find(entry, moving_only[i])->at,
                      "a fixed node does not move: '%s' is for frames and points", moving_only[i]));
    }
  for (int i = 0; point && i < 3; i++)
    if (form_given(&form, frame_only[i])) {
      good = false;
      TRY(ReportError(r, tree_find(entry, frame_only[i])->at, "a point has no axes: '%s' is for frames",
                      frame_only[i]));
    }
  if (!good) return 0;
  if (r->scope && r->scope->posed) {
    static const double ground[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (!axes) memcpy(text.axes, ground, sizeof ground);
    scope_axes(r->scope, text.axes), axes = true;
  }
  int before = r->model->reasons.count;
  LimberNodeId node;
  if (fixed) TRY(LimberModelAddFixed(r->model, name, text.at, axes ? text.axes : NULL, &node));
  else if (point) TRY(LimberModelAddPoint(r->model, name, text.at, &node));
  else TRY(LimberModelAddFrame(r->model, name, text.at, axes ? text.axes : NULL, &node));
  *id = node.index;
  TRY(TakeModelDiagnostics(r, before, entry, key->at));
  TRY(KeepMotion(r, *id, &form, &text));
  return 0;
}

static Error ReadNodes(Reader *r, const Tree *map, SourceLocation at) {
  char name[200];
  (void)at;
  if (map->kind != TREE_MAP) {
    TRY(ReportError(r, map->at, "'nodes' must be a map of name to node, not %s", tree_name(map, name, sizeof name)));
    return 0;
  }
  for (int i = 0; i < map->count; i++) {
    const char *full;
    int id;
    bool good;
    TRY(CheckPartName(r, &part_nodes, map->key[i]->text, map->key[i]->at, &good));
    TRY(ScopeName(r, map->key[i]->text, &full));
    TRY(ReadNode(r, map->key[i], full, map->entry[i], &id));
    if (good) TRY(NamesAdd(part_names(r, &part_nodes), full, id, map->key[i]->at));
  }
  return 0;
}

ONE_KIND(node_kind_of, kind_node)

const Part part_nodes = {.key = "nodes",
                         .one = "node",
                         .form = PART_NAMED,
                         .kind = node_kind_of,
                         .brief = "at",
                         .scoped = true,
                         .size = sizeof(NodesData),
                         .read = ReadNodes};

// ---- motion ----

typedef struct {
  double velocity[3], angular[3], at[3];
} MotionText;

static const Field motion_fields[] = {
    {"velocity", FIELD_REALS, 3, offsetof(MotionText, velocity), "m s-1", false, 0, "velocity of the point `at`", NULL},
    {"angular_velocity", FIELD_REALS, 3, offsetof(MotionText, angular), "rad s-1", false, 0, "angular velocity", NULL},
    {"at", FIELD_REALS, 3, offsetof(MotionText, at), "m", false, 0, "a point of the body; default: the ground's origin",
     NULL},
};
static const FieldTable motion_table = FIELDS(motion_fields, MotionText);
static const Kind kind_motion = {"motion", "Sets all nodes in motion as one rigid body at the start.", &motion_table};

// `map` may be NULL: then only the nodes' own velocities are set.
static Error ReadMotion(Reader *r, const Tree *map, SourceLocation at) {
  MotionText text;
  Form form = {&motion_table, &text, 0, 0, 0};
  bool good;
  if (map) {
    double v[3];
    TRY(FormsRead(r, "motion", at, map, 1, &form, &good));
    vec3_to(vec3_sub(vec3_of(text.velocity), vec3_cross(vec3_of(text.angular), vec3_of(text.at))), v);
    if (good) TRY(LimberModelSetRigidVelocity(r->model, v, text.angular));
  }
  const NodesData *d = part_data(r, &part_nodes);
  for (int i = 0; i < d->count; i++) {
    const OwnMotion *m = &d->motion[i];
    Vec3 v, w;
    double velocity[3];
    model_velocity(r->model, m->node, &v, &w);
    vec3_to(m->velocity ? vec3_of(m->initial[0]) : v, velocity);
    TRY(LimberModelSetVelocity(r->model, (LimberNodeId){m->node}, velocity, m->angular ? m->initial[1] : NULL));
  }
  return 0;
}

ONE_KIND(motion_kind_of, kind_motion)

const Part part_motion = {
    .key = "motion", .one = "motion", .form = PART_ONE, .kind = motion_kind_of, .always = true, .read = ReadMotion};
