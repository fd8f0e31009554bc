// SPDX-License-Identifier: Apache-2.0
// The states of the air at the start: those of steady motion.
#include "analyses/stepping/start.h"
#include "assembly/state_values.h"
#include "assembly/step_memory.h"
#include "solvers/solvers.h"

// Velocities of a local element's vectors in the state.
static void take_rates(const Motion *motion, PetscInt e, Vec3 *v) {
  const Layout *layout = &motion->layout;
  int n = 0;
  for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1]; a++) {
    PetscInt i = layout->element_node[a];
    NodeKind kind = model_node(layout->model, layout->node[i])->kind;
    Vec3 own[2] = {vec3_zero(), vec3_zero()};
    if (kind != NODE_FIXED) motion_get_velocity(motion, i, own);
    for (int j = 0; j < node_vectors(kind); j++) v[n++] = j ? vec3_cross(own[1], motion->state.x[4 * i + j]) : own[0];
  }
}

void motion_settle_flow(Motion *motion) {
  const Layout *layout = &motion->layout;
  for (PetscInt e = 0; e < layout->nelement; e++) {
    const ModelElement *el = model_element(layout->model, layout->element[e]);
    PetscInt last = layout->element_node[layout->element_node_start[e + 1] - 1];
    Vec3 x[MAX_LOCAL_VECTORS], v[MAX_LOCAL_VECTORS], y[MAX_Y], rate[MAX_Y];
    ElementStep step = {.t = &layout->rule->tableau, .h = PETSC_INFINITY};
    ElementPoint p;
    if (!model_node(layout->model, layout->node[last])->states) continue;
    state_element_vectors(layout, &motion->state, e, x);
    take_rates(motion, e, v);
    motion_take_flow(motion, e, motion->state.time, &step);
    element_point(el->kind, el->data, 0, &p);
    rows_interpolate(&p.rows, x, y);
    rows_interpolate(&p.rows, v, rate);
    motion->state.x[4 * last] = p.flow->settled(p.of, step.time, step.amplitude, y, rate);
  }
}
