// SPDX-License-Identifier: Apache-2.0
#include "model/visuals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Vec3 visual_position(Model m, const ModelVisual *l, const float x[3]) {
  const ModelNode *n = model_node(m, l->node);
  Vec3 own = vec3_add(l->at, mat3_apply(l->turn, vec3(x[0], x[1], x[2])));
  if (n->kind == NODE_POINT) return vec3_add(n->x[0], own);
  return vec3_axpy(vec3_axpy(vec3_axpy(n->x[0], own.x, n->x[1]), own.y, n->x[2]), own.z, n->x[3]);
}

Vec3 visual_corner(Model m, const ModelVisual *l, int corner) {
  float x[3];
  for (int k = 0; k < 3; k++) x[k] = corner >> k & 1 ? l->shape->high[k] : l->shape->low[k];
  return visual_position(m, l, x);
}

int component_colour(Model m, int component) {
  for (int i = m->visuals.count - 1; i >= 0; i--)
    if (model_visual(m, i)->node == LIMBER_NONE && model_visual(m, i)->component == component)
      return model_visual(m, i)->colour;
  return -1;
}

bool node_has_visual(Model m, int node) {
  for (int i = 0; i < m->visuals.count; i++)
    if (model_visual(m, i)->node == node && model_visual(m, i)->shape && !model_visual(m, i)->beside) return true;
  return false;
}

typedef struct {
  int from, middle, to; // anticlockwise around a cell; middle < 0: none
} Edge;

static int lower_node(const Edge *e) { return e->from < e->to ? e->from : e->to; }
static int higher_node(const Edge *e) { return e->from < e->to ? e->to : e->from; }

static int by_nodes(const void *a, const void *b) {
  const Edge *x = a, *y = b;
  if (lower_node(x) != lower_node(y)) return lower_node(x) < lower_node(y) ? -1 : 1;
  return higher_node(x) < higher_node(y) ? -1 : higher_node(x) > higher_node(y);
}

static int by_start(const void *a, const void *b) {
  const Edge *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

// Finds the edges that belong to one cell only, sorted by first node; returns their number.
static int find_edges(const PlaneMesh *m, Edge *e) {
  int all = 0, count = 0;
  for (int c = 0; c < m->cells; c++) {
    int nodes = m->cell[c].nodes, corners = nodes == 3 || nodes == 6 ? 3 : 4;
    for (int i = 0; i < corners; i++)
      e[all++] =
          (Edge){m->cell[c].node[i], nodes > 4 ? m->cell[c].node[corners + i] : -1, m->cell[c].node[(i + 1) % corners]};
  }
  qsort(e, (size_t)all, sizeof *e, by_nodes);
  for (int i = 0, j; i < all; i = j) {
    for (j = i + 1; j < all && !by_nodes(&e[i], &e[j]);) j++;
    if (j == i + 1) e[count++] = e[i];
  }
  qsort(e, (size_t)count, sizeof *e, by_start);
  return count;
}

// An unused edge that begins at a node, or -1.
static int next_edge(const Edge *e, int count, int node, const bool *used) {
  int low = 0, high = count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (e[middle].from < node) low = middle + 1;
    else high = middle;
  }
  for (; low < count && e[low].from == node; low++)
    if (!used[low]) return low;
  return -1;
}

// Drops corners on the line between their neighbours; returns how many are left.
static int drop_straight(const PlaneMesh *m, int count, int *node) {
  int kept = 0;
  for (int i = 0; i < count && count > 3; i++) {
    const double *a = m->at[kept ? node[kept - 1] : node[count - 1]], *b = m->at[node[i]],
                 *c = m->at[node[(i + 1) % count]];
    double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {c[0] - b[0], c[1] - b[1]};
    if (fabs(u[0] * v[1] - u[1] * v[0]) > 1e-6 * (hypot(u[0], u[1]) * hypot(v[0], v[1]))) node[kept++] = node[i];
  }
  return kept > 2 ? kept : count;
}

static void add_line(const PlaneMesh *m, int count, const int *node, int every, Outline *out) {
  double corner[OUTLINE_CORNERS][2];
  int n = 0;
  for (int i = 0; i < count && n < OUTLINE_CORNERS; i += every) memcpy(corner[n++], m->at[node[i]], sizeof corner[0]);
  if (n > 2) outline_add(out, n, (const double(*)[2])corner);
}

void plane_outline(const PlaneMesh *m, Allocator memory, Outline *out) {
  Edge *e = memory.allocate(memory.self, 4 * (size_t)m->cells * sizeof *e);
  if (!e) return;
  int count = find_edges(m, e), all = 0, lines = 0;
  bool *used = memory.allocate(memory.self, (size_t)count + 1);
  int *node = memory.allocate(memory.self, 2 * (size_t)(count + 1) * sizeof *node);
  int *end = memory.allocate(memory.self, (size_t)(count + 1) * sizeof *end);
  if (!used || !node || !end) return;
  memset(used, 0, (size_t)count + 1);
  for (int i = 0; i < count; i++) {
    if (used[i]) continue;
    int first = all;
    for (int k = i; k >= 0; k = next_edge(e, count, e[k].to, used)) {
      used[k] = true;
      node[all++] = e[k].from;
      if (e[k].middle >= 0) node[all++] = e[k].middle;
    }
    all = first + drop_straight(m, all - first, node + first);
    end[lines++] = all;
  }
  int every = all <= OUTLINE_CORNERS ? 1 : 1 + all / (OUTLINE_CORNERS - 2 * OUTLINE_LINES);
  for (int l = 0, from = 0; l < lines && l < OUTLINE_LINES; from = end[l++])
    add_line(m, end[l] - from, node + from, every, out);
}
