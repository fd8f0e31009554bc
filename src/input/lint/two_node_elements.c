// SPDX-License-Identifier: Apache-2.0
// Lines of many elements of order 1 where a third as many of order 3, with the same number of nodes, would do far better. Measured, of a
// pendulum (error of the tip in its first half second) and of a cantilever (of its tip under a load), both 1 m long:
//   nodes            7                 13                25                49
//   order 1          1.9e-2, 1.8e-4    4.6e-3, 4.5e-5    1.2e-3, 1.1e-5    2.9e-4, 2.8e-6 m
//   order 2          4.0e-5, 1.5e-4    2.9e-6, 9.1e-6    1.8e-7, 5.7e-7    1.1e-8, 3.6e-8 m
//   order 3          8.1e-6, 5.7e-6    1.6e-7, 9.1e-8    2.6e-9, 1.4e-9    3.7e-11, 2.2e-11 m
// Not told of few elements, which may be meant, nor where something holds or loads a node inside: elements end there.
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

enum { MANY = 12 };

// How many components, joints and loads each node belongs to.
static void count_uses(Model m, int *uses) {
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    for (int e = c->first; e < c->first + c->count; e++)
      for (int a = 0; a < model_element(m, e)->nnode; a++) {
        int *at = &uses[model_element_nodes(m, model_element(m, e))[a]];
        if (e == c->first || a > 0) ++*at; // the first node of an element is the last of the one before
      }
  }
  for (int j = 0; j < m->joints.count; j++)
    for (int a = 0; a < model_joint(m, j)->nnode; a++) uses[model_joint(m, j)->node[a]]++;
  for (int l = 0; l < m->loads.count; l++)
    if (model_load(m, l)->load.target == LOAD_NODE) uses[model_load(m, l)->load.id]++;
}

static bool is_used_inside(Model m, const ModelComponent *c, const int *uses) {
  for (int e = c->first; e + 1 < c->first + c->count; e++)
    if (uses[model_element_nodes(m, model_element(m, e))[1]] > 1) return true;
  return false;
}

Error WarnAboutTwoNodeElements(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  int *uses;
  TRY(MemoryNew((size_t)m->nodes.count * sizeof *uses, &uses));
  count_uses(m, uses);
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    if (c->nnode != 2 || c->count < MANY || !field_find(&c->kind->fields, "order") || is_used_inside(m, c, uses))
      continue;
    TRY(ReportWarning(
        r, at->component[i],
        "%s '%s' has %d elements of order 1; %d of order 3, the default, have about as many nodes and, where it "
        "bends smoothly, less than a thousandth of their error",
        c->kind->name, c->name, c->count, (c->count + 2) / 3));
  }
  memory_free(&uses);
  return 0;
}
