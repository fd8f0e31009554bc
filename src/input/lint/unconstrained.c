// SPDX-License-Identifier: Apache-2.0
// Parts of a model that nothing ties to the ground. One that moves, or that a load drives, is meant to fly. One that
// rests falls, where there is gravity; without, it stays where it is and could as well be left out.
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

typedef struct {
  int *parent;          // of each node; the ground is node 0
  unsigned char *moves; // of each part, at its root
  unsigned char *heavy;
} NodeParts;

static int root_of(NodeParts *p, int i) {
  while (p->parent[i] != i) i = p->parent[i] = p->parent[p->parent[i]];
  return i;
}

static void join_parts(NodeParts *p, int a, int b) {
  int i = root_of(p, a), j = root_of(p, b);
  p->parent[i < j ? j : i] = i < j ? i : j; // the ground stays a root
}

static void join_all_parts(NodeParts *p, Model m) {
  for (int i = 0; i < m->nodes.count; i++) p->parent[i] = model_node(m, i)->kind == NODE_FIXED ? 0 : i;
  for (int e = 0; e < m->elements.count; e++)
    for (int k = 1; k < model_element(m, e)->nnode; k++)
      join_parts(p, model_element_nodes(m, model_element(m, e))[0], model_element_nodes(m, model_element(m, e))[k]);
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    for (int k = 1; k + 1 < q->nnode; k++) join_parts(p, q->node[0], q->node[k]);
    if (q->nnode == 2) join_parts(p, q->node[0], GROUND); // a clamp, a guide
  }
}

static void mark_motion(NodeParts *p, Model m) {
  for (int i = 1; i < m->nodes.count; i++) {
    Vec3 v, w;
    model_velocity(m, i, &v, &w);
    if (vec3_norm(v) + vec3_norm(w) > 0) p->moves[root_of(p, i)] = 1;
  }
  for (int i = 0; i < m->points.count && m->contacts.count; i++) // it falls on something
    p->moves[root_of(p, model_point(m, i)->node[0])] = 1;
  for (int j = 0; j < m->joints.count; j++)
    for (int c = 0; c < model_joint(m, j)->joint.ncoord; c++)
      if (model_joint(m, j)->joint.law[c].initial_rate) p->moves[root_of(p, model_joint(m, j)->node[0])] = 1;
}

static int root_of_component(NodeParts *p, Model m, int component) {
  if (!model_component(m, component)->count) return 0;
  return root_of(p, model_element_nodes(m, model_element(m, model_component(m, component)->first))[0]);
}

static void mark_loads(NodeParts *p, Model m) {
  bool everything = false; // a field acts on all, which is marked
  for (int i = 0; i < m->loads.count; i++) {
    const Load *l = &model_load(m, i)->load;
    switch (l->target) {
    case LOAD_NODE: p->moves[root_of(p, l->id)] = 1; break;
    case LOAD_JOINT: p->moves[root_of(p, model_joint(m, l->id)->node[0])] = 1; break;
    case LOAD_ELEMENT: p->moves[root_of_component(p, m, l->id)] = 1; break;
    case LOAD_WHEEL: p->moves[root_of(p, model_wheel(m, l->id)->node)] = 1; break;
    case LOAD_FIELD:
      for (int k = 0; k < l->ncomponents; k++) p->heavy[root_of_component(p, m, l->components[k].index)] = 1;
      for (int k = 0; k < m->components.count && !l->ncomponents && !everything; k++)
        p->heavy[root_of_component(p, m, k)] = 1;
      everything = everything || !l->ncomponents;
      break;
    }
  }
}

// Each part is named by its first element.
static Error WarnAboutParts(Reader *r, NodeParts *p, const ModelLocations *at) {
  const LimberModel m = r->model;
  int parts = 0;
  bool tied = false; // something to the ground
  for (int i = 1; i < m->nodes.count; i++) parts += p->parent[i] == i, tied = tied || root_of(p, i) == 0;
  parts += tied;
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *q = model_element(m, e);
    const char *name = model_component(m, q->component)->name;
    int root = root_of(p, model_element_nodes(m, q)[0]);
    if (root == 0 || p->moves[root]) continue;
    p->moves[root] = 1; // once
    if (p->heavy[root])
      TRY(ReportWarning(
          r, at->component[q->component],
          "nothing ties '%s' to the ground, and it has no velocity: it will only fall; is a joint missing?", name));
    else if (parts > 1)
      TRY(ReportWarning(r, at->component[q->component],
                        "nothing ties '%s' to the ground or to other parts, and neither load nor velocity moves it",
                        name));
  }
  return 0;
}

Error WarnAboutUnconstrainedParts(Reader *r, const ModelLocations *at) {
  NodeParts p = {0};
  size_t n = (size_t)r->model->nodes.count;
  TRY(MemoryNew(n * sizeof *p.parent, &p.parent));
  TRY(MemoryNew(n, &p.moves));
  TRY(MemoryNew(n, &p.heavy));
  join_all_parts(&p, r->model);
  mark_motion(&p, r->model);
  mark_loads(&p, r->model);
  TRY(WarnAboutParts(r, &p, at));
  memory_free(&p.parent);
  memory_free(&p.moves);
  memory_free(&p.heavy);
  return 0;
}
