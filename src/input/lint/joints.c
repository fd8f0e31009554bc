// SPDX-License-Identifier: Apache-2.0
// Joints that stand far from the nodes that they tie.
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <math.h>

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
