// SPDX-License-Identifier: Apache-2.0
// Bodies whose inertia no mass can have.
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

// The tensor about the mass centre belongs to some mass if tr(J)/2 I - J, the integral of rho x x^T, is not negative.
static bool is_body(const Inertia *q) {
  Vec3 c = vec3_scale(1 / q->m, q->s);
  Mat3 j = mat3_add(q->j, mat3_scale(q->m, mat3_sub(mat3_outer(c, c), mat3_scale(vec3_dot(c, c), mat3_identity()))));
  double trace = j.m[0][0] + j.m[1][1] + j.m[2][2], small = 1e-6 * trace;
  Mat3 e = mat3_sub(mat3_scale(0.5 * trace + small, mat3_identity()), j);
  double minor = e.m[0][0] * e.m[1][1] - e.m[0][1] * e.m[1][0];
  return !(trace > 0) || (e.m[0][0] >= 0 && e.m[1][1] >= 0 && e.m[2][2] >= 0 && minor >= 0 && mat3_det(e) >= 0);
}

static Error WarnAboutBody(Reader *r, const ModelComponent *component, const ModelElement *e, SourceLocation at) {
  Inertia q;
  e->kind->inertia(e->data, 0, &q);
  if (q.m > 0 && !is_body(&q))
    TRY(ReportWarning(
        r, at, "no body has the inertia of '%s': about each axis it is at most the sum of those about the two others",
        component->name));
  return 0;
}

Error WarnAboutBodies(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *component = model_component(m, i);
    const ModelElement *e = component->count ? model_element(m, component->first) : NULL;
    if (e && e->nnode == 1) TRY(WarnAboutBody(r, component, e, at->component[i]));
  }
  return 0;
}
