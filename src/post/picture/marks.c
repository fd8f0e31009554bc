// SPDX-License-Identifier: Apache-2.0
// The size of marks. They must not cover what they stand on: where there are many, a quarter of the components is shorter,
// and a quarter of the nodes closer together, than the length that counts.
#include "post/picture/sheet.h"

#include <stdlib.h>

enum { MANY = 12, MOST_NODES = 20000, SAMPLES = 300 };
enum { ROOM = 40, APART = 26 };      // pixels that marks of full size need along a component, and from one to the next
static const double smallest = 0.25; // that can be seen

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double lower_quarter(int n, double *length) {
  if (n <= MANY) return INFINITY;
  qsort(length, (size_t)n, sizeof *length, by_size);
  return length[n / 4];
}

// The distance from the first to the last node of each component.
static Error FindLengths(const Sheet *s, Model m, double *quarter) {
  double *length = NULL;
  int n = 0;
  TRY(MemoryNew(((size_t)m->components.count + 1) * sizeof *length, &length));
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    if (!c->count) continue;
    const ModelElement *first = model_element(m, c->first), *last = model_element(m, c->first + c->count - 1);
    int nodes = element_line_nodes(last->kind, last->data, last->nnode);
    Pixel a = sheet_project(s, model_node(m, model_element_nodes(m, first)[0])->x[0]),
          b = sheet_project(s, model_node(m, model_element_nodes(m, last)[nodes - 1])->x[0]);
    if (pixel_distance(a, b) > 1) length[n++] = pixel_distance(a, b);
  }
  *quarter = lower_quarter(n, length);
  memory_free(&length);
  return 0;
}

// The distance of nodes, of many some, to the next one.
static Error FindDistances(const Sheet *s, Model m, double *quarter) {
  Pixel *at = NULL;
  double near[SAMPLES];
  int nodes = 0, n = 0;
  TRY(MemoryNew(((size_t)m->nodes.count + 1) * sizeof *at, &at));
  for (int i = 1; i < m->nodes.count && nodes < MOST_NODES; i++)
    if (model_node_is_named(model_node(m, i))) at[nodes++] = sheet_project(s, model_node(m, i)->x[0]);
  int samples = nodes < SAMPLES ? nodes : SAMPLES;
  for (int k = 0; k < samples; k++) {
    Pixel p = at[(size_t)k * (size_t)nodes / (size_t)samples];
    double least = INFINITY;
    for (int i = 0; i < nodes; i++) {
      double d = pixel_distance(p, at[i]);
      if (d > 1) least = fmin(least, d);
    }
    if (isfinite(least)) near[n++] = least;
  }
  *quarter = lower_quarter(n, near);
  memory_free(&at);
  return 0;
}

Error SheetFindMarkSize(Sheet *s, Model m) {
  double length, distance;
  TRY(FindLengths(s, m, &length));
  TRY(FindDistances(s, m, &distance));
  s->mark = fmin(1, fmax(smallest, fmin(length / ROOM, distance / APART)));
  return 0;
}
