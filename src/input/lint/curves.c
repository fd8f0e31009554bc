// SPDX-License-Identifier: Apache-2.0
// Curved lines of beams that too few elements follow.
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <math.h>

static double angle_between(Vec3 a, Vec3 b) { return atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)); }

// How far the line of an element turns: between the section's first axis at its start, middle and end.
static double turned_angle(Model m, const ModelElement *e) {
  Vec3 x[MAX_LOCAL_VECTORS], y[MAX_Y], axis[3];
  int n = 0;
  for (int i = 0; i < e->nnode; i++) {
    const ModelNode *node = model_node(m, model_element_nodes(m, e)[i]);
    for (int k = 0; k < node_vectors(node->kind); k++) x[n++] = node->x[k];
  }
  for (int i = 0; i < 3; i++) {
    Rows rows;
    rows_begin(&rows);
    e->kind->line.station(e->data, 0.5 * i, &rows);
    if (rows.ny < 2) return 0;
    rows_interpolate(&rows, x, y);
    axis[i] = y[1];
  }
  return angle_between(axis[0], axis[1]) + angle_between(axis[1], axis[2]);
}

static Error WarnAboutCurve(Reader *r, const ModelComponent *component, SourceLocation at) {
  const double degree = 3.141592653589793 / 180;
  double most = 0, all = 0;
  int order = model_element(r->model, component->first)->nnode - 1;
  for (int e = component->first; e < component->first + component->count; e++) {
    double t = turned_angle(r->model, model_element(r->model, e));
    most = fmax(most, t), all += t;
  }
  if (most > 30.1 * degree * order)
    TRY(ReportWarning(
        r, at,
        "the line of '%s' turns by %.0f degrees from node to node, too far for its %d element%s of order %d; take "
        "at least %.0f",
        component->name, most / order / degree, component->count, component->count == 1 ? "" : "s", order,
        ceil(all / (30 * degree * order))));
  return 0;
}

Error WarnAboutCurves(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *component = model_component(m, i);
    if (component->count && component->kind->line.station && component->kind->line.axes)
      TRY(WarnAboutCurve(r, component, at->component[i]));
  }
  return 0;
}
