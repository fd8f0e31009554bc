// SPDX-License-Identifier: Apache-2.0
// Coordinates that start outside of their limits: a stop throws the joint as the run starts.
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

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
