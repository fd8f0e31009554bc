// SPDX-License-Identifier: Apache-2.0
// Parts of a model that nothing holds, and parts that damping of masses brakes as a whole.
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

// Parts of a model that nothing ties to the ground. One that moves, or that a load drives, is meant to fly. One that
// rests falls, where there is gravity; without, it stays where it is and could as well be left out.

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
          "nothing connects '%s' to the ground, and it has no velocity: it will only fall; is a joint missing?", name));
    else if (parts > 1)
      TRY(ReportWarning(r, at->component[q->component],
                        "nothing connects '%s' to the ground or to other parts, and neither load nor velocity moves it",
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

// Damping of masses is against the ground, so that it brakes the motion of a part as a whole beside its vibrations.
// Reported for parts that rotate at the start, that a drive moves, that nothing holds, or that joints hold in fewer
// than six directions.

typedef struct {
  int *parent;     // of each node, of parts that move as one but for their strains; the ground is node 0
  int *rows;       // held directions of each part, at its root
  int *joint;      // a joint that holds it, -1: none ...
  char *driven;    // ... and is driven, or has a rate at the start
  char *has_frame; // it has nodes that turn
} DampedParts;

static int root_of_damped(DampedParts *p, int i) {
  while (p->parent[i] != i) i = p->parent[i] = p->parent[p->parent[i]];
  return i;
}

static void join_damped_parts(DampedParts *p, int a, int b) {
  int i = root_of_damped(p, a), j = root_of_damped(p, b);
  p->parent[i < j ? j : i] = i < j ? i : j;
}

// The ground stands last among the nodes of a joint, and counts where it holds one node only.
static int joined_nodes(const ModelJoint *j) { return j->nnode > 2 ? j->nnode - 1 : j->nnode; }

static bool holds_all(const ModelJoint *j) { return j->joint.ncoord == 0 && j->joint.rows.nrow >= 6; }

static void find_parts(DampedParts *p, Model m) {
  for (int i = 0; i < m->nodes.count; i++) p->parent[i] = i, p->joint[i] = -1;
  for (int e = 0; e < m->elements.count; e++) {
    const int *node = model_element_nodes(m, model_element(m, e));
    int first = -1;
    for (int k = 0; k < model_element(m, e)->nnode; k++) {
      if (model_node(m, node[k])->kind == NODE_FIXED) continue;
      if (first >= 0) join_damped_parts(p, first, node[k]);
      first = node[k];
    }
  }
  for (int j = 0; j < m->joints.count; j++)
    for (int k = 1; k < joined_nodes(model_joint(m, j)) && holds_all(model_joint(m, j)); k++)
      join_damped_parts(p, model_joint(m, j)->node[0], model_joint(m, j)->node[k]);
  for (int i = 1; i < m->nodes.count; i++)
    if (model_node(m, i)->kind == NODE_FRAME) p->has_frame[root_of_damped(p, i)] = 1;
}

// A fixed node of an element holds a part of points at a point, one of frames altogether.
static void count_fixed_nodes(DampedParts *p, Model m) {
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *q = model_element(m, e);
    const int *node = model_element_nodes(m, q);
    for (int a = 0; a < q->nnode; a++)
      for (int b = 0; b < q->nnode; b++) {
        if (model_node(m, node[a])->kind != NODE_FIXED || model_node(m, node[b])->kind == NODE_FIXED) continue;
        p->rows[root_of_damped(p, node[b])] += p->has_frame[root_of_damped(p, node[b])] ? 6 : 3;
        break;
      }
  }
}

static void count_joints(DampedParts *p, Model m) {
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    bool driven = false;
    if (model_joint_is_abstract(q)) continue;
    for (int c = 0; c < q->joint.ncoord; c++) driven = driven || q->joint.prescribed[c] || q->joint.law[c].initial_rate;
    for (int k = 0; k < joined_nodes(q); k++) {
      int root = root_of_damped(p, q->node[k]);
      bool seen = false, inside = true;
      for (int i = 0; i < joined_nodes(q); i++) {
        seen = seen || (i < k && root_of_damped(p, q->node[i]) == root);
        inside = inside && root_of_damped(p, q->node[i]) == root;
      }
      if (seen || inside) continue;
      p->rows[root] += q->joint.rows.nrow - q->joint.ncoord;
      if (driven || p->joint[root] < 0) p->joint[root] = j;
      p->driven[root] = p->driven[root] || driven;
    }
  }
}

// Of the part of a component, why it moves as a whole; NULL: nothing is known of it.
static const char *find_motion(DampedParts *p, Model m, const ModelComponent *component, char *text, size_t size) {
  const int *node = model_element_nodes(m, model_element(m, component->first));
  int n = model_element(m, component->first)->nnode, root = 0;
  for (int a = 0; a < n; a++)
    if (model_node(m, node[a])->kind != NODE_FIXED) root = root_of_damped(p, node[a]);
  if (root == 0) return NULL;
  const char *joint = p->joint[root] < 0 ? NULL : model_joint(m, p->joint[root])->name;
  if (vec3_norm(m->rigid[0]) + vec3_norm(m->rigid[1]) > 0) return "`motion` sets it moving as a whole";
  if (p->driven[root]) snprintf(text, size, "joint '%s' moves it", shown_name(joint));
  else if (p->rows[root] == 0) return "it is unconstrained";
  else if (p->rows[root] < 6 && joint) snprintf(text, size, "it can move as a whole at joint '%s'", joint);
  else if (p->rows[root] < 6) return "it can turn as a whole";
  else return NULL;
  return text;
}

Error WarnAboutMassDamping(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  size_t n = (size_t)m->nodes.count;
  DampedParts p = {0};
  bool any = false;
  for (int i = 0; i < m->components.count; i++) any = any || model_component(m, i)->mass_damping > 0;
  if (!any) return 0;
  TRY(MemoryNew(n * sizeof *p.parent, &p.parent));
  TRY(MemoryNew(n * sizeof *p.rows, &p.rows));
  TRY(MemoryNew(n * sizeof *p.joint, &p.joint));
  TRY(MemoryNew(n, &p.driven));
  TRY(MemoryNew(n, &p.has_frame));
  find_parts(&p, m);
  count_fixed_nodes(&p, m);
  count_joints(&p, m);
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *component = model_component(m, i);
    char text[300];
    const char *why =
        component->mass_damping > 0 && component->count ? find_motion(&p, m, component, text, sizeof text) : NULL;
    if (why)
      TRY(ReportWarning(r, at->component[i],
                        "%s '%s' has mass-proportional damping, which acts relative to the ground, and %s: its motion "
                        "as a whole is damped too, to 1/e in %.3g s. Stiffness-proportional damping, such as a ratio "
                        "at one frequency, does not do so",
                        component->kind->name, component->name, why, 1 / component->mass_damping));
  }
  memory_free(&p.parent);
  memory_free(&p.rows);
  memory_free(&p.joint);
  memory_free(&p.driven);
  memory_free(&p.has_frame);
  return 0;
}
