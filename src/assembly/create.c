// SPDX-License-Identifier: Apache-2.0
#include "assembly/state_arrays.h"
#include "assembly/workspace.h"

#include "base/rotation.h"
#include "model/start_pose.h"

#include <string.h>

PetscErrorCode SystemCreateMatrix(System *s, const Pattern *p) {
  PetscInt n = s->layout.nblock_own * s->layout.bs;
  PetscFunctionBegin;
  PetscCall(MatCreate(s->layout.comm, &s->matrix.tangent));
  PetscCall(MatSetSizes(s->matrix.tangent, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCall(MatSetType(s->matrix.tangent, MATBAIJ));
  PetscCall(MatSetBlockSize(s->matrix.tangent, s->layout.bs));
  PetscCall(MatSeqBAIJSetPreallocationCSR(s->matrix.tangent, s->layout.bs, p->start, p->column, NULL));
  PetscCall(MatMPIBAIJSetPreallocationCSR(s->matrix.tangent, s->layout.bs, p->start, p->column, NULL));
  PetscCall(MatSetOption(s->matrix.tangent, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  PetscCall(MatSetOption(s->matrix.tangent, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE));
  PetscFunctionReturn(0);
}

// Inertia of local nodes: an element gives to all its nodes here, also to the ghosts, whose own rank has the rest.
PetscErrorCode SystemCreateInertia(System *s) {
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(s->layout.nnode, &s->layout.inertia, s->layout.nnode, &s->layout.mass));
  for (PetscInt e = 0; e < s->layout.nelement; e++) {
    const ModelElement *el = model_element(s->layout.model, s->layout.element[e]);
    for (int a = 0; a < el->nnode; a++) {
      Inertia q;
      el->kind->inertia(el->data, a, &q);
      inertia_add(&s->layout.inertia[s->layout.element_node[s->layout.element_node_start[e] + a]], &q);
    }
  }
  for (PetscInt i = 0; i < s->layout.nnode; i++)
    if (system_is_abstract(s, i)) s->layout.inertia[i].m = 1;
  for (PetscInt i = 0; i < s->layout.nnode; i++) inertia_ambient(&s->layout.inertia[i], s->layout.mass[i]);
  PetscCall(SystemCreateMassDamping(s));
  for (PetscInt i = 1; i < s->layout.nnode_own; i++)
    if (!system_is_abstract(s, i)) s->layout.total_mass += s->layout.inertia[i].m;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &s->layout.total_mass, 1, MPI_DOUBLE, MPI_SUM, s->layout.comm));
  PetscFunctionReturn(0);
}

// Free components whose nodes are points without projection that nothing brakes, and of which an element is elastic.
static PetscErrorCode FindCorotating(System *s) {
  PetscMPIInt *found; // 1: elastic, 2: not of free points
  PetscFunctionBegin;
  if (!s->rule->projects_velocities || s->layout.nfree_body == 0) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(s->layout.nfree_body, &found));
  for (PetscInt e = 0; e < s->layout.nelement; e++) {
    const ModelElement *el = model_element(s->layout.model, s->layout.element[e]);
    PetscInt c = s->layout.free_body[s->layout.element_node[s->layout.element_node_start[e]]];
    if (c >= 0 && el->kind->points(el->data) > 0) found[c] |= 1;
  }
  for (PetscInt i = 1; i < s->layout.nnode; i++) {
    PetscInt c = s->layout.free_body[i];
    if (c >= 0 && (model_node(s->layout.model, s->layout.node[i])->kind != NODE_POINT ||
                   s->layout.has_projection[s->layout.node[i]] || system_is_mass_damped(s, i)))
      found[c] |= 2;
  }
  PetscCall(ReduceArray(s->layout.comm, found, s->layout.nfree_body, MPI_INT, MPI_BOR));
  for (PetscInt c = 0; c < s->layout.nfree_body; c++) s->layout.may_corotate[c] = found[c] == 1;
  PetscCall(PetscFree(found));
  PetscFunctionReturn(0);
}

