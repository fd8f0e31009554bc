// SPDX-License-Identifier: Apache-2.0
#include "analyses/linearize/inputs.h"
#include "assembly/wheels.h"
#include "model/refusal.h"

#include <math.h>
#include <string.h>

static const Amplitude unit_amplitude = {.now = 1, .next = 1};

// ---- forces per unit of a load's amplitude, in the system's rows ----

static void add_to_node(const Layout *layout, PetscInt node, Vec3 force, Vec3 moment, double *f) {
  PetscInt block = layout->node_block[node];
  if (block < 0 || block >= layout->nblock_own) return;
  double value[6];
  vec3_to(force, value), vec3_to(moment, value + 3);
  for (int c = 0; c < 3 * node_blocks(model_node(layout->model, layout->node[node])->kind); c++)
    f[3 * block + c] += value[c];
}

static void add_node_load(const Layout *layout, const State *state, const Load *l, double *f) {
  PetscInt i = layout->local_node[l->id];
  NodeMotion m;
  NodeLoad q;
  if (i < 0) return;
  node_motion(model_node(layout->model, l->id)->kind, FORCE_END, state->x + 4 * i, vec3_zero(), vec3_zero(), &m);
  load_on_node(l, &layout->rule->tableau, unit_amplitude, state->x + 4 * i, &m, &q);
  add_to_node(layout, i, q.force[0], q.moment[0], f);
}

static void add_element_load(const Layout *layout, const State *state, const Load *l, double *f) {
  const Vec3 still[MAX_STAGES] = {{0, 0, 0}};
  for (PetscInt e = 0; e < layout->nelement; e++) {
    const ModelElement *el = model_element(layout->model, layout->element[e]);
    const PetscInt *node = layout->element_node + layout->element_node_start[e];
    NodeLoad q[MAX_LOCAL_NODES];
    LocalMotion it;
    if (el->component != l->id) continue;
    local_motion_begin(&it, 1, FORCE_END);
    for (int a = 0; a < el->nnode; a++)
      local_motion_add_node(&it, model_node(layout->model, layout->node[node[a]])->kind, state->x + 4 * node[a], still,
                            still);
    load_on_element(l, el->kind, el->data, &layout->rule->tableau, unit_amplitude, &it, q, NULL);
    for (int a = 0; a < el->nnode; a++) add_to_node(layout, node[a], q[a].force[0], q[a].moment[0], f);
  }
}

static void add_field(const Layout *layout, const State *state, PetscInt load, double *f) {
  const Load *l = &model_load(layout->model, load)->load;
  PetscInt field = 0;
  while (layout->field[field] != load) field++;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    int nvec = node_vectors(model_node(layout->model, layout->node[i])->kind);
    double first[4];
    Vec3 force[4], moment = vec3_zero();
    layout_field_mass(layout, field, i, first);
    load_on_mass(l->acceleration, nvec, first, force);
    for (int j = 1; j < nvec; j++) moment = vec3_add(moment, vec3_cross(state->x[4 * i + j], force[j]));
    add_to_node(layout, i, force[0], moment, f);
  }
}

// The reaction of a wheel's motor per unit of torque; for a driven wheel, per unit of angular acceleration.
static void add_motor(const Layout *layout, const State *state, const Load *l, double *f) {
  const ModelWheel *w = model_wheel(layout->model, l->id);
  PetscInt i = layout_wheel_node(layout, l->id);
  double size = w->wheel->driven ? w->wheel->inertia : 1;
  if (i >= 0) add_to_node(layout, i, vec3_zero(), vec3_scale(-size, wheel_axis(w->wheel, state->x + 4 * i)), f);
}

static PetscErrorCode AddLoad(const Motion *motion, const Equations *equations, const Unknowns *u, PetscInt load,
                              double weight, double *out) {
  const Load *l = &model_load(motion->layout.model, load)->load;
  double *f, *all;
  Vec v;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(equations->residual, &v));
  PetscCall(VecZeroEntries(v));
  PetscCall(VecGetArray(v, &f));
  switch (l->target) {
  case LOAD_NODE: add_node_load(&motion->layout, &motion->state, l, f); break;
  case LOAD_ELEMENT: add_element_load(&motion->layout, &motion->state, l, f); break;
  case LOAD_FIELD: add_field(&motion->layout, &motion->state, load, f); break;
  case LOAD_WHEEL: add_motor(&motion->layout, &motion->state, l, f); break;
  case LOAD_JOINT: break;
  }
  PetscCall(VecRestoreArray(v, &f));
  PetscCall(PetscMalloc1(u->count, &all));
  PetscCall(UnknownsGather(u, v, all));
  for (PetscInt i = 0; i < u->count; i++) out[i] += weight * all[i];
  PetscCall(PetscFree(all));
  PetscCall(VecDestroy(&v));
  PetscFunctionReturn(0);
}

// ---- sources ----

