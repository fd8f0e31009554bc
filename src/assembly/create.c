// SPDX-License-Identifier: Apache-2.0
#include "assembly/workspace.h"

#include "base/rotation.h"

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
  for (PetscInt i = 0; i < s->layout.nnode; i++) inertia_ambient(&s->layout.inertia[i], s->layout.mass[i]);
  PetscCall(SystemCreateMassDamping(s));
  for (PetscInt i = 1; i < s->layout.nnode_own; i++) s->layout.total_mass += s->layout.inertia[i].m;
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

PetscErrorCode SystemCreateState(System *s) {
  double low[3] = {0}, high[3] = {0};
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(4 * s->layout.nnode, &s->state.x, 4 * s->layout.nnode, &s->state.v));
  if (s->rule->accelerations)
    PetscCall(PetscCalloc2(4 * s->layout.nnode, &s->state.a, 4 * s->layout.nnode, &s->state.w));
  PetscCall(PetscCalloc5(s->layout.njoint, &s->state.coord, s->layout.njoint, &s->state.multiplier, s->layout.njoint,
                         &s->step.target, s->layout.njoint, &s->step.target_rate, s->layout.njoint,
                         &s->redundancy.row_off));
  PetscCall(PetscCalloc3(s->layout.nfree_body, &s->step.centre_velocity, s->layout.model->loads.count,
                         &s->step.amplitude, s->layout.model->loads.count, &s->step.end_amplitude));
  PetscCall(PetscCalloc2(s->layout.nfree_body, &s->layout.may_corotate, s->layout.nfree_body, &s->step.corotation));
  PetscCall(FindCorotating(s));
  for (PetscInt i = 0; i < s->layout.nnode; i++) {
    const ModelNode *n = model_node(s->layout.model, s->layout.node[i]);
    Vec3 v, w, *x = s->state.x + 4 * i, *rate = s->state.v + 4 * i;
    model_velocity(s->layout.model, s->layout.node[i], &v, &w);
    for (int j = 0; j < node_vectors(n->kind); j++) x[j] = n->x[j];
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
