// SPDX-License-Identifier: Apache-2.0
// Adds events to a model and checks their conditions and actions.
#include "model/adders.h"
#include "model/steps.h"

#include <stdio.h>
#include <string.h>

static const char *const action_names[ACTIONS] = {"lock", "unlock", "release", "engage", "begin", "end"};

static bool of_joint(ActionKind kind) { return kind < ACTION_BEGIN; }

// ---- what is watched ----

static Reason check_joint(Model m, EventCondition *c) {
  if (c->id < 0 || c->id >= m->joints.count) return reason(REASON_VALUE, "joint", "its joint is not in the model");
  const ModelJoint *j = model_joint(m, c->id);
  if (c->coord < 0) return no_reason(); // the event watches its force
  if (!j->joint.ncoord) return reason(REASON_VALUE, "joint", "its joint has no coordinate");
  c->coord = c->coordinate ? joint_coord(j->kind, c->coordinate) : 0;
  if (c->coord < 0 || c->coord >= j->joint.ncoord)
    return reason(REASON_VALUE, "coordinate", "its joint has no such `coordinate`");
  bool angle = !strcmp(j->kind->coord_units[c->coord], "rad");
  if (angle && !c->angle) return reason(REASON_VALUE, "slide", "its coordinate is an angle: give its value as one");
  if (!angle && c->angle) return reason(REASON_VALUE, "angle", "its coordinate is a slide: give its value as one");
  return no_reason();
}

static Reason check_section(Model m, EventCondition *c) {
  if (c->id < 0 || c->id >= m->components.count)
    return reason(REASON_VALUE, "element", "its element is not in the model");
  const ModelComponent *e = model_component(m, c->id);
  int first = 0;
  if (!e->count || !e->kind->line.station || !model_component_point(m, c->id, &first))
    return reason(REASON_VALUE, "element", "its element has no sections");
  ElementPoint p = {0};
  const ModelElement *el = model_component_point(m, c->id, &first);
  el->kind->point(el->data, 0, &p);
  c->coord = c->coordinate ? -1 : 0;
  for (int r = 0; r < p.rows.nrow && c->coord < 0; r++)
    if (!strcmp(e->kind->output.row_names[r], c->coordinate)) c->coord = r;
  return c->coord < 0 ? reason(REASON_VALUE, "component", "its element has no such `component`") : no_reason();
}

static Reason check_condition(Model m, EventCondition *c) {
  switch (c->watch) {
  case WATCH_TIME: return no_reason();
  case WATCH_PROBE:
    return c->formula && *c->formula
               ? no_reason()
               : reason(REASON_CONFLICT, "probe", "it needs a `probe`"); // the reader of probes checks it
  case WATCH_EVENT:
    return c->id < 0 || c->id >= m->events.count ? reason(REASON_VALUE, "event", "its event is not in the model")
                                                 : no_reason();
  case WATCH_JOINT: return check_joint(m, c);
  case WATCH_SECTION: return check_section(m, c);
  case WATCH_NODE:
    if (c->id < 0 || c->id >= m->nodes.count) return reason(REASON_VALUE, "node", "its node is not in the model");
    return model_node(m, c->id)->kind == NODE_FIXED ? reason(REASON_VALUE, "node", "its node is fixed") : no_reason();
  }
  return no_reason();
}

// ---- what happens ----

static Reason check_action(Model m, const LimberEventAction *text, ModelAction *out) {
  const int target[ACTIONS] = {text->lock.index,   text->unlock.index, text->release.index,
                               text->engage.index, text->begin.index,  text->end.index};
  int count = 0;
  for (int k = 0; k < ACTIONS; k++)
    if (target[k] != LIMBER_NONE) count++, *out = (ModelAction){(ActionKind)k, target[k], -1};
  if (count != 1) return reason(REASON_VALUE, "do", "an action is one of lock, unlock, release, engage, begin and end");
  if (!of_joint(out->kind)) {
    if (text->coordinate) return reason(REASON_VALUE, "do", "`coordinate` is for lock and unlock");
    return out->id < 0 || out->id >= m->loads.count
               ? reason(REASON_VALUE, "do", "the load of an action is not in the model")
               : no_reason();
  }
  if (out->id < 0 || out->id >= m->joints.count)
    return reason(REASON_VALUE, "do", "the joint of an action is not in the model");
  const ModelJoint *j = model_joint(m, out->id);
  if (out->kind == ACTION_ENGAGE && j->kind->ties)
    return reason(REASON_VALUE, "do",
                  "a coupling cannot be engaged: make its difference elastic, and lock this coordinate");
  if (out->kind == ACTION_ENGAGE && (j->bodies || j->nnode > 3))
    return reason(REASON_VALUE, "do", "a joint of bodies of points, or of more than two nodes, cannot be engaged");
  for (int c = 0; c < j->joint.ncoord && (out->kind == ACTION_RELEASE || out->kind == ACTION_ENGAGE); c++)
    if (j->joint.law[c].inertia > 0)
      return reason(REASON_VALUE, "do", "a joint whose coordinate has `inertia` cannot be released or engaged");
  if (out->kind == ACTION_RELEASE || out->kind == ACTION_ENGAGE)
    return text->coordinate ? reason(REASON_VALUE, "do", "`coordinate` is for lock and unlock") : no_reason();
  if (!j->joint.ncoord)
    return reason(REASON_VALUE, "do", "a joint without coordinates cannot be locked: it is fixed already");
  for (int c = 0; c < j->joint.ncoord; c++)
    if (j->joint.prescribed[c] && !j->joint.loaded[c])
      return reason(REASON_VALUE, "do", "a prescribed motion cannot be locked: release it");
  if (!text->coordinate) return no_reason();
  out->coord = joint_coord(j->kind, text->coordinate);
  return out->coord < 0 || out->coord >= j->joint.ncoord
             ? reason(REASON_VALUE, "do", "the joint of an action has no such `coordinate`")
             : no_reason();
}