static PetscInt find_coordinate(const Unknowns *u, PetscInt joint, int coord) {
  for (PetscInt i = 0; i < u->count; i++) {
    const Unknown *q = &u->unknown[i];
    bool is = q->kind == UNKNOWN_COORDINATE || q->kind == UNKNOWN_PRESCRIBED;
    if (is && q->owner == joint && q->part == coord) return i;
  }
  return -1;
}

// Adds `weight` times a load to a source.
static PetscErrorCode AddToSource(const Motion *motion, const Equations *equations, const Unknowns *u, PetscInt load,
                                  double weight, LinearSource *q) {
  const Load *l = &model_load(u->model, load)->load;
  PetscFunctionBegin;
  if (l->target != LOAD_JOINT) {
    bool by_rate = l->target == LOAD_WHEEL && l->drive == DRIVE_RATE;
    q->has_rate = q->has_rate || by_rate;
    PetscCall(AddLoad(motion, equations, u, load, weight, q->force[by_rate]));
    PetscFunctionReturn(0);
  }
  PetscInt at = find_coordinate(u, l->id, l->coord);
  PetscCheck(at >= 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "load %d has no coordinate", (int)load);
  switch (l->drive) {
  case DRIVE_FORCE: q->force[0][at] += weight * l->torque; break;
  case DRIVE_CONTROL:
    q->force[0][at] += weight * l->gain, q->force[1][at] += weight * l->derivative_gain;
    q->has_rate = q->has_rate || l->derivative_gain != 0;
    break;
  case DRIVE_MOTION: q->drive[0][at] += weight, q->has_drive[0] = true; break;
  case DRIVE_RATE: q->drive[1][at] += weight, q->has_drive[1] = true; break;
  }
  PetscFunctionReturn(0);
}

// The units of a load's amplitude: that of a drive or controller is a length or an angle, or its rate.
static void set_units(const Unknowns *u, PetscInt load, LinearSource *q) {
  static const char *const units[3][5] = {{"1", "s-1", "s-2", "s", NULL},
                                          {"m", "m s-1", "m s-2", "m s", NULL},
                                          {"rad", "rad s-1", "rad s-2", "rad s", NULL}};
  static const char *const rates[3][5] = {{"1", "s-1", "s-2", "s", NULL},
                                          {"m s-1", "m s-2", "m s-3", "m", NULL},
                                          {"rad s-1", "rad s-2", "rad s-3", "rad", NULL}};
  static const char *const torques[5] = {"N m", "N m s-1", "N m s-2", "N m s", NULL};
  const Load *l = &model_load(u->model, load)->load;
  bool moves = l->target == LOAD_JOINT && l->drive != DRIVE_FORCE;
  int kind = 0;
  if (moves) kind = strcmp(unknown_unit(u, find_coordinate(u, l->id, l->coord)), "m") ? 2 : 1;
  const char *const *unit = moves && l->drive == DRIVE_RATE ? rates[kind] : units[kind];
  if (l->target == LOAD_WHEEL) unit = l->drive == DRIVE_RATE ? rates[2] : torques;
  bool mixed = q->unit && strcmp(q->unit, unit[0]);
  if (mixed) unit = units[0];
  q->unit = unit[0], q->rate_unit = unit[1], q->acceleration_unit = unit[2], q->integral_unit = unit[3];
}

