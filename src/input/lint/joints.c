// SPDX-License-Identifier: Apache-2.0
// Joints that are far from their nodes, start outside of their limits, or wait for a drive that is missing.
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <math.h>
#include <string.h>

// Joints that are far from the nodes that they connect.

static Error WarnAboutJoint(Reader *r, const ModelJoint *j, double size, SourceLocation at) {
  double nearest = INFINITY;
  for (int k = 0; k + 1 < j->nnode; k++)
    for (int i = 0; i < 2 && j->node[k] != GROUND; i++)
      nearest = fmin(nearest, vec3_norm(vec3_sub(model_node(r->model, j->node[k])->x[0], j->joint.geometry.at[i])));
  if (size > 0 && nearest > 3 * size && nearest < INFINITY)
    TRY(ReportWarning(r, at, "the point of '%s' is %g m away from its nodes, in a model of %.3g m", j->name, nearest,
                      size));
  return 0;
}

Error WarnAboutJoints(Reader *r, const ModelLocations *at) {
  double size = nodes_extent(r->model, 1);
  for (int j = 0; j < r->model->joints.count; j++) TRY(WarnAboutJoint(r, model_joint(r->model, j), size, at->joint[j]));
  return 0;
}

// Coordinates that start outside of their limits: a stop throws the joint as the run starts.

Error WarnAboutLimits(Reader *r, const ModelLocations *at) {
  Model m = r->model;
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    for (int c = 0; c < q->joint.ncoord; c++) {
      const Law *l = &q->joint.law[c];
      double start = l->start ? *l->start : 0;
      if (!l->limits || !(l->limit_stiffness > 0) || (l->limits[0] <= start && l->limits[1] >= start)) continue;
      TRY(ReportWarning(r, at->joint[j],
                        "`%s` of '%s' is %g at the start, outside of its limits [%g, %g]: a stop pushes it from there",
                        q->kind->coord_names[c], q->name, start, l->limits[0], l->limits[1]));
    }
  }
  return 0;
}

// Joints that elements make for others to drive, such as winches, and that nothing drives.

// Joints that loads, couplings and events act on.
static void mark_moved(Model m, unsigned char *moved) {
  for (int i = 0; i < m->loads.count; i++)
    if (model_load(m, i)->load.target == LOAD_JOINT) moved[model_load(m, i)->load.id] = 1;
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    JointTie tie[MAX_TIES];
    int ties = q->kind->ties ? q->kind->ties(q->params, tie) : 0;
    for (int i = 0; i < ties; i++) moved[tie[i].joint] = 1;
  }
  for (int e = 0; e < m->events.count; e++)
    for (int i = 0; i < model_event(m, e)->actions; i++) {
      const ModelAction *a = &model_event(m, e)->action[i];
      if (a->kind == ACTION_LOCK || a->kind == ACTION_UNLOCK) moved[a->id] = 1;
    }
}

// The element that made a joint to be driven; -1: it is no such joint.
static int made_to_be_driven(Model m, const ModelJoint *j) {
  int component = -1;
  for (int k = 0; k < j->nnode && j->driven && component < 0; k++) component = model_node(m, j->node[k])->component;
  return component;
}

Error WarnAboutUndriven(Reader *r, const ModelLocations *at) {
  Model m = r->model;
  unsigned char *moved;
  TRY(MemoryNew((size_t)m->joints.count, &moved));
  mark_moved(m, moved);
  Error error = 0;
  for (int j = 0; j < m->joints.count && !error; j++) {
    int component = moved[j] ? -1 : made_to_be_driven(m, model_joint(m, j));
    if (component >= 0)
      error = ReportWarning(r, at->component[component],
                            "nothing moves '%s', whose coordinate has no mass, so it runs freely: give it a `drive`, "
                            "or connect it to the hinge of a drum with a `rack_and_pinion`",
                            model_joint(m, j)->name);
  }
  memory_free(&moved);
  return error;
}