// A joint keeps its coordinates as unknowns if an event locks or watches them.
static void mark_joint(LimberModel m, int id, bool switched) {
  Joint *j = &((ModelJoint *)m->joints.data)[id].joint;
  for (int c = 0; c < j->ncoord; c++) j->loaded[c] = true;
  j->switched = j->switched || switched;
  joint_complete(j);
}

// A field that may end has no potential.
static void mark_targets(LimberModel m, const ModelEvent *e) {
  if (e->condition.watch == WATCH_JOINT) mark_joint(m, e->condition.id, false);
  for (int i = 0; i < e->actions; i++) {
    int id = e->action[i].id;
    if (of_joint(e->action[i].kind)) {
      mark_joint(m, id, true);
      continue;
    }
    Load *l = &((ModelLoad *)m->loads.data)[id].load;
    l->switched = true;
    if (load_prescribes(l)) mark_joint(m, l->id, true);
  }
}

Error ModelAddEvent(LimberModel m, const char *kind, const char *name, const void *params, int *id) {
  const LimberEvent *text = params;
  const EventKind *k;
  ModelAction *action;
  ModelEvent *e = NULL;
  EventCondition c = {.id = LIMBER_NONE};
  if (id) *id = LIMBER_NONE;
  FIND_KIND(event_kinds, kind, k);
  if (!k) return ModelReportUnknownKind(m, "event", kind, name);
  Reason wrong = k->prepare(params, &c);
  if (!wrong.text) wrong = check_condition(m, &c);
  if (!wrong.text && text->repeat && c.watch == WATCH_TIME)
    wrong = reason(REASON_VALUE, "repeat", "a time comes once: leave out `repeat`");
  if (!wrong.text && (text->actions <= 0 || !text->action)) wrong = reason(REASON_VALUE, "do", "it does nothing");
  TRY(ModelAllocate(m, (size_t)(text->actions > 0 ? text->actions : 1) * sizeof *action, &action));
  for (int i = 0; i < text->actions && !wrong.text; i++) wrong = check_action(m, &text->action[i], &action[i]);
  if (wrong.text) return ModelReportReason(m, kind, name, wrong);
  if (id) *id = m->events.count;
  TRY(ArrayAdd(&m->events, sizeof *e, &e));
  c.coordinate = NULL; // belongs to the caller
  *e = (ModelEvent){k, NULL, c, action, text->actions, text->repeat};
  TRY(ModelCopyString(m, name ? name : kind, &e->name)); // result tables use it
  if (c.formula) TRY(ModelCopyString(m, c.formula, &e->condition.formula));
  mark_targets(m, e);
  return 0;
}

bool model_joint_at(Model m, int joint, int count, Vec3 x[][4], Joint *out) {
  const ModelJoint *j = model_joint(m, joint);
  int nodes[MAX_LOCAL_NODES];
  ModelJoint made = {.kind = j->kind, .joint = {.ncoord = j->kind->ncoord}};
  JointNodes at = {0};
  if (!model_joint_nodes(m, field_nodes(&j->kind->fields, j->params, nodes), nodes, &at, &made)) return false;
  for (int i = 0; i < count && i < j->nnode - 1; i++)
    for (int k = 0; k < 4; k++) at.x[i][k] = x[i][k];
  Joint made_joint = made.joint;
  made_joint.geometry = j->joint.geometry;
  if (j->kind->prepare(j->params, &at, &made_joint).text || made_joint.outside) return false;
  for (int c = 0; c < made_joint.ncoord; c++) {
    made_joint.law[c] = j->joint.law[c];
    made_joint.prescribed[c] = j->joint.prescribed[c], made_joint.loaded[c] = j->joint.loaded[c];
  }
  joint_find_reaction(j->kind, &made_joint);
  made_joint.switched = j->joint.switched;
  *out = made_joint;
  return true;
}

void model_name_actions(Model m, ptrdiff_t event, char *out, size_t size) {
  const ModelEvent *e = model_event(m, event);
  size_t used = 0;
  out[0] = 0;
  for (int i = 0; i < e->actions && used < size; i++) {
    const ModelAction *a = &e->action[i];
    const char *name = of_joint(a->kind) ? model_joint(m, a->id)->name : model_load(m, a->id)->name;
    int n = snprintf(out + used, size - used, "%s%s %s", i ? ", " : "", action_names[a->kind], shown_name(name));
    used += n > 0 ? (size_t)n : 0;
  }
}

const char *events_refused(LimberScheme scheme, int order) {
  if (order > 2) return "steps of order 4 and 6 cannot end at an event: leave out `order`";
  bool good = scheme == LIMBER_SCHEME_DECAYING || scheme == LIMBER_SCHEME_PRESERVING;
  return good ? NULL : "this scheme cannot restart at an event: use `scheme: decaying` or `scheme: preserving`";
}