void system_start_coordinates(System *s) {
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    const ModelJoint *m = model_joint(s->layout.model, s->layout.joint[j]);
    Vec3 g[MAX_ROWS][MAX_LOCAL_VECTORS], v[MAX_LOCAL_VECTORS];
    double gz[1][MAX_ROWS], moves[MAX_ROWS] = {0};
    JointState q;
    int n = 0;
    if (!model_joint_is_abstract(m)) continue;
    system_joint_state(s, j, &q);
    for (int a = 0; a < m->nnode; a++)
      for (int k = 0; k < node_vectors(q.kind[a]); k++, n++) {
        PetscInt i = s->layout.joint_node[j][a];
        Mat3 axes = q.kind[a] == NODE_FRAME ? node_axes(s->state.x + 4 * i) : mat3_identity();
        const Vec3 *rate = s->state.v + 4 * i;
        if (system_material(s, i))
          v[n] = mat3_apply(axes, k == 0 ? rate[0] : vec3_cross(rate[1], mat3_apply_transpose(axes, q.x[n])));
        else v[n] = q.kind[a] == NODE_FIXED ? vec3_zero() : rate[k];
      }
    rows_gradient(&m->joint.rows, q.x, &s->state.coord[j], g, n);
    rows_rate(&m->joint.rows, q.x, &s->state.coord[j], 0, gz[0]);
    int row = m->joint.rows.nrow - 1; // that gives the coordinate its value
    for (int k = 0; k < n; k++) moves[row] += vec3_dot(g[row][k], v[k]);
    PetscInt point = s->layout.joint_node[j][m->nnode - 2];
    s->state.v[4 * point] = vec3(-gz[0][0] * moves[row] / gz[0][row], 0, 0);
  }
}

PetscErrorCode SystemCreateState(System *s) {
  double low[3] = {0}, high[3] = {0};
  PetscFunctionBegin;
  PetscCall(SystemCreateArrays(s));
  PetscCall(PetscCalloc3(s->layout.nfree_body, &s->step.centre_velocity, s->layout.model->loads.count,
                         &s->step.amplitude, s->layout.model->loads.count, &s->step.end_amplitude));
  PetscCall(PetscCalloc2(s->layout.nfree_body, &s->layout.may_corotate, s->layout.nfree_body, &s->step.corotation));
  PetscCall(FindCorotating(s));
  Store store = {0};
  StartPose pose;
  PetscCall(ModelStartPose(s->layout.model, &store, &pose));
  for (PetscInt j = 0; j < s->layout.njoint && pose.x; j++) s->state.coord[j] = pose.coord[s->layout.joint[j]];
  for (PetscInt i = 0; i < s->layout.nnode; i++) {
    const ModelNode *n = model_node(s->layout.model, s->layout.node[i]);
    Vec3 v, w, *x = s->state.x + 4 * i, *rate = s->state.v + 4 * i;
    model_velocity(s->layout.model, s->layout.node[i], &v, &w);
    for (int j = 0; j < node_vectors(n->kind); j++) x[j] = pose.x ? pose.x[s->layout.node[i]][j] : n->x[j];
    if (n->kind != NODE_POINT) {
      Mat3 r = rotation_orthonormalised(node_axes(x));
      for (int j = 0; j < 3; j++) x[j + 1] = mat3_column(r, j);
    }
    if (system_material(s, i)) {
      Mat3 r = node_axes(x);
      rate[0] = mat3_apply_transpose(r, v), rate[1] = mat3_apply_transpose(r, w);
    } else {
      rate[0] = v;
      for (int j = 1; j < node_vectors(n->kind); j++) rate[j] = vec3_cross(w, x[j]);
    }
  }
  PetscCall(StoreDestroy(&store));
  system_start_coordinates(s);
  // size: the diagonal of the box around all nodes
  for (PetscInt i = 0; i < s->layout.model->nodes.count; i++) {
    double at[3];
    vec3_to(model_node(s->layout.model, i)->x[0], at);
    for (int k = 0; k < 3; k++) low[k] = PetscMin(low[k], at[k]), high[k] = PetscMax(high[k], at[k]);
  }
  s->layout.length = vec3_norm(vec3_sub(vec3_of(high), vec3_of(low)));
  if (!(s->layout.length > 0)) s->layout.length = 1;
  PetscFunctionReturn(0);
}
