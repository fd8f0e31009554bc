// SPDX-License-Identifier: Apache-2.0
#include "model/adding.h"

// Which coordinate of its joint a load acts on: NULL, or what is wrong.
static const char *coord_of_load(Model m, Load *load) {
  const JointKind *kind = model_joint(m, load->id)->kind;
  if (!model_joint(m, load->id)->joint.ncoord) return "its joint has no coordinate that it could act on";
  load->coord = load->coordinate ? joint_coord(kind, load->coordinate) : 0;
  if (load->coord < 0 || load->coord >= model_joint(m, load->id)->joint.ncoord)
    return strcmp(load->coordinate, "angle") ? "its joint has no such `coordinate`" : "its joint has no angle";
  for (int i = 0; i < m->loads.count && load_prescribes(load); i++) {
    const Load *other = &model_load(m, i)->load;
    if (load_prescribes(other) && other->id == load->id && other->coord == load->coord)
      return "another drive prescribes the same coordinate";
  }
  return NULL;
}

// What a load per length acts on has a length, and axes or frames where the load needs them.
static const char *element_of_load(Model m, const Load *l) {
  if (l->id < 0 || l->id >= m->components.count) return "its element is not in the model";
  const ModelComponent *component = model_component(m, l->id);
  if (!component->kind->station || !component->count) return "its `element` has no length";
  bool turns = component->kind->axes;
  if (l->follower && !turns) return "its `element` has no section that turns it: `axes` are those of the ground";
  return turns || vec3_norm(l->moment) == 0 ? NULL : "its `element` takes no moment";
}

Error ModelAddLoad(LimberModel m, const char *kind, const char *name, const void *params, LimberId *id) {
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
  const char *reason = k->prepare(params, &load);
  if (!reason && load.amplitude != LIMBER_NONE && (load.amplitude < 0 || load.amplitude >= m->functions.count))
    reason = "its amplitude is not a function of the model";
  if (!reason && k->target == LOAD_JOINT) {
    if (load.id < 0 || load.id >= m->joints.count) reason = "its joint is not in the model";
    else reason = coord_of_load(m, &load);
  }
  if (!reason && load_prescribes(&load) && load.drive == DRIVE_MOTION && model_amplitude_set(m, load.amplitude))
    reason = "a signal jumps from step to step, which no motion does: let it be the `rate`";
  if (!reason && k->target == LOAD_NODE && model_node(m, load.id)->kind == NODE_FIXED)
    reason = "a fixed node does not move";
  if (!reason && k->target == LOAD_NODE && model_node(m, load.id)->kind == NODE_POINT && vec3_norm(load.moment) > 0)
    reason = "a point takes no moment";
  if (!reason && k->target == LOAD_NODE && model_node(m, load.id)->kind == NODE_POINT && load.follower)
    reason = "its `node` is a point, which does not turn; a `force` in ground axes can act on it";
  if (!reason && k->target == LOAD_ELEMENT) reason = element_of_load(m, &load);
  for (int i = 0; i < load.ncomponents && !reason; i++)
    if (load.components[i] < 0 || load.components[i] >= m->components.count)
      reason = "its elements are not in the model";
  if (reason) {
    TRY(ModelReportError(m, "%s '%s': %s", kind, name ? name : "?", reason));
    return 0;
  }
  if (id) *id = (LimberId)m->loads.count;
  TRY(ArrayAdd(&m->loads, sizeof *l, &l));
  load.coordinate = NULL; // the caller's
  if (k->target == LOAD_JOINT) {
    Joint *j = &((ModelJoint *)m->joints.data)[load.id].joint;
    j->loaded[load.coord] = true;
    if (load_prescribes(&load)) j->prescribed[load.coord] = true;
    joint_complete(j);
  }
  if (load.ncomponents) {
    LimberId *components;
    TRY(ModelAllocate(m, (size_t)load.ncomponents * sizeof *components, &components));
    load.components = memcpy(components, load.components, (size_t)load.ncomponents * sizeof *components);
  }
  l->kind = k, l->load = load;
  TRY(ModelCopyString(m, name, &l->name));
  return 0;
}
