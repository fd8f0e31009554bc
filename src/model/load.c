// SPDX-License-Identifier: Apache-2.0
// Adds loads and ports to a model and checks them.
#include "model/adders.h"

#include <stdio.h>

// Finds the coordinate of the joint that a load acts on; returns what is wrong, if anything.
static Reason coord_of_load(Model m, Load *load) {
  const JointKind *kind = model_joint(m, load->id)->kind;
  if (!model_joint(m, load->id)->joint.ncoord)
    return reason(REASON_VALUE, "joint", "its joint has no coordinate that it could act on");
  load->coord = load->coordinate ? joint_coord(kind, load->coordinate) : 0;
  if (load->coord < 0 || load->coord >= model_joint(m, load->id)->joint.ncoord)
    return strcmp(load->coordinate, "angle") ? reason(REASON_VALUE, "coordinate", "its joint has no such `coordinate`")
                                             : reason(REASON_VALUE, "joint", "its joint has no angle");
  for (int i = 0; i < m->loads.count && load_prescribes(load); i++) {
    const Load *other = &model_load(m, i)->load;
    if (load_prescribes(other) && other->id == load->id && other->coord == load->coord)
      return reason(REASON_VALUE, "joint", "another drive prescribes the same coordinate");
  }
  return no_reason();
}

// Checks that the element of a load per length has a length, and sections that turn if the load needs them.
static Reason element_of_load(Model m, const Load *l) {
  if (l->id < 0 || l->id >= m->components.count)
    return reason(REASON_VALUE, "element", "its element is not in the model");
  const ModelComponent *component = model_component(m, l->id);
  if (!component->kind->line.station || !component->count)
    return reason(REASON_VALUE, "element", "its `element` has no length");
  bool turns = component->kind->line.axes;
  if (l->follower && !turns)
    return reason(REASON_VALUE, "axes", "its `element` has no section that turns it: `axes` are those of the ground");
  return turns || vec3_norm(l->moment) == 0 ? no_reason()
                                            : reason(REASON_VALUE, "element", "its `element` takes no moment");
}

Error ModelAddLoad(LimberModel m, const char *kind, const char *name, const void *params, int *id) {
  const LoadKind *k;
  ModelLoad *l = NULL;
  bool good;
  if (id) *id = LIMBER_NONE;
  FIND_KIND(load_kinds, kind, k);
  if (!k) {
    TRY(ModelReportUnknownKind(m, "load", kind, name));
    return 0;
  }
  TRY(ModelCheckNodes(m, kind, name, &k->fields, params, false, &good));
  if (!good) return 0;
  Load load = {.target = k->target, .amplitude = LIMBER_NONE};
  Reason wrong = k->prepare(params, &load);
  if (!wrong.text && load.amplitude != LIMBER_NONE && (load.amplitude < 0 || load.amplitude >= m->functions.count))
    wrong = reason(REASON_VALUE, "amplitude", "its amplitude is not a function of the model");
  if (!wrong.text && k->target == LOAD_JOINT) {
    if (load.id < 0 || load.id >= m->joints.count)
      wrong = reason(REASON_VALUE, "joint", "its joint is not in the model");
    else wrong = coord_of_load(m, &load);
  }
  if (!wrong.text && load_prescribes(&load) && load.drive == DRIVE_MOTION && model_amplitude_set(m, load.amplitude))
    wrong =
        reason(REASON_VALUE, "motion", "a signal jumps from step to step, which no motion does: let it be the `rate`");
  if (!wrong.text && k->target == LOAD_NODE && model_node(m, load.id)->kind == NODE_FIXED)
    wrong = reason(REASON_VALUE, "node", "a fixed node does not move");
  if (!wrong.text && k->target == LOAD_NODE && model_node(m, load.id)->kind == NODE_POINT && vec3_norm(load.moment) > 0)
    wrong = reason(REASON_VALUE, "node", "a point takes no moment");
  if (!wrong.text && k->target == LOAD_NODE && model_node(m, load.id)->kind == NODE_POINT && load.follower)
    wrong = reason(REASON_VALUE, "node",
                   "its `node` is a point, which does not turn; a `force` in ground axes can act on it");
  if (!wrong.text && k->target == LOAD_ELEMENT) wrong = element_of_load(m, &load);
  for (int i = 0; i < load.ncomponents && !wrong.text; i++)
    if (load.components[i].index < 0 || load.components[i].index >= m->components.count)
      wrong = reason(REASON_VALUE, "elements", "its elements are not in the model");
  if (wrong.text) return ModelReportReason(m, kind, name, wrong);
  if (id) *id = m->loads.count;
  TRY(ArrayAdd(&m->loads, sizeof *l, &l));
  load.coordinate = NULL; // belongs to the caller
  if (k->target == LOAD_JOINT) {
    Joint *j = &((ModelJoint *)m->joints.data)[load.id].joint;
    j->loaded[load.coord] = true;
    if (load_prescribes(&load)) j->prescribed[load.coord] = true;
    joint_complete(j);
  }
  if (load.ncomponents) {
    LimberElementId *components;
    TRY(ModelAllocate(m, (size_t)load.ncomponents * sizeof *components, &components));
    load.components = memcpy(components, load.components, (size_t)load.ncomponents * sizeof *components);
  }
  l->kind = k, l->load = load;
  TRY(ModelCopyString(m, name, &l->name));
  return 0;
}