static PetscErrorCode BeginSource(const Unknowns *u, LinearSource *q) {
  PetscFunctionBegin;
  *q = (LinearSource){.unit = NULL};
  for (int i = 0; i < 2; i++) {
    PetscCall(PetscCalloc1(u->count, &q->force[i]));
    PetscCall(PetscCalloc1(u->count, &q->drive[i]));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode EndSource(LinearSource *q) {
  PetscFunctionBegin;
  for (int i = 0; i < 2; i++) {
    PetscCall(PetscFree(q->force[i]));
    PetscCall(PetscFree(q->drive[i]));
  }
  PetscFunctionReturn(0);
}

// A load without a name is named after its kind, with its number among those of that kind: force#2
static void name_load(Model m, PetscInt load, char *out, size_t size) {
  const ModelLoad *l = model_load(m, load);
  int number = 0;
  if (l->name && l->name[0]) {
    snprintf(out, size, "%s", l->name);
    return;
  }
  for (PetscInt i = 0; i <= load; i++) number += model_load(m, i)->kind == l->kind;
  snprintf(out, size, "%s#%d", l->kind->name, number);
}

// The derivative of a load's amplitude with respect to a signal.
static double signal_slope(Model m, int signal, int amplitude, double t) {
  LimberSignal *p = model_function(m, signal)->params;
  double value = p->value, e = 1e-3 * (1 + fabs(value)), at[2];
  if (amplitude == LIMBER_NONE || !model_amplitude_set(m, amplitude)) return 0;
  for (int i = 0; i < 2; i++) {
    p->value = value + (i ? e : -e);
    at[i] = model_amplitude(m, amplitude, t);
  }
  p->value = value;
  return (at[1] - at[0]) / (2 * e);
}

// The name of a signal, or NAME.signal if a load has the same name.
static void name_signal(Model m, int function, char *out, size_t size) {
  const char *name = shown_name(model_function(m, function)->name);
  bool taken = false;
  for (PetscInt l = 0; l < m->loads.count; l++) {
    char text[200];
    name_load(m, l, text, sizeof text);
    taken = taken || !strcmp(text, name);
  }
  snprintf(out, size, "%.180s%s", name, taken ? ".signal" : "");
}

static bool is_wanted(int names, const char *const *name, const char *what) {
  bool wanted = names == 0;
  for (int i = 0; i < names; i++) wanted = wanted || !strcmp(name[i], what);
  return wanted;
}

// Puts sources into the order of the names.
static void sort_sources(LinearSources *q, int names, const char *const *name) {
  int at = 0;
  for (int i = 0; i < names; i++)
    for (int k = at; k < q->count; k++) {
      if (strcmp(q->source[k].name, name[i])) continue;
      LinearSource found = q->source[k];
      memmove(q->source + at + 1, q->source + at, (size_t)(k - at) * sizeof found);
      q->source[at++] = found;
    }
}

static PetscErrorCode CheckNames(const LinearSources *q, int names, const char *const *name, Refusal *wrong) {
  PetscFunctionBegin;
  for (int i = 0; i < names && !is_refused(wrong); i++) {
    bool found = false;
    for (int k = 0; k < q->count; k++) found = found || !strcmp(name[i], q->source[k].name);
    if (!found) refuse(wrong, "no load or signal is called '%s'", name[i]);
  }
  PetscFunctionReturn(0);
}

// Refuses joints that events have changed, because the unknowns are those of the joints as written.
static void check_switches(const Layout *layout, const Switches *switches, Refusal *wrong) {
  Model m = layout->model;
  for (int j = 0; switches->any && j < m->joints.count && !is_refused(wrong); j++) {
    const Joint *now = switches_model_joint(layout, switches, j), *written = &model_joint(m, j)->joint;
    bool same = switches->joint[j].released == 0;
    for (int c = 0; c < now->ncoord; c++) same = same && now->prescribed[c] == written->prescribed[c];
    if (!same)
      refuse(wrong,
             "joint '%s' differs from the model file because events lock, release or drive it: leave out `events`",
             shown_name(model_joint(m, j)->name));
  }
}

PetscErrorCode SourcesCreate(const Motion *motion, const Equations *equations, const Unknowns *u, int names,
                             const char *const *name, LinearSources *out, Refusal *wrong) {
  Model m = u->model;
  PetscFunctionBegin;
  *out = (LinearSources){0}, wrong->text[0] = 0;
  check_switches(&motion->layout, &motion->switches, wrong);
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(m->loads.count + m->functions.count, &out->source));
  for (PetscInt l = 0; l < m->loads.count; l++) {
    LinearSource *q = &out->source[out->count];
    char text[200];
    name_load(m, l, text, sizeof text);
    if (!is_wanted(names, name, text)) continue;
    PetscCall(BeginSource(u, q));
    snprintf(q->name, sizeof q->name, "%s", text);
    set_units(u, l, q);
    q->value = model_amplitude(m, model_load(m, l)->load.amplitude, motion->state.time);
    PetscCall(AddToSource(motion, equations, u, l, 1, q));
    out->count++;
  }
  for (PetscInt f = 0; f < m->functions.count; f++) {
    const ModelFunction *function = model_function(m, f);
    LinearSource *q = &out->source[out->count];
    char text[200];
    if (function->kind != &function_signal || !function->name) continue;
    name_signal(m, (int)f, text, sizeof text);
    if (!is_wanted(names, name, text)) continue;
    PetscCall(BeginSource(u, q));
    memcpy(q->name, text, sizeof text);
    for (PetscInt l = 0; l < m->loads.count; l++) {
      double slope = signal_slope(m, (int)f, model_load(m, l)->load.amplitude, motion->state.time);
      if (slope == 0) continue;
      set_units(u, l, q);
      PetscCall(AddToSource(motion, equations, u, l, slope, q));
    }
    q->value = ((const LimberSignal *)function->params)->value;
    if (!q->unit) q->unit = "1", q->rate_unit = "s-1", q->acceleration_unit = "s-2", q->integral_unit = "s";
    out->count++;
  }
  sort_sources(out, names, name);
  PetscCall(CheckNames(out, names, name, wrong));
  PetscFunctionReturn(0);
}

PetscErrorCode SourcesDestroy(LinearSources *q) {
  PetscFunctionBegin;
  for (int i = 0; i < q->count; i++) PetscCall(EndSource(&q->source[i]));
  PetscCall(PetscFree(q->source));
  PetscFunctionReturn(0);
}
