// SPDX-License-Identifier: Apache-2.0
// Equations: eq-water-depth (19.1).
#include "elements/around.h"

Reason around_up(const double up[3], Vec3 *out) {
  Vec3 v = vec3_of(up);
  double size = vec3_norm(v);
  *out = size > 0 ? vec3_scale(1 / size, v) : vec3(0, 0, 1);
  return size < HUGE_VAL ? no_reason() : reason(REASON_VALUE, "up", "`up` is not a direction");
}

// Fills the element around `n` nodes of a line, of which the one in place `ground`, or behind them all, is the ground.
static void fill_element(ElementBuilder *b, const Around *of, int n, const LimberNodeId *nodes, const double *length,
                         AroundElement *e) {
  int first[MAX_LOCAL_NODES + 1] = {0};
  Vec3 x[4];
  e->of = of;
  for (int a = 0; a < n; a++) first[a + 1] = first[a] + node_vectors(b->node(b, nodes[a], x));
  e->ground = first[n];
  for (int a = 0; a < n; a++) {
    if (nodes[a].index == GROUND) e->ground = first[a];
    if (nodes[a].index == GROUND || !(length[a] > 0)) continue;
    int g = e->count++;
    e->place[g] = first[a], e->weight[g] = e->length[a] = length[a];
    e->before[g] = first[a > 0 ? a - 1 : 0], e->behind[g] = first[a < n - 1 ? a + 1 : n - 1];
  }
}

Reason around_build(ElementBuilder *b, const LimberElementId *lines, int count, const Around *of) {
  if (count < 1) return reason(REASON_VALUE, "lines", "`lines` is empty");
  Around *own = b->keep(b, sizeof *own);
  if (!own) return no_reason();
  *own = *of;
  for (int l = 0; l < count; l++) {
    LimberNodeId nodes[MAX_LOCAL_NODES];
    double length[MAX_LOCAL_NODES];
    int n;
    for (int i = 0; (n = b->line(b, lines[l], i, nodes, length)) > 0; i++) {
      bool grounded = false;
      for (int a = 0; a < n; a++) grounded = grounded || nodes[a].index == GROUND;
      if (n >= MAX_LOCAL_NODES) return reason(REASON_LIMIT, "lines", "the elements of its line have too many nodes");
      if (!grounded) nodes[n] = LIMBER_GROUND;
      AroundElement *data = b->add_element(b, n + !grounded, nodes);
      if (!data) return no_reason();
      fill_element(b, own, n, nodes, length, data);
    }
    if (n < 0) return reason(REASON_VALUE, "lines", "each of its `lines` must be a cable, bar or beam");
  }
  return no_reason();
}

int around_points(const void *data) { return ((const AroundElement *)data)->count; }

void around_point(const void *data, int g, ElementPoint *p) {
  static const RowTerm term[] = {{0, DRAG_PLACE, DRAG_UP, -1, FACTOR_ONE, 0}};
  const AroundElement *e = data;
  const Around *q = e->of;
  rows_y(&p->rows);
  rows_y_add(&p->rows, e->place[g], 1);
  rows_y(&p->rows);
  rows_y_add(&p->rows, e->ground + 1, q->up.x);
  rows_y_add(&p->rows, e->ground + 2, q->up.y);
  rows_y_add(&p->rows, e->ground + 3, q->up.z);
  rows_y(&p->rows);
  rows_y_add(&p->rows, e->behind[g], 1);
  rows_y_add(&p->rows, e->before[g], -1);
  p->rows.nrow = 1, p->rows.nterm = 1, p->rows.term = term, p->rows.ref[0] = -q->level;
  p->weight = e->weight[g];
  element_point_law(p, &law_table, &q->law);
  p->at = e->count > 1 ? (double)g / (e->count - 1) : 0.5;
  if (q->drag.across > 0 || q->drag.along > 0 || q->drag.friction > 0) p->drag = drag_evaluate, p->drag_of = &q->drag;
}

void around_inertia(const void *data, int node, Inertia *out) {
  const AroundElement *e = data;
  *out = (Inertia){e->of->mass * e->length[node], {0, 0, 0}, {{{0}}}};
}

void around_visual(const void *data, double at, ElementVisual *out) {
  (void)data, (void)at;
  out->shape = VISUAL_AROUND;
}