Error ModelAddHeldLoad(LimberModel m, int node, const char *name, double **held) {
  ModelLoad *l;
  TRY(ModelAllocate(m, 6 * sizeof **held, held));
  memset(*held, 0, 6 * sizeof **held);
  TRY(ArrayAdd(&m->loads, sizeof *l, &l));
  *l = (ModelLoad){.kind = &load_held,
                   .load = {.target = LOAD_NODE, .id = node, .amplitude = LIMBER_NONE, .held = *held}};
  return ModelCopyString(m, name, &l->name);
}

// ---- ports ----

static Error AddPortLoad(LimberModel m, const LoadKind *kind, const char *name, const char *direction, Load load) {
  ModelLoad *l;
  char text[300];
  snprintf(text, sizeof text, "%.200s%s%s", shown_name(name), *direction ? "." : "", direction);
  TRY(ArrayAdd(&m->loads, sizeof *l, &l));
  load.coordinate = NULL; // belongs to the caller
  if (load.target == LOAD_JOINT) {
    Joint *j = &((ModelJoint *)m->joints.data)[load.id].joint;
    j->loaded[load.coord] = true;
    joint_complete(j);
  }
  l->kind = kind, l->load = load;
  return ModelCopyString(m, text, &l->name);
}

// What is wrong with a port that its own fields do not show.
static Reason place_of_port(Model m, Load *load) {
  if (load->target == LOAD_NODE)
    return model_node(m, load->id)->kind == NODE_FIXED ? reason(REASON_VALUE, "node", "a fixed node does not move")
                                                       : no_reason();
  if (load->id < 0 || load->id >= m->joints.count)
    return reason(REASON_VALUE, "joint", "its joint is not in the model");
  if (model_joint(m, load->id)->kind->ties)
    return reason(REASON_VALUE, "joint", "its joint is a coupling: put the port at a joint that it ties");
  Reason wrong = coord_of_load(m, load);
  if (!wrong.text && model_joint(m, load->id)->joint.prescribed[load->coord])
    wrong = reason(REASON_CONFLICT, "joint", "a drive prescribes its coordinate");
  return wrong;
}

// Whether two ports are at one place. Bonds at a node may have several directions.
static bool ports_coincide(const Load *a, const Load *b) {
  if (a->target != b->target || a->id != b->id) return false;
  return a->target == LOAD_NODE ? a->wave > 0 && b->wave > 0 : a->coord == b->coord;
}

static Error AddWave(LimberModel m, const char *name, const LimberWave *p, Load load, int *id) {
  static const char *const direction[] = {"x", "y", "z"};
  ModelPort *port, made = {.mass = p->mass, .impedance = p->impedance, .load = m->loads.count, .wave = model_waves(m)};
  made.count = load.target == LOAD_NODE ? 3 : 1, made.node = load.target == LOAD_NODE ? load.id : LIMBER_NONE;
  for (int i = 0; i < made.count; i++) {
    if (load.target == LOAD_NODE) load.force = vec3(i == 0, i == 1, i == 2);
    load.wave = 1 + made.wave + i;
    TRY(AddPortLoad(m, &load_wave, name, made.count > 1 ? direction[i] : "", load));
  }
  if (load.target == LOAD_JOINT && p->mass > 0)
    TRY(ModelAddInertia(m, load.id, load.coord, p->mass / 2, true, &made.node));
  TRY(ModelCopyString(m, name, &made.name));
  if (id) *id = m->ports.count;
  TRY(ArrayAdd(&m->ports, sizeof *port, &port));
  *port = made;
  return 0;
}

static Error AddBond(LimberModel m, const char *name, const LimberBond *p, Load load, int *id) {
  ModelBond *bond,
      made = {.load = m->loads.count, .tolerance = p->tolerance, .repeats = p->repeats, .substeps = p->substeps};
  made.block = made.flow = made.effort = LIMBER_NONE;
  load.wave = -1 - m->bonds.count;
  TRY(AddPortLoad(m, &load_bond, name, "", load));
  TRY(ModelCopyString(m, name, &made.name));
  if (id) *id = m->bonds.count;
  TRY(ArrayAdd(&m->bonds, sizeof *bond, &bond));
  *bond = made;
  return 0;
}

Error ModelAddPort(LimberModel m, const char *kind, const char *name, const void *params, int *id) {
  const LoadKind *k;
  bool good;
  if (id) *id = LIMBER_NONE;
  FIND_KIND(port_kinds, kind, k);
  if (!k) return ModelReportUnknownKind(m, "port", kind, name);
  TRY(ModelCheckNodes(m, kind, name, &k->fields, params, false, &good));
  if (!good) return 0;
  Load load = {.amplitude = LIMBER_NONE, .wave = k == &load_wave ? 1 : -1};
  Reason wrong = k->prepare(params, &load);
  if (!wrong.text) wrong = place_of_port(m, &load);
  for (int i = 0; i < m->loads.count && !wrong.text; i++)
    if (model_load(m, i)->load.wave && ports_coincide(&model_load(m, i)->load, &load))
      wrong = reason(REASON_CONFLICT, load.target == LOAD_NODE ? "node" : "joint", "another port has the same place");
  if (wrong.text) return ModelReportReason(m, kind, name, wrong);
  return k == &load_wave ? AddWave(m, name, params, load, id) : AddBond(m, name, params, load, id);
}
