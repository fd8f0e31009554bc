// SPDX-License-Identifier: Apache-2.0
#include "assembly/create.h"

#include "assembly/ranks.h"
#include "assembly/state_arrays.h"
#include "assembly/state_values.h"
#include "assembly/workspace.h"
#include "base/rotation.h"
#include "mechanics/node.h"
#include "model/start_pose.h"

#include <string.h>

PetscErrorCode TangentCreate(const Layout *layout, MatrixSlots *matrix, const Pattern *p) {
  PetscInt n = layout->nblock_own * layout->bs;
  PetscFunctionBegin;
  PetscCall(MatCreate(layout->comm, &matrix->tangent));
  PetscCall(MatSetSizes(matrix->tangent, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCall(MatSetType(matrix->tangent, MATBAIJ));
  PetscCall(MatSetBlockSize(matrix->tangent, layout->bs));
  PetscCall(MatSeqBAIJSetPreallocationCSR(matrix->tangent, layout->bs, p->start, p->column, NULL));
  PetscCall(MatMPIBAIJSetPreallocationCSR(matrix->tangent, layout->bs, p->start, p->column, NULL));
  PetscCall(MatSetOption(matrix->tangent, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  PetscCall(MatSetOption(matrix->tangent, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE));
  PetscFunctionReturn(0);
}

// ---- damping of masses (mechanics/node.h): its matrix on each local node, and its forces in a step ----

static double rate_of(Model m, const ModelElement *e) { return model_component(m, e->component)->mass_damping; }

// Elements give to their nodes in the order and share in which they give masses.
static PetscErrorCode LayoutCreateMassDamping(Layout *l) {
  Inertia *sum;
  bool any = false;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < l->model->components.count; i++) any = any || model_component(l->model, i)->mass_damping > 0;
  if (!any) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(l->nnode, &l->damped_mass));
  PetscCall(PetscCalloc1(l->nnode, &sum));
  for (PetscInt e = 0; e < l->nelement; e++) {
    const ModelElement *el = model_element(l->model, l->element[e]);
    double rate = rate_of(l->model, el);
    for (int a = 0; a < el->nnode && rate > 0; a++) {
      Inertia q;
      el->kind->inertia(el->data, a, &q);
      q = (Inertia){rate * q.m, vec3_scale(rate, q.s), mat3_scale(rate, q.j)};
      inertia_add(&sum[l->element_node[l->element_node_start[e] + a]], &q);
    }
  }
  for (PetscInt i = 0; i < l->nnode; i++) inertia_ambient(&sum[i], l->damped_mass[i]);
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

// Steps without inertia have no velocities; matrices.c has the damping of masses apart.
void equations_add_mass_damping(const Motion *moving, Equations *equations, PetscInt node, NodeKind kind,
                                const NodeMotion *motion) {
  VectorVelocity v = {.slope = 1 / moving->step.h};
  if (!moving->layout.damped_mass) return;
  const double(*d)[4] = (const double(*)[4])moving->layout.damped_mass[node];
  if (moving->layout.rule->end_velocity)
    moving->layout.rule->end_velocity(moving->layout.rule, moving->step.h, node_vectors(kind),
                                      step_node_state(&moving->state, &moving->step, node), &v);
  if (!moving->layout.rule->without_inertia)
    mass_damping_add(kind, moving->layout.rule->tableau.s, d, &v, motion, equations->scratch);
  if (layout_turns(&moving->layout, &moving->step.spin, node))
    mass_damping_add_rotation(kind, d, vec3_scale(moving->step.spin.rate, moving->step.spin.axis),
                              moving->step.spin.centre, motion, equations->scratch);
}

double step_mass_damping_work(const Layout *layout, const StepContext *step, PetscInt node) {
  const Tableau *t = &layout->rule->tableau;
  if (!layout->damped_mass) return 0;
  int nvec = node_vectors(model_node(layout->model, layout->node[node])->kind);
  return mass_damping_work(t, step->h, nvec, (const double(*)[4])layout->damped_mass[node], step->motion + node * t->s);
}

// ---- inertia and state ----

// Inertia of local nodes: an element gives to all its nodes here, also to the ghosts, whose own rank has the rest.
PetscErrorCode LayoutCreateInertia(Layout *layout) {
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(layout->nnode, &layout->inertia, layout->nnode, &layout->mass));
  for (PetscInt e = 0; e < layout->nelement; e++) {
    const ModelElement *el = model_element(layout->model, layout->element[e]);
    for (int a = 0; a < el->nnode; a++) {
      Inertia q;
      el->kind->inertia(el->data, a, &q);
      inertia_add(&layout->inertia[layout->element_node[layout->element_node_start[e] + a]], &q);
    }
  }
  for (PetscInt i = 0; i < layout->nnode; i++)
    if (layout_is_abstract(layout, i) && !model_node(layout->model, layout->node[i])->states)
      layout->inertia[i].m = model_node(layout->model, layout->node[i])->lent ? -1 : 1;
  for (int i = 0; i < layout->model->ports.count; i++) { // a node lends its mass itself
    const ModelPort *q = model_port(layout->model, i);
    PetscInt node = q->count == 3 ? layout->local_node[q->node] : -1;
    if (node >= 0) layout->inertia[node].m -= q->mass / 2;
  }
  for (PetscInt i = 0; i < layout->nnode; i++) inertia_ambient(&layout->inertia[i], layout->mass[i]);
  PetscCall(LayoutCreateMassDamping(layout));
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    if (!layout_is_abstract(layout, i)) layout->total_mass += layout->inertia[i].m;
  PetscCall(CheckOtherRanks(layout->comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &layout->total_mass, 1, MPI_DOUBLE, MPI_SUM, layout->comm));
  PetscFunctionReturn(0);
}

// Free components whose nodes are points without projection that nothing brakes, and of which an element is elastic.
static PetscErrorCode FindCorotating(Layout *layout) {
  PetscMPIInt *found; // 1: elastic, 2: not of free points
  PetscFunctionBegin;
  if (!layout->rule->projects_velocities || layout->nfree_body == 0) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(layout->nfree_body, &found));
  for (PetscInt e = 0; e < layout->nelement; e++) {
    const ModelElement *el = model_element(layout->model, layout->element[e]);
    PetscInt c = layout->free_body[layout->element_node[layout->element_node_start[e]]];
    if (c >= 0 && el->kind->points(el->data) > 0) found[c] |= 1;
  }
  for (PetscInt i = 1; i < layout->nnode; i++) {
    PetscInt c = layout->free_body[i];
    if (c >= 0 && (model_node(layout->model, layout->node[i])->kind != NODE_POINT ||
                   layout->has_projection[layout->node[i]] || layout_is_mass_damped(layout, i)))
      found[c] |= 2;
  }
  PetscCall(CheckOtherRanks(layout->comm));
  PetscCall(ReduceArray(layout->comm, found, layout->nfree_body, MPI_INT, MPI_BOR));
  for (PetscInt c = 0; c < layout->nfree_body; c++) layout->may_corotate[c] = found[c] == 1;
  PetscCall(PetscFree(found));
  PetscFunctionReturn(0);
}

void state_start_coordinates(const Layout *layout, State *state) {
  for (PetscInt j = 0; j < layout->njoint; j++) {
    const ModelJoint *m = model_joint(layout->model, layout->joint[j]);
    Vec3 g[MAX_ROWS][MAX_LOCAL_VECTORS], v[MAX_LOCAL_VECTORS];
    double gz[1][MAX_ROWS], moves[MAX_ROWS] = {0};
    JointState q;
    int n = 0;
    if (!model_joint_is_abstract(m)) continue;
    state_get_joint(layout, state, j, &q);
    for (int a = 0; a < m->nnode; a++)
      for (int k = 0; k < node_vectors(q.kind[a]); k++, n++) {
        PetscInt i = layout->joint_node[j][a];
        Mat3 axes = q.kind[a] == NODE_FRAME ? node_axes(state->x + 4 * i) : mat3_identity();
        const Vec3 *rate = state->v + 4 * i;
        if (layout_is_material(layout, i))
          v[n] = mat3_apply(axes, k == 0 ? rate[0] : vec3_cross(rate[1], mat3_apply_transpose(axes, q.x[n])));
        else v[n] = q.kind[a] == NODE_FIXED ? vec3_zero() : rate[k];
      }
    rows_gradient(&m->joint.rows, q.x, &state->coord[j], g, n);
    rows_rate(&m->joint.rows, q.x, &state->coord[j], 0, gz[0]);
    int row = m->joint.rows.nrow - 1; // that gives the coordinate its value
    for (int k = 0; k < n; k++) moves[row] += vec3_dot(g[row][k], v[k]);
    PetscInt point = layout->joint_node[j][m->nnode - 2];
    state->v[4 * point] = vec3(-gz[0][0] * moves[row] / gz[0][row], 0, 0);
  }
}

PetscErrorCode SystemCreateState(System *s) {
  double low[3] = {0}, high[3] = {0};
  PetscFunctionBegin;
  PetscCall(SystemCreateArrays(s));
  PetscCall(PetscCalloc3(s->motion.layout.nfree_body, &s->motion.step.centre_velocity,
                         s->motion.layout.model->loads.count, &s->motion.step.amplitude,
                         s->motion.layout.model->loads.count, &s->motion.step.end_amplitude));
  PetscCall(PetscCalloc2(s->motion.layout.nfree_body, &s->motion.layout.may_corotate, s->motion.layout.nfree_body,
                         &s->motion.step.corotation));
  if (s->motion.layout.rule->exact_momentum)
    PetscCall(PetscCalloc5(s->motion.layout.ncomponent + s->motion.layout.nsingle, &s->motion.step.component,
                           4 * s->motion.layout.nnode, &s->motion.step.beyond, 4 * s->motion.layout.nnode,
                           &s->motion.step.kept, 4 * s->motion.layout.nnode, &s->motion.step.known,
                           4 * s->motion.layout.nnode, &s->motion.step.moved));
  PetscCall(FindCorotating(&s->motion.layout));
  Store store = {0};
  StartPose pose;
  PetscCall(ModelStartPose(s->motion.layout.model, &store, &pose));
  for (PetscInt j = 0; j < s->motion.layout.njoint && pose.x; j++)
    s->motion.state.coord[j] = pose.coord[s->motion.layout.joint[j]];
  for (PetscInt i = 0; i < s->motion.layout.nnode; i++) {
    const ModelNode *n = model_node(s->motion.layout.model, s->motion.layout.node[i]);
    Vec3 v, w, *x = s->motion.state.x + 4 * i, *rate = s->motion.state.v + 4 * i;
    model_velocity(s->motion.layout.model, s->motion.layout.node[i], &v, &w);
    for (int j = 0; j < node_vectors(n->kind); j++) x[j] = pose.x ? pose.x[s->motion.layout.node[i]][j] : n->x[j];
    if (n->kind != NODE_POINT) {
      Mat3 r = rotation_orthonormalised(node_axes(x));
      for (int j = 0; j < 3; j++) x[j + 1] = mat3_column(r, j);
    }
    if (layout_is_material(&s->motion.layout, i)) {
      Mat3 r = node_axes(x);
      rate[0] = mat3_apply_transpose(r, v), rate[1] = mat3_apply_transpose(r, w);
    } else {
      rate[0] = v;
      for (int j = 1; j < node_vectors(n->kind); j++) rate[j] = vec3_cross(w, x[j]);
    }
  }
  PetscCall(StoreDestroy(&store));
  state_start_coordinates(&s->motion.layout, &s->motion.state);
  // size: the diagonal of the box around all nodes
  for (PetscInt i = 0; i < s->motion.layout.model->nodes.count; i++) {
    double at[3];
    vec3_to(model_node(s->motion.layout.model, i)->x[0], at);
    for (int k = 0; k < 3; k++) low[k] = PetscMin(low[k], at[k]), high[k] = PetscMax(high[k], at[k]);
  }
  s->motion.layout.length = vec3_norm(vec3_sub(vec3_of(high), vec3_of(low)));
  if (!(s->motion.layout.length > 0)) s->motion.layout.length = 1;
  PetscFunctionReturn(0);
}
